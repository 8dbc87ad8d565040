import { z } from 'zod'
import { optionalField } from '#lib/text.ts'

export const repeats = ['daily', 'weekdays', 'weekly', 'monthly', 'cron'] as const

const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time, such as 09:00.')
const Weekday = z.coerce.number().int().min(0).max(6)
const MonthDay = z.union([z.literal('last'), z.coerce.number().int().min(1).max(28)], {
  error: 'Must be a day from 1 to 28, or last.',
})

/** What people choose instead of cron fields. */
export const PlainSchedule = z.object({
  repeat: z.enum(repeats).describe('Instead of `cron`: how often it runs. `cron` uses the cron fields.'),
  time: optionalField(Time).describe('Of its time zone. 09:00 by default.'),
  weekday: optionalField(Weekday).describe('For `weekly`: 0 is Sunday. Monday by default.'),
  day: optionalField(MonthDay).describe('For `monthly`: 1 to 28, or `last`. 1 by default.'),
})
export type PlainSchedule = z.output<typeof PlainSchedule>

/** `written` are the cron fields that were typed. */
export function cronOf({ repeat, time = '09:00', weekday = 1, day = 1 }: PlainSchedule, written: string): string {
  if (repeat === 'cron') return written
  const [hours, minutes] = time.split(':').map(Number)
  const at = `${minutes} ${hours}`
  return {
    daily: `${at} * * *`,
    weekdays: `${at} * * 1-5`,
    weekly: `${at} * * ${weekday}`,
    monthly: `${at} ${day === 'last' ? 'L' : day} * *`,
  }[repeat]
}

const twoDigits = (text = ''): string => text.padStart(2, '0')
const time = (hour?: string, minute?: string): string => `${twoDigits(hour)}:${twoDigits(minute)}`

/** How a form shows cron fields: as they are when they are none of the plain schedules. */
export function plainOf(cron: string): PlainSchedule {
  const found = /^([1-5]?\d) (1?\d|2[0-3]) (\*|L|[12]?\d) \* (\*|1-5|[0-6])$/.exec(cron.trim())
  const [, minute, hour, day, weekday] = found ?? []
  if (!found || (day !== '*' && weekday !== '*')) return { repeat: 'cron' }
  const at = { time: time(hour, minute) }
  if (weekday === '1-5') return { repeat: 'weekdays', ...at }
  if (weekday !== '*') return { repeat: 'weekly', ...at, weekday: Number(weekday) }
  if (day === '*') return { repeat: 'daily', ...at }
  if (day === 'L') return { repeat: 'monthly', ...at, day: 'last' }
  const number = Number(day)
  return number >= 1 && number <= 28 ? { repeat: 'monthly', ...at, day: number } : { repeat: 'cron' }
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

/** In words, without its time zone. */
export function wordsOf(cron: string): string {
  const { repeat, time: at, weekday = 0, day } = plainOf(cron)
  if (repeat === 'daily') return `Every day at ${at}`
  if (repeat === 'weekdays') return `Every weekday at ${at}`
  if (repeat === 'weekly') return `Every ${weekdays[weekday] ?? 'week'} at ${at}`
  if (repeat === 'monthly') return `Every month on ${day === 'last' ? 'the last day' : `day ${day}`} at ${at}`
  return cron
}
