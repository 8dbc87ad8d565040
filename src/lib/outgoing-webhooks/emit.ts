import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Provided } from '../call.ts'
import { executePrepared, type Database } from '../db.ts'
import { handOverEvent } from '../event-subscriptions/hand-over.ts'
import { newId } from '../ids.ts'
import { webhookDeliveries, webhookMessages, type webhookEndpoints } from '../schema.ts'
import type { Clock } from '../time.ts'
import { enqueueDelivery } from './deliver.ts'
import type { WebhookEvent } from './event.ts'
import { publishWebhookChange } from './publish-change.ts'

export type EmitDependencies = Pick<Provided, 'queue' | 'events'> & { readonly now: Clock }

interface Emission<Data extends z.ZodType> {
  organizationId: string
  event: WebhookEvent<Data>
  data: z.input<Data>
}

/** `slow` is null for a subscription within this product. */
const Subscribed = z.array(z.object({ id: z.string(), slow: z.boolean().nullable() }))

/** Into the outbox, on `tx`: when that rolls back, nothing is sent. Order is not guaranteed. */
export async function emitWebhook<Data extends z.ZodType>(
  tx: Database,
  emitting: EmitDependencies,
  { organizationId, event, data }: Emission<Data>,
): Promise<void> {
  const subscribed = Subscribed.parse(
    await executePrepared(
      tx,
      // Waits for an endpoint that is being deleted, and leaves it out.
      sql`SELECT * FROM (
          SELECT id, slow FROM platform.webhook_endpoints
          WHERE organization_id = ${organizationId} AND state = 'enabled' AND events @> ARRAY[${event.type}]::text[]
          ORDER BY id FOR KEY SHARE
        ) AS endpoints
        UNION ALL
        SELECT id, NULL FROM platform.event_subscriptions
        WHERE organization_id = ${organizationId} AND type = ${event.type}`,
    ),
  )
  if (subscribed.length === 0) return
  const message = { organizationId, type: event.type, data: event.data.parse(data) }
  const endpoints = subscribed.flatMap(({ id, slow }) => (slow === null ? [] : [{ id, slow }]))
  if (endpoints.length > 0) await sendMessage(tx, emitting, message, endpoints)
  const subscriptions = subscribed.filter(({ slow }) => slow === null)
  if (subscriptions.length > 0) await handOver(tx, emitting, message, subscriptions)
}

async function handOver(
  tx: Database,
  { queue, now }: EmitDependencies,
  message: Message,
  subscriptions: readonly { id: string }[],
): Promise<void> {
  const handed = { ...message, messageId: newId(), timestamp: now().toISOString() }
  for (const { id } of subscriptions) await queue.enqueue(tx, handOverEvent, { ...handed, subscriptionId: id })
}

interface Message {
  organizationId: string
  type: string
  data: unknown
}

type Recipient = Pick<typeof webhookEndpoints.$inferSelect, 'id' | 'slow'>

export async function sendMessage(
  tx: Database,
  emitting: EmitDependencies,
  { organizationId, type, data }: Message,
  endpoints: readonly Recipient[],
): Promise<string[]> {
  const { queue, now } = emitting
  const at = now()
  const messageId = newId()
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data })
  await tx.insert(webhookMessages).values({ id: messageId, organizationId, type, body, createdAt: at })
  const deliveries = endpoints.map((endpoint) => ({ id: newId(), endpoint }))
  const rows = deliveries.map(({ id, endpoint }) => ({
    id,
    messageId,
    endpointId: endpoint.id,
    state: 'waiting' as const,
    nextAttemptAt: at,
    createdAt: at,
  }))
  await tx.insert(webhookDeliveries).values(rows)
  for (const { id, endpoint } of deliveries)
    await enqueueDelivery(tx, queue, endpoint, { id, round: 1, organizationId })
  for (const { id } of endpoints) await publishWebhookChange(emitting, tx, id)
  return deliveries.map(({ id }) => id)
}
