import type { Provided } from '#lib/call.ts'

export type DemoSettings = Pick<
  Provided['config'],
  | 'DEMO_HOURS'
  | 'DEMO_DAYS'
  | 'DEMO_MINUTES'
  | 'DEMO_TIME_ZONE'
  | 'DEMO_LEAD_HOURS'
  | 'DEMO_HORIZON_DAYS'
  | 'DEMO_CLOSED_DAYS'
>

export interface Span {
  startsAt: Date
  endsAt: Date
}

const dayMs = 24 * 60 * 60_000

export const areDemosOffered = ({ DEMO_HOURS, DEMO_DAYS }: DemoSettings): boolean =>
  DEMO_HOURS.length > 0 && DEMO_DAYS.length > 0

/** From `DEMO_LEAD_HOURS` until `DEMO_HORIZON_DAYS` from now. */
export const bookableSpan = ({ DEMO_LEAD_HOURS, DEMO_HORIZON_DAYS }: DemoSettings, now: Date): Span => ({
  startsAt: new Date(now.getTime() + DEMO_LEAD_HOURS * 60 * 60_000),
  endsAt: new Date(now.getTime() + DEMO_HORIZON_DAYS * dayMs),
})

/** The times that are offered within a span, whether they are taken or not, in order. */
export function slotsWithin(settings: DemoSettings, span: Span, now: Date): Span[] {
  const bookable = bookableSpan(settings, now)
  const from = Math.max(span.startsAt.getTime(), bookable.startsAt.getTime())
  const until = Math.min(span.endsAt.getTime(), bookable.endsAt.getTime())
  if (until <= from) return []
  return daysOf(settings, from, until)
    .flatMap((day) => slotsOfDay(settings, day))
    .filter(({ startsAt }) => startsAt.getTime() >= from && startsAt.getTime() < until)
}

export function findSlot(settings: DemoSettings, startsAt: Date, now: Date): Span | undefined {
  const span = { startsAt, endsAt: new Date(startsAt.getTime() + 1) }
  return slotsWithin(settings, span, now).find((slot) => slot.startsAt.getTime() === startsAt.getTime())
}

function daysOf({ DEMO_DAYS, DEMO_TIME_ZONE, DEMO_CLOSED_DAYS }: DemoSettings, from: number, until: number) {
  const [first, last] = [from, until].map((ms) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(DEMO_TIME_ZONE).toPlainDate(),
  )
  const days: Temporal.PlainDate[] = []
  if (!first || !last) return days
  for (let day = first; Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 }))
    if (DEMO_DAYS.includes(day.dayOfWeek) && !DEMO_CLOSED_DAYS.includes(day.toString())) days.push(day)
  return days
}

function slotsOfDay({ DEMO_HOURS, DEMO_MINUTES, DEMO_TIME_ZONE }: DemoSettings, day: Temporal.PlainDate): Span[] {
  return DEMO_HOURS.flatMap(({ from, until }) => {
    const starts: number[] = []
    for (let minute = from; minute + DEMO_MINUTES <= until; minute += DEMO_MINUTES) starts.push(minute)
    return starts.flatMap((minute) => slotAt(day, minute, DEMO_MINUTES, DEMO_TIME_ZONE))
  })
}

/** None at a time that the change to summer time skips. Of a time that occurs twice, the first. */
function slotAt(day: Temporal.PlainDate, minute: number, minutes: number, zone: string): Span[] {
  const local = day.toPlainDateTime({ hour: Math.floor(minute / 60), minute: minute % 60 })
  const start = local.toZonedDateTime(zone, { disambiguation: 'earlier' })
  if (!start.toPlainDateTime().equals(local)) return []
  const startsAt = new Date(start.epochMilliseconds)
  return [{ startsAt, endsAt: new Date(startsAt.getTime() + minutes * 60_000) }]
}
