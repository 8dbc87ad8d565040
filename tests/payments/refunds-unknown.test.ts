import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { scaleTime } from '../support/time-scale.ts'
import { openWorld, type World } from '../support/world.ts'
import { openActions, press } from '../dashboard/raised/acting.ts'
import { until } from './provider.ts'
import { refundsOf, type ShownRefund } from './refunding.ts'
import { shopOf, type Shop } from './shop.ts'

/** The provider’s responses get lost, after at most this time; then there are two sweeps. */
const timeoutMs = scaleTime(600)
let world: World
let shop: Shop
let refunds: ReturnType<typeof refundsOf>

beforeAll(async () => {
  world = await openWorld({ env: { PAYMENTS_TIMEOUT_MS: String(timeoutMs), PAYMENTS_SWEEP_S: '0.05,0.05' } })
  shop = shopOf(world.ada, world.stranger)
  refunds = refundsOf(world)
})
afterEach(() => refunds.behave({}))
afterAll(() => world.close())

/** Its next look is due. */
const sweepDue = async (id: string) => {
  await until(
    () => refunds.read(id),
    ({ nextCheckAt }) => nextCheckAt !== null && Date.parse(nextCheckAt) <= Date.now(),
  )
  await refunds.sweep(id)
  return refunds.read(id)
}

const kindsOf = async (orderId: string) =>
  (await shop.order(orderId)).timeline.map(({ kind }) => kind).filter((kind) => kind.startsWith('refund'))

test('PAY-11 refund whose response is lost after it was made is unknown, then found by the sweep', async () => {
  const order = await shop.sell()
  await refunds.behave({ answers: 'timeout_after_success', times: 1 })
  const sending = refunds.create({ orderId: order.id, amount: 300 }, 202)
  // While the provider has it.
  await until(
    () => refunds.list(`orderId=${order.id}`),
    (found) => found.some(({ status }) => status === 'pending'),
  )
  const { id, status } = await sending
  expect(status).toBe('unknown')
  expect(await shop.order(order.id)).toMatchObject({ status: 'paid', refunded: 0, refundable: 400 })
  expect(await sweepDue(id)).toMatchObject({ status: 'succeeded', amount: 300, nextCheckAt: null })
  expect(await refunds.atProvider(order)).toMatchObject([{ amount: 300 }])
  expect(await shop.order(order.id)).toMatchObject({ status: 'partially_refunded', refunded: 300, refundable: 400 })
  expect(await kindsOf(order.id)).toEqual(['refund_succeeded', 'refund_unknown', 'refund_requested'])
})

test('PAY-11 refund that failed before the provider did anything is only looked up by a check, and sent by a retry with the same key, once', async () => {
  const order = await shop.sell()
  await refunds.behave({ answers: 'fail', times: 1 })
  const { id } = await refunds.create({ orderId: order.id, amount: 300 }, 202)
  expect(await refunds.atProvider(order)).toEqual([])
  expect(await refunds.check(id)).toMatchObject({ status: 'unknown', can: { check: true, retry: true } })
  expect(await refunds.atProvider(order)).toEqual([])
  await Promise.all([1, 2, 3].map(() => world.ada.fetch(`POST /api/refunds/${id}/retry`, {})))
  await until(
    () => refunds.check(id),
    ({ status }) => status === 'succeeded',
  )
  expect(await refunds.refusal(`POST /api/refunds/${id}/retry`)).toMatchObject({
    status: 409,
    problem: { code: 'refund_state', state: 'succeeded' },
  })
  expect(await refunds.atProvider(order)).toMatchObject([{ amount: 300 }])
  expect(await shop.order(order.id)).toMatchObject({ refunded: 300 })
})

test('PAY-11 refund that stays unknown after the last sweep is shown to people, until it is known', async () => {
  const order = await shop.sell()
  await refunds.behave({ answers: 'fail' })
  const { id } = await refunds.create({ orderId: order.id }, 202)
  expect(await sweepDue(id)).toMatchObject({ status: 'unknown', nextCheckAt: expect.any(String) })
  expect(await refunds.actions(id)).toEqual([])
  expect(await sweepDue(id)).toMatchObject({ status: 'unknown', nextCheckAt: null })
  expect(await refunds.actions(id)).toEqual([
    [
      'Find out whether a €7.00 refund was made',
      `/api/refunds/${id}/check`,
      `/api/refunds/${id}/resolve`,
      `/api/refunds/${id}/resolve`,
      `/pay/refunds/${id}`,
    ],
  ])
  expect(await refunds.refusal('POST /api/refunds', { orderId: order.id, amount: 1 })).toMatchObject({
    problem: { code: 'refund_exceeds_captured', refundable: 0 },
  })
  await refunds.behave({})
  expect(await refunds.retry(id)).toMatchObject({ status: 'succeeded' })
  expect(await refunds.actions(id)).toEqual([])
  expect(await refunds.atProvider(order)).toHaveLength(1)
})

