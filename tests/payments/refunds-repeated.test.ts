import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { scaleTime } from '../support/time-scale.ts'
import { openWorld, type World } from '../support/world.ts'
import { until } from './provider.ts'
import { refundsOf } from './refunding.ts'
import { shopOf, type Shop, type ShownOrder } from './shop.ts'

let world: World
let shop: Shop
let refunds: ReturnType<typeof refundsOf>

beforeAll(async () => {
  const timeoutMs = scaleTime(600)
  world = await openWorld({ env: { PAYMENTS_TIMEOUT_MS: String(timeoutMs), PAYMENTS_SWEEP_S: '0.05,0.05' } })
  shop = shopOf(world.ada, world.stranger)
  refunds = refundsOf(world)
})
afterEach(() => refunds.behave({}))
afterAll(() => world.close())

/** A refund at the provider itself, as a person makes one in its dashboard. */
const refundByHand = async ({ payments }: ShownOrder, amount: number) => {
  const body = new URLSearchParams({ payment_intent: payments[0]?.providerReference ?? '', amount: String(amount) })
  const { status } = await world.stranger.fetch('POST /dev/payments/v1/refunds', body.toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: 'Bearer sk_test_practice',
  })
  expect(status).toBe(200)
}

const sweep = async (id: string) => {
  await world.database.sql`UPDATE payments.refunds SET next_check_at = now() WHERE id = ${id}`
  await refunds.sweep(id)
  return refunds.read(id)
}

test('PAY-11 refund without an outcome isn’t sent again when a person has made one at the provider', async () => {
  const order = await shop.sell()
  await refunds.behave({ answers: 'fail', times: 1 })
  const { id } = await refunds.create({ orderId: order.id, amount: 300 }, 202)
  await refundByHand(order, 300)
  const reason = expect.stringContaining('refunded at the payment provider itself (re_')
  expect(await refunds.retry(id)).toMatchObject({ status: 'unknown', failureReason: reason })
  expect(await sweep(id)).toMatchObject({ status: 'unknown' })
  expect(await refunds.atProvider(order)).toMatchObject([{ amount: 300 }])
  expect(await refunds.actions(id)).toHaveLength(1)
  expect(await shop.order(order.id)).toMatchObject({ refunded: 300 })
})

test('PAY-11 refund is sent again after an earlier one at the provider itself, since that can’t be the same', async () => {
  const order = await shop.sell()
  await refundByHand(order, 200)
  await refunds.behave({ answers: 'fail', times: 1 })
  const { id } = await refunds.create({ orderId: order.id, amount: 300 }, 202)
  await world.database.sql`
    UPDATE payments.refunds SET sent_at = sent_at + interval '10 minutes' WHERE id = ${id}`
  await sweep(id)
  await until(
    () => refunds.check(id),
    ({ status }) => status === 'succeeded',
  )
  expect(await shop.order(order.id)).toMatchObject({ refunded: 500 })
})

test('PAY-13 refund isn’t sent again once the provider can have forgotten its key', async () => {
  const order = await shop.sell()
  await refunds.behave({ answers: 'fail', times: 1 })
  const { id } = await refunds.create({ orderId: order.id, amount: 300 }, 202)
  await world.database.sql`UPDATE payments.refunds SET sent_at = now() - interval '23 hours' WHERE id = ${id}`
  const reason = expect.stringContaining('more than 23 hours ago')
  expect(await sweep(id)).toMatchObject({ status: 'unknown', failureReason: reason })
  expect(await refunds.check(id)).toMatchObject({ status: 'unknown', can: { retry: false } })
  expect(await refunds.refusal(`POST /api/refunds/${id}/retry`)).toMatchObject({
    status: 409,
    problem: { code: 'refund_state', state: 'unknown', detail: reason },
  })
  expect(await refunds.atProvider(order)).toEqual([])
  expect(await refunds.actions(id)).toHaveLength(1)
})

const resolve = (id: string, decision: object) => refunds.act(id, 'resolve', decision)

