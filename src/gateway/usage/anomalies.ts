import type { Database } from '#lib/db.ts'
import { findAnomalies, type Anomaly } from './forecast.ts'
import { dayAfter, dayOf } from './partitions.ts'
import { readDays, type UsageScope } from './reads.ts'

/** Weeks before a day with which it is compared. */
const weeks = 8

/** Days of the range that are far off the same weekday before. */
export async function readAnomalies(db: Database, scope: UsageScope, now: Date): Promise<Anomaly[]> {
  const days = await readDays(db, { ...scope, from: dayAfter(scope.from, -7 * weeks) })
  const costs = new Map(days.map(({ day, costNanoUsd }) => [day, costNanoUsd]))
  const requested = daysOf(scope).map((day) => ({ day, costNanoUsd: costs.get(day) ?? 0n }))
  return findAnomalies(requested, costs, { weeks, today: dayOf(now) })
}

/** All days of a range. */
export function daysOf({ from, to }: Pick<UsageScope, 'from' | 'to'>): string[] {
  const days: string[] = []
  for (let day = from; day <= to; day = dayAfter(day)) days.push(day)
  return days
}
