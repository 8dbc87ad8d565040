import { afterAll, beforeAll, expect, test } from 'bun:test'
import { expireOrders } from '../../src/payments/checkout/sweep.ts'
import { openWorld, type World } from '../support/world.ts'
import { invoicesOf, training, type Invoices } from './invoicing.ts'
import { refundsOf } from './refunding.ts'
import { cards, shopOf, type Shop } from './shop.ts'

// Invoices that end while a payment of them begins.

let world: World
let shop: Shop
let refunds: ReturnType<typeof refundsOf>
let invoices: Invoices

beforeAll(async () => {
  world = await openWorld()
  shop = shopOf(world.ada, world.stranger)
  refunds = refundsOf(world)
  invoices = invoicesOf(world.ada)
  await shop.createOrder()
})
afterAll(() => world.close())

interface Link {
  orderId: string
  url: string
}

const linkTo = (id: string) => world.ada.fetchJson<Link>(`POST /api/invoices/${id}/payment-link`)

async function payLink({ url, orderId }: Link): Promise<void> {
  const visited = await world.stranger.fetch(`GET ${new URL(url).pathname}`)
  await shop.visit(visited.headers.get('location'), { outcome: 'pay', email: 'c@example.com', number: cards.good })
  const [payment] = (await shop.order(orderId)).payments
  if (payment) await shop.check(payment)
}

const raised = async (orderId: string) => {
  const rows = await world.database.sql<{ title: string }[]>`
    SELECT title FROM platform.raised_actions WHERE href = ${`/pay/orders/${orderId}`} AND resolved_at IS NULL`
  return rows.map(({ title }) => title)
}

test('PAY-30 invoice that is voided or marked as paid while its payment link is created leaves no page to pay on', async () => {
  for (const [action, body] of [
    ['void', { reason: 'Replaced' }],
    ['paid', {}],
  ] as const) {
    const issued = await Promise.all(Array.from({ length: 12 }, () => invoices.issue()))
    await Promise.all(
      issued.map(async ({ id }, at) => {
        const link = world.ada.fetch(`POST /api/invoices/${id}/payment-link`)
        await Bun.sleep(at)
        const end = world.ada.fetch(`POST /api/invoices/${id}/${action}`, body)
        for (const { status } of await Promise.all([link, end])) expect([200, 409]).toContain(status)
      }),
    )
    for (const { id } of issued) {
      const { status, order } = await invoices.read(id)
      if (status !== 'open') expect([null, 'cancelled']).toContain(order?.status ?? null)
    }
  }
})

test('PAY-30 payment of an invoice that isn’t owed asks people to refund it, until they have', async () => {
  for (const state of ['void', 'paid']) {
    const { id, number } = await invoices.issue()
    const link = await linkTo(id)
    await world.database.sql`
      UPDATE payments.invoices SET status = ${state}, paid_outside = ${state === 'paid'} WHERE id = ${id}`
    await payLink(link)
    expect(await raised(link.orderId)).toEqual([`Refund the payment of invoice ${number}`])
    await refunds.create({ orderId: link.orderId, amount: 1_000 })
    expect(await raised(link.orderId)).toHaveLength(1)
    await refunds.create({ orderId: link.orderId })
    expect(await raised(link.orderId)).toEqual([])
    expect(await invoices.read(id)).toMatchObject({ status: state, credited: 0, creditNotes: [] })
  }
})

test('PAY-35 order that is captured in part leaves a paid invoice, with credit notes of the rest and of refunds', async () => {
  for (const isInvoicedBefore of [true, false]) {
    const { id: orderId } = await shop.createOrder()
    const before = isInvoicedBefore ? await invoices.issue({ orderId }) : null
    const payment = await shop.createPayment(orderId, { captureMethod: 'manual' })
    await shop.pay(payment)
    await shop.check(payment)
    await world.ada.fetchJson(`POST /api/payments/${payment.id}/capture`, { amount: 600 })
    const { id } = before ?? (await invoices.issue({ orderId }))
    expect(await invoices.read(id)).toMatchObject({ status: 'paid', credited: 100, creditNotes: [{ total: 100 }] })
    await refunds.create({ orderId, amount: 250 })
    await refunds.create({ orderId })
    const { credited, creditNotes } = await invoices.read(id)
    expect([credited, creditNotes.map(({ total }) => total)]).toEqual([700, [100, 250, 350]])
    expect(await invoices.refusal(`POST /api/invoices/${id}/void`, { reason: 'Wrong buyer' })).toMatchObject({
      status: 409,
    })
  }
})