test('DSH-20 unknown refund is checked, and marked as made or not made, in place', async () => {
  const lose = async () => {
    const order = await shop.sell()
    await refunds.behave({ answers: 'fail' })
    const { id } = await refunds.create({ orderId: order.id, amount: 300 }, 202)
    await sweepDue(id)
    await sweepDue(id)
    await refunds.behave({})
    const [action] = await openActions(world, `payments.refund-unknown.${id}`)
    return { id, action }
  }
  const lost = await lose()
  expect((await press(world.vera, lost.action, 'Check now')).status).toBe(403)
  expect((await press(world.ada, lost.action, 'Check now')).status).toBe(200)
  expect(await refunds.actions(lost.id)).toHaveLength(1)
  expect(await (await press(world.ada, lost.action, 'Mark as not made')).json()).toMatchObject({ status: 'failed' })
  expect(await refunds.actions(lost.id)).toEqual([])
  const found = await lose()
  const wrong = await press(world.ada, found.action, 'Mark as made', { providerRefundId: 're_of_nobody' })
  expect(wrong.status).toBeGreaterThanOrEqual(400)
  expect(await refunds.actions(found.id)).toHaveLength(1)
})

/** As its server left it when it was killed. */
const leave = async (id: string, sentAt: Date | null) => {
  const past = new Date(Date.now() - 86_400_000)
  await world.database.sql`
    UPDATE payments.refunds SET status = 'pending', provider_refund_id = NULL, sent_at = ${sentAt}, next_check_at = ${past}
    WHERE id = ${id}`
}

test('PAY-11 refund whose server was killed before sending it is sent by the sweep', async () => {
  const order = await shop.sell()
  await refunds.behave({ answers: 'fail', times: 1 })
  const { id } = await refunds.create({ orderId: order.id, amount: 100 }, 202)
  await leave(id, null)
  expect(await sweepDue(id)).toMatchObject({ status: 'succeeded' })
  expect(await refunds.atProvider(order)).toHaveLength(1)
})

test('PAY-11 refund whose server was killed after sending it is found by the sweep, and made once', async () => {
  const order = await shop.sell()
  await refunds.behave({ answers: 'timeout_after_success', times: 1 })
  const { id } = await refunds.create({ orderId: order.id, amount: 100 }, 202)
  await leave(id, new Date(Date.now() - 3_600_000))
  // The provider forgets idempotency keys after a day.
  await world.database.sql`DELETE FROM practice_payments.idempotency_keys`
  expect(await sweepDue(id)).toMatchObject({ status: 'succeeded' })
  expect(await refunds.atProvider(order)).toHaveLength(1)
  expect(await shop.order(order.id)).toMatchObject({ refunded: 100 })
})

test('PAY-11 refund that is still being sent isn’t repeated or canceled', async () => {
  const order = await shop.sell()
  await refunds.behave({ answers: 'fail', times: 1 })
  const { id } = await refunds.create({ orderId: order.id, amount: 100 }, 202)
  await leave(id, new Date())
  expect(await refunds.check(id)).toMatchObject({ status: 'pending' })
  expect(await refunds.atProvider(order)).toEqual([])
  const refused = await refunds.refusal(`POST /api/refunds/${id}/cancel`)
  expect(refused).toMatchObject({ status: 409, problem: { code: 'refund_state', state: 'pending' } })
})

test('PAY-34 approved refund whose response is lost is made once', async () => {
  await world.ada.fetchJson('PUT /api/pay/settings', { refundCeilings: { EUR: 0 } })
  const ben = await world.join(world.ada, { name: 'Ben', role: 'admin' })
  const order = await shop.sell()
  const { id } = await refunds.create({ orderId: order.id })
  await refunds.behave({ answers: 'timeout_after_success', times: 1 })
  expect(await ben.fetchJson<ShownRefund>(`POST /api/refunds/${id}/approve`)).toMatchObject({ status: 'unknown' })
  expect(await sweepDue(id)).toMatchObject({ status: 'succeeded' })
  expect(await refunds.atProvider(order)).toHaveLength(1)
})
