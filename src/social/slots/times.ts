import type { QueueSlot } from '../contract.ts'

const daysOfWeek = 7

/**
 * The times of weekly slots after an instant, soonest first, without an end unless there is no slot. A slot keeps its
 * wall time: one that a daylight-saving change skips is as much later, one that occurs twice means the first.
 */
export function* slotTimes(slots: readonly QueueSlot[], timeZone: string, after: Date): Generator<Date> {
  if (slots.length === 0) return
  const byDay = Array.from({ length: daysOfWeek }, (_, at) =>
    slots
      .filter(({ day }) => day === at + 1)
      .map(({ time }) => time)
      .toSorted(),
  )
  let day = Temporal.Instant.fromEpochMilliseconds(after.getTime()).toZonedDateTimeISO(timeZone).toPlainDate()
  for (; ; day = day.add({ days: 1 })) {
    // A skipped time can be equal to a later slot, or after it.
    const times = new Set(
      byDay[day.dayOfWeek - 1]?.map((plainTime) => day.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds),
    )
    for (const at of [...times].toSorted((one, other) => one - other)) if (at > after.getTime()) yield new Date(at)
  }
}
