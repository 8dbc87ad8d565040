import type { QueueTime, SlotClockChange } from '#social/types'

/** Such as `On 28 Mar 2027, 02:30 occurs twice in …`. */
export const describeClockChange = ({ date, time, kind, localTime }: SlotClockChange, zone: string): string => {
  const day = Temporal.PlainDate.from(date).toLocaleString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
  return kind === 'skipped'
    ? `On ${day}, ${time} doesn’t exist in ${zone}, because clocks go forward. The slot is at ${localTime.slice(11)} on that day.`
    : `On ${day}, ${time} occurs twice in ${zone}, because clocks go back. The slot is the first one.`
}

/** Beside the slot of that day. */
export const describeChangedSlot = ({ time, kind }: NonNullable<QueueTime['clockChange']>): string =>
  kind === 'skipped'
    ? `Slot of ${time}, which doesn’t exist on this day: clocks go forward.`
    : `The first ${time} of this day: clocks go back, and it occurs twice.`
