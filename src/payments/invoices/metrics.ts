import { sql } from 'drizzle-orm'
import type { DatabaseHandle } from '#lib/db.ts'
import { firstIdAt } from '#lib/ids.ts'
import type { Metrics } from '#lib/metrics.ts'
import { gaugeCounts } from '#lib/metrics/count-gauge.ts'

const dayMs = 24 * 60 * 60 * 1_000

/** Invoices and credit notes of the last day, by state, and open ones that should have been paid. */
export function observeInvoices(metrics: Metrics, database: Pick<DatabaseHandle, 'db'>): void {
  gaugeCounts(metrics, database, {
    name: 'atrium_invoices_last_day',
    help: 'Invoices created in the last 24 hours, by kind and status.',
    query: () => sql`
      SELECT kind, status, count(*)::int FROM payments.invoices WHERE id > ${firstIdAt(new Date(Date.now() - dayMs))}
      GROUP BY kind, status`,
  })
  gaugeCounts(metrics, database, {
    name: 'atrium_invoices_overdue',
    help: 'Open invoices after their due date.',
    query: () => sql`
      SELECT count(*)::int FROM payments.invoices
      WHERE status = 'open' AND kind = 'invoice' AND due_on < (now() AT TIME ZONE 'UTC')::date`,
  })
}
