import { invalid } from '#lib/errors.ts'
import { localDay, monthOf } from '#lib/time.ts'

const maxDays = 1_100

/** Days, both included. */
export interface DayRange {
  from: string
  to: string
}

interface Given {
  from?: string | undefined
  to?: string | undefined
}

/** The month so far when nothing is given; at most `longest` days. @throws {Problem} 422 for too many days, or when it ends before it begins */
export function reportRange(
  { from, to }: Given,
  { now, timeZone, longest = maxDays }: { now: Date; timeZone: string; longest?: number },
): DayRange {
  const end = to ?? localDay(now, timeZone)
  const begin = from ?? `${monthOf(end)}-01`
  const days = Temporal.PlainDate.from(begin).until(end).days + 1
  if (days < 1) throw invalid([{ path: 'from', message: `Must be at most ${end}, the last day.` }])
  if (days > longest)
    throw invalid([
      { path: 'from', message: `Must be at most ${longest.toLocaleString('en')} days before the last day.` },
    ])
  return { from: begin, to: end }
}

export function rangeOfMonth(month: string): DayRange {
  const first = Temporal.PlainDate.from(`${month}-01`)
  return { from: first.toString(), to: first.add({ months: 1 }).subtract({ days: 1 }).toString() }
}

export const monthAfter = (month: string): string => Temporal.PlainYearMonth.from(month).add({ months: 1 }).toString()
