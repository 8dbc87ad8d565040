import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { optionalField, plainText } from '#lib/text.ts'
import { Day, Instant, TimeZone } from '#lib/time.ts'
import { CalendarDay, HolidayCountry, PostStatus, Provider } from '../contract.ts'
import { Tag } from '../media/input.ts'
import { optionalWhen, Version, WallTime } from '../posts/input.ts'

/** Six weeks, as a month is drawn, and a few days. */
const maxDays = 45

export const calendarFilters = {
  provider: optionalField(Provider),
  accountId: optionalField(Id).describe('Posts that were or would be published to this account.'),
  tag: optionalField(Tag),
  campaign: optionalField(plainText(200)),
  authorId: optionalField(Id),
  status: optionalField(PostStatus),
}

export const CalendarFilter = z
  .object({
    brandId: Id,
    from: CalendarDay.describe('First day, in the time zone of the brand.'),
    to: CalendarDay.describe('Last day.'),
    ...calendarFilters,
    country: optionalField(HolidayCountry).describe(
      'Whose public holidays are listed, or `none`. Default: the country of the brand’s time zone.',
    ),
  })
  .superRefine(({ from, to }, context) => {
    const days = Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to)).days + 1
    if (days < 1) context.addIssue({ code: 'custom', path: ['to'], message: 'Must not be before from.' })
    if (days > maxDays)
      context.addIssue({ code: 'custom', path: ['to'], message: `Must be at most ${maxDays} days from the first.` })
  })
export type CalendarFilter = z.output<typeof CalendarFilter>

export const PostMove = z
  .object({
    postId: Id,
    scheduledAt: optionalField(Instant),
    localTime: optionalWhen(WallTime).describe('A date and time in `timeZone`, instead of `scheduledAt`.'),
    date: optionalField(Day).describe('A day in `timeZone`, instead of `scheduledAt`: the time of day stays.'),
    timeZone: optionalField(TimeZone).describe('Default: the time zone of the brand.'),
    version: Version,
  })
  .superRefine((move, context) => {
    const broken = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    const given = [move.scheduledAt, move.localTime, move.date].filter((time) => time !== undefined).length
    if (given === 0) broken('localTime', 'Choose a time.')
    if (given > 1) broken('localTime', 'Send only one of scheduledAt, localTime and date.')
    if (move.scheduledAt && move.timeZone) broken('timeZone', 'Has no effect with scheduledAt. Remove it.')
  })
export type PostMove = z.output<typeof PostMove>
