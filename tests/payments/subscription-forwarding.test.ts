import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { retryDelays } from '#lib/outgoing-webhooks/deliver.ts'
import { forwardChanges, sweepForwards } from '../../src/payments/subscriptions/forwarding/deliver.ts'
import { openWorld, type Caller, type World } from '../support/world.ts'
import { anyToken, openDashboard, type Dashboard } from './dashboard.ts'
import { openSubscriptions, workOf, type Subscriptions } from './subscribing.ts'

let world: World
let shop: Subscriptions
let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await openDashboard()
  world = await openWorld({ env: { DASHBOARD_URL: dashboard.url, SERVICES: 'identity,social,gateway,payments' } })
  shop = await openSubscriptions(world)
})
afterEach(() => {
  dashboard.received.length = 0
  dashboard.refuse(() => null)
})
afterAll(async () => {
  await shop.listener.stop()
  await dashboard.stop()
  await world.close()
})

interface ShownForward {
  id: string
  sequence: number
  type: string
  state: string
  attempts: number
  lastStatus: number | null
  problem: string | null
  nextAttemptAt: string | null
}

const forward = (subscriptionId: string) => forwardChanges.run({ ...workOf(world), input: { subscriptionId } })
/** As if the wait after a failed attempt were over. */
const due = (subscriptionId: string) => world.database.sql`
  UPDATE payments.subscription_forwards SET next_attempt_at = now() - interval '1 second' WHERE subscription_id = ${subscriptionId}
    AND state = 'waiting'`
const sequencesOf = (id: string) =>
  dashboard.received.filter(({ subscription }) => subscription.id === id).map(({ sequence }) => sequence)
const listed = async (id: string) => {
  const { items } = await world.root.fetchJson<{ items: (ShownForward & { subscriptionId: string })[] }>(
    'GET /api/pay/subscription-webhooks?limit=100',
  )
  return items.filter(({ subscriptionId }) => subscriptionId === id).toReversed()
}

/** With three changes that wait, unless each is sent at once. */
async function changed({ isSent = false } = {}) {
  const { id } = await shop.subscribe()
  if (isSent) await forward(id)
  for (const resume of [false, true]) {
    await shop.website.fetchJson(`POST /api/subscriptions/${id}/cancel`, { resume })
    if (isSent) await forward(id)
  }
  return id
}

