import { and, eq, sql } from 'drizzle-orm'
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { seconds } from '../wire/call.ts'
import { paymentObjects } from '../schema.ts'

interface Target {
  account: string
  endpointAccount: string
  endpointId: string
  eventId: string
}

const timeoutMs = 10_000

const Endpoint = z.object({ url: z.string() })
const Secret = z.object({ secret: z.string() })

/** False when it has to be tried again. */
export async function sendWebhook(db: Database, target: Target, signal: AbortSignal): Promise<boolean> {
  const [endpoint, event] = await Promise.all([
    rowOf(db, target.endpointAccount, target.endpointId),
    rowOf(db, target.account, target.eventId),
  ])
  if (!endpoint || !event || endpoint.isDeleted) return true
  const { url } = Endpoint.parse(endpoint.data)
  const { secret } = Secret.parse(endpoint.hidden)
  const isSent = await post(url, JSON.stringify(event.data, null, 2), secret, signal)
  if (isSent) await countSent(db, target)
  return isSent
}

async function rowOf(db: Database, account: string, id: string) {
  const [row] = await db
    .select()
    .from(paymentObjects)
    .where(and(eq(paymentObjects.account, account), eq(paymentObjects.id, id)))
  return row
}

async function post(url: string, body: string, secret: string, signal: AbortSignal): Promise<boolean> {
  const timestamp = seconds(new Date())
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'manual',
      keepalive: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': `t=${timestamp},v1=${signature}`,
      },
    })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}

async function countSent(db: Database, { account, eventId }: Target): Promise<void> {
  const { data } = paymentObjects
  await db
    .update(paymentObjects)
    .set({
      data: sql`jsonb_set(${data}, '{pending_webhooks}', to_jsonb(greatest((${data} ->> 'pending_webhooks')::int - 1, 0)))`,
    })
    .where(and(eq(paymentObjects.account, account), eq(paymentObjects.id, eventId)))
}
