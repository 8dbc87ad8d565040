import { openActions, press } from '../dashboard/raised/acting.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { Problem } from '#lib/errors.ts'
import { closePayment } from '../../src/payments/checkout/close.ts'
import { readPayment } from '../../src/payments/checkout/create.ts'
import { notCreated, settleCreation } from '../../src/payments/checkout/settle-creation.ts'
import { sweepPayments } from '../../src/payments/checkout/sweep.ts'
import { syncPayment } from '../../src/payments/checkout/sync.ts'
import type { PaymentsWork } from '../../src/payments/work.ts'
import { scaleTime } from '../support/time-scale.ts'
import { openWorld, type World } from '../support/world.ts'
import { until } from './provider.ts'
import { refundsOf } from './refunding.ts'
import { shopOf, type Shop, type ShownPayment } from './shop.ts'

// A payment whose creation got no response: it is found, made once, or ended without being made.

const timeoutMs = scaleTime(600)
let world: World
let shop: Shop
let behave: ReturnType<typeof refundsOf>['behave']

beforeAll(async () => {
  world = await openWorld({ env: { PAYMENTS_TIMEOUT_MS: String(timeoutMs), PAYMENTS_SWEEP_S: '0.05,0.05' } })
  shop = shopOf(world.ada, world.stranger)
  behave = refundsOf(world).behave
})
afterEach(() => behave({}))
afterAll(() => world.close())

const lose = async (answers: 'timeout_after_success' | 'fail', draft: object = {}) => {
  const { id: orderId } = await shop.createOrder()
  await behave({ answers, times: 1 })
  const payment = await world.ada.fetchJson<ShownPayment>('POST /api/payments', { orderId, ...draft }, 202)
  expect(payment.status).toBe('unknown')
  await behave({})
  return { orderId, payment }
}

/** As long ago as a request can’t take, or as long as the provider keeps idempotency keys. */
const age = async ({ id }: ShownPayment, ms = 3_600_000) => {
  await world.database.sql`
    UPDATE payments.payments SET created_at = created_at - ${`${ms} ms`}::text::interval WHERE id = ${id}`
}

/** Sessions and links at the provider that are about a payment. */
async function made({ id }: ShownPayment) {
  const all = await Promise.all(
    ['checkout.session', 'payment_link', 'payment_intent'].map((type) =>
      world.stranger.fetchJson<{ items: { data: { status?: string; metadata: Record<string, string> } }[] }>(
        `GET /dev/payments/api/objects?type=${type}&apiKey=sk_test_practice`,
      ),
    ),
  )
  return all.flatMap(({ items }) => items).filter(({ data }) => data.metadata['paymentId'] === id)
}

const workWith = (payments: Partial<PaymentsWork['gateway']['payments']> = {}): PaymentsWork => {
  const { gateway } = world.provided
  return {
    ...world.provided,
    db: world.database.db,
    now: () => new Date(),
    gateway: { ...gateway, payments: { ...gateway.payments, ...payments } },
  }
}

const actions = async (orderId: string) => {
  const rows = await world.database.sql<{ title: string }[]>`
    SELECT title FROM platform.raised_actions WHERE href = ${`/pay/orders/${orderId}`} AND resolved_at IS NULL`
  return rows.map(({ title }) => title)
}

test.each(['checkout', 'link', 'intent'])(
  'PAY-10 payment of mode %s whose response was lost is found, also after the provider forgot its key',
  async (mode) => {
    const { payment } = await lose('timeout_after_success', { mode })
    await world.database.sql`DELETE FROM practice_payments.idempotency_keys`
    expect(await shop.check(payment)).toMatchObject({ status: 'requires_action', failure: null })
    expect(await made(payment)).toHaveLength(1)
  },
)

test('PAY-10 payment that isn’t at the provider is created again within a day, and ends after it', async () => {
  const { payment } = await lose('fail')
  expect(await shop.check(payment)).toMatchObject({ status: 'requires_action' })
  expect(await made(payment)).toHaveLength(1)
  const { payment: old } = await lose('fail')
  await age(old, 24 * 3_600_000)
  expect(await shop.check(old)).toMatchObject({ status: 'failed', failure: { code: 'not_created' } })
  expect(await made(old)).toEqual([])
})

test('PAY-10 canceled payment that isn’t at the provider ends without being created', async () => {
  const { payment } = await lose('fail')
  const refused = await world.ada.fetch(`POST /api/payments/${payment.id}/cancel`)
  expect([refused.status, await refused.json()]).toEqual([
    409,
    expect.objectContaining({ code: 'payment_state', state: 'unknown' }),
  ])
  await age(payment)
  const ended = await world.ada.fetchJson<ShownPayment>(`POST /api/payments/${payment.id}/cancel`)
  expect(ended).toMatchObject({ status: 'failed', failure: { code: 'not_created' } })
  expect(await made(payment)).toEqual([])
})

test('PAY-10 canceled payment that is at the provider is closed there', async () => {
  const { orderId, payment } = await lose('timeout_after_success')
  await world.ada.fetchJson(`POST /api/orders/${orderId}/cancel`)
  expect(await shop.order(orderId)).toMatchObject({ status: 'cancelled', payments: [{ status: 'expired' }] })
  expect((await made(payment)).map(({ data }) => data.status)).toEqual(['expired'])
})

