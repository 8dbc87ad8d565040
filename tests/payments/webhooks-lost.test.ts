import { openActions, press } from '../dashboard/raised/acting.ts'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { and, eq, isNull } from 'drizzle-orm'
import { newId } from '#lib/ids.ts'
import { providerEndpoints } from '../../src/payments/schema.ts'
import { findLostEvents } from '../../src/payments/webhooks/find-lost.ts'
import { findLost, findLostOfEndpoint } from '../../src/payments/webhooks/jobs.ts'
import { openWorld, type World } from '../support/world.ts'
import type { Caller } from '../support/world/callers.ts'
import { addItem, deliver, eventOf, handleWaiting, listen, until, type ShownEvents } from './provider.ts'
import { coffee, shopOf } from './shop.ts'

let world: World
let listener: ReturnType<typeof listen>
let mallory: Caller

beforeAll(async () => {
  world = await openWorld()
  listener = listen(world)
  mallory = listener.caller(world.mallory)
  await mallory.fetchJson('POST /api/pay/webhook-endpoints', {})
})
afterAll(async () => {
  await listener.stop()
  await world.close()
})

const organizationId = () => world.mallory.things.organizations
const behave = (behavior: object) => world.stranger.fetchJson('PUT /dev/payments/behavior', behavior)
const work = () => ({ ...world.provided, database: world.database, db: world.database.db, now: () => new Date() })
/** With the job of each endpoint that it enqueues. */
const search = async () => {
  await findLost.run({ ...work(), input: {} })
  const { id: endpointId, organizationId: owner } = providerEndpoints
  const endpoints = await world.database.db.select({ endpointId, organizationId: owner }).from(providerEndpoints)
  for (const endpoint of endpoints) await findLostOfEndpoint.run({ ...work(), input: endpoint })
}
const list = (query = '') => mallory.fetchJson<ShownEvents>(`GET /api/pay/webhooks?limit=100${query}`)

const actions = async () => {
  const rows = await world.database.sql<{ title: string }[]>`
    SELECT title FROM platform.raised_actions
    WHERE cause = ${`payment-events-failed:${organizationId()}`} AND resolved_at IS NULL`
  return rows.map(({ title }) => title)
}

test('PAY-20 event of which all attempts failed is tried again a few times, with an action until it works', async () => {
  const { sql } = world.database
  const shop = shopOf(mallory, world.stranger)
  const order = await shop.createOrder(coffee)
  const payment = await shop.createPayment(order.id)
  await behave({ webhooks: 'lose' })
  await shop.pay(payment)
  await behave({ answers: 'fail' })
  const secret = `whsec_${'f'.repeat(32)}`
  const [endpoint] = (
    await mallory.fetchJson<{ items: { id: string; scope: string }[] }>('GET /api/pay/webhook-endpoints')
  ).items
  await openSecret(endpoint?.id ?? '', secret)
  const metadata = { paymentId: payment.id, organizationId: organizationId() }
  const event = eventOf('evt_stuck', 'payment_intent.succeeded', { id: 'pi_x', object: 'payment_intent', metadata })
  expect((await deliver(world.handle, event, { secret, endpoint: endpoint?.id ?? '' })).status).toBe(200)
  await handleWaiting(world)
  await behave({})
  const stuck = async () => (await list('&q=pi_x')).items[0]
  const passHours = (hours: number) => sql`
    UPDATE platform.received_webhooks SET settled_at = now() - ${hours} * interval '1 hour' WHERE object_id = 'pi_x'`
  await search()
  expect([(await stuck())?.state, await actions()]).toEqual(['failed', []])
  await passHours(4)
  await search()
  expect([(await stuck())?.state, await actions()]).toEqual([
    'waiting',
    ['1 event of the payment provider couldn’t be processed'],
  ])
  const queued = await sql`
    SELECT 1 FROM pgboss.job WHERE name = 'payments.stripe' AND data::text LIKE '%"round": 2%'`
  expect(queued).toHaveLength(1)
  await behave({ answers: 'fail' })
  await handleWaiting(world)
  await behave({})
  // The next wait is twice as long.
  await passHours(4)
  await search()
  expect((await stuck())?.state).toBe('failed')
  await passHours(7)
  await search()
  await handleWaiting(world)
  expect([(await stuck())?.state, (await shop.order(order.id)).status]).toEqual(['processed', 'paid'])
  await search()
  expect(await actions()).toEqual([])
  await sql`UPDATE platform.received_webhooks
    SET state = 'failed', problem = 'No', settled_at = now() - interval '1 year', round = 6 WHERE object_id = 'pi_x'`
  await search()
  expect([(await stuck())?.state, await actions()]).toMatchObject(['failed', [expect.any(String)]])
  const [action] = await openActions(world, `payment-events-failed:${organizationId()}`)
  expect((await press(mallory, action, 'Replay all')).ok).toBe(true)
  await handleWaiting(world)
  await search()
  expect([(await stuck())?.state, await actions()]).toEqual(['processed', []])
})

