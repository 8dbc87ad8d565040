import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { createMetrics } from '#lib/metrics.ts'
import { observeRefunds } from '../../src/payments/refunds/metrics.ts'
import { openWorld, type World } from '../support/world.ts'
import { refundsOf } from './refunding.ts'
import { until } from './provider.ts'
import { cards, shopOf, type Shop } from './shop.ts'

let world: World
let shop: Shop
let refunds: ReturnType<typeof refundsOf>

beforeAll(async () => {
  world = await openWorld()
  shop = shopOf(world.ada, world.stranger)
  refunds = refundsOf(world)
})
afterAll(() => world.close())

async function balances() {
  const rows = await world.database.sql<{ account: string; sum: number }[]>`
    SELECT account, sum(amount)::int FROM payments.ledger_entries
    WHERE organization_id = ${world.ada.things.organizations} AND currency = 'EUR' GROUP BY account`
  return new Map(rows.map(({ account, sum }) => [account, sum]))
}

/** Changes of the ledger’s accounts since it was called. */
async function watchBalances() {
  const before = await balances()
  return async (...accounts: string[]) => {
    const after = await balances()
    return accounts.map((account) => (after.get(account) ?? 0) - (before.get(account) ?? 0))
  }
}

test('PAY-11 refund of an amount succeeds, and the ledger has it', async () => {
  const order = await shop.sell()
  const changed = await watchBalances()
  const made = await refunds.create({ orderId: order.id, amount: 200, reason: 'requested_by_customer' })
  expect(made).toMatchObject({ status: 'succeeded', amount: 200, lines: [], can: { cancel: false, check: true } })
  expect(await shop.order(order.id)).toMatchObject({ status: 'partially_refunded', refunded: 200, refundable: 500 })
  expect(await changed('clearing', 'merchant', 'refunds_in_transit')).toEqual([-200, 200, 0])
  expect(await refunds.create({ orderId: order.id })).toMatchObject({ status: 'succeeded', amount: 500 })
  const refunded = await shop.order(order.id)
  expect(refunded).toMatchObject({ status: 'refunded', refunded: 700, refundable: 0, can: { refund: false } })
  const kinds = refunded.timeline.map(({ kind }) => kind).filter((kind) => kind.startsWith('refund'))
  expect(kinds).toEqual(['refund_succeeded', 'refund_requested', 'refund_succeeded', 'refund_requested'])
})

test('PAY-11 refund above what was captured is refused with what is left', async () => {
  const order = await shop.sell()
  await refunds.create({ orderId: order.id, amount: 300 })
  expect(await refunds.refusal('POST /api/refunds', { orderId: order.id, amount: 401 })).toMatchObject({
    status: 422,
    problem: { code: 'refund_exceeds_captured', refundable: 400 },
  })
  const unpaid = await shop.createOrder()
  expect(await refunds.refusal('POST /api/refunds', { orderId: unpaid.id })).toMatchObject({
    status: 409,
    problem: { code: 'order_state', state: 'pending' },
  })
})

test('PAY-11 a hundred refunds at once never exceed what was captured, in the ledger and at the provider', async () => {
  const order = await shop.sell()
  const changed = await watchBalances()
  const responses = await Promise.all(
    Array.from({ length: 100 }, () => world.ada.fetch('POST /api/refunds', { orderId: order.id, amount: 60 })),
  )
  const statuses = responses.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(11)
  expect(statuses.filter((status) => status === 422)).toHaveLength(89)
  const after = await shop.order(order.id)
  expect(after).toMatchObject({ status: 'partially_refunded', refunded: 660, refundable: 40 })
  const provided = await refunds.atProvider(order)
  expect(provided.reduce((sum, { amount }) => sum + amount, 0)).toBe(660)
  expect(new Set(provided.map(({ id }) => id))).toEqual(
    new Set(after.refunds.map(({ providerReference }) => providerReference ?? '')),
  )
  expect(await changed('clearing', 'merchant', 'refunds_in_transit')).toEqual([-660, 660, 0])
})

