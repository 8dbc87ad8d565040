import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { scaleTime } from '../support/time-scale.ts'
import { openWorld, type World } from '../support/world.ts'
import { refundsOf } from './refunding.ts'
import { savable, savingOf, type Saving } from './saving.ts'
import { coffee, type ShownPayment } from './shop.ts'

// Orders that are charged to a saved card, without the customer.

let world: World
let saving: Saving
let behave: ReturnType<typeof refundsOf>['behave']

beforeAll(async () => {
  world = await openWorld({ env: { PAYMENTS_TIMEOUT_MS: String(scaleTime(600)) } })
  saving = savingOf(world)
  behave = refundsOf(world).behave
})
afterEach(() => behave({}))
afterAll(() => world.close())

const orderOf = (customerId: string) => saving.shop.createOrder({ ...coffee, customerId })

const objectsOf = async (type: string) => {
  const { items } = await world.stranger.fetchJson<{
    items: { data: { id: string; status: string; metadata: Record<string, string> } }[]
  }>(`GET /dev/payments/api/objects?type=${type}&limit=100&apiKey=sk_test_practice`)
  return items.map(({ data }) => data)
}
const intentsOf = async (paymentId: string) =>
  (await objectsOf('payment_intent')).filter(({ metadata }) => metadata['paymentId'] === paymentId)
const chargesOf = async (orderId: string) =>
  (await objectsOf('charge')).filter(
    ({ metadata, status }) => metadata['orderId'] === orderId && status === 'succeeded',
  )

test('PAY-30 order is paid with a saved card at once, and booked as any other', async () => {
  const customerId = await saving.create()
  const card = await saving.save(customerId)
  const order = await orderOf(customerId)
  const payment = await saving.charged(order.id, card.id)
  expect(payment).toMatchObject({
    status: 'succeeded',
    mode: 'intent',
    captured: 700,
    card: { brand: 'visa', lastFour: '4242' },
    insteadOf: null,
  })
  expect(await saving.shop.order(order.id)).toMatchObject({ status: 'paid', captured: 700 })
  const again = await saving.charge(order.id, card.id)
  expect([again.status, await again.json()]).toEqual([409, expect.objectContaining({ code: 'order_state' })])
  expect(await chargesOf(order.id)).toHaveLength(1)
  const refund = await world.ada.fetchJson('POST /api/refunds', { orderId: order.id, amount: 100 }, 201)
  expect(refund).toMatchObject({ status: 'succeeded' })
})

test('PAY-30 amount is reserved on a saved card, and captured later', async () => {
  const customerId = await saving.create()
  const card = await saving.save(customerId)
  const { id } = await orderOf(customerId)
  const response = await saving.charge(id, card.id, { captureMethod: 'manual' })
  const payment = (await response.json()) as ShownPayment
  expect(payment).toMatchObject({ status: 'authorized', authorized: 700 })
  await world.ada.fetchJson(`POST /api/payments/${payment.id}/capture`, {})
  expect((await saving.shop.order(id)).status).toBe('paid')
})

test('PAY-30 declined charge is a failed payment with its code, canceled at the provider; the order can be paid otherwise', async () => {
  const customerId = await saving.create()
  const card = await saving.save(customerId, savable.declinedLater)
  const { id } = await orderOf(customerId)
  const { paymentId = '', code } = await saving.charged(id, card.id, 402)
  expect(code).toBe('card_declined')
  const order = await saving.shop.order(id)
  expect(order).toMatchObject({
    status: 'failed',
    payments: [{ id: paymentId, status: 'failed', failure: { code: 'generic_decline' }, captured: 0 }],
  })
  expect((await intentsOf(paymentId)).map(({ status }) => status)).toEqual(['canceled'])
  expect(await saving.shop.check({ id: paymentId })).toMatchObject({ status: 'failed' })
  const good = await saving.save(customerId)
  await saving.charged(id, good.id)
  expect((await saving.shop.order(id)).status).toBe('paid')
})

test('PAY-30 charge that the customer has to confirm becomes a page to pay on', async () => {
  const customerId = await saving.create()
  const card = await saving.save(customerId, savable.authenticatedAlways)
  const { id } = await orderOf(customerId)
  const page = await saving.charged(id, card.id)
  expect(page).toMatchObject({
    status: 'requires_action',
    mode: 'checkout',
    insteadOf: { code: 'authentication_required' },
  })
  expect(page.checkoutUrl).toContain('/dev/payments/checkout/')
  const order = await saving.shop.order(id)
  expect(order.status).toBe('requires_action')
  expect(order.payments).toMatchObject([
    { id: page.id },
    { id: page.insteadOf?.paymentId, status: 'failed', failure: { code: 'authentication_required' } },
  ])
  await saving.shop.pay(page)
  await saving.shop.check(page)
  expect((await saving.shop.order(id)).status).toBe('paid')
  expect(await chargesOf(id)).toHaveLength(1)
})

