import { sql, type SQL } from 'drizzle-orm'
import type { DatabaseHandle } from '#lib/db.ts'
import { firstIdAt } from '#lib/ids.ts'
import type { Metrics } from '#lib/metrics.ts'
import { gaugeCounts } from '#lib/metrics/count-gauge.ts'

const dayMs = 24 * 60 * 60 * 1_000

/** What became of the batches and items of the last day, and which items wait for the provider. */
export function observeSettlements(metrics: Metrics, database: Pick<DatabaseHandle, 'db'>): void {
  const gauge = (name: string, help: string, query: () => SQL) => gaugeCounts(metrics, database, { name, help, query })
  const sinceYesterday = () => firstIdAt(new Date(Date.now() - dayMs))
  gauge(
    'atrium_settlement_batches_last_day',
    'Settlement batches received in the last day, by status.',
    () => sql`SELECT status, count(*)::int FROM payments.settlements WHERE id > ${sinceYesterday()} GROUP BY status`,
  )
  gauge(
    'atrium_settlement_items_last_day',
    'Items of settlement batches received in the last day, by status.',
    () => sql`SELECT status, count(*)::int FROM payments.settlement_items
      WHERE settlement_id IN (SELECT id FROM payments.settlements WHERE id > ${sinceYesterday()}) GROUP BY status`,
  )
  gauge(
    'atrium_settlement_items_open',
    'Settlement items with work or checks ahead, by status.',
    () => sql`SELECT status, count(*)::int FROM payments.settlement_items WHERE due_at IS NOT NULL GROUP BY status`,
  )
}
