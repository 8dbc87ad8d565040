import { afterAll, beforeAll, expect, test } from 'bun:test'
import { syncPayment } from '../../src/payments/checkout/sync.ts'
import type { PaymentsWork } from '../../src/payments/work.ts'
import { openWorld, type World } from '../support/world.ts'
import { until } from './provider.ts'
import { refundsOf } from './refunding.ts'
import { cards, coffee, shopOf, type Shop, type ShownOrder } from './shop.ts'

let world: World
let shop: Shop
let refunds: ReturnType<typeof refundsOf>

beforeAll(async () => {
  world = await openWorld()
  shop = shopOf(world.ada, world.stranger)
  refunds = refundsOf(world)
})
afterAll(() => world.close())

/** The provider’s balance shows movements of these types later. */
function workWithout(types: readonly string[]): PaymentsWork {
  const { gateway } = world.provided
  const { listBalanceTransactions } = gateway.payments
  const list: typeof listBalanceTransactions = async (input) => {
    const page = await listBalanceTransactions(input)
    return { ...page, items: page.items.filter(({ type }) => !types.includes(type)) }
  }
  return {
    ...world.provided,
    db: world.database.db,
    now: () => new Date(),
    gateway: { ...gateway, payments: { ...gateway.payments, listBalanceTransactions: list } },
  }
}

const kindsOf = async (orderId: string) =>
  (await world.ada.fetchJson<{ items: { kind: string }[] }>(`GET /api/ledger?orderId=${orderId}&limit=100`)).items
    .map(({ kind }) => kind)
    .toSorted()

const nextCheck = async (id: string) =>
  (await world.ada.fetchJson<{ nextCheckAt: string | null }>(`GET /api/payments/${id}`)).nextCheckAt

/** In the provider’s dashboard. */
async function refundAtProvider({ payments }: ShownOrder, amount: number): Promise<void> {
  const body = new URLSearchParams({ payment_intent: payments[0]?.providerReference ?? '', amount: String(amount) })
  const { status } = await world.stranger.fetch('POST /dev/payments/v1/refunds', body.toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: 'Bearer sk_test_practice',
  })
  expect(status).toBe(200)
}

test('PAY-12 movement that comes after its refund failed is booked by the next check', async () => {
  const order = await shop.sell(coffee, cards.failedRefund)
  const payment = order.payments[0] ?? { id: '' }
  const early = workWithout(['refund_failure'])
  await refundAtProvider(order, 300)
  await until(
    async () => {
      await syncPayment(early, payment.id)
      return (await shop.order(order.id)).refunds
    },
    ([refund]) => refund?.status === 'failed',
  )
  expect(await kindsOf(order.id)).not.toContain('refund_failed')
  expect(await nextCheck(payment.id)).toBeString()
  await shop.check(payment)
  expect(await kindsOf(order.id)).toEqual([
    'capture',
    'refund_created',
    'refund_failed',
    'refund_reversed',
    'refund_settled',
  ])
  expect(await nextCheck(payment.id)).toBeNull()
})

test('PAY-12 movement that comes after its refund succeeded is booked by the next check', async () => {
  const order = await shop.sell()
  const payment = order.payments[0] ?? { id: '' }
  await world.database.sql`UPDATE payments.payments SET next_check_at = NULL WHERE id = ${payment.id}`
  const work = workWithout(['refund'])
  await refundAtProvider(order, 100)
  await syncPayment(work, payment.id)
  expect(await shop.order(order.id)).toMatchObject({ refunded: 100 })
  expect(await kindsOf(order.id)).not.toContain('refund_settled')
  expect(await nextCheck(payment.id)).toBeString()
  await shop.check(payment)
  expect(await kindsOf(order.id)).toContain('refund_settled')
  expect(await nextCheck(payment.id)).toBeNull()
})

/** The provider’s test cards are disputed in full. */
async function sellPartlyLost() {
  const sold = await shop.sell(coffee, cards.disputed)
  const read = async () => {
    for (const payment of sold.payments) await shop.check(payment)
    return shop.order(sold.id)
  }
  const disputed = await until(read, ({ disputes }) => disputes.length > 0)
  const intent = sold.payments[0]?.providerReference ?? ''
  await world.database.sql`
    UPDATE practice_payments.objects SET data = data || '{"amount":200,"status":"lost"}'
    WHERE type = 'dispute' AND data ->> 'payment_intent' = ${intent}`
  await world.database.sql`
    UPDATE practice_payments.objects SET data = data || '{"disputed":false}'
    WHERE type = 'charge' AND data ->> 'payment_intent' = ${intent}`
  return { open: disputed, lost: await read() }
}

test('PAY-11 what a dispute didn’t take can be refunded, and not more', async () => {
  const { open, lost } = await sellPartlyLost()
  expect(open).toMatchObject({ status: 'disputed', can: { refund: false } })
  expect(lost).toMatchObject({ status: 'lost', refundable: 500, can: { refund: true } })
  expect(await refunds.refusal('POST /api/refunds', { orderId: lost.id, amount: 501 })).toMatchObject({
    status: 422,
    problem: { code: 'refund_exceeds_captured', refundable: 500 },
  })
  expect(await refunds.create({ orderId: lost.id })).toMatchObject({ status: 'succeeded', amount: 500 })
  expect(await shop.order(lost.id)).toMatchObject({ status: 'lost', refunded: 500, refundable: 0 })
  expect(await refunds.refusal('POST /api/refunds', { orderId: lost.id, amount: 1 })).toMatchObject({
    status: 409,
    problem: { code: 'order_state' },
  })
})
