import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { openActions, press } from '../dashboard/raised/acting.ts'
import { sweepPayments } from '../../src/payments/checkout/sweep.ts'
import { openWorld, type World } from '../support/world.ts'
import { refundsOf } from './refunding.ts'
import { cards, shopOf, type Shop, type ShownPayment } from './shop.ts'

// An order that is paid twice: the second payment is booked and goes back in full, once.

let world: World
let shop: Shop
let refunds: ReturnType<typeof refundsOf>

beforeAll(async () => {
  world = await openWorld()
  shop = shopOf(world.ada, world.stranger)
  refunds = refundsOf(world)
})
afterEach(() => refunds.behave({}))
afterAll(() => world.close())

/** The page that a customer who follows the link gets. */
async function openLink({ checkoutUrl }: ShownPayment): Promise<string> {
  const response = await world.stranger.fetch(`GET ${new URL(checkoutUrl ?? '').pathname}`)
  return response.headers.get('location') ?? ''
}

const payPage = (page: string, number: string = cards.good) =>
  shop.visit(page, { outcome: 'pay', email: 'c@example.com', number })

async function sellByLink(draft: object = {}) {
  const { id } = await shop.createOrder()
  const link = await shop.createPayment(id, { mode: 'link', ...draft })
  return { id, link, first: await openLink(link), second: await openLink(link) }
}

/** What the sweeps of a server do about everything that is due. */
async function sweep(orderId: string) {
  await sweepPayments.run({ ...world.provided, database: world.database, now: () => new Date(), input: {} })
  for (const payment of (await shop.order(orderId)).payments) await shop.check(payment)
  for (const { id } of (await shop.order(orderId)).refunds) await refunds.sweep(id)
  return shop.order(orderId)
}

const raised = async (orderId: string) => {
  const rows = await world.database.sql<{ title: string; reason: string }[]>`
    SELECT title, reason FROM platform.raised_actions WHERE href = ${`/pay/orders/${orderId}`} AND resolved_at IS NULL`
  return rows.map(({ title }) => title)
}

test('PAY-10 link that two customers pay at once is booked twice and refunded once, in full', async () => {
  const before = await shop.balances()
  const { id, link, first, second } = await sellByLink()
  await Promise.all([payPage(first), payPage(second)])
  await shop.check(link)
  const found = await shop.order(id)
  expect(found).toMatchObject({ status: 'paid', captured: 700, refunded: 0, refundable: 700 })
  expect(found.payments.map(({ status, captured }) => [status, captured])).toEqual([
    ['succeeded', 700],
    ['succeeded', 700],
  ])
  expect(found.timeline.map(({ kind }) => kind)).toContain('paid_twice')
  expect(await raised(id)).toEqual([`Order ${found.number} was paid twice`])
  const actions = await openActions(world, 'payments.paid-twice.')
  const action = actions.find(({ title }) => title.includes(found.number))
  expect((await press(world.ada, action, 'Check now')).status).toBe(200)
  await sweep(id)
  const after = await sweep(id)
  expect(after).toMatchObject({ status: 'paid', captured: 700, refunded: 0, refundable: 700 })
  expect(after.refunds).toMatchObject([{ status: 'succeeded', amount: 700 }])
  expect(await raised(id)).toEqual([])
  const balances = await shop.balances()
  const moved = (account: string) => (balances[`${account} EUR`] ?? 0) - (before[`${account} EUR`] ?? 0)
  expect(moved('merchant')).toBe(-700)
  expect(moved('refunds_in_transit')).toBe(0)
  expect(moved('clearing') + moved('fees')).toBe(700)
  expect(await world.ada.fetchJson('GET /api/ledger/verify')).toMatchObject({ balanced: true, chained: true })
  // What remains can be refunded as usual.
  await refunds.create({ orderId: id })
  expect(await shop.order(id)).toMatchObject({ status: 'refunded', refunded: 700 })
})

test('PAY-10 second authorization of a link is released', async () => {
  const { id, link, first, second } = await sellByLink({ captureMethod: 'manual' })
  await payPage(first)
  await payPage(second)
  await shop.check(link)
  const after = await sweep(id)
  expect(after).toMatchObject({ status: 'requires_action', authorized: 700, captured: 0 })
  expect(after.payments.map(({ status }) => status).toSorted()).toEqual(['authorized', 'cancelled'])
})

test('PAY-10 other open pages of a link are closed after one is paid', async () => {
  const { id, link, first, second } = await sellByLink()
  await payPage(first)
  await shop.check(link)
  const page = await world.stranger.fetch(`GET ${new URL(second).pathname}`)
  expect(await page.text()).toContain('Checkout expired')
  await payPage(second)
  expect((await sweep(id)).payments).toHaveLength(1)
  expect(await shop.order(id)).toMatchObject({ status: 'paid', captured: 700 })
})

test('PAY-10 link that one customer couldn’t pay and another did is paid', async () => {
  const { id, link, first, second } = await sellByLink()
  await payPage(first, cards.declined)
  expect(await shop.check(link)).toMatchObject({ failure: { code: expect.any(String) } })
  await payPage(second)
  expect(await shop.check(link)).toMatchObject({ status: 'succeeded', captured: 700, failure: null })
  expect(await shop.order(id)).toMatchObject({ status: 'paid', payments: [{ id: link.id }] })
})

test('PAY-10 two payments of one order that are both paid: the later one goes back', async () => {
  const { id } = await shop.createOrder()
  const lost = await shop.createPayment(id)
  // As if its page were closed.
  await world.database.sql`UPDATE payments.payments SET status = 'cancelled' WHERE id = ${lost.id}`
  const payment = await shop.createPayment(id)
  await shop.pay(payment)
  await shop.check(payment)
  await shop.pay(lost)
  expect<object>(await shop.check(lost)).toMatchObject({ status: 'succeeded', duplicateOf: payment.id })
  await sweep(id)
  const after = await sweep(id)
  expect(after).toMatchObject({ status: 'paid', captured: 700, refunded: 0 })
  expect(after.refunds).toMatchObject([{ status: 'succeeded', amount: 700, paymentId: lost.id }])
})

test('PAY-10 open payment is closed when an earlier one of its order is paid', async () => {
  const { id } = await shop.createOrder()
  const lost = await shop.createPayment(id)
  await world.database.sql`UPDATE payments.payments SET status = 'cancelled' WHERE id = ${lost.id}`
  const payment = await shop.createPayment(id)
  await shop.pay(lost)
  expect(await shop.check(lost)).toMatchObject({ status: 'succeeded' })
  await shop.pay(payment)
  expect((await shop.order(id)).payments.map(({ status }) => status).toSorted()).toEqual(['expired', 'succeeded'])
  expect((await sweep(id)).refunds).toEqual([])
})
