import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type World } from '../support/world.ts'
import { cards, coffee, shopOf, type Shop } from './shop.ts'

let world: World
let shop: Shop

beforeAll(async () => {
  world = await openWorld()
  shop = shopOf(world.ada, world.stranger)
})
afterAll(() => world.close())

test('PAY-10 order is paid by checkout, with its fee in the ledger', async () => {
  const created = await shop.createOrder({ ...coffee, customer: { email: 'c@example.com', name: 'Cleo' } })
  expect(created).toMatchObject({ status: 'pending', currency: 'EUR', total: 700, captured: 0, refunded: 0 })
  expect(created.number).toMatch(/^\d{4}-\d{5}$/)
  const payment = await shop.createPayment(created.id)
  expect([payment.status, payment.checkoutUrl]).toEqual(['requires_action', expect.stringContaining('/checkout/')])
  expect(await shop.order(created.id)).toMatchObject({ status: 'requires_action', can: { pay: true, cancel: true } })
  const before = await shop.balances()

  expect((await shop.pay(payment)).status).toBe(303)
  expect(await shop.check(payment)).toMatchObject({
    status: 'succeeded',
    captured: 700,
    card: { brand: 'visa', lastFour: '4242' },
    checkoutUrl: null,
  })
  const paid = await shop.order(created.id)
  expect(paid).toMatchObject({ status: 'paid', captured: 700, refundable: 700, can: { pay: false, cancel: false } })
  expect(paid.timeline.map(({ kind }) => kind)).toEqual(['captured', 'payment_created', 'created'])
  expect(paid.timeline[0]?.facts).toMatchObject({ amount: 700, fee: 50 })
  const after = await shop.balances()
  const change = (account: string) => (after[`${account} EUR`] ?? 0) - (before[`${account} EUR`] ?? 0)
  expect([change('clearing'), change('fees'), change('merchant')]).toEqual([650, 50, -700])

  expect(paid.ledger).toMatchObject([{ kind: 'capture', currency: 'EUR', refundId: null }])
  expect(new Map(paid.ledger?.[0]?.entries.map(({ account, amount }) => [account, amount]))).toEqual(
    new Map([
      ['clearing', 650],
      ['fees', 50],
      ['merchant', -700],
    ]),
  )

  // Nothing changes when it is read again.
  await Promise.all([shop.check(payment), shop.check(payment), shop.check(payment)])
  expect(await shop.balances()).toEqual(after)
  expect((await shop.order(created.id)).timeline).toHaveLength(3)
})

test('PAY-10 declined payment makes the order failed, and another card pays it', async () => {
  const { id } = await shop.createOrder()
  const payment = await shop.createPayment(id)
  expect((await shop.pay(payment, cards.declined)).status).toBe(402)
  expect((await shop.pay(payment)).status).toBe(303)
  await shop.check(payment)
  expect(await shop.order(id)).toMatchObject({ status: 'paid', captured: 700 })
})

test('PAY-10 manual capture takes a part, and the rest is released', async () => {
  const { id } = await shop.createOrder()
  const payment = await shop.createPayment(id, { captureMethod: 'manual' })
  await shop.pay(payment)
  expect(await shop.check(payment)).toMatchObject({ status: 'authorized', authorized: 700, captured: 0 })
  expect(await shop.order(id)).toMatchObject({ status: 'requires_action', authorized: 700, can: { capture: true } })
  const tooMuch = await world.ada.fetch(`POST /api/payments/${payment.id}/capture`, { amount: 701 })
  expect([tooMuch.status, await tooMuch.json()]).toEqual([
    422,
    expect.objectContaining({ errors: [{ path: 'amount', message: expect.stringContaining('700') }] }),
  ])
  await world.ada.fetchJson(`POST /api/payments/${payment.id}/capture`, { amount: 500 })
  expect(await shop.order(id)).toMatchObject({ status: 'paid', authorized: 0, captured: 500, refundable: 500 })
  const again = await world.ada.fetch(`POST /api/payments/${payment.id}/capture`, {})
  expect([again.status, await again.json()]).toEqual([409, expect.objectContaining({ code: 'payment_state' })])
})

