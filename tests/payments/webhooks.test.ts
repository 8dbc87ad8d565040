import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { createMetrics } from '#lib/metrics.ts'
import { observeRejected } from '../../src/payments/webhooks/rejected.ts'
import { openWorld, type World } from '../support/world.ts'
import { wireServer } from '../support/world/wire.ts'
import type { Caller } from '../support/world/callers.ts'
import {
  addItem,
  deliver,
  eventOf,
  handleWaiting,
  listen,
  send,
  until,
  type ShownEndpoint,
  type ShownEvent,
  type ShownEvents,
} from './provider.ts'
import { coffee, shopOf } from './shop.ts'

/** Ada’s organization has an account of its own at the practice provider, Mallory’s uses the platform’s. */
let world: World
let listener: ReturnType<typeof listen>
let ada: Caller
let mallory: Caller
let endpoint: string
const secret = `whsec_${'a'.repeat(32)}`

const register = async (caller: Caller) =>
  (await caller.fetchJson<{ items: ShownEndpoint[] }>('POST /api/pay/webhook-endpoints', {})).items
const setSecret = (id: string, value: string, overlapHours?: number) =>
  ada.fetchJson<ShownEndpoint>(`PUT /api/pay/webhook-endpoints/${id}/secret`, {
    secret: value,
    ...(overlapHours !== undefined && { overlapHours }),
  })
const list = (caller: Caller, query = '') => caller.fetchJson<ShownEvents>(`GET /api/pay/webhooks?limit=100${query}`)
const find = async (caller: Caller, eventId: string) =>
  (await list(caller)).items.find((each) => each.eventId === eventId)
const sign = (event: object, timestamp?: number) =>
  deliver(world.handle, event, { secret, endpoint, ...(timestamp !== undefined && { timestamp }) })

beforeAll(async () => {
  world = await openWorld()
  listener = listen(world)
  ada = listener.caller(world.ada)
  mallory = listener.caller(world.mallory)
  await ada.fetchJson('PUT /api/credentials/stripe', {
    label: 'main',
    baseUrl: `${listener.origin}/dev/payments`,
    secret: { apiKey: `sk_test_${newId().replaceAll('-', '')}` },
  })
  const own = (await register(ada)).find(({ scope }) => scope === 'account')
  endpoint = own?.id ?? ''
  await setSecret(endpoint, secret)
  await register(mallory)
})
afterAll(async () => {
  await listener.stop()
  await world.close()
})

test('PAY-20 endpoint is registered once for each account, also when two servers do it at once', async () => {
  const { sql } = world.database
  const platform = () => sql<{ url: string; scope: string; provider_endpoint_id: string; sealed_secret: string }[]>`
    SELECT * FROM payments.webhook_endpoints WHERE organization_id IS NULL ORDER BY scope`
  await sql`DELETE FROM payments.webhook_endpoints WHERE organization_id IS NULL`
  const answers = await Promise.all([register(mallory), register(mallory), register(mallory)])
  expect(new Set(answers.flat().map(({ id }) => id)).size).toBe(2)
  expect(answers[0]).toMatchObject([
    { own: false, provider: 'practice', mode: 'test', scope: 'account', hasSecret: true },
    { own: false, scope: 'connect', hasSecret: true },
  ])
  const rows = await platform()
  expect(rows.map(({ scope }) => scope)).toEqual(['account', 'connect'])
  const provided = await world.stranger.fetchJson<{ items: { data: { url: string } }[] }>(
    'GET /dev/payments/api/objects?type=webhook_endpoint&limit=100&apiKey=sk_test_practice',
  )
  for (const { url } of rows) expect(provided.items.filter(({ data }) => data.url === url)).toHaveLength(1)
  expect(JSON.stringify([answers, await ada.fetchJson('GET /api/pay/webhook-endpoints')])).not.toContain('whsec_')
  expect(rows[0]?.sealed_secret).not.toContain('whsec_')
})

