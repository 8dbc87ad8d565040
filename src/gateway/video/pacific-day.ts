import { periodAt } from '../budgets/period.ts'

/** Where Google’s quotas reset. */
const zone = 'America/Los_Angeles'

export interface PacificDay {
  /** Such as `2026-11-22`. */
  day: string
  start: Date
  /** Midnight: 23 or 25 hours later where the clocks change. */
  end: Date
}

export function pacificDay(at: Date): PacificDay {
  const { start, end } = periodAt('day', zone, at)
  if (end === null) throw new Error('A day has no end')
  const local = Temporal.Instant.fromEpochMilliseconds(start.getTime()).toZonedDateTimeISO(zone)
  return { day: local.toPlainDate().toString(), start, end }
}
