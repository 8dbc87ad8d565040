import { and, gte, lt, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { optionalField } from './text.ts'
import { Day, TimeZone, wallTime } from './time.ts'

/** Fields of a filter by days. */
export const dayRange = {
  from: optionalField(Day),
  to: optionalField(Day).describe('Inclusive.'),
  timeZone: optionalField(TimeZone).describe('Of the days; UTC when not set.'),
}

interface DayRange {
  from?: string | undefined
  to?: string | undefined
  timeZone?: string | undefined
}

/** Whether a time is within the days, which are as long as the time zone’s are. */
export const withinDays = (column: PgColumn, { from, to, timeZone = 'UTC' }: DayRange): SQL | undefined =>
  and(
    from === undefined ? undefined : gte(column, wallTime(`${from}T00:00`, timeZone)),
    to === undefined ? undefined : lt(column, wallTime(`${dayAfter(to)}T00:00`, timeZone)),
  )

const dayAfter = (day: string): string => Temporal.PlainDate.from(day).add({ days: 1 }).toString()