test('PAY-20 endpoint is registered again when its server stopped in between, or when it was deleted at the provider', async () => {
  const { sql } = world.database
  const provided = async () => {
    const { items } = await world.stranger.fetchJson<{ items: { id: string; data: { url: string } }[] }>(
      'GET /dev/payments/api/objects?type=webhook_endpoint&limit=100&apiKey=sk_test_practice',
    )
    return items.filter(({ data }) => data.url === row?.url).map(({ id }) => id)
  }
  const read = async () => {
    const [found] = await sql<{ id: string; url: string; provider_endpoint_id: string }[]>`
      SELECT * FROM payments.webhook_endpoints WHERE organization_id IS NULL AND scope = 'account'`
    return found
  }
  let row = await read()
  const first = row?.provider_endpoint_id ?? ''
  await sql`
    UPDATE payments.webhook_endpoints SET sealed_secret = NULL, provider_endpoint_id = NULL,
      claimed_at = now() - interval '2 minutes' WHERE id = ${row?.id ?? ''}`
  await register(mallory)
  row = await read()
  expect(await provided()).toEqual([row?.provider_endpoint_id ?? ''])
  expect(row?.provider_endpoint_id).not.toBe(first)
  await world.provided.gateway.payments.deleteWebhookEndpoint({
    organizationId: world.mallory.things.organizations,
    idempotencyKey: newId(),
    id: row?.provider_endpoint_id ?? '',
  })
  await register(mallory)
  const second = row?.provider_endpoint_id
  row = await read()
  expect(await provided()).toEqual([row?.provider_endpoint_id ?? ''])
  expect(row?.provider_endpoint_id).not.toBe(second)
})

test('PAY-20 event with a missing, wrong or old signature is refused with 400, counted and not stored', async () => {
  const before = await list(ada)
  const event = eventOf('evt_forged', 'charge.updated', { id: 'ch_1', object: 'charge' })
  const old = Math.floor(Date.now() / 1000) - 301
  const refused = [
    await send(world.handle, JSON.stringify(event), {}, endpoint),
    await deliver(world.handle, event, { secret: `whsec_${'b'.repeat(32)}`, endpoint }),
    await sign(event, old),
  ]
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
    Array.from({ length: 3 }, () => [400, 'invalid_signature']),
  )
  const after = await list(ada)
  expect([after.rejected, after.counts]).toEqual([before.rejected + 3, before.counts])
  expect((await deliver(world.handle, event, { secret, endpoint: newId() })).status).toBe(400)
  expect((await deliver(world.handle, event, { secret })).status).toBe(400)
  expect((await list(ada)).rejected).toBe(after.rejected)
  const metrics = createMetrics()
  observeRejected(metrics)
  const [, total = 0] = /rejected_total (\d+)/.exec(await metrics.text()) ?? []
  expect(Number(total)).toBeGreaterThanOrEqual(5)
  expect((await sign(event)).status).toBe(200)
})

test('PAY-20 both secrets are valid while an endpoint’s secret is rotated, and only the new one afterwards', async () => {
  const next = `whsec_${'c'.repeat(32)}`
  const rotated = await setSecret(endpoint, next)
  expect(Date.parse(rotated.previousSecretEndsAt ?? '')).toBeGreaterThan(Date.now() + 23 * 3_600_000)
  const event = eventOf('evt_rotated', 'charge.updated', { id: 'ch_1', object: 'charge' })
  const statuses = async () => [
    (await deliver(world.handle, event, { secret: next, endpoint })).status,
    (await sign(event)).status,
  ]
  expect(await statuses()).toEqual([200, 200])
  await world.database.sql`
    UPDATE payments.webhook_endpoints SET previous_secret_ends_at = now() - interval '1 second' WHERE id = ${endpoint}`
  expect(await statuses()).toEqual([200, 400])
  expect(await setSecret(endpoint, secret, 0)).toMatchObject({ previousSecretEndsAt: null })
})