test('PAY-10 payment that is paid can’t be canceled', async () => {
  const { id } = await shop.createOrder()
  const payment = await shop.createPayment(id)
  await shop.pay(payment)
  const refused = await world.ada.fetch(`POST /api/payments/${payment.id}/cancel`)
  expect([refused.status, await refused.json()]).toEqual([
    409,
    expect.objectContaining({ code: 'payment_state', state: 'succeeded' }),
  ])
})

test('PAY-10 people are asked after the last look at an unknown payment, until it is known', async () => {
  const { orderId, payment } = await lose('fail')
  await behave({ answers: 'fail' })
  const look = async () => {
    const seen = await world.ada.fetchJson<{ nextCheckAt: string | null }>(`GET /api/payments/${payment.id}`)
    await until(
      async () => Date.now(),
      (now) => seen.nextCheckAt !== null && Date.parse(seen.nextCheckAt) <= now,
    )
    await sweepPayments.run({ ...world.provided, database: world.database, now: () => new Date(), input: {} })
    await syncPayment(workWith(), payment.id).catch(() => {})
    return world.ada.fetchJson<{ status: string; nextCheckAt: string | null }>(`GET /api/payments/${payment.id}`)
  }
  expect((await look()).nextCheckAt).toBeString()
  expect(await actions(orderId)).toEqual([])
  expect(await look()).toMatchObject({ status: 'unknown', nextCheckAt: null })
  expect(await actions(orderId)).toEqual(['Find out whether a payment link of €7.00 was created'])
  await behave({})
  const [action] = (await openActions(world, 'payments.')).filter(({ title }) => title.startsWith('Find out'))
  expect((await press(world.vera, action, 'Check now')).status).toBe(403)
  expect((await press(world.ada, action, 'Check now')).status).toBe(200)
  expect(await shop.check(payment)).toMatchObject({ status: 'requires_action' })
  expect(await actions(orderId)).toEqual([])
})

test.each([
  [429, 'provider_limited'],
  [502, 'provider_key_rejected'],
  [422, 'credential_missing'],
] as const)('PAY-10 repetition that is refused with %i %s leaves a payment unknown', async (status, code) => {
  const { payment } = await lose('fail')
  const work = workWith({ createCheckoutSession: () => Promise.reject(new Problem(status, code, 'Refused.')) })
  expect(await syncPayment(work, payment.id).catch((error: Problem) => error.code)).toBe('outcome_unknown')
  expect(await shop.check(payment)).toMatchObject({ status: 'requires_action' })
})

test('PAY-10 payment whose repetition the provider refused is looked up, and fails when it is missing', async () => {
  const refusal = new Problem(422, 'provider_refused', 'No.')
  const { payment: missing } = await lose('fail')
  await syncPayment(workWith({ createCheckoutSession: () => Promise.reject(refusal) }), missing.id)
  expect(await shop.check(missing)).toMatchObject({ status: 'failed', failure: { code: 'provider_refused' } })
  const { payment } = await lose('fail')
  const { createCheckoutSession } = world.provided.gateway.payments
  const late = async (input: Parameters<typeof createCheckoutSession>[0]) => {
    await createCheckoutSession(input)
    throw refusal
  }
  await syncPayment(workWith({ createCheckoutSession: late }), payment.id)
  expect(await shop.check(payment)).toMatchObject({ status: 'requires_action', failure: null })
})

test('PAY-10 what was made counts more than a failure that was stored before', async () => {
  const { payment } = await lose('timeout_after_success')
  const work = workWith()
  const row = await readPayment(work.db, payment.id)
  await settleCreation(work, row, new Problem(422, 'provider_refused', 'No.'))
  const [page] = (await work.gateway.payments.listCheckoutSessions({ organizationId: row.organizationId, limit: 1 }))
    .items
  const found = { checkoutSessionId: page?.id ?? '', url: page?.url ?? '', expiresAt: null, clientSecret: null }
  await settleCreation(work, row, found)
  expect(await shop.check(payment)).toMatchObject({ status: 'requires_action', checkoutUrl: page?.url, failure: null })
})

test('PAY-10 what was made for a payment that was ended on purpose is closed', async () => {
  const { payment } = await lose('timeout_after_success')
  const work = workWith()
  const row = await readPayment(work.db, payment.id)
  await settleCreation(work, row, notCreated())
  const [page] = (await work.gateway.payments.listCheckoutSessions({ organizationId: row.organizationId, limit: 1 }))
    .items
  const found = { checkoutSessionId: page?.id ?? '', url: page?.url ?? '', expiresAt: null, clientSecret: null }
  await settleCreation(work, row, found)
  expect((await made(payment)).map(({ data }) => data.status)).toEqual(['expired'])
  expect(await shop.check(payment)).toMatchObject({ status: 'expired' })
})

test('PAY-10 delayed payment whose page is complete is canceled by its intent', async () => {
  const { id } = await shop.createOrder()
  const payment = await shop.createPayment(id, { captureMethod: 'manual' })
  await shop.pay(payment)
  const { getPaymentIntent } = world.provided.gateway.payments
  const work = workWith({
    // Cards aren’t delayed.
    getPaymentIntent: async (input) => {
      const intent = await getPaymentIntent(input)
      return intent.status === 'requires_capture' ? { ...intent, status: 'processing' } : intent
    },
  })
  await syncPayment(work, payment.id)
  expect((await shop.order(id)).payments).toMatchObject([{ status: 'processing' }])
  await closePayment(work, await readPayment(work.db, payment.id))
  expect((await shop.order(id)).payments).toMatchObject([{ status: 'cancelled' }])
})
