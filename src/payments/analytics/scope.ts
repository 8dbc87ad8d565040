import { localDay } from '#lib/time.ts'
import { addDays } from '../overview/range.ts'
import { reportRange, type DayRange } from '../reports/range.ts'

const usualDays = 30
const longest = 366

export interface AnalyticsScope extends DayRange {
  organizationId: string
  currency: string
  merchantId?: string | undefined
  venueId?: string | undefined
  timeZone: string
}

/** 30 days up to today when nothing is given. @throws {Problem} 422 */
export function analyticsRange(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  { now, timeZone }: { now: Date; timeZone: string },
): DayRange {
  const end = to ?? localDay(now, timeZone)
  return reportRange({ from: from ?? addDays(end, 1 - usualDays), to: end }, { now, timeZone, longest })
}
