import { wallTime } from '#lib/time.ts'

/** The beginning of a day in a time zone: a day can have 23 or 25 hours. */
export const firstInstant = (day: string, zone: string, daysLater = 0): Date =>
  wallTime(`${Temporal.PlainDate.from(day).add({ days: daysLater }).toString()}T00:00`, zone)

const hour = 3_600_000

/**
 * Reads many instants as wall times of a zone, such as `2026-11-21T09:00`. Offsets change at full quarters of an hour, and
 * asking for one costs more than all the rest, so each is asked for once per quarter.
 */
export function localTimes(zone: string): (at: Date) => string {
  const offsets = new Map<number, number>()
  const offsetAt = (at: number): number => {
    const quarter = Math.floor(at / (hour / 4))
    const known = offsets.get(quarter)
    if (known !== undefined) return known
    const offset = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6
    offsets.set(quarter, offset)
    return offset
  }
  return (at) => new Date(at.getTime() + offsetAt(at.getTime())).toISOString().slice(0, 16)
}
