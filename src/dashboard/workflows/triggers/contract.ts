import { z } from 'zod'
import { plainText, withoutEmpty } from '#lib/text.ts'
import { TimeZone, Timestamp } from '#lib/time.ts'
import { cronOf, PlainSchedule } from './plain-schedule.ts'

export const filterOperators = ['equals', 'not_equals', 'contains', 'greater_than', 'less_than'] as const

const Filter = z.object({
  field: plainText(100).describe('A field of the event’s data, such as `provider`.'),
  operator: z
    .enum(filterOperators)
    .default('equals')
    .describe('`contains` ignores case. `greater_than` and `less_than` compare numbers or times.'),
  value: z.union([plainText(500), z.number(), z.boolean()]),
})
export type Filter = z.output<typeof Filter>

const OfEvent = z.strictObject({
  type: z.literal('event'),
  event: plainText(100).min(1, 'Choose an event.').describe('A type that `GET /api/workflows/events` lists.'),
  filter: withoutEmpty(z.array(Filter).max(5), 'field')
    .default([])
    .describe('Each must match for the workflow to run. Items without a field are left out.'),
})

const cron = plainText(100).trim().describe('Minute, hour, day, month and weekday. At least 5 minutes apart.')

const OfSchedule = z.strictObject({ type: z.literal('schedule'), cron, timeZone: TimeZone })

/** As stored. */
export const Trigger = z.discriminatedUnion('type', [OfEvent, OfSchedule])
export type Trigger = z.output<typeof Trigger>

/** With `repeat`, the cron fields are made of the other ones, which forms send. */
const OfPlainSchedule = OfSchedule.extend({ cron: cron.default(''), ...PlainSchedule.partial().shape }).transform(
  ({ type, timeZone, cron: written, repeat, time, weekday, day }, context) => {
    const found = repeat === undefined ? written : cronOf({ repeat, time, weekday, day }, written)
    if (found !== '') return { type, timeZone, cron: found }
    context.addIssue({ code: 'custom', path: ['cron'], message: 'Enter a schedule.' })
    return z.NEVER
  },
)

export const ScheduleInput = OfPlainSchedule
export const TriggerInput = z.discriminatedUnion('type', [OfEvent, OfPlainSchedule])

export const SchedulePreview = z.object({
  cron: z.string(),
  timeZone: z.string(),
  words: z.string().describe('The schedule, without its time zone.'),
  problem: z.string().nullable().describe('Why it can’t be used.'),
  runs: z.array(Timestamp).describe('The next five times.'),
})
export type SchedulePreview = z.output<typeof SchedulePreview>
