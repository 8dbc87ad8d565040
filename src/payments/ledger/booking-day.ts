import { localDay, monthOf } from '#lib/time.ts'
import type { Head } from './heads.ts'

export interface BookingDay {
  readonly bookedOn: string
  /** The closed month that it belongs to, such as `2026-10`. */
  readonly closedMonth: string | null
}

interface Booked {
  readonly at: Date
  /** The month of the transaction that it corrects. */
  readonly correctedMonth?: string | null | undefined
}

/**
 * The local day on which the money moved. Once its month is closed, the day on which it is recorded, since that is in an
 * open month: only months that are over can be closed.
 */
export function bookingDayOf(
  { at, correctedMonth }: Booked,
  { openFrom, timeZone }: Pick<Head, 'openFrom' | 'timeZone'>,
  now: Date = new Date(),
): BookingDay {
  const day = localDay(at, timeZone)
  if (openFrom === null) return { bookedOn: day, closedMonth: null }
  const isLate = day < openFrom
  const month = isLate ? monthOf(day) : correctedMonth
  const recorded = localDay(now, timeZone)
  return {
    bookedOn: isLate ? (recorded > openFrom ? recorded : openFrom) : day,
    closedMonth: month && month < monthOf(openFrom) ? month : null,
  }
}
