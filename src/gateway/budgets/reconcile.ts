import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { transact, type Database } from '#lib/db.ts'
import { keepUndeleted, places } from './leases.ts'
import type { Lot } from './lots.ts'

const Row = z.object({ amount: z.coerce.bigint() })

/**
 * Returns what the database leased and this server doesn't know of, after a grant or return that failed without saying
 * whether it was committed. False when something else is being committed.
 */
export const reconcile = (db: Database, serverId: string, lot: Lot): Promise<boolean> =>
  transact(db, async (tx) => {
    const at = places([{ limitId: lot.limitId, periodStart: lot.window.start }])
    const here = sql`limit_id = ANY(${at.limits}::uuid[]) AND period_start = ANY(${at.starts}::text[]::timestamptz[])`
    await keepUndeleted(tx, at.limits)
    await tx.execute(sql`SELECT 1 FROM gateway.budget_periods WHERE ${here} FOR UPDATE`)
    const [row] = await tx.execute(sql`
      SELECT amount_nano_usd AS amount FROM gateway.budget_leases WHERE server_id = ${serverId} AND ${here} FOR UPDATE`)
    if (lot.pending > 0) return false
    const surplus = row ? Row.parse(row).amount - lot.free - lot.held : 0n
    if (surplus <= 0n) return true
    await tx.execute(sql`
      UPDATE gateway.budget_leases SET amount_nano_usd = amount_nano_usd - ${String(surplus)}::bigint
      WHERE server_id = ${serverId} AND ${here}`)
    await tx.execute(sql`
      UPDATE gateway.budget_periods SET leased_nano_usd = leased_nano_usd - ${String(surplus)}::bigint WHERE ${here}`)
    return true
  })
