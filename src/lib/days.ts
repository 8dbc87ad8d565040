import { and, gte, lt, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { firstIdAt } from './ids.ts'
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

/** Clocks of servers differ, and a transaction can begin before its rows get their IDs. */
const slackMs = 24 * 60 * 60 * 1000

/** For rows that get their ID when they are created: it begins with the time, so that lists by ID needn’t look at newer rows. */
export function createdWithinDays(
  { id, createdAt }: { id: PgColumn; createdAt: PgColumn },
  { from, to, timeZone = 'UTC' }: DayRange,
): SQL | undefined {
  const idAt = (day: string, ms: number) => firstIdAt(new Date(wallTime(`${day}T00:00`, timeZone).getTime() + ms))
  return and(
    withinDays(createdAt, { from, to, timeZone }),
    from === undefined ? undefined : gte(id, idAt(from, -slackMs)),
    to === undefined ? undefined : lt(id, idAt(dayAfter(to), slackMs)),
  )
}

const dayAfter = (day: string): string => Temporal.PlainDate.from(day).add({ days: 1 }).toString()
