import { sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { Part } from './journal.ts'

interface Held extends Part {
  amountNanoUsd: bigint
}

/**
 * Ends the leases of a server that crashed. Calls without a row can have spent all of them but what `held` has counted,
 * so the rest counts as spent. Only the differences of the periods say so: no record can.
 */
export async function writeOffLeases(tx: Database, serverId: string, held: readonly Held[]): Promise<void> {
  await tx.execute(sql`
    WITH ended AS (
      DELETE FROM gateway.budget_leases WHERE server_id = ${serverId}
      RETURNING limit_id, period_start, amount_nano_usd AS amount
    ), held AS (
      SELECT l, s, sum(n)::bigint AS n
      FROM json_to_recordset(${toJson(held)}::json) AS given (l uuid, s timestamptz, n bigint) GROUP BY l, s
    ), lost AS (
      SELECT limit_id, period_start, amount, greatest(amount - coalesce(n, 0), 0) AS rest
      FROM ended LEFT JOIN held ON l = limit_id AND s = period_start
    ), stored AS (
      INSERT INTO gateway.budget_differences (id, limit_id, period_start, amount_nano_usd, server_id, created_by)
      SELECT gen_random_uuid(), limit_id, period_start, -rest, ${serverId}::uuid, ${serverId}::uuid FROM lost WHERE rest > 0
    )
    UPDATE gateway.budget_periods AS period
    SET leased_nano_usd = leased_nano_usd - amount, spent_nano_usd = spent_nano_usd + rest FROM lost
    WHERE period.limit_id = lost.limit_id AND period.period_start = lost.period_start`)
}

export interface Reported extends Part {
  holdId: string
  serverId: string
  /** What the call held of a lease that was written off. */
  amountNanoUsd: bigint
}

/** What a written-off server reports after all isn't unknown anymore. A difference of 0 marks each hold as reported. */
export async function reduceWriteOffs(tx: Database, reported: readonly Reported[]): Promise<void> {
  if (reported.length === 0) return
  const given = JSON.stringify(
    reported.map(({ holdId, serverId, limitId, periodStart, amountNanoUsd }) => ({
      i: Bun.randomUUIDv5(`${limitId} ${periodStart.toISOString()}`, holdId),
      v: serverId,
      l: limitId,
      s: periodStart,
      n: String(amountNanoUsd),
    })),
  )
  await tx.execute(sql`
    WITH given AS MATERIALIZED (
      SELECT i, v, l, s, n FROM json_to_recordset(${given}::json) AS given (i uuid, v uuid, l uuid, s timestamptz, n bigint)
    ), places AS MATERIALIZED (SELECT DISTINCT v, l, s FROM given
    ), known AS MATERIALIZED (
      SELECT id, v, l, s, -amount_nano_usd AS rest FROM gateway.budget_differences
      JOIN places ON server_id = v AND limit_id = l AND period_start = s
      WHERE amount_nano_usd < 0 ORDER BY l, s, id FOR UPDATE OF budget_differences
    ), marked AS (
      INSERT INTO gateway.budget_differences (id, limit_id, period_start, amount_nano_usd, server_id, created_by)
      SELECT i, l, s, 0, v, v FROM given WHERE (v, l, s) IN (SELECT v, l, s FROM known)
      ON CONFLICT (id) DO NOTHING RETURNING id
    ), sums AS (
      SELECT known.id, known.l, known.s, least(sum(n), rest)::bigint AS n
      FROM marked JOIN given ON i = marked.id JOIN known USING (v, l, s) GROUP BY known.id, known.l, known.s, rest
    ), reduced AS (
      UPDATE gateway.budget_differences AS difference SET amount_nano_usd = amount_nano_usd + n
      FROM sums WHERE sums.id = difference.id
    )
    UPDATE gateway.budget_periods SET spent_nano_usd = spent_nano_usd - n FROM sums
    WHERE limit_id = l AND period_start = s`)
}

const toJson = (held: readonly Held[]): string =>
  JSON.stringify(
    held.map(({ limitId, periodStart, amountNanoUsd }) => ({ l: limitId, s: periodStart, n: String(amountNanoUsd) })),
  )
