import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Day, Timestamp } from '#lib/time.ts'
import { Holiday } from './holiday-countries.ts'
import { FirstCommentState, Post } from './posts.ts'
import { ReadinessState } from './readiness.ts'
import { StoredZone } from './zones.ts'

/** Days around which the ranges before and after exist. */
export const CalendarDay = Day.refine((day) => day >= '1970' && day < '3000', 'Must be between 1970 and 2999.')

/** A post at its time, and a draft at its planned time. A calendar doesn't show drafts without one. */
export const CalendarPost = Post.pick({
  id: true,
  brandId: true,
  status: true,
  provider: true,
  threadId: true,
  position: true,
  waitingFor: true,
  failureCode: true,
  withdrawnAt: true,
  reviewState: true,
  version: true,
}).extend({
  scheduledAt: Timestamp,
  localTime: z.string().describe('`scheduledAt` as date and time in `timeZone`, such as `2026-11-21T09:00`.'),
  timeZone: StoredZone.describe('The time zone of the brand.'),
  account: z
    .object({ id: Id.nullable().describe('Null when it is no longer connected.'), name: z.string() })
    .nullable()
    .describe('The account that the post was published to, or would be published to. Null when none is connected.'),
  excerpt: z.string().describe('The first 160 characters of the text, on one line.'),
  isDue: z.boolean().describe('Whether the scheduled time has passed.'),
  firstCommentState: FirstCommentState.nullable().describe(
    'What became of its first comment. Null until the post is published, and without one.',
  ),
  readiness: ReadinessState.nullable().describe(
    'Whether it will be published at its time, by its last check. Null unless it is scheduled and was checked.',
  ),
  can: z.object({ move: z.boolean() }),
})
export type CalendarPost = z.output<typeof CalendarPost>

export const FreeSlot = z.object({
  at: Timestamp,
  localTime: z.string().describe('`at` in the time zone of the brand, such as `2026-11-21T09:00`.'),
})
export type FreeSlot = z.output<typeof FreeSlot>

export const Calendar = z.object({
  items: z.array(CalendarPost).describe('By time. At most 2,000.'),
  omitted: z
    .int()
    .describe(
      'How many posts of the range aren’t listed: those after the first 2,000, and with a filter other than `status`, those after the first 10,000 of the range. At most 10,000 are counted.',
    ),
  country: z.string().nullable().describe('Whose public holidays are listed; null for none.'),
  holidays: z.array(Holiday).describe('Public holidays of the whole country, in its language.'),
  freeSlots: z
    .array(FreeSlot)
    .describe(
      'Queue slots of the range from now on that have no scheduled post and no planned draft, by time. Filters don’t change them.',
    ),
  nextCursor: z.null(),
  can: z.object({ create: z.boolean() }),
})
export type Calendar = z.output<typeof Calendar>
