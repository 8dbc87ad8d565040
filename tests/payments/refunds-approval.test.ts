import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type Person, type World } from '../support/world.ts'
import { openActions, press } from '../dashboard/raised/acting.ts'
import { refundsOf } from './refunding.ts'
import { shopOf, type Shop } from './shop.ts'

/** Ada owns the organization. Ben becomes a second person who can refund, after the tests of owners who are alone. */
let world: World
let shop: Shop
let refunds: ReturnType<typeof refundsOf>
let ben: Person

beforeAll(async () => {
  world = await openWorld()
  shop = shopOf(world.ada, world.stranger)
  refunds = refundsOf(world)
  await world.ada.fetchJson('PUT /api/pay/settings', { refundCeilings: { EUR: 500 } })
})
afterAll(() => world.close())

/** A refund above the ceiling. */
async function request(amount = 600) {
  const order = await shop.sell()
  return { order, refund: await refunds.create({ orderId: order.id, amount, note: 'Too dark' }) }
}

const auditOf = (id: string) =>
  world.database.sql<{ operation: string; principal_id: string; after: Record<string, unknown> | null }[]>`
    SELECT operation, principal_id, after FROM platform.audit_log WHERE object_id = ${id} ORDER BY id`

test('PAY-34 owner who is alone approves a refund with a second factor, and the audit log says so', async () => {
  const { order, refund } = await request()
  expect(refund).toMatchObject({ status: 'needs_approval', can: { approve: true, confirmAlone: true } })
  expect(await refunds.atProvider(order)).toEqual([])
  expect(await shop.order(order.id)).toMatchObject({ status: 'paid', refundable: 100 })
  expect(await refunds.refusal(`POST /api/refunds/${refund.id}/approve`)).toMatchObject({
    status: 403,
    problem: { code: 'second_factor_needed' },
  })
  const wrong = await refunds.refusal(`POST /api/refunds/${refund.id}/approve`, { code: '000000' })
  expect(wrong).toMatchObject({ status: 422 })
  expect(await refunds.read(refund.id)).toMatchObject({ status: 'needs_approval' })
  const approved = await refunds.act(refund.id, 'approve', { code: world.factors.recoveryCode })
  expect(approved).toMatchObject({
    status: 'succeeded',
    decidedBy: world.ada.id,
    confirmedAlone: expect.any(String),
    can: { approve: false },
  })
  expect((await auditOf(refund.id)).at(-1)).toMatchObject({
    operation: 'approveRefund',
    principal_id: world.ada.id,
    after: { status: 'pending', decidedBy: world.ada.id, confirmedAlone: expect.any(String) },
  })
  expect(await shop.order(order.id)).toMatchObject({ status: 'partially_refunded', refunded: 600 })
})

test('PAY-34 refund above the ceiling is reserved, and sent once a second person approves it', async () => {
  ben = await world.join(world.ada, { name: 'Ben', role: 'admin' })
  const { order, refund } = await request()
  expect(refund).toMatchObject({ status: 'needs_approval', can: { approve: false, decline: true, cancel: true } })
  expect(await refunds.refusal('POST /api/refunds', { orderId: order.id, amount: 101 })).toMatchObject({
    status: 422,
    problem: { refundable: 100 },
  })
  const href = (action: string) => `/api/refunds/${refund.id}/${action}`
  expect(await refunds.actions(refund.id)).toEqual([
    ['Approve a €6.00 refund', href('approve'), href('decline'), `/pay/refunds/${refund.id}`],
  ])
  for (const code of [undefined, world.factors.recoveryCode])
    expect(await refunds.refusal(`POST ${href('approve')}`, { code })).toMatchObject({
      status: 403,
      problem: { code: 'second_person_needed' },
    })
  expect(await ben.fetchJson<object>(`GET /api/refunds/${refund.id}`)).toMatchObject({
    can: { approve: true, confirmAlone: false },
  })
  const [action] = await openActions(world, `payments.refund-approval.${refund.id}`)
  expect(await (await press(ben, action, 'Approve €6.00')).json()).toMatchObject({
    status: 'succeeded',
    requestedBy: world.ada.id,
    decidedBy: ben.id,
    confirmedAlone: null,
  })
  expect(await refunds.actions(refund.id)).toEqual([])
  expect(await refunds.atProvider(order)).toMatchObject([{ amount: 600 }])
})

test('PAY-34 refund up to the ceiling needs no approval', async () => {
  const { refund } = await request(500)
  expect(refund).toMatchObject({ status: 'succeeded', decidedBy: null })
})

test('PAY-34 refund that two people approve at once is sent once', async () => {
  const eve = await world.join(world.ada, { name: 'Eve', role: 'admin' })
  const { order, refund } = await request()
  const people = [ben, eve, ben, eve]
  const responses = await Promise.all(people.map((person) => person.fetch(`POST /api/refunds/${refund.id}/approve`)))
  const statuses = responses.map(({ status }) => status)
  expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409, 409, 409])
  expect(await refunds.atProvider(order)).toHaveLength(1)
  expect(await shop.order(order.id)).toMatchObject({ refunded: 600 })
})