test.each(['checkout', 'link', 'intent'])(
  'PAY-10 authorized payment of mode %s is canceled with its order',
  async (mode) => {
    const { id } = await shop.createOrder()
    const payment = await shop.createPayment(id, { mode, captureMethod: 'manual' })
    if (mode === 'intent')
      await world.stranger.fetch(
        `POST /dev/payments/v1/payment_intents/${payment.providerReference}/confirm`,
        'payment_method=pm_card_visa',
        { 'content-type': 'application/x-www-form-urlencoded', authorization: 'Bearer sk_test_practice' },
      )
    else await shop.pay(mode === 'link' ? { ...payment, checkoutUrl: await openLink(payment) } : payment)
    expect(await shop.check(payment)).toMatchObject({ status: 'authorized' })
    await world.ada.fetchJson(`POST /api/orders/${id}/cancel`)
    expect(await shop.order(id)).toMatchObject({
      status: 'cancelled',
      authorized: 0,
      payments: [{ status: 'cancelled', authorized: 0 }],
    })
  },
)

/** The page that a customer who follows the link gets. */
async function openLink({ checkoutUrl }: { checkoutUrl: string | null }): Promise<string | null> {
  const response = await world.stranger.fetch(`GET ${new URL(checkoutUrl ?? '').pathname}`)
  return response.headers.get('location')
}

test('PAY-10 payment intent is for the merchant’s own page', async () => {
  const { id } = await shop.createOrder()
  const payment = await shop.createPayment(id, { mode: 'intent' })
  expect(payment).toMatchObject({ status: 'requires_action', checkoutUrl: null, clientSecret: expect.any(String) })
  expect(await world.ada.fetchJson(`GET /api/payments/${payment.id}`)).not.toHaveProperty('clientSecret')
  await world.ada.fetchJson(`POST /api/payments/${payment.id}/cancel`)
  expect(await shop.order(id)).toMatchObject({ status: 'pending', payments: [{ status: 'cancelled' }] })
})

test('PAY-10 decline of which no event came is found by a check, and another card pays', async () => {
  const { id } = await shop.createOrder()
  const payment = await shop.createPayment(id)
  await shop.pay(payment, cards.declined)
  expect(await shop.check(payment)).toMatchObject({ status: 'requires_action', failure: { code: 'generic_decline' } })
  expect(await shop.order(id)).toMatchObject({ status: 'failed' })
  await shop.pay(payment)
  expect(await shop.check(payment)).toMatchObject({ status: 'succeeded', failure: null })
})

test('PAY-10 payment link is paid once, and closed with its order', async () => {
  const { id } = await shop.createOrder()
  const link = await shop.createPayment(id, { mode: 'link' })
  expect(link.checkoutUrl).toBeString()
  const again = await world.ada.fetchJson<{ id: string }>('POST /api/payments', { orderId: id, mode: 'link' })
  expect(again.id).toBe(link.id)
  await world.ada.fetchJson(`POST /api/orders/${id}/cancel`)
  expect(await shop.order(id)).toMatchObject({ status: 'cancelled', payments: [{ status: 'cancelled' }] })
})

test('PAY-10 canceled order can’t be paid, and a paid one can’t be canceled', async () => {
  const { id } = await shop.createOrder()
  const payment = await shop.createPayment(id)
  await world.ada.fetchJson(`POST /api/orders/${id}/cancel`)
  await shop.pay(payment)
  await shop.check(payment)
  expect(await shop.order(id)).toMatchObject({ status: 'cancelled', captured: 0 })
  const refused = await world.ada.fetch('POST /api/payments', { orderId: id })
  expect([refused.status, await refused.json()]).toEqual([
    409,
    expect.objectContaining({ code: 'order_state', state: 'cancelled', allowed: [] }),
  ])
  const paid = await shop.sell()
  const kept = await world.ada.fetch(`POST /api/orders/${paid.id}/cancel`)
  expect([kept.status, await kept.json()]).toEqual([
    409,
    expect.objectContaining({ code: 'order_state', allowed: expect.not.arrayContaining(['cancelled']) }),
  ])
})

