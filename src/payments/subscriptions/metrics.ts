import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { DatabaseHandle } from '#lib/db.ts'
import type { Metrics } from '#lib/metrics.ts'

const Row = z.object({ status: z.string(), count: z.number() })
const Waiting = z.object({ count: z.number(), age: z.number() })

/** Subscriptions by status, and what the dashboard hasn’t received. */
export function observeSubscriptions(metrics: Metrics, { db }: Pick<DatabaseHandle, 'db'>): void {
  metrics.gauge('atrium_subscriptions', 'Subscriptions that have not ended, by status.', async () => {
    const rows = await db.execute(sql`
      SELECT status, count(*)::int FROM payments.subscriptions WHERE status <> 'canceled' GROUP BY status`)
    return rows.map((row) => Row.parse(row)).map(({ count, ...labels }) => ({ labels, value: count }))
  })
  const waiting = async () => {
    const [row] = await db.execute(sql`
      SELECT count(*)::int, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age
      FROM payments.subscription_forwards WHERE state = 'waiting'`)
    return Waiting.parse(row)
  }
  metrics.gauge('atrium_subscription_forwards_waiting', 'Changes that wait for the dashboard.', async () => [
    { value: (await waiting()).count },
  ])
  metrics.gauge('atrium_subscription_forwards_oldest_seconds', 'Age of the oldest one of them.', async () => [
    { value: (await waiting()).age },
  ])
}
