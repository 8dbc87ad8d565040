import type { Call } from '#lib/call.ts'
import { localDay } from '#lib/time.ts'
import type { SlotWeek } from '#views/dashboard/marketing/demo.tsx'
import { listDemoSlots } from '../marketing/demo/demo.operations.ts'

const zones: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')]

interface WeekQuery {
  week?: string
  timeZone?: string
}

/** The wanted week, or the first one with a free time. */
export async function slotWeek(call: Call, { week, timeZone }: WeekQuery): Promise<SlotWeek> {
  let shown = await readWeek(call, { week, timeZone })
  const isOver = () => shown.slots.offered && !shown.slots.items.some(({ available }) => available)
  while (week === undefined && shown.next && isOver()) shown = await readWeek(call, { week: shown.next, timeZone })
  return shown
}

async function readWeek(
  { ask, config, now }: Call,
  { week, timeZone = config.DEMO_TIME_ZONE }: WeekQuery,
): Promise<SlotWeek> {
  const today = Temporal.PlainDate.from(localDay(now(), timeZone))
  const first = Temporal.PlainDate.from(
    localDay(new Date(now().getTime() + config.DEMO_LEAD_HOURS * 3_600_000), timeZone),
  )
  const last = today.add({ days: config.DEMO_HORIZON_DAYS })
  const wanted = week === undefined ? first : Temporal.PlainDate.from(week)
  const isWithin = (day: Temporal.PlainDate) =>
    Temporal.PlainDate.compare(day.add({ days: 6 }), first) >= 0 && Temporal.PlainDate.compare(day, last) <= 0
  const monday = mondayOf(isWithin(mondayOf(wanted)) ? wanted : first)
  const slots = await ask(listDemoSlots, {
    from: monday.toString(),
    to: monday.add({ days: 6 }).toString(),
    timeZone,
  })
  const near = (days: number) => (isWithin(monday.add({ days })) ? monday.add({ days }).toString() : null)
  return { slots, zones, from: monday.toString(), previous: near(-7), next: near(7) }
}

const mondayOf = (day: Temporal.PlainDate): Temporal.PlainDate => day.subtract({ days: day.dayOfWeek - 1 })