test('PAY-10 order that is paid while it is canceled stays paid', async () => {
  const { id } = await shop.createOrder()
  const payment = await shop.createPayment(id)
  await shop.pay(payment)
  // Atrium hasn’t heard of it yet.
  expect(await shop.order(id)).toMatchObject({ status: 'requires_action' })
  const refused = await world.ada.fetch(`POST /api/orders/${id}/cancel`)
  expect([refused.status, await refused.json()]).toEqual([409, expect.objectContaining({ state: 'paid' })])
  expect(await shop.order(id)).toMatchObject({ status: 'paid', captured: 700 })
})

test('PAY-10 of twenty payments created at once for an order, one is open', async () => {
  const { id } = await shop.createOrder()
  const made = await Promise.all(
    Array.from({ length: 20 }, () => world.ada.fetch('POST /api/payments', { orderId: id })),
  )
  expect(made.map(({ status }) => status).filter((status) => ![200, 201, 202].includes(status))).toEqual([])
  expect((await shop.order(id)).payments).toHaveLength(1)
})

test('PAY-10 another organization finds neither order nor payment', async () => {
  const { id, payments } = await shop.sell()
  for (const route of [
    `GET /api/orders/${id}`,
    `POST /api/orders/${id}/cancel`,
    `GET /api/payments/${payments[0]?.id}`,
  ])
    expect((await world.mallory.fetch(route)).status).toBe(404)
  expect((await world.mallory.fetch('POST /api/payments', { orderId: id })).status).toBe(404)
  const { items } = await world.mallory.fetchJson<{ items: { id: string }[] }>('GET /api/orders?limit=100')
  expect(items.filter((order) => order.id === id)).toEqual([])
})

test('PAY-10 order shows its ledger only with the permission to read transactions', async () => {
  const { id } = await shop.sell()
  const ledgerFor = async (...scopes: string[]) => {
    const key = await world.ada.createKey({ service: 'platform-pay', scopes })
    return (await key.fetchJson<{ ledger: unknown[] | null }>(`GET /api/orders/${id}`)).ledger
  }
  expect(await ledgerFor('payments.read')).toBeNull()
  expect(await ledgerFor('payments.read', 'transactions.read')).toHaveLength(1)
})

test('PAY-10 viewer reads orders and can’t create one', async () => {
  const { id } = await shop.createOrder()
  expect(await world.vera.fetchJson(`GET /api/orders/${id}`)).toMatchObject({ can: { pay: false, cancel: false } })
  expect((await world.vera.fetch('POST /api/orders', coffee)).status).toBe(403)
})

test.each([
  ['JPY', 0, 320000, 320000],
  ['KWD', 3, 4250, 4250],
  ['CLF', 4, 12345, 12345],
] as const)('PAY-10 order in %s with %i decimal places keeps its amounts', async (currency, _, unitAmount, total) => {
  const order = await shop.createOrder({ currency, lines: [{ name: 'Beans', unitAmount }] })
  expect(order).toMatchObject({ currency, total })
})

test('PAY-10 orders are found by status, number and customer', async () => {
  const email = 'lena.vogt@example.com'
  const created = await shop.createOrder({ ...coffee, customer: { email, name: 'Lena Vogt' } })
  const find = async (query: string) =>
    (await world.ada.fetchJson<{ items: { id: string }[] }>(`GET /api/orders?${query}`)).items.map(({ id }) => id)
  expect(await find(`q=${encodeURIComponent(email)}`)).toEqual([created.id])
  expect(await find('q=lena')).toEqual([created.id])
  expect(await find(`q=${created.number}`)).toEqual([created.id])
  expect(await find('q=%25')).toEqual([])
  expect(await find('status=refunded&q=lena')).toEqual([])
  const counts = await world.ada.fetchJson<{ all: number }>('GET /api/orders/counts?q=lena')
  expect(counts).toEqual({ all: 1, byStatus: { pending: 1 } } as never)
})
