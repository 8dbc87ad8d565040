const maxDays = 92
const usualDays = 7

export interface DayRange {
  /** Days in UTC, both included. */
  from: string
  to: string
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

export const addDays = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString()

/** A range of 1 to 92 days that ends today when it isn’t said. */
export function rangeOf({ from, to }: { from?: string | undefined; to?: string | undefined }, now: Date): DayRange {
  const end = to ?? dayOf(now)
  const begin = from ?? addDays(end, 1 - usualDays)
  const earliest = addDays(end, 1 - maxDays)
  return { from: begin > end ? end : begin < earliest ? earliest : begin, to: end }
}

export function daysOf({ from, to }: DayRange): string[] {
  const days: string[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  return days
}

export const rangeBefore = (range: DayRange): DayRange => ({
  from: addDays(range.from, -daysOf(range).length),
  to: addDays(range.from, -1),
})
