import type { Period } from '../contract/families.ts'

export interface Window {
  /** Inclusive. */
  start: Date
  /** Exclusive; null for a total. */
  end: Date | null
}

/** Windows of the last requests by period and zone: Temporal takes 20 µs. */
const latest = new Map<string, Window>()

/** The period that contains `at` in a time zone. A week begins on Monday. */
export function periodAt(period: Period, timeZone: string, at: Date): Window {
  const key = `${period} ${timeZone}`
  const known = latest.get(key)
  if (known && contains(known, at)) return known
  const window = windowOf(period, timeZone, at)
  latest.set(key, window)
  return window
}

const contains = ({ start, end }: Window, at: Date): boolean => start <= at && (end === null || at < end)

/** Totals have one period. */
const beginning = new Date(0)

function windowOf(period: Period, timeZone: string, at: Date): Window {
  if (period === 'total') return { start: beginning, end: null }
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
  const start = startOf(period, local)
  return { start: toDate(start), end: toDate(endOf(period, start)) }
}

function startOf(period: Exclude<Period, 'total'>, at: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  if (period === 'hour') return at.with({ minute: 0, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 })
  if (period === 'day') return at.startOfDay()
  if (period === 'week') return at.subtract({ days: at.dayOfWeek - 1 }).startOfDay()
  return at.with({ day: 1 }).startOfDay()
}

const lengths = { hour: { hours: 1 }, day: { days: 1 }, week: { weeks: 1 }, month: { months: 1 } } as const

function endOf(period: Exclude<Period, 'total'>, start: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  const next = startOf(period, start.add(lengths[period]))
  if (next.epochMilliseconds > start.epochMilliseconds) return next
  // Where clocks go back by half an hour, one hour has 90 minutes.
  return startOf(period, start.add({ hours: 2 }))
}

const toDate = ({ epochMilliseconds }: Temporal.ZonedDateTime): Date => new Date(epochMilliseconds)
