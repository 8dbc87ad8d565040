import { sql } from 'drizzle-orm'
import type { DatabaseHandle } from '#lib/db.ts'
import { firstIdAt } from '#lib/ids.ts'
import type { Metrics } from '#lib/metrics.ts'
import { gaugeCounts } from '#lib/metrics/count-gauge.ts'

const dayMs = 24 * 60 * 60 * 1_000

/** Payments of the last day, by outcome, and disputes that wait for a response. */
export function observePayments(metrics: Metrics, database: Pick<DatabaseHandle, 'db'>): void {
  gaugeCounts(metrics, database, {
    name: 'atrium_payments_last_day',
    help: 'Payments created in the last 24 hours, by status.',
    query: () => sql`
      SELECT status, count(*)::int FROM payments.payments WHERE id > ${firstIdAt(new Date(Date.now() - dayMs))}
      GROUP BY status`,
  })
  gaugeCounts(metrics, database, {
    name: 'atrium_disputes_open',
    help: 'Open disputes.',
    query: () => sql`SELECT count(*)::int FROM payments.disputes WHERE closed_at IS NULL`,
  })
}
