import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type World } from '../support/world.ts'
import { refundsOf } from './refunding.ts'
import { shopOf, type Shop } from './shop.ts'

let world: World
let shop: Shop
let refunds: ReturnType<typeof refundsOf>

beforeAll(async () => {
  world = await openWorld()
  shop = shopOf(world.ada, world.stranger)
  refunds = refundsOf(world)
})
afterAll(() => world.close())

const lineOf = (unitAmount: number, more: object = {}) => ({ name: 'Beans', unitAmount, ...more })

/** Of a validation problem: where, and what it says, with plain spaces. */
async function refusal(route: string, body: object): Promise<string[]> {
  const response = await world.ada.fetch(route, body)
  const { errors = [] }: { errors?: { path: string; message: string }[] } = await response.json()
  return [String(response.status), ...errors.map(({ path, message }) => `${path}: ${message.replaceAll(/\s/g, ' ')}`)]
}

test.each([
  [{ currency: 'BHD', taxMode: 'exclusive', lines: [lineOf(1250, { taxRate: 10 })] }, 'BHD 1.370 or BHD 1.380'],
  [{ currency: 'KWD', lines: [lineOf(5)] }, 'so that it is KWD 0.010.'],
  [{ currency: 'MGA', lines: [lineOf(1250)] }, 'MGA 12.00 or MGA 13.00'],
  [{ currency: 'ISK', lines: [lineOf(1_000_000)] }, 'at most ISK 999,999.'],
  [{ currency: 'EUR', lines: [lineOf(99_999_999, { quantity: 2 })] }, 'at most €999,999.99.'],
  [{ currency: 'IDR', lines: [lineOf(999_999_999_999, { quantity: 2 })] }, 'at most IDR 9,999,999,999.99.'],
  [
    { currency: 'EUR', lines: [lineOf(999_999_999_999, { quantity: 1_000_000, taxRate: 100 })] },
    'The subtotal must be',
  ],
])('PAY-10 order whose total can’t be paid is refused with what can: %#', async (draft, expected) => {
  expect(await refusal('POST /api/orders', draft)).toEqual(['422', expect.stringContaining(expected)])
})

test.each([
  { currency: 'BHD', lines: [lineOf(1375), lineOf(1375)] },
  { currency: 'BHD', lines: [lineOf(1375, { quantity: 2 })] },
  { currency: 'MGA', lines: [lineOf(1250, { quantity: 2 })] },
  { currency: 'IDR', lines: [lineOf(150_000_000)] },
  { currency: 'ISK', lines: [lineOf(999_999)] },
])('PAY-10 order of amounts that the provider takes only together is paid: %j', async (draft) => {
  const sold = await shop.sell(draft)
  expect([sold.status, sold.captured]).toEqual(['paid', sold.total])
})

test('PAY-10 payment in a currency that the provider doesn’t have is refused by its name', async () => {
  const { id } = await shop.createOrder({ currency: 'CLF', lines: [lineOf(12345)] })
  expect(await refusal('POST /api/payments', { orderId: id })).toEqual([
    '422',
    'orderId: The payment provider takes no payments in CLF. Use another currency.',
  ])
  expect((await shop.order(id)).payments).toEqual([])
})

test('PAY-10 line with both price and unitAmount is refused', async () => {
  const draft = { currency: 'EUR', lines: [lineOf(100, { price: '2.00' })] }
  expect(await refusal('POST /api/orders', draft)).toEqual(['422', 'lines.0.price: Send either a price or unitAmount.'])
})

test('PAY-11 refund between two amounts that the provider takes is refused, and lines are rounded to it', async () => {
  const { id } = await shop.sell({ currency: 'KWD', lines: [lineOf(4255, { quantity: 3 }), lineOf(1235)] })
  expect(await refusal('POST /api/refunds', { orderId: id, amount: 5 })).toEqual([
    '422',
    'amount: Must be a multiple of KWD 0.010, such as KWD 0.010.',
  ])
  const amounts: number[] = []
  for (const position of [1, 2, 1, 1])
    amounts.push((await refunds.create({ orderId: id, lines: [{ position, quantity: 1 }] })).amount)
  expect(amounts).toEqual([4250, 1240, 4250, 4260])
  expect(await shop.order(id)).toMatchObject({ status: 'refunded', refunded: 14_000, refundable: 0 })
})

test('PAY-11 refund of an order that nothing was captured of is refused with its state', async () => {
  const { id } = await shop.createOrder()
  await world.ada.fetchJson(`POST /api/orders/${id}/cancel`)
  expect(await refunds.refusal('POST /api/refunds', { orderId: id, amount: 5 })).toMatchObject({
    status: 409,
    problem: { code: 'order_state', state: 'cancelled', allowed: [] },
  })
})

test('PAY-10 capture between two amounts that the provider takes is refused', async () => {
  const { id } = await shop.createOrder({ currency: 'KWD', lines: [lineOf(1000)] })
  const payment = await shop.createPayment(id, { captureMethod: 'manual' })
  await shop.pay(payment)
  await shop.check(payment)
  expect(await refusal(`POST /api/payments/${payment.id}/capture`, { amount: 995 })).toEqual([
    '422',
    'amount: Must be a multiple of KWD 0.010, such as KWD 0.990 or KWD 1.000.',
  ])
})

test('PAY-10 of captures with different amounts at once, only the one that was made succeeds', async () => {
  const { id } = await shop.createOrder()
  const payment = await shop.createPayment(id, { captureMethod: 'manual' })
  await shop.pay(payment)
  await shop.check(payment)
  const amounts = [100, 200, 300, 400]
  const responses = await Promise.all(
    amounts.map((amount) => world.ada.fetch(`POST /api/payments/${payment.id}/capture`, { amount })),
  )
  const { captured } = await shop.order(id)
  expect(responses.map(({ status }) => status)).toEqual(amounts.map((amount) => (amount === captured ? 200 : 409)))
})

test('PAY-10 order whose payment is being created is canceled a moment later', async () => {
  const { id } = await shop.createOrder()
  const payment = await shop.createPayment(id)
  await world.database.sql`
    UPDATE payments.payments SET id = gen_random_uuid(), status = 'unknown', checkout_session_id = null, created_at = now() WHERE id = ${payment.id}`
  const response = await world.ada.fetch(`POST /api/orders/${id}/cancel`)
  expect([response.status, await response.json()]).toEqual([409, expect.objectContaining({ code: 'payment_busy' })])
})

test.each([
  ['KWD', 1234, 'items.0.amount: Must be a multiple of KWD 0.010, such as KWD 1.230 or KWD 1.240.'],
  ['HUF', 1050, 'items.0.amount: Must be a multiple of HUF 1.00, such as HUF 10.00 or HUF 11.00.'],
  ['CLF', 1234, 'currency: The payment provider has no payouts in CLF.'],
  ['EUR', 100_000_000, 'items.0.amount: Must be at most €999,999.99.'],
])('PAY-13 batch in %s of an amount that can’t be paid out is refused', async (currency, amount, expected) => {
  const draft = {
    batchId: `b-${currency}`,
    currency,
    callbackUrl: 'https://p2p.example.com/callbacks',
    controlSum: amount,
    items: [{ reference: 'i-1', recipient: 'acct_1Pb2Lm', amount }],
  }
  expect(await refusal('POST /api/settlements', draft)).toEqual(['422', expected])
})
