import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { openStripe, type StripeServer } from '../gateway/stripe/server.ts'
import { openWorld, type World } from '../support/world.ts'
import type { Caller } from '../support/world/callers.ts'
import { deliver, eventOf, handleWaiting, listen, type ShownEndpoint } from './provider.ts'
import { shopOf, type Shop, type ShownOrder, type ShownRefund } from './shop.ts'

/** Ada’s organization has no key, has one of its own, or a server that says whatever it wants. Mallory’s has none. */
let world: World
let listener: ReturnType<typeof listen>
let ada: Caller
let shop: Shop
let victim: Shop
let server: StripeServer

const newKey = () => `sk_test_${newId().replaceAll('-', '')}`
const putKey = (apiKey: string, baseUrl = `${listener.origin}/dev/payments`, of = ada) =>
  of.fetchJson('PUT /api/credentials/stripe', { label: 'main', baseUrl, secret: { apiKey } })
const dropKey = (of = ada) => of.fetch('DELETE /api/credentials/stripe')

type Held = { id: string; object: string; data: Record<string, unknown> }
/** What the practice provider has at the account of a key. */
const heldAt = async (apiKey: string, type: string) =>
  (
    await world.ada.fetchJson<{ items: Held[] }>(
      `GET /dev/payments/api/objects?limit=100&type=${type}&apiKey=${apiKey}`,
    )
  ).items
const platformKey = 'sk_test_practice'

const lostActions = () =>
  world.database
    .sql`SELECT title FROM platform.raised_actions WHERE resolved_at IS NULL AND title LIKE 'Payments wait%'`
const refundOf = async (order: Pick<ShownOrder, 'id'>) => {
  const response = await ada.fetch('POST /api/refunds', { orderId: order.id, reason: 'requested_by_customer' })
  return { status: response.status, body: (await response.json()) as ShownRefund & { code?: string; detail?: string } }
}
const checkOf = async ({ id }: { id: string }) => {
  const response = await ada.fetch(`POST /api/payments/${id}/check`)
  return { status: response.status, body: await response.json() }
}

beforeAll(async () => {
  world = await openWorld()
  listener = listen(world)
  ada = listener.caller(world.ada)
  shop = shopOf(ada, world.stranger)
  victim = shopOf(listener.caller(world.mallory), world.stranger)
  server = await openStripe()
})
afterEach(async () => {
  await dropKey()
  server.requests.length = 0
})
afterAll(async () => {
  await listener.stop()
  await server.stop()
  await world.close()
})

test('PAY-11 a payment of the platform’s account is read and refunded there after the organization added its own key', async () => {
  const { id } = await shop.createOrder()
  const payment = await shop.createPayment(id)
  const own = newKey()
  await putKey(own)
  await shop.pay(payment)
  expect(await shop.check(payment)).toMatchObject({ status: 'succeeded', accountLostAt: null })
  const refund = await refundOf({ id })
  expect([refund.status, refund.body.status]).toEqual([201, 'succeeded'])
  expect((await heldAt(platformKey, 'refund')).map((each) => each.id)).toContain(refund.body.providerReference ?? '')
  expect([await heldAt(own, 'refund'), await heldAt(own, 'payment_intent')]).toEqual([[], []])
  const next = await shop.sell()
  expect(next.status).toBe('paid')
  expect((await heldAt(own, 'payment_intent')).map((each) => each.id)).toEqual([
    next.payments[0]?.providerReference ?? '',
  ])
})

test('PAY-10 an authorized payment is captured at the account that reserved it', async () => {
  const { id } = await shop.createOrder()
  const payment = await shop.createPayment(id, { captureMethod: 'manual' })
  await shop.pay(payment)
  expect(await shop.check(payment)).toMatchObject({ status: 'authorized' })
  const own = newKey()
  await putKey(own)
  expect(await ada.fetchJson(`POST /api/payments/${payment.id}/capture`, {})).toMatchObject({ status: 'succeeded' })
  expect(await heldAt(own, 'charge')).toEqual([])
})

test('PAY-10 without the key of its account a payment stays what it was, people are told, and it continues with the key', async () => {
  const own = newKey()
  await putKey(own)
  const paid = await shop.sell()
  const { id } = await shop.createOrder()
  const open = await shop.createPayment(id)
  await shop.pay(open)
  for (const replace of [() => dropKey(), () => putKey(newKey())]) {
    await replace()
    const lost = await checkOf(open)
    expect([lost.status, lost.body.code]).toEqual([409, 'provider_account_changed'])
    expect(lost.body.detail).toContain('organization’s credentials')
    const refused = await refundOf(paid)
    expect([refused.status, refused.body.code]).toEqual([409, 'provider_account_changed'])
    const order = await shop.order(id)
    expect(order).toMatchObject({ status: 'requires_action', payments: [{ accountLostAt: expect.any(String) }] })
    expect(await lostActions()).toHaveLength(1)
  }
  const page = await (await ada.fetch(`GET /pay/orders/${id}`, undefined, { accept: 'text/html' })).text()
  expect(page).toContain('whose key is no longer stored')
  // It is looked at again, at the last delay: one day.
  const [row] = await world.database.sql<{ days: number }[]>`
    SELECT extract(epoch FROM next_check_at - now()) / 86400 AS days FROM payments.payments WHERE id = ${open.id}`
  expect(Number(row?.days)).toBeGreaterThan(0.9)
  await putKey(own)
  expect(await shop.check(open)).toMatchObject({ status: 'succeeded', accountLostAt: null })
  expect(await lostActions()).toHaveLength(0)
  expect(await refundOf(paid)).toMatchObject({ status: 201, body: { status: 'succeeded' } })
})