test('PAY-30 order with an open invoice isn’t canceled and doesn’t expire until the invoice is void', async () => {
  const standalone = await invoices.issue()
  const { orderId: own } = await linkTo(standalone.id)
  const { id: invoiced } = await shop.createOrder()
  const followed = await invoices.issue({ orderId: invoiced })
  await world.database.sql`UPDATE payments.orders SET expires_at = now() - interval '1 minute' WHERE id = ${invoiced}`
  const expire = () =>
    expireOrders.run({ ...world.provided, database: world.database, now: () => new Date(), input: {} })
  await expire()
  for (const [orderId, { number }] of [
    [own, standalone],
    [invoiced, followed],
  ] as const) {
    expect(await shop.order(orderId)).toMatchObject({ can: { cancel: false } })
    expect(await invoices.refusal(`POST /api/orders/${orderId}/cancel`)).toMatchObject({
      status: 409,
      problem: { code: 'order_invoiced', number },
    })
  }
  expect((await linkTo(standalone.id)).orderId).toBe(own)
  expect((await linkTo(followed.id)).orderId).toBe(invoiced)
  for (const { id } of [standalone, followed])
    await world.ada.fetchJson(`POST /api/invoices/${id}/void`, { reason: 'Replaced' })
  await expire()
  expect([(await shop.order(own)).status, (await shop.order(invoiced)).status]).toEqual(['cancelled', 'expired'])
})

test('PAY-30 erased customer has no name in drafts, nor in the order of a payment link', async () => {
  const email = 'gone@example.com'
  const { id: customerId } = await world.ada.fetchJson<{ id: string }>(
    'POST /api/customers',
    { email, name: 'Gone' },
    201,
  )
  const bought = { currency: 'EUR', lines: training.lines, customerId }
  const [issued, draft] = [await invoices.issue(bought), await invoices.draft(bought)]
  await world.ada.fetchJson(`DELETE /api/customers/${customerId}`, undefined, 204)
  expect((await invoices.read(draft.id)).buyer).toMatchObject({ name: null, email: null })
  expect((await invoices.read(issued.id)).buyer).toMatchObject({ name: 'Gone', email })
  const { orderId } = await linkTo(issued.id)
  expect(await shop.order(orderId)).toMatchObject({ customer: { id: customerId, name: null, email: null } })
})

test('PAY-30 deletion of a customer and a new draft at once leave no name behind', async () => {
  const { id } = await world.ada.fetchJson<{ id: string }>('POST /api/customers', { name: 'Racing Buyer' }, 201)
  const drafts = [1, 2, 3, 4].map(() =>
    world.ada.fetch('POST /api/invoices', { ...training, buyer: {}, customerId: id }),
  )
  await world.ada.fetchJson(`DELETE /api/customers/${id}`, undefined, 204)
  for (const response of await Promise.all(drafts)) expect([201, 422]).toContain(response.status)
  expect(await world.database.sql`SELECT 1 FROM payments.invoices WHERE buyer_name = 'Racing Buyer'`).toHaveLength(0)
})

test('PAY-30 invoice that is voided while it is sent isn’t sent afterwards', async () => {
  const issued = await Promise.all(Array.from({ length: 8 }, () => invoices.issue()))
  await Promise.all(
    issued.map(async ({ id }, at) => {
      const sent = world.ada.fetch(`POST /api/invoices/${id}/send`, { to: `buyer-${id}@example.com` })
      await Bun.sleep(10 * at)
      await Promise.all([sent, world.ada.fetch(`POST /api/invoices/${id}/void`, { reason: 'Replaced' })])
    }),
  )
  const late = await world.database.sql`SELECT number FROM payments.invoices WHERE sent_at > voided_at`
  expect([...late]).toEqual([])
})

test('PAY-30 invoice for an archived customer is refused', async () => {
  const { id: customerId } = await world.ada.fetchJson<{ id: string }>('POST /api/customers', { name: 'Former' }, 201)
  await world.ada.fetchJson(`POST /api/customers/${customerId}/archive`)
  expect(await invoices.refusal('POST /api/invoices', { ...training, customerId })).toMatchObject({
    status: 422,
    problem: { errors: [{ path: 'customerId' }] },
  })
})
