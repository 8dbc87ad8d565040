import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { deliverWebhook } from '#lib/outgoing-webhooks/deliver.ts'
import { openWorld, type World } from '../support/world.ts'
import { invoicesOf, setMerchant } from './invoicing.ts'
import { until } from './provider.ts'
import { refundsOf } from './refunding.ts'
import { cards, coffee, shopOf, type Shop } from './shop.ts'

interface Sent {
  type: string
  timestamp: string
  data: Record<string, unknown>
}

const types = [
  'order.updated',
  'refund.updated',
  'dispute.opened',
  'dispute.updated',
  'payment.failed',
  'invoice.issued',
  'invoice.updated',
  'credit_note.issued',
  'customer.created',
  'customer.updated',
  'customer.erased',
  'key.created',
  'key.revoked',
]

let world: World
let shop: Shop
let webhook: { id: string; secret: string }
const received: { headers: Record<string, string>; body: string }[] = []
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    received.push({ headers: Object.fromEntries(request.headers), body: await request.text() })
    return new Response('Thanks')
  },
})

beforeAll(async () => {
  world = await openWorld()
  shop = shopOf(world.ada, world.stranger)
  await shop.createOrder()
  await setMerchant(world, { taxNumber: 'DE811569869' })
  const draft = { name: 'Books', url: `http://127.0.0.1:${receiver.port}/books`, events: types }
  webhook = await world.ada.fetchJson('POST /api/webhooks', draft, 201)
})
afterAll(async () => {
  await receiver.stop(true)
  await world.close()
})

/** Sends what waits, and returns what arrived with a valid signature. */
async function delivered(): Promise<Sent[]> {
  const rows = await world.database.sql<{ id: string; round: number }[]>`
    SELECT id, round FROM platform.webhook_deliveries WHERE endpoint_id = ${webhook.id} AND state = 'waiting' ORDER BY id`
  for (const { id, round } of rows)
    await deliverWebhook.run({
      ...world.provided,
      input: { id, round, organizationId: world.ada.things.organizations },
      database: world.database,
      now: () => new Date(),
    })
  const verifier = new Webhook(webhook.secret)
  return received.splice(0).map(({ body, headers }) => verifier.verify(body, headers) as Sent)
}

const ofType = (sent: readonly Sent[], ...wanted: string[]): Record<string, unknown>[] =>
  sent.filter(({ type }) => wanted.includes(type)).map(({ type, data }) => ({ type, ...data }))

test('PAY-36 invoices and credit notes send events when they are issued, paid and voided', async () => {
  const sold = await shop.sell()
  await delivered()
  const invoices = invoicesOf(world.ada)
  const invoice = await invoices.issue({ orderId: sold.id })
  await refundsOf(world).create({ orderId: sold.id, amount: 200 })
  const [issued, note] = ofType(await delivered(), 'invoice.issued', 'credit_note.issued')
  expect(issued).toMatchObject({
    type: 'invoice.issued',
    invoiceId: invoice.id,
    number: invoice.number,
    orderId: sold.id,
    status: 'paid',
    total: 700,
    currency: 'EUR',
  })
  expect(note).toMatchObject({ type: 'credit_note.issued', invoiceId: invoice.id, total: 200 })
  const open = await invoices.issue()
  const draft = await invoices.draft()
  await world.ada.fetchJson(`POST /api/invoices/${open.id}/paid`, {})
  await world.ada.fetchJson(`POST /api/invoices/${open.id}/void`, { reason: 'Wrong buyer' })
  const sent = await delivered()
  expect(ofType(sent, 'invoice.issued', 'invoice.updated')).toMatchObject([
    { type: 'invoice.issued', invoiceId: open.id, status: 'open', number: open.number },
    { type: 'invoice.updated', invoiceId: open.id, status: 'paid', previousStatus: 'open' },
    { type: 'invoice.updated', invoiceId: open.id, status: 'void', previousStatus: 'paid' },
  ])
  expect(JSON.stringify(sent)).not.toContain(draft.id)
})