test('PAY-20 event of the platform’s account is verified with STRIPE_WEBHOOK_SECRET when its URL names no endpoint', async () => {
  const configured = `whsec_${'d'.repeat(32)}`
  await using server = await secondServer({ STRIPE_WEBHOOK_SECRET: configured })
  const event = eventOf('evt_platform', 'charge.updated', { id: 'ch_1', object: 'charge' })
  expect((await deliver(server.handle, event, { secret: configured })).status).toBe(200)
  expect((await deliver(server.handle, event, { secret: configured, endpoint })).status).toBe(400)
  expect(await find(ada, 'evt_platform')).toBeUndefined()
})

test('PAY-20 repeated deliveries are counted, and processed once', async () => {
  const event = eventOf('evt_repeated', 'charge.updated', { id: 'ch_repeated', object: 'charge' })
  const before = (await list(ada)).counts
  const answers = [await sign(event), await sign(event)]
  await handleWaiting(world)
  answers.push(await sign(event))
  await handleWaiting(world)
  expect(answers.map(({ body }) => body.duplicate)).toEqual([false, true, true])
  expect(await find(ada, 'evt_repeated')).toMatchObject({ duplicates: 2, attempts: 1, objectId: 'ch_repeated' })
  const after = (await list(ada)).counts
  expect([after['all'], after['duplicates']]).toEqual([(before['all'] ?? 0) + 1, (before['duplicates'] ?? 0) + 2])
  const filtered = await list(ada, '&state=duplicate&q=ch_repeated')
  expect(filtered.items.map(({ eventId }) => eventId)).toEqual(['evt_repeated'])
})

