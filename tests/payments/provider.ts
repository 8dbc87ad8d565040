import Stripe from 'stripe'
import type { Handle } from '../support/world/callers.ts'
import { callerOf, type Caller } from '../support/world/callers.ts'
import type { World } from '../support/world.ts'
import { newId } from '#lib/ids.ts'
import { createHandlingJob } from '#lib/incoming-webhooks/handle.ts'
import { stripeEvents } from '../../src/payments/webhooks/receive.ts'

export interface ShownEvent {
  id: string
  eventId: string
  type: string
  objectId: string | null
  state: string
  problem: string | null
  duplicates: number
  attempts: number
}

export interface ShownEvents {
  items: ShownEvent[]
  counts: Record<string, number>
  rejected: number
}

export interface ShownEndpoint {
  id: string
  own: boolean
  scope: string
  url: string
  hasSecret: boolean
  previousSecretEndsAt: string | null
}

/** A listener of the world, to which the practice provider sends its webhooks. */
export function listen(world: World): { origin: string; caller(of: Caller): Caller; stop(): Promise<void> } {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => world.handle(request) })
  const { origin } = server.url
  const atListener: Handle = (request) =>
    world.handle(new Request(request.url.replace('http://localhost', origin), request))
  return {
    origin,
    caller: ({ credential }) => callerOf(atListener, credential),
    stop: () => server.stop(true),
  }
}

interface Delivery {
  secret: string
  endpoint?: string
  /** Seconds. */
  timestamp?: number
}

/** Sends an event as Stripe does, signed with a secret. */
export async function deliver(handle: Handle, event: object, { secret, endpoint, timestamp }: Delivery) {
  const payload = JSON.stringify(event)
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
    payload,
    secret,
    ...(timestamp !== undefined && { timestamp }),
  })
  return send(handle, payload, { 'stripe-signature': signature }, endpoint)
}

export async function send(handle: Handle, body: string, headers: Record<string, string>, endpoint?: string) {
  const url = `http://localhost/webhooks/stripe${endpoint ? `?endpoint=${endpoint}` : ''}`
  const response = await handle(new Request(url, { method: 'POST', body, headers }))
  return { status: response.status, body: await response.json() }
}

/** An event of Stripe about an object. */
export const eventOf = (id: string, type: string, object: object) => ({
  id,
  object: 'event',
  api_version: '2026-10-28.endive',
  created: Math.floor(Date.now() / 1000),
  livemode: true,
  pending_webhooks: 1,
  type,
  data: { object },
})

/** Handles every event that waits, as the workers of a server do; failures are in their rows. */
export async function handleWaiting(world: World): Promise<void> {
  const handling = createHandlingJob(stripeEvents)
  const rows = await world.database.sql<{ id: string; round: number }[]>`
    SELECT id, round FROM platform.received_webhooks WHERE webhook = ${stripeEvents.name} AND state = 'waiting' ORDER BY id`
  for (const input of rows)
    await handling
      .run({ ...world.provided, database: world.database, now: () => new Date(), input: { ...input } })
      .catch(() => {})
}

export async function until<Result>(read: () => Promise<Result>, isDone: (result: Result) => boolean): Promise<Result> {
  const deadline = Date.now() + 20_000
  for (;;) {
    const result = await read()
    if (isDone(result)) return result
    if (Date.now() > deadline) throw new Error(`Still ${JSON.stringify(result)}`)
    await Bun.sleep(50)
  }
}

/** An item of a settlement batch, of which only the recipient and the ID matter. */
export async function addItem({ database }: World, organizationId: string, recipient: string): Promise<string> {
  const { sql } = database
  const [merchantId, settlementId, id] = [newId(), newId(), newId()]
  await sql`INSERT INTO payments.merchants (id, organization_id, name, invoice_prefix)
    VALUES (${merchantId}, ${organizationId}, ${merchantId}, upper(right(${merchantId}, 12)))`
  await sql`
    INSERT INTO payments.settlements (id, organization_id, merchant_id, batch_id, status, currency, control_sum, item_count,
      callback_url, body_hash, requester_kind)
    VALUES (${settlementId}, ${organizationId}, ${merchantId}, ${settlementId}, 'processing', 'EUR', 100, 1,
      'https://shop.example/callback', 'none', 'user')`
  await sql`
    INSERT INTO payments.settlement_items (id, organization_id, settlement_id, position, reference, recipient, amount, currency)
    VALUES (${id}, ${organizationId}, ${settlementId}, 1, 'r-1', ${recipient}, 100, 'EUR')`
  return id
}
