import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { DatabaseHandle } from '#lib/db.ts'
import { firstIdAt } from '#lib/ids.ts'
import type { Metrics } from '#lib/metrics.ts'

const Open = z.object({ kind: z.string(), count: z.number() })
const Run = z.object({ state: z.string(), count: z.number() })
const dayMs = 24 * 60 * 60 * 1_000

/** What ledgers and the provider don’t agree about, and whether that was compared. */
export function observeReconciliation(metrics: Metrics, { db }: Pick<DatabaseHandle, 'db'>): void {
  metrics.gauge(
    'atrium_reconciliation_open_differences',
    'Open differences of ledgers and the provider, by kind.',
    async () => {
      const rows = await db.execute(sql`
      SELECT kind, count(*)::int FROM payments.reconciliation_differences WHERE status = 'open' GROUP BY kind`)
      return rows.map((row) => Open.parse(row)).map(({ count, ...labels }) => ({ labels, value: count }))
    },
  )
  metrics.gauge(
    'atrium_reconciliation_runs_last_day',
    'Reconciliation runs of the last 24 hours, by state.',
    async () => {
      const rows = await db.execute(sql`
      SELECT state, count(*)::int FROM payments.reconciliation_runs WHERE id > ${firstIdAt(new Date(Date.now() - dayMs))} GROUP BY state`)
      return rows.map((row) => Run.parse(row)).map(({ count, ...labels }) => ({ labels, value: count }))
    },
  )
}
