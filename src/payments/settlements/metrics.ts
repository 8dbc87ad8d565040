import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { DatabaseHandle } from '#lib/db.ts'
import type { Metrics } from '#lib/metrics.ts'

const Counts = z.array(z.object({ status: z.string(), count: z.number() }))

/** What became of the batches and items of the last day, and which items wait for the provider. */
export function observeSettlements(metrics: Metrics, { db }: Pick<DatabaseHandle, 'db'>): void {
  const gauge = (name: string, help: string, query: ReturnType<typeof sql>) =>
    metrics.gauge(name, help, async () =>
      Counts.parse([...(await db.execute(query))]).map(({ status, count }) => ({ labels: { status }, value: count })),
    )
  gauge(
    'atrium_settlement_batches_last_day',
    'Settlement batches received in the last day, by status.',
    sql`SELECT status, count(*)::int FROM payments.settlements
      WHERE created_at > now() - interval '1 day' GROUP BY status`,
  )
  gauge(
    'atrium_settlement_items_last_day',
    'Items of settlement batches received in the last day, by status.',
    sql`SELECT status, count(*)::int FROM payments.settlement_items
      WHERE settlement_id IN (SELECT id FROM payments.settlements WHERE created_at > now() - interval '1 day')
      GROUP BY status`,
  )
  gauge(
    'atrium_settlement_items_open',
    'Settlement items with work or checks ahead, by status.',
    sql`SELECT status, count(*)::int FROM payments.settlement_items WHERE due_at IS NOT NULL GROUP BY status`,
  )
}
