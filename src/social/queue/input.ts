import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Cursor } from '#lib/paginate.ts'
import { optionalField } from '#lib/text.ts'
import { Instant } from '#lib/time.ts'
import { CalendarDay } from '../contract.ts'
import { calendarFilters } from '../calendar/input.ts'
import { Version } from '../posts/input.ts'

/** Days of a page of the queue. */
export const defaultDays = 7
const maxDays = 31

const { provider, accountId } = calendarFilters

export const QueueFilter = z
  .object({
    brandId: Id,
    from: optionalField(CalendarDay).describe(
      'First day, in the time zone of the brand. Default: today, also for days that have passed.',
    ),
    days: z.coerce.number().int().min(1).max(maxDays).default(defaultDays),
    cursor: Cursor.describe('The `nextCursor` of the days before, instead of `from`.'),
    provider,
    accountId,
  })
  .superRefine(({ from, cursor }, context) => {
    if (from && cursor)
      context.addIssue({ code: 'custom', path: ['from'], message: 'Has no effect with cursor. Remove it.' })
  })
export type QueueFilter = z.output<typeof QueueFilter>

export const QueueMove = z.object({
  postId: Id,
  to: Instant.describe('The time of a coming queue slot of the brand.'),
  version: Version,
})
export type QueueMove = z.output<typeof QueueMove>