test('PAY-36 an invoice that its order pays sends one event', async () => {
  const order = await shop.createOrder()
  const invoice = await invoicesOf(world.ada).issue({ orderId: order.id })
  const payment = await shop.createPayment(order.id)
  await shop.pay(payment)
  await shop.check(payment)
  expect(ofType(await delivered(), 'invoice.updated')).toMatchObject([
    { invoiceId: invoice.id, status: 'paid', previousStatus: 'open' },
  ])
})

test('PAY-36 customers send events with their ID and names of fields, and none of their data', async () => {
  await delivered()
  const draft = { name: 'Nina Weiß', email: 'nina@example.org' }
  const { id } = await world.ada.fetchJson<{ id: string }>('POST /api/customers', draft, 201)
  await world.ada.fetchJson(`PATCH /api/customers/${id}`, { phone: '+49 30 5550184' })
  await world.ada.fetchJson(`POST /api/customers/${id}/archive`, {})
  await world.ada.fetchJson(`DELETE /api/customers/${id}`, undefined, 204)
  const sent = await delivered()
  expect(ofType(sent, 'customer.created', 'customer.updated', 'customer.erased')).toEqual([
    { type: 'customer.created', customerId: id },
    { type: 'customer.updated', customerId: id, changed: ['phone'], isArchived: false },
    { type: 'customer.updated', customerId: id, changed: ['archivedAt'], isArchived: true },
    { type: 'customer.erased', customerId: id },
  ])
  const text = JSON.stringify(sent)
  for (const personal of ['Nina', 'nina@', '5550184']) expect(text).not.toContain(personal)
})

test('PAY-36 disputes and declined payments send events', async () => {
  const order = await shop.createOrder()
  const payment = await shop.createPayment(order.id)
  await shop.pay(payment, cards.declined)
  await shop.check(payment)
  const [failed] = ofType(await delivered(), 'payment.failed')
  expect(failed).toMatchObject({ paymentId: payment.id, orderId: order.id, amount: 700, code: expect.any(String) })
  await shop.check(payment)
  expect(ofType(await delivered(), 'payment.failed')).toEqual([])

  const sold = await shop.sell(coffee, cards.disputed)
  const disputed = await until(
    async () => {
      for (const each of sold.payments) await shop.check(each)
      return shop.order(sold.id)
    },
    ({ disputes }) => disputes.length > 0,
  )
  const sent = await delivered()
  expect(ofType(sent, 'dispute.opened')).toMatchObject([
    { disputeId: disputed.disputes[0]?.id, orderId: sold.id, status: 'open', amount: 700, currency: 'EUR' },
  ])
  expect(ofType(sent, 'order.updated').at(-1)).toMatchObject({ status: 'disputed', previousStatus: 'paid' })
})

test('PAY-36 API keys send events without their text, and each key that is revoked with another one', async () => {
  await delivered()
  const draft = { name: 'Shop', service: 'platform-pay', scopes: ['payments.read'] }
  const made = await world.ada.fetchJson<{ id: string; key: string }>('POST /api/api-keys', draft, 201)
  const rotated = await world.ada.fetchJson<{ id: string; key: string }>(
    `POST /api/api-keys/${made.id}/rotate`,
    {},
    201,
  )
  await world.ada.fetchJson(`DELETE /api/api-keys/${rotated.id}`)
  const sent = await delivered()
  expect(ofType(sent, 'key.created', 'key.revoked')).toMatchObject([
    { type: 'key.created', keyId: made.id, name: 'Shop', service: 'platform-pay', scopes: ['payments.read'] },
    { type: 'key.created', keyId: rotated.id, rotatedFrom: made.id },
    { type: 'key.revoked', keyId: rotated.id, name: 'Shop', service: 'platform-pay' },
  ])
  for (const { key } of [made, rotated]) expect(JSON.stringify(sent)).not.toContain(key.slice(-20))
})
