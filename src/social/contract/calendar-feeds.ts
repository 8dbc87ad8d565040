import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'

/** A secret address at which a calendar program reads the posts of a brand. */
export const CalendarFeed = z.object({
  id: Id,
  brandId: Id,
  createdAt: Timestamp,
  lastUsedAt: Timestamp.nullable().describe('To the hour. Null before the first use.'),
})
export type CalendarFeed = z.output<typeof CalendarFeed>

export const CalendarFeedList = listOf(CalendarFeed)
export type CalendarFeedList = z.output<typeof CalendarFeedList>

export const NewCalendarFeed = CalendarFeed.extend({
  url: z.string().optional().describe('The secret address. Only in the first response.'),
})
export type NewCalendarFeed = z.output<typeof NewCalendarFeed>
