import { z } from 'zod'
import { Day, TimeZone } from '#lib/time.ts'
import { list } from './values.ts'

/** Minutes since midnight. */
export interface HourRange {
  from: number
  until: number
}

export const practiceDemoHours: HourRange[] = [
  { from: 9 * 60, until: 12 * 60 },
  { from: 13 * 60, until: 16 * 60 },
]

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

const hourRanges = list.transform((parts, context): HourRange[] => {
  const ranges = parts.map((part) => {
    const [, from = '', until = ''] = /^((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d|24:00)$/.exec(part) ?? []
    return { from: minutesOf(from), until: minutesOf(until) }
  })
  if (ranges.every(({ from, until }, at) => from < until && from >= (ranges[at - 1]?.until ?? 0))) return ranges
  context.addIssue({ code: 'custom', message: 'Must be ranges in order, such as 09:00-12:00,13:00-16:00.' })
  return z.NEVER
})

const days = list
  .pipe(z.array(z.string().regex(/^[1-7]$/, 'Must be weekdays from 1 (Monday) to 7, such as 1,2,3.')))
  .transform((each) => each.map(Number))

/** What visitors of the public pages read about the operator, and when they can book a demo (DSH-30, DSH-34). */
export const operatorSettings = {
  OPERATOR_NAME: z.string().min(1).max(200).optional(),
  /** Its lines, separated by `|`. */
  OPERATOR_ADDRESS: z.string().min(1).max(500).optional(),
  OPERATOR_EMAIL: z.email('Must be an email address, such as hello@example.com.').optional(),
  /** Such as the register, its number and the VAT ID, separated by `|`. */
  OPERATOR_REGISTER: z.string().min(1).max(500).optional(),
  DEMO_HOURS: hourRanges.optional(),
  DEMO_DAYS: days.default([1, 2, 3, 4, 5]),
  DEMO_MINUTES: z.coerce.number().int().min(5).max(480).default(30),
  DEMO_TIME_ZONE: TimeZone.default('Europe/Berlin'),
  DEMO_LEAD_HOURS: z.coerce.number().min(0).max(720).default(24),
  DEMO_HORIZON_DAYS: z.coerce.number().int().min(1).max(120).default(28),
  DEMO_CLOSED_DAYS: list.pipe(z.array(Day)).default([]),
  /** Where demos take place, for the invitation. */
  DEMO_URL: z.url({ protocol: /^https?$/, error: 'Must be a URL, such as https://meet.example.com/demo.' }).optional(),
}
