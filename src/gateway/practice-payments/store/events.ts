import { and, eq, inArray, sql } from 'drizzle-orm'
import { takeBehavior } from '../behavior.ts'
import { paymentDeliveries, paymentObjects } from '../schema.ts'
import { accountIdOf, apiVersion } from '../wire/account.ts'
import { randomId, seconds, type PaymentsCall } from '../wire/call.ts'
import { insert } from './objects.ts'

const delayMs = { delay: 2000, reorder: 400 }

/** Records an event with the object as it is now, and sends it to the endpoints that want it. */
export async function emit(
  call: PaymentsCall,
  type: string,
  object: object,
  previous?: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { tx, account, platform, now, request } = call
  const endpoints = await endpointsFor(call, type)
  const id = randomId('evt')
  await insert(call, 'event', {
    id,
    object: 'event',
    ...(account !== platform && { account: accountIdOf(account) }),
    api_version: apiVersion,
    created: seconds(now),
    data: { object, ...(previous && { previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: endpoints.length,
    request,
    type,
  })
  if (endpoints.length === 0) return
  const behavior = await takeBehavior(tx, platform, 'webhooks')
  const dueAt = new Date(now.getTime() + laterMs(behavior))
  const deliveries = endpoints.map((endpoint) => ({
    account,
    endpointAccount: endpoint.account,
    endpointId: endpoint.id,
    eventId: id,
    dueAt,
  }))
  if (behavior === 'lose') return
  await tx.insert(paymentDeliveries).values(behavior === 'duplicate' ? [...deliveries, ...deliveries] : deliveries)
}

function laterMs(behavior: string): number {
  if (behavior === 'delay') return delayMs.delay
  return behavior === 'reorder' ? Math.floor(Math.random() * delayMs.reorder) : 0
}

/** Those of the account, and of its platform those for connected accounts. */
async function endpointsFor({ tx, account, platform }: PaymentsCall, type: string) {
  const isConnected = account !== platform
  return tx
    .select({ id: paymentObjects.id, account: paymentObjects.account })
    .from(paymentObjects)
    .where(
      and(
        inArray(paymentObjects.account, [account, platform]),
        eq(paymentObjects.type, 'webhook_endpoint'),
        eq(paymentObjects.isDeleted, false),
        sql`${paymentObjects.data} ->> 'status' = 'enabled'`,
        sql`${paymentObjects.data} -> 'enabled_events' ?| ARRAY['*', ${type}::text]`,
        isConnected
          ? sql`(${paymentObjects.account} = ${account} OR ${paymentObjects.hidden} @> '{"connect":true}')`
          : sql`NOT ${paymentObjects.hidden} @> '{"connect":true}'`,
      ),
    )
}

/** The earlier values of what changed, for the event. */
export function changesOf(before: object, after: object): Record<string, unknown> {
  const now = new Map<string, unknown>(Object.entries(after))
  return Object.fromEntries(
    Object.entries(before).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(now.get(name))),
  )
}
