import { z } from 'zod'
import { invalid } from '#lib/errors.ts'
import { optionalField } from '#lib/text.ts'
import { Instant, wallTime } from '#lib/time.ts'

const LocalTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/)
  .refine(isCalendarTime)
  .transform((local) => ({ local }))

const DateAndTime = z.object({ date: z.string(), time: z.string() }).transform(({ date, time }) => `${date}T${time}`)

export const When = z.union(
  [z.literal('now'), Instant, LocalTime, DateAndTime.pipe(LocalTime)],
  'Must be a time with an offset, such as 2026-11-21T10:20:00Z, a local time, such as 2026-11-21T10:20, or now.',
)
export type When = z.output<typeof When>

export const optionalWhen = <Time extends z.ZodType>(time: Time) =>
  z.preprocess((value) => (hasEmptyDate(value) ? undefined : value), optionalField(time))

const hasEmptyDate = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'date' in value && value.date === ''

/** @throws {Problem} 422 unless it is in the future */
export function publishingTime(when: When, timeZone: string, now: Date): Date {
  if (when === 'now') return nextSecond(now)
  const at = when instanceof Date ? when : wallTime(when.local, timeZone)
  if (at > now && at.getUTCFullYear() <= 9999) return at
  throw invalid([{ path: 'scheduledAt', message: 'Must be in the future.' }])
}

/** The start of the next second: when `now`, `publish-now` and `retry` schedule (SOC-13). */
export const nextSecond = (now: Date): Date => new Date(Math.floor(now.getTime() / 1000) * 1000 + 1000)

function isCalendarTime(local: string): boolean {
  try {
    return Temporal.PlainDateTime.from(local).year > 0
  } catch {
    return false
  }
}
