import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { DatabaseHandle } from '#lib/db.ts'
import type { Metrics } from '#lib/metrics.ts'
import { firstIdAt } from '../refunds/metrics.ts'

const Row = z.object({ kind: z.string(), status: z.string(), count: z.number() })
const dayMs = 24 * 60 * 60 * 1_000

/** Invoices and credit notes of the last day, by state. */
export function observeInvoices(metrics: Metrics, { db }: Pick<DatabaseHandle, 'db'>): void {
  metrics.gauge('atrium_invoices_last_day', 'Invoices created in the last 24 hours, by kind and status.', async () => {
    const rows = await db.execute(sql`
      SELECT kind, status, count(*)::int FROM payments.invoices WHERE id > ${firstIdAt(Date.now() - dayMs)}
      GROUP BY kind, status`)
    return rows.map((row) => Row.parse(row)).map(({ count, ...labels }) => ({ labels, value: count }))
  })
}