test('PAY-11 refunds of lines return each line to the last cent, with its tax and discount', async () => {
  const order = await shop.sell({
    currency: 'EUR',
    taxMode: 'exclusive',
    discount: 101,
    lines: [
      { name: 'Beans', quantity: 3, unitAmount: 333, taxRate: 7 },
      { name: 'Mug', unitAmount: 899, taxRate: 19 },
    ],
  })
  const [beans = 0, mug = 0] = order.lines.map(({ total }) => total)
  const piece = (quantity: number, position = 1) =>
    refunds.create({ orderId: order.id, lines: [{ position, quantity }], reason: 'damaged' })
  const [first, second, last] = [await piece(1), await piece(1), await piece(1)]
  expect(first.lines).toEqual([{ position: 1, quantity: 1, amount: Math.floor(beans / 3) }])
  expect(first.amount + second.amount + last.amount).toBe(beans)
  expect(Math.abs(last.amount - first.amount)).toBeLessThanOrEqual(1)
  for (const [position, quantity, path] of [
    [1, 1, 'lines.0.quantity'],
    [2, 2, 'lines.0.quantity'],
    [3, 1, 'lines.0.position'],
  ])
    expect(
      await refunds.refusal('POST /api/refunds', { orderId: order.id, lines: [{ position, quantity }] }),
    ).toMatchObject({ status: 422, problem: { code: 'validation_failed', errors: [{ path }] } })
  expect((await piece(1, 2)).amount).toBe(mug)
  expect(await shop.order(order.id)).toMatchObject({ status: 'refunded', refunded: beans + mug })
})

test('PAY-11 refund of lines is limited by what other refunds left', async () => {
  const order = await shop.sell()
  await refunds.create({ orderId: order.id, amount: 400 })
  const lines = [{ position: 1, quantity: 1 }]
  expect(await refunds.refusal('POST /api/refunds', { orderId: order.id, lines })).toMatchObject({
    status: 422,
    problem: { code: 'refund_exceeds_captured', refundable: 300 },
  })
  expect(await refunds.refusal('POST /api/refunds', { orderId: order.id, lines, amount: 1 })).toMatchObject({
    status: 422,
    problem: { code: 'validation_failed' },
  })
})

test('PAY-11 refund with a repeated Idempotency-Key is made once', async () => {
  const order = await shop.sell()
  const draft = { orderId: order.id, amount: 100 }
  const send = () => world.ada.fetch('POST /api/refunds', draft, { 'idempotency-key': `refund-${order.id}` })
  const first = await send()
  const again = await send()
  expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true'])
  expect(await again.json()).toEqual(await first.json())
  expect(await refunds.atProvider(order)).toHaveLength(1)
})

test('PAY-11 refund that fails after it succeeded returns the money to the merchant, and the order is paid again', async () => {
  const order = await shop.sell(undefined, cards.failedRefund)
  const changed = await watchBalances()
  const { id } = await refunds.create({ orderId: order.id })
  const failed = await until(
    () => refunds.check(id).catch(() => refunds.read(id)),
    ({ status }) => status === 'failed',
  )
  expect(failed).toMatchObject({ failureReason: 'expired_or_canceled_card', can: { check: false } })
  expect(await shop.order(order.id)).toMatchObject({ status: 'paid', refunded: 0, refundable: 700 })
  expect(await changed('clearing', 'merchant', 'refunds_in_transit')).toEqual([0, 0, 0])
  expect(await refunds.create({ orderId: order.id })).toMatchObject({ amount: 700 })
})

test('PAY-11 refund that is pending at the provider succeeds later', async () => {
  const order = await shop.sell(undefined, cards.pendingRefund)
  const { id, providerReference } = await refunds.create({ orderId: order.id, amount: 300 })
  expect(providerReference).toStartWith('re_')
  // The provider only cancels refunds that need an action of the customer.
  expect(await refunds.refusal(`POST /api/refunds/${id}/cancel`)).toMatchObject({
    status: 409,
    problem: { code: 'refund_state' },
  })
  await until(
    () => refunds.check(id),
    ({ status }) => status === 'succeeded',
  )
  expect(await shop.order(order.id)).toMatchObject({ status: 'partially_refunded', refunded: 300 })
  expect(await refunds.refusal(`POST /api/refunds/${id}/cancel`)).toMatchObject({
    status: 409,
    problem: { code: 'refund_state', state: 'succeeded' },
  })
})

test('PAY-11 refund that the provider refuses has failed, and its amount is free again', async () => {
  const order = await shop.sell()
  const waiting = await shop.sell()
  const paymentIntent = order.payments[0]?.providerReference
  await world.payments.fetchJson('POST /platform/payments/refunds', { paymentIntent, amount: 500 })
  const refused = await refunds.refusal('POST /api/refunds', { orderId: order.id })
  expect(refused).toMatchObject({ status: 422, problem: { code: 'provider_refused' } })
  const after = await shop.order(order.id)
  expect(after).toMatchObject({ status: 'partially_refunded', refunded: 500, refundable: 200 })
  const amounts = new Map(after.refunds.map(({ status, amount }) => [status, amount]))
  expect(amounts).toEqual(
    new Map([
      ['failed', 700],
      ['succeeded', 500],
    ]),
  )
  expect(await shop.order(waiting.id)).toMatchObject({ status: 'paid', refundable: 700 })
})

