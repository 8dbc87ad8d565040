import type { QueueSlot } from '../contract.ts'

/** What a daylight-saving change makes of a slot on the day of the change. */
export interface SlotClockChange {
  date: string
  /** Of the slot. */
  time: string
  /** The time doesn’t exist on that day, or occurs twice. */
  kind: 'skipped' | 'repeated'
  /** What the slot means then: the time as much later, or the first one. */
  at: Date
  localTime: string
}

const minuteNs = 60_000_000_000

/** Of weekly slots, after one instant and before another one, soonest first. */
export function listClockChanges(
  slots: readonly QueueSlot[],
  timeZone: string,
  { from, until }: { from: Date; until: Date },
): SlotClockChange[] {
  if (slots.length === 0) return []
  // A change on the day of the first instant can be before it, and its skipped times after it.
  let clock = zoned(from, timeZone).subtract({ days: 1 })
  const changes: SlotClockChange[] = []
  for (;;) {
    const next = clock.getTimeZoneTransition('next')
    if (!next || next.epochMilliseconds >= until.getTime()) break
    changes.push(...changesAt(next, slots))
    clock = next
  }
  return changes
    .filter(({ at }) => at > from && at < until)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
}

const zoned = (at: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)

function changesAt(change: Temporal.ZonedDateTime, slots: readonly QueueSlot[]): SlotClockChange[] {
  const before = change.subtract({ nanoseconds: 1 })
  const shift = change.offsetNanoseconds - before.offsetNanoseconds
  const after = change.toPlainDateTime()
  const other = after.subtract({ minutes: shift / minuteNs })
  const [start, end] = shift > 0 ? [other, after] : [after, other]
  const days = [...new Set([start, end].map((at) => at.toPlainDate().toString()))].map((day) =>
    Temporal.PlainDate.from(day),
  )
  return days.flatMap((day) =>
    slots.flatMap(({ day: weekday, time }) => {
      const plain = day.toPlainDateTime(time)
      const isConcerned =
        weekday === day.dayOfWeek &&
        Temporal.PlainDateTime.compare(plain, start) >= 0 &&
        Temporal.PlainDateTime.compare(plain, end) < 0
      if (!isConcerned) return []
      const at = plain.toZonedDateTime(change.timeZoneId)
      return {
        date: day.toString(),
        time,
        kind: shift > 0 ? ('skipped' as const) : ('repeated' as const),
        at: new Date(at.epochMilliseconds),
        localTime: at.toPlainDateTime().toString({ smallestUnit: 'minute' }),
      }
    }),
  )
}