test('PAY-33 dashboard gets every change once and in order, as the contract says, with a token for it', async () => {
  const id = await changed({ isSent: true })
  const own = dashboard.received.filter(({ subscription }) => subscription.id === id)
  expect(own.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
  expect(own.map(({ type }) => type)).toEqual(['subscription.started', 'subscription.updated', 'subscription.updated'])
  expect(own.map(({ subscription }) => subscription.cancelAtPeriodEnd)).toEqual([false, true, false])
  expect(own[0]?.subscription).toMatchObject({ package: 'ten', seats: 10, status: 'active', access: 'full' })
  await forward(id)
  expect(sequencesOf(id)).toEqual([1, 2, 3])
  expect(dashboard.faults).toEqual([])
  expect((await listed(id)).map(({ state, attempts }) => [state, attempts])).toEqual([
    ['delivered', 1],
    ['delivered', 1],
    ['delivered', 1],
  ])
})

test('PAY-33 counterpart of the dashboard refuses a missing token, another content type and unknown fields', async () => {
  const id = await changed()
  await forward(id)
  const [body] = dashboard.received
  expect(await dashboard.send(body, {})).toBe(401)
  expect(await dashboard.send(body, { authorization: `Bearer ${anyToken}`, 'content-type': 'text/plain' })).toBe(415)
  expect(await dashboard.send({ ...body, more: 1 }, { authorization: `Bearer ${anyToken}` })).toBe(422)
  const subscription = { ...body?.subscription, email: 'ada@acme.example' }
  expect(await dashboard.send({ ...body, subscription }, { authorization: `Bearer ${anyToken}` })).toBe(422)
  expect(dashboard.faults).toHaveLength(4)
  dashboard.faults.length = 0
})

test('PAY-33 newest change is sent again after 500, 404 and no response, and doesn’t hold up other subscriptions', async () => {
  const [late, other] = [await changed(), await changed()]
  const answers = [500, 404, 'reset'] as const
  for (const [at, answer] of answers.entries()) {
    dashboard.refuse(({ subscription }) => (subscription.id === late ? answer : null))
    await forward(late)
    const newest = (await listed(late)).at(-1)
    expect(newest).toMatchObject({ state: 'waiting', attempts: at + 1, lastStatus: answer === 'reset' ? null : answer })
    const wait = Date.parse(newest?.nextAttemptAt ?? '') - Date.now()
    expect(Math.abs(wait - (retryDelays[at] ?? 0) * 1_000)).toBeLessThan(10_000)
    await forward(late)
    expect((await listed(late)).at(-1)?.attempts).toBe(at + 1)
    await due(late)
  }
  await forward(other)
  expect(sequencesOf(other)).toEqual([3])
  dashboard.refuse(() => null)
  await sweepForwards.run({ ...workOf(world), input: {} })
  await forward(late)
  expect(sequencesOf(late)).toEqual([3])
  expect((await listed(late)).map(({ state, attempts }) => [state, attempts])).toEqual([
    ['superseded', 0],
    ['superseded', 0],
    ['delivered', 4],
  ])
})

test('PAY-33 change that the dashboard refuses doesn’t hold up later ones', async () => {
  const { id } = await shop.subscribe()
  dashboard.refuse(({ sequence, subscription }) => (subscription.id === id && sequence === 1 ? 422 : null))
  await forward(id)
  expect(await listed(id)).toMatchObject([{ state: 'waiting', lastStatus: 422 }])
  await shop.website.fetchJson(`POST /api/subscriptions/${id}/cancel`, {})
  await forward(id)
  expect(sequencesOf(id)).toEqual([2])
  expect((await listed(id)).map(({ state, attempts }) => [state, attempts])).toEqual([
    ['superseded', 1],
    ['delivered', 1],
  ])
})

test('PAY-33 change that two servers send at once is claimed by one', async () => {
  const id = await changed()
  await Promise.all([forward(id), forward(id), forward(id)])
  await forward(id)
  expect(sequencesOf(id)).toEqual([3])
})

test('PAY-33 change that failed for three days raises an action for super admins, and can be sent again', async () => {
  const id = await changed()
  dashboard.refuse(({ sequence, subscription }) => (subscription.id === id && sequence === 3 ? 503 : null))
  const { sql } = world.database
  for (const _ of retryDelays) {
    await forward(id)
    await due(id)
  }
  await forward(id)
  expect((await listed(id)).map(({ state, attempts }) => [state, attempts])).toEqual([
    ['superseded', 0],
    ['delivered', 1],
    ['failed', 10],
  ])
  const actions = () => sql<{ slug: string; actions: { href: string }[] }[]>`
    SELECT o.slug, a.actions FROM platform.raised_actions a JOIN identity.organizations o ON o.id = a.organization_id
    WHERE a.cause LIKE 'payments.subscription-forward.%' AND a.resolved_at IS NULL`
  const [action] = await actions()
  expect(action?.slug).toBe('admin')
  dashboard.refuse(() => null)
  await world.root.fetchJson(`POST ${action?.actions[0]?.href}`, {}, 202)
  expect(await actions()).toHaveLength(0)
  await forward(id)
  expect(sequencesOf(id)).toEqual([2, 3])
})

test('PAY-33 list of changes has those of the own organization only, without the dashboard’s responses, and others can’t send them again', async () => {
  const { subscriptionForwards } = world.ada.things
  const own = await world.ada.fetchJson<{ items: ShownForward[] }>('GET /api/pay/subscription-webhooks')
  expect(own.items.map(({ id }) => id)).toEqual([subscriptionForwards])
  await world.database.sql`
    UPDATE payments.subscription_forwards SET last_status = 500, problem = 'secret' WHERE id = ${subscriptionForwards}`
  const list = 'GET /api/pay/subscription-webhooks?limit=100'
  const shown = async ({ fetchJson }: Caller) =>
    (await fetchJson<{ items: ShownForward[] }>(list)).items.find(({ id }) => id === subscriptionForwards)
  expect(await shown(world.ada)).toMatchObject({ lastStatus: 500, problem: null })
  expect(await shown(world.root)).toMatchObject({ lastStatus: 500, problem: 'secret' })
  const route = `POST /api/pay/subscription-webhooks/${subscriptionForwards}/replay`
  expect((await world.mallory.fetch(route, {})).status).toBe(404)
  expect((await world.vera.fetch(route, {})).status).toBe(403)
})

test('PAY-33 changes wait quietly without a dashboard', async () => {
  const work = { ...workOf(world), dashboard: null }
  const id = await changed()
  await sweepForwards.run({ ...work, input: {} })
  await forwardChanges.run({ ...work, input: { subscriptionId: id } })
  expect((await listed(id)).map(({ state, attempts }) => [state, attempts])).toEqual([
    ['waiting', 0],
    ['waiting', 0],
    ['waiting', 0],
  ])
})