test('PAY-11 refund of a disputed order is refused with what is allowed', async () => {
  const { id, payments } = await shop.sell(undefined, cards.disputed)
  await until(
    async () => {
      await shop.check({ id: payments[0]?.id ?? '' })
      return shop.order(id)
    },
    ({ status }) => status === 'disputed',
  )
  expect(await shop.order(id)).toMatchObject({ can: { refund: false } })
  expect(await refunds.refusal('POST /api/refunds', { orderId: id })).toMatchObject({
    status: 409,
    problem: { code: 'order_state', state: 'disputed', allowed: expect.arrayContaining(['paid', 'lost']) },
  })
})

test('PAY-11 refunds are found by order, status and reason, counted and exported', async () => {
  const order = await shop.sell()
  const { id } = await refunds.create({ orderId: order.id, amount: 100, reason: 'quality', note: 'Too dark' })
  const find = async (query: string) => (await refunds.list(`orderId=${order.id}&${query}`)).map((each) => each.id)
  expect(await find('status=succeeded&reason=quality')).toEqual([id])
  expect([await find('status=failed'), await find('reason=other')]).toEqual([[], []])
  expect(await world.ada.fetchJson<unknown>(`GET /api/refunds/counts?orderId=${order.id}`)).toEqual({
    all: 1,
    byStatus: { succeeded: 1 },
  })
  const csv = await (await world.ada.fetch(`GET /api/refunds?orderId=${order.id}&format=csv`)).text()
  const [head = '', row = ''] = csv.split('\r\n')
  expect(head.split(',').slice(0, 5)).toEqual(['id', 'orderId', 'paymentId', 'status', 'amount'])
  expect(row).toContain(`${id},${order.id}`)
  expect(row).toContain('Too dark')
})

test('PAY-11 metrics count refunds by status', async () => {
  const metrics = createMetrics()
  observeRefunds(metrics, world.database)
  const count = async () =>
    Number(/^atrium_refunds_last_day\{status="succeeded"\} (\d+)$/m.exec(await metrics.text())?.[1] ?? 0)
  const before = await count()
  await refunds.create({ orderId: (await shop.sell()).id })
  expect(await count()).toBe(before + 1)
})

test('PAY-11 webhooks hear of each status of a refund', async () => {
  const webhook = { name: 'Refunds', url: 'https://shop.example.com/hooks', events: ['refund.updated'] }
  const { id: webhookId } = await world.ada.fetchJson<{ id: string }>('POST /api/webhooks', webhook, 201)
  const { id } = await refunds.create({ orderId: (await shop.sell()).id })
  const sent = await world.database.sql<{ body: string }[]>`
    SELECT body FROM platform.webhook_messages WHERE type = 'refund.updated' ORDER BY id`
  const heard = sent.flatMap(({ body }) => Message.parse(JSON.parse(body)).data)
  expect(heard.filter(({ refundId }) => refundId === id)).toMatchObject([
    { status: 'pending', previousStatus: null, amount: 700, currency: 'EUR' },
    { status: 'succeeded', previousStatus: 'pending' },
  ])
  await world.ada.fetch(`DELETE /api/webhooks/${webhookId}`)
})

const Message = z.object({ data: z.looseObject({ refundId: z.string() }) })

test('PAY-11 other organizations don’t find a refund, and viewers can’t create one', async () => {
  const order = await shop.sell()
  const { id } = await refunds.create({ orderId: order.id, amount: 100 })
  for (const route of [
    `GET /api/refunds/${id}`,
    ...['approve', 'decline', 'cancel', 'check', 'retry'].map(actionOf(id)),
  ])
    expect((await world.mallory.fetch(route)).status, route).toBe(404)
  expect((await world.mallory.fetch('POST /api/refunds', { orderId: order.id })).status).toBe(404)
  expect(await refundsOf(world, world.mallory).list(`orderId=${order.id}`)).toEqual([])
  expect(await world.vera.fetchJson<object>(`GET /api/refunds/${id}`)).toMatchObject({
    can: { approve: false, decline: false, cancel: false, check: false },
  })
  expect((await world.vera.fetch('POST /api/refunds', { orderId: order.id })).status).toBe(403)
  expect((await world.vera.fetch(`POST /api/refunds/${id}/check`)).status).toBe(403)
})

const actionOf = (id: string) => (action: string) => `POST /api/refunds/${id}/${action}`
