import { dayMs } from './partitions.ts'

/** Spend of a UTC day. */
export interface DaySpend {
  day: string
  costNanoUsd: bigint
}

interface Forecast {
  spentNanoUsd: bigint
  periodStart: Date
  /** Null for a period without an end. */
  periodEnd: Date | null
  now: Date
  /** Complete days before the period, best four weeks of them. Missing days between them count as zero. */
  history: readonly DaySpend[]
}

/**
 * Expected spend at the period's end: what is spent, and for the rest what its weekdays usually cost, scaled by how the
 * period compares to them so far. Without a history the present pace goes on.
 */
export function forecast({ spentNanoUsd, periodStart, periodEnd, now, history }: Forecast): bigint {
  if (periodEnd === null || now >= periodEnd) return spentNanoUsd
  const spent = Number(spentNanoUsd)
  const usual = usualByWeekday(history)
  if (!usual) {
    const elapsedMs = Math.max(now.getTime() - periodStart.getTime(), 1)
    const pace = spent / elapsedMs
    return spentNanoUsd + rounded(pace * (periodEnd.getTime() - now.getTime()))
  }
  const elapsed = usualBetween(usual, periodStart, now)
  const rest = usualBetween(usual, now, periodEnd)
  // A usual day as expected, so that the first minutes of a period don't decide.
  const prior = usual.reduce((sum, cost) => sum + cost, 0) / usual.length
  return spentNanoUsd + rounded((rest * (spent + prior)) / (elapsed + prior))
}

const rounded = (nanoUsd: number): bigint => BigInt(Math.round(Math.max(nanoUsd, 0)))

const leastDays = 7

/** The mean cost of each weekday, from Sunday; null when the history is too short or empty. */
function usualByWeekday(history: readonly DaySpend[]): number[] | null {
  const days = history.map(({ day }) => Date.parse(day))
  const [first, last] = [Math.min(...days), Math.max(...days)]
  if (!((last - first) / dayMs + 1 >= leastDays)) return null
  const costs = new Map(history.map(({ day, costNanoUsd }) => [Date.parse(day), Number(costNanoUsd)]))
  const sums = Array.from({ length: 7 }, () => ({ cost: 0, days: 0 }))
  for (let day = first; day <= last; day += dayMs) {
    const sum = sums[new Date(day).getUTCDay()]
    if (!sum) continue
    sum.cost += costs.get(day) ?? 0
    sum.days += 1
  }
  const means = sums.map(({ cost, days: count }) => cost / count)
  return means.some((mean) => mean > 0) ? means : null
}

function usualBetween(usual: readonly number[], from: Date, to: Date): number {
  let sum = 0
  for (let at = from.getTime(); at < to.getTime();) {
    const end = Math.min((Math.floor(at / dayMs) + 1) * dayMs, to.getTime())
    sum += ((usual[new Date(at).getUTCDay()] ?? 0) * (end - at)) / dayMs
    at = end
  }
  return sum
}

export interface Anomaly extends DaySpend {
  /** The median of the same weekday in the weeks before. */
  expectedNanoUsd: bigint
  direction: 'above' | 'below'
}

const leastWeeks = 3
/** Also when weeks don't differ at all, a day has to differ by so much of the expected cost, and by a cent. */
const leastShare = 0.5
const minNanoUsd = 10_000_000
/** Of the median absolute deviation, which is 0.67 of a standard deviation. */
const deviations = 4.5

/** Of `days` those that are far off the same weekday in `history`, which begins with the first day of usage. */
export function findAnomalies(
  days: readonly DaySpend[],
  history: ReadonlyMap<string, bigint>,
  { weeks, today }: { weeks: number; today: string },
): Anomaly[] {
  const firstDay = [...history.keys()].reduce((one, other) => (one < other ? one : other), today)
  return days.flatMap(({ day, costNanoUsd }) => {
    const before = Array.from({ length: weeks }, (_, week) => Date.parse(day) - (week + 1) * 7 * dayMs)
      .map((at) => new Date(at).toISOString().slice(0, 10))
      .filter((other) => other >= firstDay)
      .map((other) => Number(history.get(other) ?? 0n))
    if (before.length < leastWeeks) return []
    const expected = median(before)
    const spread = median(before.map((cost) => Math.abs(cost - expected)))
    const difference = Number(costNanoUsd) - expected
    // Today isn't over.
    if (difference < 0 && day >= today) return []
    if (Math.abs(difference) <= Math.max(deviations * spread, leastShare * expected, minNanoUsd)) return []
    const direction = difference > 0 ? ('above' as const) : ('below' as const)
    return [{ day, costNanoUsd, expectedNanoUsd: BigInt(Math.round(expected)), direction }]
  })
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}
