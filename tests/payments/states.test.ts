import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { DisputeStatus, OrderStatus, PaymentStatus, RefundStatus } from '../../src/payments/contract.ts'
import { expireOrders } from '../../src/payments/checkout/sweep.ts'
import { scaleTime } from '../support/time-scale.ts'
import { openWorld, type World } from '../support/world.ts'
import { listen, until } from './provider.ts'
import { refundsOf } from './refunding.ts'
import { cards, coffee, shopOf, type Shop, type ShownOrder } from './shop.ts'

// Each state of orders, payments, refunds and disputes is reached through the API, the provider’s pages and its API.

let world: World
let shop: Shop
let refunds: ReturnType<typeof refundsOf>

beforeAll(async () => {
  world = await openWorld({ env: { PAYMENTS_TIMEOUT_MS: String(scaleTime(600)) } })
  shop = shopOf(world.ada, world.stranger)
  refunds = refundsOf(world)
})
afterEach(() => refunds.behave({}))
afterAll(() => world.close())

const inquired = '4000000000001976'

/** As the merchant does in the provider’s dashboard. */
const dashboard = async (path: string, fields: Record<string, string> = {}, status = 200) => {
  const response = await world.stranger.fetch(`POST /dev/payments/v1/${path}`, new URLSearchParams(fields).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: 'Bearer sk_test_practice',
  })
  expect([path, response.status]).toEqual([path, status])
}

/** Reads the state of its payment until the order is as expected. */
const checked = (order: ShownOrder, isReached: (order: ShownOrder) => boolean): Promise<ShownOrder> =>
  until(async () => {
    for (const payment of order.payments) await shop.check(payment)
    return shop.order(order.id)
  }, isReached)

async function sellDisputed(number: string, verdict?: string): Promise<ShownOrder> {
  const sold = await shop.sell(coffee, number)
  const disputed = await checked(sold, ({ disputes }) => disputes.length > 0)
  if (verdict === undefined) return disputed
  const { disputes } = await world.ada.fetchJson<{ disputes: { providerReference: string }[] }>(
    `GET /api/orders/${sold.id}`,
  )
  await dashboard(`disputes/${disputes[0]?.providerReference}`, { 'evidence[uncategorized_text]': verdict })
  return checked(sold, (order) => order.disputes.every(({ status }) => status !== 'open'))
}

async function refunded(amount: number, number: string = cards.good): Promise<string> {
  const order = await shop.sell(coffee, number)
  await refunds.create({ orderId: order.id, amount })
  return order.id
}

const orderWith = async (draft: object = coffee, payment: object = {}) => {
  const { id } = await shop.createOrder(draft)
  return { id, payment: await shop.createPayment(id, payment) }
}

const statusOfOrder = async (id: string): Promise<string> => (await shop.order(id)).status

/** Creates an order of its own, and returns the state that it reached. */
type Scenarios<State extends string> = Readonly<Record<State, () => Promise<string | undefined>>>

const orders: Scenarios<OrderStatus> = {
  pending: async () => (await shop.createOrder()).status,
  requires_action: async () => statusOfOrder((await orderWith()).id),
  paid: async () => (await shop.sell()).status,
  partially_refunded: async () => statusOfOrder(await refunded(200)),
  refunded: async () => statusOfOrder(await refunded(700)),
  disputed: async () => (await sellDisputed(cards.disputed)).status,
  lost: async () => (await sellDisputed(cards.disputed, 'losing_evidence')).status,
  cancelled: async () => {
    const { id } = await shop.createOrder()
    return (await world.ada.fetchJson<ShownOrder>(`POST /api/orders/${id}/cancel`)).status
  },
  expired: async () => {
    const minute = 60_000
    const { id } = await shop.createOrder({ ...coffee, expiresAt: new Date(Date.now() + 31 * minute).toISOString() })
    const later = () => new Date(Date.now() + 32 * minute)
    await expireOrders.run({ ...world.provided, database: world.database, now: later, input: {} })
    return statusOfOrder(id)
  },
  failed: async () => {
    const { id, payment } = await orderWith(coffee, { mode: 'intent' })
    await dashboard(
      `payment_intents/${payment.providerReference}/confirm`,
      { payment_method: 'pm_card_chargeDeclined' },
      402,
    )
    await shop.check(payment)
    return statusOfOrder(id)
  },
}

