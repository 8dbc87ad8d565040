import Stripe from 'stripe'
import { newId } from '#lib/ids.ts'
import { openDatabase } from '#lib/db.ts'
import { servePayments } from '../../src/gateway/practice-payments/server.ts'
import { freshDatabase } from '../support/database.ts'

export const newSecretKey = () => `sk_test_${newId().replaceAll('-', '')}`

/** The practice payments on a port of their own, and Stripe’s client of it. */
export async function openPayments() {
  const fresh = await freshDatabase()
  const database = openDatabase(fresh.url, 1)
  const { url, stop } = servePayments({ at: fresh.url, port: 0, fail: console.error })
  const { hostname, port } = new URL(url)
  return {
    url,
    stripeOf: (key = newSecretKey(), options: Stripe.StripeConfig = {}) =>
      new Stripe(key, { host: hostname, port: Number(port), protocol: 'http', maxNetworkRetries: 0, ...options }),
    send: (path: string, init: RequestInit & { key?: string; fields?: Record<string, string> } = {}) =>
      fetch(`${url}${path}`, {
        ...init,
        ...(init.fields && { body: new URLSearchParams(init.fields), method: 'POST' }),
        headers: { authorization: `Bearer ${init.key ?? newSecretKey()}`, ...init.headers },
      }),
    behave: async (behavior: object) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify(behavior)
      const response = await fetch(`${url}/dev/payments/behavior`, { method: 'PUT', headers, body })
      if (!response.ok) throw new Error(await response.text())
    },
    /** As if the period of a subscription ended now. */
    endPeriod: async (id: string) => {
      const end = Math.floor(Date.now() / 1000) - 1
      await database.sql`UPDATE practice_payments.objects SET data = jsonb_set(jsonb_set(data, '{items,data,0,current_period_end}',
        to_jsonb(${end}::int)), '{items,data,0,current_period_start}', to_jsonb(${end - 30 * 86_400}::int)) WHERE id = ${id}`
      await database.sql`UPDATE practice_payments.tasks SET due_at = now() WHERE object_id = ${id}`
    },
    /** Changes an object, as the provider itself can. */
    changeObject: async (id: string, change: object) => {
      await database.sql`
        UPDATE practice_payments.objects SET data = data || ${JSON.stringify(change)}::text::jsonb WHERE id = ${id}`
    },
    /** As if the account never had it. */
    loseObject: async (id: string) => {
      await database.sql`DELETE FROM practice_payments.objects WHERE id = ${id}`
    },
    /** A payout that was paid fails, as soon as the provider gets its next request. */
    returnPayout: async (id: string) => {
      await database.sql`UPDATE practice_payments.objects SET hidden = hidden || '{"fate": "return_late"}' WHERE id = ${id}`
      await database.sql`INSERT INTO practice_payments.tasks (account, kind, object_id, due_at)
        SELECT account, 'move_payout', id, now() FROM practice_payments.objects WHERE id = ${id}`
    },
    /** Changes the balance of the account that has an object, as the provider itself does. Returns the ID. */
    moveBalance: async (
      of: string,
      movement: { type: string; amount: number; currency?: string; source?: string; at?: number },
    ) => {
      const id = `txn_${newId().replaceAll('-', '')}`
      const { type, amount, currency = 'eur', source = null, at = Date.now() } = movement
      const created = Math.floor(at / 1000)
      const data = {
        id,
        object: 'balance_transaction',
        amount,
        available_on: created,
        balance_type: 'payments',
        created,
        currency,
        description: `Test of ${type}`,
        exchange_rate: null,
        fee: 0,
        fee_details: [],
        net: amount,
        reporting_category: type,
        source,
        status: 'available',
        type,
      }
      await database.sql`INSERT INTO practice_payments.objects (account, id, type, created, data)
        SELECT account, ${id}, 'balance_transaction', ${created}, ${JSON.stringify(data)}::text::jsonb
        FROM practice_payments.objects WHERE id = ${of}`
      return id
    },
    stop: async () => {
      await database.close()
      await stop()
      await fresh.drop()
    },
  }
}

export type Payments = Awaited<ReturnType<typeof openPayments>>

/** What the call was refused with. */
export async function refusalOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof Stripe.errors.StripeError) return error
  throw new Error('The call was not refused', { cause: error })
}

/** Waits until the object is as expected, for what happens by itself. */
export async function until<Result>(read: () => Promise<Result>, isDone: (result: Result) => boolean): Promise<Result> {
  const deadline = Date.now() + 15_000
  for (;;) {
    const result = await read()
    if (isDone(result)) return result
    if (Date.now() > deadline) throw new Error(`Still ${JSON.stringify(result)}`)
    await Bun.sleep(50)
  }
}

export const charge = (stripe: Stripe, amount: number, card = 'pm_card_visa', more: object = {}) =>
  stripe.paymentIntents.create({ amount, currency: 'eur', payment_method: card, confirm: true, ...more })