/** A server that claims an account, and a payment that belongs to another organization. */
async function claim(account: string, planted: { session: string; intent: string }) {
  const intent = { ...(await answerFrom('/v1/payment_intents/pi_1')), id: planted.intent, status: 'succeeded' }
  const session = { ...(await answerFrom('/v1/checkout/sessions/cs_1')), id: planted.session, status: 'complete' }
  server.answer(({ name, path }) => {
    if (name === 'GET /v1/account') return Response.json({ id: account, object: 'account' })
    if (name.includes('/v1/checkout/sessions')) return Response.json({ ...session, payment_intent: planted.intent })
    if (name.includes('/v1/payment_intents'))
      return Response.json({ ...intent, amount: 700, amount_received: 700, currency: 'eur', latest_charge: 'ch_1' })
    if (name === 'GET /v1/refunds' || name === 'GET /v1/disputes' || name === 'GET /v1/balance_transactions')
      return Response.json({ object: 'list', data: [], has_more: false, url: path })
    return undefined
  })
}

async function answerFrom(path: string): Promise<object> {
  server.answer(() => undefined)
  const response = await fetch(`${server.url}${path}`)
  return (await response.json()) as object
}

const accountOf = async (caller: World['ada']) =>
  (await world.provided.gateway.payments.getAccount({ organizationId: caller.things.organizations })).accountKey

test('PAY-11 a server that claims the platform’s account and payments gets nothing of them read or refunded', async () => {
  const sold = await victim.sell()
  const target = sold.payments[0]?.providerReference ?? ''
  const account = (await accountOf(world.mallory)).split(':')[1] ?? ''
  const sessions = await heldAt(platformKey, 'checkout.session')
  await claim(account, { session: sessions[0]?.id ?? '', intent: target })
  await putKey('sk_test_malicious', server.url)
  const { id } = await shop.createOrder()
  const payment = await shop.createPayment(id)
  expect(await shop.check(payment)).toMatchObject({ status: 'succeeded', providerReference: target })
  await dropKey()
  expect(await checkOf(payment)).toMatchObject({ status: 409, body: { code: 'provider_account_changed' } })
  expect((await refundOf({ id })).body.code).toBe('provider_account_changed')
  expect((await victim.check(sold.payments[0] ?? { id: '' })).status).toBe('succeeded')
  expect(await victim.order(sold.id)).toMatchObject({ status: 'paid', refunded: 0, refunds: [] })
})

test('PAY-20 events of an own endpoint reach payments of its account, and none of the platform’s with the same IDs', async () => {
  const own = newKey()
  await putKey(own)
  const { items } = await ada.fetchJson<{ items: ShownEndpoint[] }>('POST /api/pay/webhook-endpoints', {})
  const endpoint = items.find((each) => each.own && each.scope === 'account')?.id ?? ''
  const secret = `whsec_${'o'.repeat(32)}`
  await ada.fetchJson(`PUT /api/pay/webhook-endpoints/${endpoint}/secret`, { secret })
  await dropKey()
  const { id } = await shop.createOrder()
  const atPlatform = await shop.createPayment(id)
  await shop.pay(atPlatform)
  const known = (await shop.check(atPlatform)).providerReference ?? ''
  const news = (eventId: string) =>
    eventOf(eventId, 'payment_intent.succeeded', { id: known, object: 'payment_intent' })
  await deliver(world.handle, news('evt_planted'), { secret, endpoint })
  await handleWaiting(world)
  const [row] = await world.database.sql<{ state: string }[]>`
    SELECT state FROM platform.received_webhooks WHERE event_id LIKE '%evt_planted'`
  expect(row?.state).toBe('ignored')
})

test('PAY-10 two organizations can have the same IDs of a provider', async () => {
  const planted = { session: 'cs_same_1', intent: 'pi_same_1' }
  await claim('acct_Same', planted)
  const mallory = listener.caller(world.mallory)
  await putKey('sk_live_same', server.url)
  await putKey('sk_live_same', server.url, mallory)
  try {
    for (const each of [shop, victim]) {
      const { id } = await each.createOrder()
      const payment = await each.createPayment(id)
      expect(await each.check(payment)).toMatchObject({ status: 'succeeded', providerReference: 'pi_same_1' })
    }
  } finally {
    await dropKey(mallory)
  }
})

test('PAY-10 a payment from before accounts were stored belongs to the account whose object names it', async () => {
  const sold = await shop.sell()
  const [payment] = sold.payments
  await world.database.sql`UPDATE payments.payments SET account_key = NULL WHERE id = ${payment?.id ?? ''}`
  const own = newKey()
  await putKey(own)
  expect(await checkOf(payment ?? { id: '' })).toMatchObject({
    status: 409,
    body: { code: 'provider_account_changed' },
  })
  await dropKey()
  expect(await checkOf(payment ?? { id: '' })).toMatchObject({ status: 200, body: { status: 'succeeded' } })
  const [row] = await world.database.sql<{ key: string }[]>`
    SELECT account_key AS key FROM payments.payments WHERE id = ${payment?.id ?? ''}`
  expect(row?.key).toBe(await accountOf(world.ada))
})