const payments: Scenarios<PaymentStatus> = {
  unknown: async () => {
    const { id } = await shop.createOrder()
    await refunds.behave({ answers: 'timeout_after_success', times: 1 })
    const created = await world.ada.fetchJson<{ status: string }>('POST /api/payments', { orderId: id }, 202)
    return created.status
  },
  requires_action: async () => (await orderWith()).payment.status,
  processing: payProcessing,
  authorized: async () => {
    const { payment } = await orderWith(coffee, { captureMethod: 'manual' })
    await shop.pay(payment)
    return (await shop.check(payment)).status
  },
  succeeded: async () => (await shop.sell()).payments[0]?.status,
  cancelled: async () => {
    const { payment } = await orderWith(coffee, { mode: 'intent' })
    return (await world.ada.fetchJson<{ status: string }>(`POST /api/payments/${payment.id}/cancel`)).status
  },
  expired: async () => {
    const { payment } = await orderWith()
    await dashboard(`checkout/sessions/${payment.providerReference}/expire`)
    return (await shop.check(payment)).status
  },
  failed: async () => {
    // The provider charges no less than 50 cents.
    const { id } = await shop.createOrder({ currency: 'EUR', lines: [{ name: 'Beans', unitAmount: 10 }] })
    expect((await world.ada.fetch('POST /api/payments', { orderId: id })).status).toBe(422)
    return (await shop.order(id)).payments[0]?.status
  },
}

/** Cards are charged at once: the provider’s responses are changed on their way. */
async function payProcessing(): Promise<string> {
  const listener = listen(world)
  const between = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url)
      const response = await fetch(new Request(`${listener.origin}/dev/payments${pathname}${search}`, request))
      const body: object = await response.json()
      const isIntent = 'object' in body && body.object === 'payment_intent'
      return Response.json(isIntent ? { ...body, status: 'processing' } : body, { status: response.status })
    },
  })
  try {
    const seller = listener.caller(world.mallory)
    const secret = { apiKey: `sk_test_${newId().replaceAll('-', '')}` }
    await seller.fetchJson('PUT /api/credentials/stripe', { label: 'main', baseUrl: between.url.origin, secret })
    const other = shopOf(seller, world.stranger)
    const { id } = await other.createOrder()
    const payment = await other.createPayment(id, { mode: 'intent' })
    expect(await other.check(payment)).toMatchObject({ status: 'processing' })
    return (await other.order(id)).payments[0]?.status ?? ''
  } finally {
    await between.stop(true)
    await listener.stop()
  }
}

const dollars = { ...coffee, currency: 'USD' }

async function requestAboveCeiling() {
  await world.ada.fetchJson('PUT /api/pay/settings', { refundCeilings: { USD: 100 } })
  const order = await shop.sell(dollars)
  return refunds.create({ orderId: order.id, amount: 200 })
}

const returns: Scenarios<RefundStatus> = {
  needs_approval: async () => (await requestAboveCeiling()).status,
  pending: async () => {
    const order = await shop.sell(coffee, cards.pendingRefund)
    return (await refunds.create({ orderId: order.id, amount: 100 })).status
  },
  unknown: async () => {
    const order = await shop.sell()
    await refunds.behave({ answers: 'timeout_after_success', times: 1 })
    return (await refunds.create({ orderId: order.id, amount: 100 }, 202)).status
  },
  succeeded: async () => (await shop.order(await refunded(100))).refunds[0]?.status,
  failed: async () => {
    const order = await shop.order(await refunded(100, cards.failedRefund))
    const after = await checked(order, (each) => each.refunds[0]?.status === 'failed')
    return after.refunds[0]?.status
  },
  cancelled: async () => (await refunds.act((await requestAboveCeiling()).id, 'cancel')).status,
}

const disputes: Scenarios<DisputeStatus> = {
  open: async () => (await sellDisputed(cards.disputed)).disputes[0]?.status,
  won: async () => (await sellDisputed(cards.disputed, 'winning_evidence')).disputes[0]?.status,
  lost: async () => (await sellDisputed(cards.disputed, 'losing_evidence')).disputes[0]?.status,
  closed: async () => (await sellDisputed(inquired, 'winning_evidence')).disputes[0]?.status,
}

const all: readonly [string, readonly string[], Readonly<Record<string, () => Promise<string | undefined>>>][] = [
  ['order', OrderStatus.options, orders],
  ['payment', PaymentStatus.options, payments],
  ['refund', RefundStatus.options, returns],
  ['dispute', DisputeStatus.options, disputes],
]

test.each(
  all.flatMap(([object, states, scenarios]) => states.map((state) => [object, state, scenarios[state]] as const)),
)('PAY-10 PAY-11 %s becomes %s by requests from outside', async (_, state, reach) => {
  expect(reach).toBeDefined()
  expect(await reach?.()).toBe(state)
})