test('PAY-34 refund requested with an API key counts as its owner’s', async () => {
  const key = await world.ada.createKey({ service: 'platform-pay', scopes: ['transactions.refund', 'payments.read'] })
  const order = await shop.sell()
  const refund = await refundsOf(world, key).create({ orderId: order.id })
  expect(refund).toMatchObject({ status: 'needs_approval', requestedBy: world.ada.id })
  expect(await refunds.refusal(`POST /api/refunds/${refund.id}/approve`)).toMatchObject({ status: 403 })
  const byKey = await refundsOf(
    world,
    await ben.createKey({ service: 'platform-pay', scopes: ['transactions.refund'] }),
  )
  expect(await byKey.refusal(`POST /api/refunds/${refund.id}/approve`)).toMatchObject({
    status: 403,
    problem: { code: 'session_required' },
  })
  expect(await refundsOf(world, ben).act(refund.id, 'approve')).toMatchObject({ status: 'succeeded' })
})

test('PAY-34 declined refund is canceled with the note, and its amount is free again', async () => {
  const { order, refund } = await request()
  const [action] = await openActions(world, `payments.refund-approval.${refund.id}`)
  expect(await (await press(ben, action, 'Decline', { note: 'Ask for a photo' })).json()).toMatchObject({
    status: 'cancelled',
    decidedBy: ben.id,
    failureReason: 'Ask for a photo',
  })
  expect(await shop.order(order.id)).toMatchObject({ status: 'paid', refundable: 700 })
  expect(await refunds.actions(refund.id)).toEqual([])
  expect(await refundsOf(world, ben).refusal(`POST /api/refunds/${refund.id}/approve`)).toMatchObject({
    status: 409,
    problem: { code: 'refund_state', state: 'cancelled' },
  })
  expect(await refunds.atProvider(order)).toEqual([])
})

test('PAY-34 requester and admins cancel a refund that waits for approval', async () => {
  const own = await request()
  expect(await refunds.act(own.refund.id, 'cancel')).toMatchObject({ status: 'cancelled' })
  const other = await request()
  expect(await refundsOf(world, ben).act(other.refund.id, 'cancel')).toMatchObject({ status: 'cancelled' })
  expect(await shop.order(own.order.id)).toMatchObject({ status: 'paid', refundable: 700 })
  expect(await refunds.actions(own.refund.id)).toEqual([])
})

test('PAY-34 refund at the provider itself doesn’t break one that waits for approval', async () => {
  const { order, refund } = await request(700)
  const { payments } = order
  await world.payments.fetchJson('POST /platform/payments/refunds', {
    paymentIntent: payments[0]?.providerReference,
    amount: 500,
  })
  await shop.check({ id: payments[0]?.id ?? '' })
  expect(await shop.order(order.id)).toMatchObject({ status: 'partially_refunded', refunded: 500, refundable: 0 })
  expect(await refundsOf(world, ben).refusal(`POST /api/refunds/${refund.id}/approve`)).toMatchObject({ status: 422 })
  expect(await refunds.read(refund.id)).toMatchObject({ status: 'failed' })
  expect(await shop.order(order.id)).toMatchObject({ status: 'partially_refunded', refundable: 200 })
})

test('PAY-34 settings are changed by admins, by version', async () => {
  const read = await world.ada.fetch('GET /api/pay/settings')
  const etag = read.headers.get('etag') ?? ''
  expect(await read.json()).toMatchObject({ refundCeilings: { EUR: 500 }, batchCeilings: {} })
  const change = (condition: string, body: object) =>
    ben.fetch('PUT /api/pay/settings', body, { 'content-type': 'application/json', 'if-match': condition })
  expect((await change(etag, { refundCeilings: { EUR: 500, JPY: 0 } })).status).toBe(200)
  const stale = await change(etag, { refundCeilings: {} })
  expect([stale.status, await stale.json()]).toEqual([409, expect.objectContaining({ code: 'version_conflict' })])
  expect((await change('*', { refundCeilings: { EURO: 1 } })).status).toBe(422)
  expect((await change('*', { refundCeilings: { EUR: -1 } })).status).toBe(422)
  expect((await world.vera.fetch('PUT /api/pay/settings', { refundCeilings: {} })).status).toBe(403)
  expect(await world.mallory.fetchJson<object>('GET /api/pay/settings')).toMatchObject({ refundCeilings: {} })
  const order = await shop.sell({ currency: 'JPY', lines: [{ name: 'Beans', unitAmount: 1200 }] })
  expect(await refunds.create({ orderId: order.id, amount: 1 })).toMatchObject({ status: 'needs_approval' })
})
