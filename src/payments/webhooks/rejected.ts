import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { Metrics } from '#lib/metrics.ts'
import { rejectedWebhooks } from '../schema.ts'

const hourMs = 60 * 60 * 1000
let total = 0

export function observeRejected(metrics: Metrics): void {
  const help = 'Webhook requests of the payment provider with an invalid signature.'
  metrics.gauge('atrium_payment_webhooks_rejected_total', help, () => [{ value: total }])
}

/** @param owner The organization whose endpoint it was sent to; null for the platform’s and unknown ones */
export async function countRejected(db: Database, owner: string | null, now: Date): Promise<void> {
  total += 1
  const hour = new Date(Math.floor(now.getTime() / hourMs) * hourMs)
  await db
    .insert(rejectedWebhooks)
    .values({ organizationId: owner, hour, count: 1 })
    .onConflictDoUpdate({
      target: [rejectedWebhooks.organizationId, rejectedWebhooks.hour],
      set: { count: sql`${rejectedWebhooks.count} + 1` },
    })
}

/** Of the last 24 hours. */
export async function readRejected(db: Database, owner: string | null, now: Date): Promise<number> {
  const since = new Date(now.getTime() - 24 * hourMs)
  const { organizationId, hour, count } = rejectedWebhooks
  const [row] = await db
    .select({ count: sql<number>`coalesce(sum(${count}), 0)::int` })
    .from(rejectedWebhooks)
    .where(and(owner === null ? isNull(organizationId) : eq(organizationId, owner), gt(hour, since)))
  return row?.count ?? 0
}
