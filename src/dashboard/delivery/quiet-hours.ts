import { wallTime } from '#lib/time.ts'

/** Times are such as `20:00`; days are those on which it begins, 1 is Monday. */
interface QuietHours {
  quietHours: boolean
  quietFrom: string
  quietUntil: string
  quietDays: readonly number[]
}

const timeIn = (zone: string, at: Date): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone)

/** When the quiet hours that `at` is in end, by the clock of the zone; null outside of them. */
export function quietEnd(
  { quietHours, quietFrom, quietUntil, quietDays }: QuietHours,
  at: Date,
  zone: string,
): Date | null {
  if (!quietHours) return null
  const today = timeIn(zone, at).toPlainDate()
  // Those that began yesterday can still last.
  for (const begin of [today.subtract({ days: 1 }), today]) {
    if (!quietDays.includes(begin.dayOfWeek)) continue
    const end = quietUntil > quietFrom ? begin : begin.add({ days: 1 })
    const from = wallTime(`${begin.toString()}T${quietFrom}`, zone)
    const until = wallTime(`${end.toString()}T${quietUntil}`, zone)
    if (from <= at && at < until) return until
  }
  return null
}

interface Frequency {
  frequency: 'immediate' | 'hourly' | 'daily'
  dailyAt: string
}

/** When what is held until the end of quiet hours is emailed: at the same time as what is gathered then. */
export function gatheredAfter(frequency: Frequency, quietEnds: Date, zone: string): Date {
  return gatheredUntil(frequency, new Date(quietEnds.getTime() - 1), zone)
}

/** When what happened at `at` is emailed. */
export function gatheredUntil({ frequency, dailyAt }: Frequency, at: Date, zone: string): Date {
  if (frequency === 'immediate') return at
  if (frequency === 'hourly') {
    const hour = timeIn(zone, at).round({ smallestUnit: 'hour', roundingMode: 'floor' })
    return new Date(hour.add({ hours: 1 }).epochMilliseconds)
  }
  const today = timeIn(zone, at).toPlainDate()
  const planned = wallTime(`${today.toString()}T${dailyAt}`, zone)
  return planned > at ? planned : wallTime(`${today.add({ days: 1 }).toString()}T${dailyAt}`, zone)
}