test('PAY-20 event that is delivered to two servers at once is stored once', async () => {
  await using server = await secondServer()
  const event = eventOf('evt_twice', 'charge.updated', { id: 'ch_1', object: 'charge' })
  const answers = await Promise.all(
    [world.handle, server.handle, world.handle, server.handle].map((handle) =>
      deliver(handle, event, { secret, endpoint }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(answers.filter(({ body }) => !body.duplicate)).toHaveLength(1)
  await handleWaiting(world)
  expect(await find(ada, 'evt_twice')).toMatchObject({ duplicates: 3, attempts: 1 })
})

test('PAY-20 event of an unknown type, or about nothing of ours, is kept and ignored', async () => {
  await sign(eventOf('evt_unknown', 'treasury.credit_reversal.created', { object: 'treasury.credit_reversal' }))
  await sign(eventOf('evt_foreign', 'charge.updated', { id: 'ch_foreign', object: 'charge', metadata: null }))
  await handleWaiting(world)
  const ignored = (await list(ada, '&state=ignored')).items
  expect(ignored.map(({ eventId }) => eventId)).toEqual(expect.arrayContaining(['evt_unknown', 'evt_foreign']))
  const { id = '' } = ignored.find(({ eventId }) => eventId === 'evt_unknown') ?? {}
  const details = await ada.fetchJson<{ payload: string; attemptLog: object[] }>(`GET /api/pay/webhooks/${id}`)
  expect(JSON.parse(details.payload)).toMatchObject({ type: 'treasury.credit_reversal.created' })
  expect(details.attemptLog).toMatchObject([{ number: 1, problem: null }])
})

test('PAY-20 body above 1 MiB is refused, and nothing is stored', async () => {
  const event = eventOf('evt_huge', 'charge.updated', { id: 'ch_1', object: 'charge', filler: 'x'.repeat(1_100_000) })
  expect((await sign(event)).status).toBe(413)
  expect(await find(ada, 'evt_huge')).toBeUndefined()
})

test('PAY-20 event of one organization’s endpoint doesn’t concern another’s payments', async () => {
  const shop = shopOf(mallory, world.stranger)
  const order = await shop.createOrder(coffee)
  const payment = await shop.createPayment(order.id)
  const metadata = { paymentId: payment.id, organizationId: world.mallory.things.organizations }
  await sign(eventOf('evt_other', 'payment_intent.succeeded', { id: 'pi_x', object: 'payment_intent', metadata }))
  await handleWaiting(world)
  expect(await find(ada, 'evt_other')).toMatchObject({ state: 'ignored' })
  expect(await find(mallory, 'evt_other')).toBeUndefined()
  const { id = '' } = (await find(ada, 'evt_other')) ?? {}
  for (const route of [`GET /api/pay/webhooks/${id}`, `POST /api/pay/webhooks/${id}/replay`])
    expect((await mallory.fetch(route, route.startsWith('POST') ? {} : undefined)).status).toBe(404)
  const theft = await mallory.fetch(`PUT /api/pay/webhook-endpoints/${endpoint}/secret`, { secret })
  expect(theft.status).toBe(404)
})

test('PAY-20 practice provider’s webhooks lead to a paid order, without a look from us', async () => {
  const shop = shopOf(mallory, world.stranger)
  const order = await shop.createOrder(coffee)
  await shop.pay(await shop.createPayment(order.id))
  const paid = await until(
    async () => {
      await handleWaiting(world)
      return shop.order(order.id)
    },
    ({ status }) => status === 'paid',
  )
  expect(paid).toMatchObject({ status: 'paid', captured: 700 })
  await until(
    async () => {
      await handleWaiting(world)
      return list(mallory, '&state=processed')
    },
    ({ items }) => items.some(({ type }) => type === 'checkout.session.completed'),
  )
  expect((await list(ada)).items.map(({ type }) => type)).not.toContain('checkout.session.completed')
})

test('PAY-20 events whose webhooks were lost are found in the provider’s list, and processed like others', async () => {
  const behave = (webhooks: string) => world.stranger.fetchJson('PUT /dev/payments/behavior', { webhooks })
  const shop = shopOf(mallory, world.stranger)
  const order = await shop.createOrder(coffee)
  const payment = await shop.createPayment(order.id)
  await behave('lose')
  await shop.pay(payment)
  await behave('ok')
  await handleWaiting(world)
  expect((await shop.order(order.id)).status).toBe('requires_action')
  const before = (await list(mallory)).counts
  const { found } = await mallory.fetchJson<{ found: number }>('POST /api/pay/webhooks/find-lost', {})
  expect(found).toBeGreaterThan(0)
  await handleWaiting(world)
  expect((await shop.order(order.id)).status).toBe('paid')
  expect((await mallory.fetchJson<{ found: number }>('POST /api/pay/webhooks/find-lost', {})).found).toBe(0)
  const after = (await list(mallory)).counts
  expect(after['duplicates']).toBe(before['duplicates'])
})

test('PAY-20 dispute that arrives before the events of its payment leads to that payment', async () => {
  const configured = `whsec_${'e'.repeat(32)}`
  await using server = await secondServer({ STRIPE_WEBHOOK_SECRET: configured })
  const { organizations: organizationId } = world.mallory.things
  const shop = shopOf(mallory, world.stranger)
  const order = await shop.createOrder(coffee)
  const payment = await shop.createPayment(order.id)
  await world.stranger.fetchJson('PUT /dev/payments/behavior', { webhooks: 'lose' })
  await shop.pay(payment)
  await world.stranger.fetchJson('PUT /dev/payments/behavior', { webhooks: 'ok' })
  const { paymentIntentId } = await world.provided.gateway.payments.getCheckoutSession({
    organizationId,
    id: payment.providerReference ?? '',
  })
  const dispute = { id: 'dp_early', object: 'dispute', metadata: {}, payment_intent: paymentIntentId }
  const event = { ...eventOf('evt_early', 'charge.dispute.created', dispute), livemode: false }
  expect((await deliver(server.handle, event, { secret: configured })).status).toBe(200)
  await handleWaiting(world)
  expect(await find(mallory, 'evt_early')).toMatchObject({ state: 'processed', objectId: 'dp_early' })
  expect((await shop.order(order.id)).status).toBe('paid')
})

test('PAY-20 events of a connected account’s payouts arrive too, also when their webhooks were lost', async () => {
  // Its funds are paid out.
  await shopOf(mallory, world.stranger).sell()
  const { payments } = world.provided.gateway
  const { organizations: organizationId } = world.mallory.things
  const recipient = `acct_${newId().slice(-12)}`
  const itemId = await addItem(world, organizationId, recipient)
  const payer = { organizationId, currency: 'EUR' }
  await payments.createTransfer({ ...payer, idempotencyKey: newId(), amount: 100, destination: recipient })
  const payOut = () =>
    payments.createPayout({
      ...payer,
      idempotencyKey: newId(),
      account: recipient,
      amount: 50,
      metadata: { itemId, organizationId },
    })
  const arrived = await payOut()
  const processed = await until(
    async () => {
      await handleWaiting(world)
      return list(mallory, `&q=${arrived.id}`)
    },
    ({ items }) => items.some(({ type, state }) => type === 'payout.paid' && state === 'processed'),
  )
  expect(processed.items.every(({ state }) => state === 'processed')).toBe(true)
  await world.stranger.fetchJson('PUT /dev/payments/behavior', { webhooks: 'lose' })
  const lost = await payOut()
  await until(
    () => payments.getPayout({ organizationId, account: recipient, id: lost.id }),
    ({ status }) => status === 'paid',
  )
  await world.stranger.fetchJson('PUT /dev/payments/behavior', { webhooks: 'ok' })
  await mallory.fetchJson('POST /api/pay/webhooks/find-lost', {})
  // Whose they are is known from the item that they are about, not from what the account wrote.
  await handleWaiting(world)
  const types = (await list(mallory, `&q=${lost.id}`)).items.map(({ type }) => type)
  expect(types).toEqual(expect.arrayContaining(['payout.created', 'payout.paid']))
})

test('PAY-20 failed events are replayed, one and all', async () => {
  const shop = shopOf(mallory, world.stranger)
  const order = await shop.createOrder(coffee)
  const payment = await shop.createPayment(order.id)
  await shop.pay(payment)
  const isPaidEvent = ({ type, state }: ShownEvent) => type === 'payment_intent.succeeded' && state === 'waiting'
  const arrived = await until(
    () => list(mallory, '&type=payment_intent.succeeded'),
    ({ items }) => items.some(isPaidEvent),
  )
  const { id = '' } = arrived.items.find(isPaidEvent) ?? {}
  await world.stranger.fetchJson('PUT /dev/payments/behavior', { answers: 'fail' })
  await handleWaiting(world)
  await world.stranger.fetchJson('PUT /dev/payments/behavior', { answers: 'ok' })
  const failed = await list(mallory, '&state=failed')
  expect(failed.items.find((event) => event.id === id)).toMatchObject({ attempts: 1, problem: expect.any(String) })
  expect(await mallory.fetchJson(`POST /api/pay/webhooks/${id}/replay`, {})).toMatchObject({ state: 'waiting' })
  expect((await mallory.fetch(`POST /api/pay/webhooks/${id}/replay`, {})).status).toBe(409)
  await handleWaiting(world)
  expect((await shop.order(order.id)).status).toBe('paid')
  const { attemptLog } = await mallory.fetchJson<{ attemptLog: { problem: string | null }[] }>(
    `GET /api/pay/webhooks/${id}`,
  )
  expect(attemptLog.map(({ problem }) => problem === null)).toEqual([false, true])
  const all = await mallory.fetchJson<{ replayed: number }>('POST /api/pay/webhooks/replay-failed', {})
  expect(all.replayed).toBe(failed.items.length - 1)
  await handleWaiting(world)
  expect((await list(mallory)).counts).toMatchObject({ failed: 0, waiting: 0 })
})

async function secondServer(env: Record<string, string> = {}) {
  const undo: (() => Promise<unknown> | void)[] = []
  const { config } = world.provided
  const { handle } = await wireServer({ url: config.DATABASE_URL ?? '', home: config.DATA_DIR, undo, env })
  return {
    handle,
    [Symbol.asyncDispose]: async () => {
      for (const step of undo.toReversed()) await step()
    },
  }
}
