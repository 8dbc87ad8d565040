import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { forecast, type DaySpend } from '../usage/forecast.ts'
import { dayAfter, dayOf } from '../usage/partitions.ts'
import { countedBy } from './adopt.ts'
import type { Limit } from './limit.ts'
import { periodAt, type Window } from './period.ts'
import type { LimitState } from './types.ts'

/** Complete UTC days before a period that its forecast learns weekdays from. */
const historyDays = 28

/** What the period will have spent at its end when spending goes on like this; what a total has spent. */
export const forecastOf = (spentNanoUsd: bigint, { start, end }: Window, at: Date, history: readonly DaySpend[] = []) =>
  forecast({ spentNanoUsd, periodStart: start, periodEnd: end, now: at, history })

/** What each limit's current period will have spent at its end; weekdays count as in the weeks before. */
export async function forecastLimits(
  db: Database,
  states: readonly (Limit & LimitState)[],
  at: Date,
): Promise<bigint[]> {
  const histories = await readHistories(db, states, at)
  return states.map((limit, index) =>
    forecastOf(limit.spentNanoUsd, windowOf(limit, at), at, histories.get(index) ?? []),
  )
}

const windowOf = ({ period, timeZone }: Pick<Limit, 'period' | 'timeZone'>, at: Date): Window =>
  periodAt(period, timeZone, at)

const Row = z.object({ at: z.coerce.number(), day: z.string(), cost: z.coerce.bigint() })

async function readHistories(db: Database, limits: readonly Limit[], at: Date): Promise<Map<number, DaySpend[]>> {
  const parts = limits.flatMap((limit, index) => {
    // An hour is too short for weekdays, and a total has no end.
    if (limit.period === 'hour' || limit.period === 'total') return []
    const end = dayOf(windowOf(limit, at).start)
    return sql`SELECT ${index}::int AS at, day, sum(cost_nano_usd) AS cost FROM gateway.usage_daily
      WHERE day >= ${dayAfter(end, -historyDays)}::date AND day < ${end}::date AND ${countedBy(limit)} GROUP BY day`
  })
  if (parts.length === 0) return new Map()
  const rows = await db.execute(
    sql`SELECT at, day::text, cost::text FROM (${sql.join(parts, sql` UNION ALL `)}) AS days`,
  )
  const histories = new Map<number, DaySpend[]>()
  for (const { at: index, day, cost } of rows.map((row) => Row.parse(row)))
    histories.set(index, [...(histories.get(index) ?? []), { day, costNanoUsd: cost }])
  return histories
}