test.each(['timeout_after_success', 'fail'])(
  'PAY-30 charge whose response was lost (%s) is found or repeated with its key, never done twice',
  async (answers) => {
    const customerId = await saving.create()
    const card = await saving.save(customerId)
    const { id } = await orderOf(customerId)
    await behave({ answers, times: 1 })
    const payment = await saving.charged(id, card.id, 202)
    expect(payment.status).toBe('unknown')
    await behave({})
    const second = await saving.charge(id, card.id)
    expect([second.status, await second.json()]).toEqual([409, expect.objectContaining({ code: 'payment_busy' })])
    expect(await saving.shop.check(payment)).toMatchObject({ status: 'succeeded', captured: 700 })
    expect((await saving.shop.order(id)).status).toBe('paid')
    expect(await chargesOf(id)).toHaveLength(1)
    expect(await intentsOf(payment.id)).toHaveLength(1)
  },
)

test('PAY-30 declined charge whose response was lost ends as failed', async () => {
  const customerId = await saving.create()
  const card = await saving.save(customerId, savable.declinedLater)
  const { id } = await orderOf(customerId)
  await behave({ answers: 'timeout_after_success', times: 1 })
  const payment = await saving.charged(id, card.id, 202)
  await behave({})
  expect(await saving.shop.check(payment)).toMatchObject({ status: 'failed', failure: { code: 'generic_decline' } })
  expect((await saving.shop.order(id)).status).toBe('failed')
  expect((await intentsOf(payment.id)).map(({ status }) => status)).toEqual(['canceled'])
})

test('PAY-30 two charges of an order at once take its money once', async () => {
  const customerId = await saving.create()
  const card = await saving.save(customerId)
  const { id } = await orderOf(customerId)
  const responses = await Promise.all([1, 2, 3].map(() => saving.charge(id, card.id)))
  const statuses = responses.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  expect(statuses.filter((status) => status === 409)).toHaveLength(2)
  expect(await chargesOf(id)).toHaveLength(1)
})

test('PAY-30 card that is removed while it is charged leaves a paid or a failed order, and no open payment', async () => {
  const customerId = await saving.create()
  const card = await saving.save(customerId)
  const { id } = await orderOf(customerId)
  const [charged, removed] = await Promise.all([saving.charge(id, card.id), saving.remove(customerId, card.id)])
  expect(removed.status).toBe(204)
  const order = await saving.shop.order(id)
  const isPaid = charged.status === 201
  expect([201, 402, 422]).toContain(charged.status)
  expect(order.captured).toBe(isPaid ? 700 : 0)
  expect(['paid', 'failed', 'pending']).toContain(order.status)
  expect(order.payments.every(({ status }) => status === 'succeeded' || status === 'failed')).toBe(true)
  expect(await chargesOf(id)).toHaveLength(isPaid ? 1 : 0)
  const late = await saving.charge((await orderOf(customerId)).id, card.id)
  expect(late.status).toBe(422)
})

test('PAY-30 saved card is only charged for an order of its customer, in its organization, with the permission', async () => {
  const [customerId, otherId] = [await saving.create(), await saving.create({ name: 'Other' })]
  const card = await saving.save(customerId)
  const foreign = savingOf(world, world.mallory)
  const foreignOrder = await foreign.shop.createOrder({ ...coffee, customerId: await foreign.create() })
  const attempts = [
    saving.charge((await orderOf(otherId)).id, card.id),
    saving.charge((await saving.shop.createOrder()).id, card.id),
    foreign.charge(foreignOrder.id, card.id),
  ]
  for (const response of await Promise.all(attempts))
    expect([response.status, await response.json()]).toEqual([
      422,
      expect.objectContaining({ errors: [expect.objectContaining({ path: 'paymentMethodId' })] }),
    ])
  const order = await orderOf(customerId)
  const refused = await world.vera.fetch('POST /api/payments', { orderId: order.id, paymentMethodId: card.id })
  expect([refused.status, await refused.json()]).toEqual([403, expect.objectContaining({ code: 'permission_missing' })])
  expect((await saving.shop.order(order.id)).payments).toEqual([])
})