/** Of the platform’s endpoint, which has no operation to set it. */
async function openSecret(id: string, secret: string): Promise<void> {
  const { sql } = world.database
  await sql`UPDATE payments.webhook_endpoints SET organization_id = ${organizationId()} WHERE id = ${id}`
  await mallory.fetchJson(`PUT /api/pay/webhook-endpoints/${id}/secret`, { secret })
  await sql`UPDATE payments.webhook_endpoints SET organization_id = NULL WHERE id = ${id}`
}

async function connectedEndpoint() {
  const [row] = await world.database.db
    .select()
    .from(providerEndpoints)
    .where(and(isNull(providerEndpoints.organizationId), eq(providerEndpoints.scope, 'connect')))
  if (!row) throw new Error('No endpoint for connected accounts')
  return row
}

/** Paid out several times, whose events are all lost. */
async function payOutUnnoticed(recipient: string, times: number): Promise<void> {
  const { payments } = world.provided.gateway
  const payer = { organizationId: organizationId(), currency: 'EUR' }
  await shopOf(mallory, world.stranger).sell()
  await behave({ webhooks: 'lose' })
  await payments.createTransfer({ ...payer, idempotencyKey: newId(), amount: 300, destination: recipient })
  for (let at = 0; at < times; at += 1)
    await payments.createPayout({ ...payer, idempotencyKey: newId(), account: recipient, amount: 10 })
}

const storedOf = async (recipient: string) => {
  const rows = await world.database.sql`
    SELECT 1 FROM platform.received_webhooks WHERE convert_from(body, 'UTF8') LIKE ${`%"account":"${recipient}"%`}`
  return rows.length
}

test('PAY-20 connected account whose events can’t be listed doesn’t keep those of others from being found', async () => {
  const recipients = Array.from({ length: 3 }, () => `acct_${newId().slice(-12)}`)
  const [first = '', failing = '', last = ''] = recipients.toSorted()
  for (const recipient of [first, failing, last]) await addItem(world, organizationId(), recipient)
  await payOutUnnoticed(first, 1)
  await payOutUnnoticed(last, 1)
  await behave({ webhooks: 'lose' })
  const { gateway } = work()
  const { payments } = gateway
  const broken: typeof payments.listEvents = (input) =>
    payments.listEvents(input.account === failing ? { ...input, account: 'acct_missing1' } : input)
  const found = await findLostEvents(
    { ...work(), gateway: { ...gateway, payments: { ...payments, listEvents: broken } } },
    await connectedEndpoint(),
  )
  expect(found).toBeGreaterThanOrEqual(2)
  expect(await Promise.all([first, failing, last].map(storedOf))).toEqual([expect.any(Number), 0, expect.any(Number)])
  expect(Math.min(await storedOf(first), await storedOf(last))).toBeGreaterThan(0)
  await payOutUnnoticed(failing, 1)
  await search()
  expect(await storedOf(failing)).toBeGreaterThan(0)
  await behave({})
})

test('PAY-20 search of a connected account’s events goes on where it ended at its limit', async () => {
  const recipient = `acct_${newId().slice(-12)}`
  await addItem(world, organizationId(), recipient)
  await payOutUnnoticed(recipient, 10)
  const { gateway } = work()
  const { payments } = gateway
  const of = { organizationId: organizationId(), account: recipient, limit: 100 }
  const { items } = await until(
    () => payments.listEvents(of),
    (all) => all.items.filter(({ type }) => type === 'payout.paid').length === 10,
  )
  const single: typeof payments.listEvents = (input) => payments.listEvents({ ...input, limit: 1 })
  const inParts = { ...work(), gateway: { ...gateway, payments: { ...payments, listEvents: single } } }
  await findLostEvents(inParts, await connectedEndpoint())
  expect(await storedOf(recipient)).toBe(20)
  await findLostEvents(inParts, await connectedEndpoint())
  expect([items.length, await storedOf(recipient)]).toEqual([30, 30])
  await behave({})
})
