import { localDay, wallTime } from '#lib/time.ts'

/** Today and the six days after. */
const weekDays = 7

/** What days are in the time zone of a brand. */
export interface BrandDays {
  today: string
  /** The beginnings of the days, and the end of the last one: a day can have 23 or 25 hours. */
  bounds: string[]
  monday: string
}

export function daysIn(timeZone: string, now: Date): BrandDays {
  const today = Temporal.PlainDate.from(localDay(now, timeZone))
  const startOf = (day: Temporal.PlainDate) => wallTime(`${day.toString()}T00:00`, timeZone).toISOString()
  return {
    today: today.toString(),
    bounds: Array.from({ length: weekDays + 1 }, (_, days) => startOf(today.add({ days }))),
    monday: startOf(today.subtract({ days: today.dayOfWeek - 1 })),
  }
}

/** The days of the week ahead in all time zones: the earliest of their todays is first. */
export function daysFrom(todays: readonly string[], now: Date): string[] {
  const first = Temporal.PlainDate.from(todays[0] ?? localDay(now, 'UTC'))
  const last = Temporal.PlainDate.from(todays.at(-1) ?? first).add({ days: weekDays - 1 })
  return Array.from({ length: first.until(last).days + 1 }, (_, days) => first.add({ days }).toString())
}
