import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { executePrepared, type Database } from '#lib/db.ts'
import type { Counted } from './counters.ts'
import type { Part } from './journal.ts'
import { lotKey } from './lots.ts'

/** An amount that leaves a lease, because it was spent or because its server doesn't know of it. */
export interface LeaseMove extends Part {
  serverId: string
  /** With 0, only its lease is looked for. */
  amount: bigint
}

interface Leased {
  /** Every lease was there. */
  hasAll: boolean
  get(counted: Pick<Counted, 'limit' | 'periodStart'>): bigint | undefined
}

const Found = z.object({ leases: z.number() })
const Moved = z.object({ limitId: z.string(), periodStart: z.coerce.date(), leased: z.coerce.bigint() })

/** Nothing for leases that were taken over from a stale server. Returns the periods’ remaining leases. */
export async function moveLeases(tx: Database, moves: readonly LeaseMove[]): Promise<Leased> {
  if (moves.length === 0) return { hasAll: true, get: () => undefined }
  const given = JSON.stringify(
    moves.map(({ serverId, limitId, periodStart, amount }) => ({
      v: serverId,
      l: limitId,
      s: periodStart,
      n: String(amount),
    })),
  )
  const rows = await executePrepared(
    tx,
    sql`
    WITH given AS MATERIALIZED (
      SELECT v, l, s, sum(n)::bigint AS n
      FROM json_to_recordset(${given}::json) AS given (v uuid, l uuid, s timestamptz, n bigint) GROUP BY v, l, s
    ), moved AS (
      UPDATE gateway.budget_leases AS lease SET amount_nano_usd = amount_nano_usd - n FROM given
      WHERE server_id = v AND limit_id = l AND period_start = s AND n <> 0 RETURNING l, s, n
    ), sums AS (SELECT l, s, sum(n)::bigint AS n FROM moved GROUP BY l, s), periods AS (
      UPDATE gateway.budget_periods AS period SET leased_nano_usd = leased_nano_usd - n FROM sums
      WHERE limit_id = l AND period_start = s
      RETURNING limit_id AS "limitId", period_start AS "periodStart", leased_nano_usd AS leased
    ), unmoved AS (
      SELECT 1 FROM given JOIN gateway.budget_leases ON server_id = v AND limit_id = l AND period_start = s WHERE n = 0
    )
    SELECT found.leases, periods.* FROM (
      SELECT (SELECT count(*)::int FROM moved) + (SELECT count(*)::int FROM unmoved) AS leases
    ) AS found LEFT JOIN periods ON true`,
  )
  const moved = rows.filter(({ limitId }) => limitId !== null).map((row) => Moved.parse(row))
  const leased = new Map(moved.map((row) => [lotKey(row.limitId, row.periodStart), row.leased]))
  const leases = new Set(moves.map((move) => `${move.serverId} ${lotKey(move.limitId, move.periodStart)}`))
  return {
    hasAll: Found.parse(rows[0]).leases === leases.size,
    get: ({ limit, periodStart }) => leased.get(lotKey(limit.id, periodStart)),
  }
}
