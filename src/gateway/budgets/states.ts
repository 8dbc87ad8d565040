import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import type { Limit } from './limit.ts'
import { lotKey } from './lots.ts'
import { places } from './leases.ts'
import { periodAt, type Window } from './period.ts'
import type { LimitState } from './types.ts'

const Row = z.object({
  limitId: z.string(),
  periodStart: z.coerce.date(),
  spent: z.coerce.bigint(),
  reserved: z.coerce.bigint(),
})

/** Spent and reserved in the limits' current periods. Reserved is what running requests hold, not what servers lease. */
export async function readStates<Known extends Limit>(
  db: Database,
  limits: readonly Known[],
  at: Date,
): Promise<(Known & LimitState)[]> {
  if (limits.length === 0) return []
  const current = limits.map((limit) => ({ limit, window: periodAt(limit.period, limit.timeZone, at) }))
  const where = places(current.map(({ limit, window }) => ({ limitId: limit.id, periodStart: window.start })))
  const rows = await db.execute(sql`
    WITH reserved AS (
      SELECT (part ->> 'limitId')::uuid AS limit_id, (part ->> 'periodStart')::timestamptz AS period_start,
        sum(amount_nano_usd) AS amount
      FROM gateway.budget_holds, jsonb_array_elements(parts) AS part
      WHERE (part ->> 'limitId')::uuid = ANY(${where.limits}::uuid[])
      GROUP BY 1, 2
    )
    SELECT asked.limit_id AS "limitId", asked.period_start AS "periodStart", coalesce(spent_nano_usd, 0) AS spent,
      coalesce(amount, 0) AS reserved
    FROM unnest(${where.limits}::uuid[], ${where.starts}::text[]::timestamptz[]) AS asked (limit_id, period_start)
    LEFT JOIN gateway.budget_periods AS period
      ON period.limit_id = asked.limit_id AND period.period_start = asked.period_start
    LEFT JOIN reserved ON reserved.limit_id = asked.limit_id AND reserved.period_start = asked.period_start`)
  const found = new Map(rows.map((row) => Row.parse(row)).map((row) => [lotKey(row.limitId, row.periodStart), row]))
  return current.map(({ limit, window }) => {
    const row = found.get(lotKey(limit.id, window.start))
    return stateOf(limit, window, row?.spent ?? 0n, row?.reserved ?? 0n)
  })
}

export function stateOf<Known extends Limit>(
  limit: Known,
  { end }: Window,
  spentNanoUsd: bigint,
  reservedNanoUsd: bigint,
): Known & LimitState {
  const left = limit.limitNanoUsd - spentNanoUsd - reservedNanoUsd
  return { ...limit, spentNanoUsd, reservedNanoUsd, remainingNanoUsd: left > 0n ? left : 0n, resetsAt: end }
}

/** What the contract names differently. */
export const describeState = <State extends LimitState>(state: State) => ({
  ...state,
  scope_type: state.scopeType,
  scope_value: state.scopeValue,
})