test('PAY-11 person says that an unknown refund wasn’t made: it has failed, and can be made again', async () => {
  const order = await shop.sell()
  await refunds.behave({ answers: 'fail', times: 1 })
  const { id, can } = await refunds.create({ orderId: order.id }, 202)
  expect(can['resolve']).toBe(true)
  expect(await shop.order(order.id)).toMatchObject({ refundable: 0 })
  expect(await resolve(id, { outcome: 'not_made' })).toMatchObject({ status: 'failed', can: { resolve: false } })
  expect(await shop.order(order.id)).toMatchObject({ refundable: 700, refunded: 0 })
  expect(await refunds.actions(id)).toEqual([])
  expect(await refunds.refusal(`POST /api/refunds/${id}/resolve`, { outcome: 'not_made' })).toMatchObject({
    status: 409,
    problem: { code: 'refund_state', state: 'failed' },
  })
  expect(await refunds.create({ orderId: order.id })).toMatchObject({ status: 'succeeded' })
  expect(await refunds.atProvider(order)).toHaveLength(1)
})

test('PAY-11 refund that a person made at the provider takes the place of the unknown one, of one only', async () => {
  const order = await shop.sell()
  await refunds.behave({ answers: 'fail', times: 2 })
  const draft = { orderId: order.id, amount: 300, reason: 'damaged', note: 'Wet' }
  const { id } = await refunds.create(draft, 202)
  const second = await refunds.create(draft, 202)
  await refundByHand(order, 300)
  const [made] = await refunds.atProvider(order)
  const decision = { outcome: 'made', providerRefundId: made?.id }
  expect(await resolve(id, decision)).toMatchObject({ status: 'cancelled' })
  expect(await refunds.list(`orderId=${order.id}&status=succeeded`)).toMatchObject([
    { amount: 300, reason: 'damaged', note: 'Wet', providerReference: made?.id },
  ])
  const refusals = [decision, { outcome: 'made', providerRefundId: 're_none' }, { outcome: 'made' }]
  for (const wrong of refusals)
    expect(await refunds.refusal(`POST /api/refunds/${second.id}/resolve`, wrong)).toMatchObject({
      status: 422,
      problem: { errors: [{ path: 'providerRefundId' }] },
    })
  expect(await refunds.read(second.id)).toMatchObject({ status: 'unknown' })
  expect(await shop.order(order.id)).toMatchObject({ refunded: 300, refundable: 100 })
})

test('PAY-11 unknown refund that is being sent again waits with a person’s decision', async () => {
  const order = await shop.sell()
  await refunds.behave({ answers: 'fail', times: 1 })
  const { id } = await refunds.create({ orderId: order.id, amount: 300 }, 202)
  await world.database.sql`UPDATE payments.refunds SET repeated_at = now() WHERE id = ${id}`
  expect(await refunds.refusal(`POST /api/refunds/${id}/resolve`, { outcome: 'not_made' })).toMatchObject({
    status: 409,
    problem: { code: 'refund_state', state: 'unknown' },
  })
})

test('PAY-13 refund that is being sent again isn’t sent by another request or the sweep, and its lease stays that of the first', async () => {
  const order = await shop.sell()
  await refunds.behave({ answers: 'fail', times: 1 })
  const { id } = await refunds.create({ orderId: order.id, amount: 300 }, 202)
  await world.database.sql`UPDATE payments.refunds SET repeated_at = now() WHERE id = ${id}`
  expect(await refunds.retry(id)).toMatchObject({ status: 'unknown' })
  expect(await sweep(id)).toMatchObject({ status: 'unknown' })
  expect(await refunds.atProvider(order)).toEqual([])
  expect(await refunds.refusal(`POST /api/refunds/${id}/resolve`, { outcome: 'not_made' })).toMatchObject({
    status: 409,
  })
  await world.database.sql`UPDATE payments.refunds SET repeated_at = now() - interval '1 hour' WHERE id = ${id}`
  expect(await refunds.retry(id)).toMatchObject({ status: 'succeeded' })
  expect(await refunds.atProvider(order)).toMatchObject([{ amount: 300 }])
})
