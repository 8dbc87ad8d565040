import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { contexts } from '../../src/contexts.ts'
import { openWorld, password, type World } from '../support/world.ts'
import { openSubscriptions, workOf, type ShownSubscription, type Subscriptions } from './subscribing.ts'

let world: World
let shop: Subscriptions

beforeAll(async () => {
  world = await openWorld({ env: { PAYMENTS_SWEEP_S: '0.05,0.05' } })
  shop = await openSubscriptions(world)
})
afterEach(() => shop.behave({}))
afterAll(async () => {
  await shop.listener.stop()
  await world.close()
})

test('PAY-33 only the dashboard’s services sell and change subscriptions', async () => {
  const { subscriptions: id, buyers } = world.ada.things
  const requests: [string, object?][] = [
    ['POST /api/subscriptions/checkout', shop.draft({ ownerId: buyers })],
    [`GET /api/subscriptions?ownerId=${world.ada.things.organizations}`],
    [`GET /api/subscriptions/${id}`],
    [`GET /api/subscriptions/${id}/invoices`],
    ['POST /api/subscriptions/preview', { subscriptionId: id, seats: 20 }],
    [`POST /api/subscriptions/${id}/cancel`, {}],
    [`POST /api/subscriptions/${id}/portal`, { returnUrl: 'https://atrium.example/' }],
  ]
  const others = [world.ada, world.root, world.key, world.payServices['platform-socialize']]
  for (const [route, body] of requests)
    for (const caller of others) expect((await caller?.fetch(route, body))?.status, route).toBe(403)
  expect((await world.stranger.fetch(`GET /api/subscriptions/${id}`)).status).toBe(401)
  expect((await world.services['platform-dashboard-website']?.fetch(`GET /api/subscriptions/${id}`))?.status).toBe(401)
})

test('PAY-33 members with access to settings see the subscription of their own organization', async () => {
  const current = 'GET /api/subscriptions/current'
  const { subscription } = await world.ada.fetchJson<{ subscription: ShownSubscription }>(current)
  expect(subscription).toMatchObject({ id: world.ada.things.subscriptions, status: 'trialing', seats: 10 })
  const theirs = await world.mallory.fetchJson<{ subscription: ShownSubscription }>(current)
  expect(theirs.subscription.id).toBe(world.mallory.things.subscriptions)
  expect((await world.nora.fetch(current)).status).toBe(403)
})

test('PAY-33 audit log says what became of a subscription, without email addresses', async () => {
  const { items } = await world.ada.fetchJson<{ items: { summary: string; object: { kind: string } | null }[] }>(
    'GET /api/pay/audit?limit=100',
  )
  const own = items.filter(({ object }) => object?.kind === 'subscription')
  expect(own.map(({ summary }) => summary)).toEqual(['Updated a subscription', 'Created subscription “ten”'])
  expect(JSON.stringify(items)).not.toContain('billing@shop.example')
})

test('PAY-33 organizations that don’t exist or are suspended can’t subscribe', async () => {
  const checkout = (ownerId: string, status: number) =>
    shop.website.fetchJson('POST /api/subscriptions/checkout', shop.draft({ ownerId }), status)
  expect(await checkout(newId(), 422)).toMatchObject({ errors: [{ path: 'ownerId' }] })
  const { buyers } = world.ada.things
  await world.root.fetchJson(`POST /api/admin/organizations/${buyers}/suspension`, { reason: 'Unpaid.' }, 201)
  expect(await checkout(buyers, 409)).toMatchObject({ code: 'organization_suspended' })
  expect(
    await shop.website.fetchJson('GET /api/subscriptions/01890000-0000-7000-8000-000000000000', undefined, 404),
  ).toMatchObject({ code: 'not_found' })
})

test('PAY-33 subscription is made at the platform’s account also for an organization with an account of its own', async () => {
  const apiKey = `sk_test_${newId().replaceAll('-', '')}`
  const mallory = shop.listener.caller(world.mallory)
  await mallory.fetchJson('PUT /api/credentials/stripe', {
    label: 'main',
    baseUrl: `${shop.listener.origin}/dev/payments`,
    secret: { apiKey },
  })
  await world.database.sql`
    UPDATE payments.subscriptions SET status = 'canceled', ended_at = now() WHERE organization_id = ${world.mallory.things.organizations}`
  const { subscription } = await shop.start({ ownerId: world.mallory.things.organizations })
  const [row] = await world.database.sql<{ account: string }[]>`
    SELECT account_key AS account FROM payments.subscriptions WHERE id = ${subscription.id}`
  expect(row?.account).toMatch(/^practice:/)
  const held = await world.stranger.fetchJson<{ items: unknown[] }>(
    `GET /dev/payments/api/objects?type=checkout.session&apiKey=${apiKey}`,
  )
  expect(held.items).toEqual([])
})

test('PAY-33 erasure of an organization cancels its subscription and deletes its customer first, waits while the provider fails, and deletes its rows', async () => {
  const { subscriptions: id, organizations: owner } = world.ada.things
  const { sql } = world.database
  const [before] = await sql<{ provider: string }[]>`
    SELECT provider_subscription_id AS provider FROM payments.subscriptions WHERE id = ${id}`
  const [customer] = await sql<{ id: string }[]>`
    SELECT provider_customer_id AS id FROM payments.subscriptions WHERE id = ${id}`
  const heldOf = async (customerId: string) => {
    const [counts] = await sql<{ customers: number; methods: number }[]>`
      SELECT count(*) FILTER (WHERE id = ${customerId} AND NOT is_deleted)::int AS customers,
        count(*) FILTER (WHERE type = 'payment_method' AND data ->> 'customer' = ${customerId})::int AS methods
      FROM practice_payments.objects`
    return { customers: counts?.customers, methods: counts?.methods }
  }
  expect(await heldOf(customer?.id ?? '')).toEqual({ customers: 1, methods: 1 })
  await world.ada.fetchJson(`DELETE /api/organizations/${owner}`, { confirm: 'Acme', password }, 202)
  await sql`UPDATE identity.suspensions SET suspended_at = suspended_at - interval '31 days',
    deletes_at = deletes_at - interval '31 days' WHERE organization_id = ${owner} AND lifted_at IS NULL`
  const erase = () => contexts.payments.erasureJob?.run({ ...workOf(world), input: {} })
  await shop.behave({ answers: 'fail' })
  await expect(erase()).rejects.toThrow('requests failed')
  expect(await sql`SELECT id FROM payments.subscriptions WHERE organization_id = ${owner}`).toHaveLength(1)
  await shop.behave({})
  await erase()
  const [held] = await sql<{ status: string }[]>`
    SELECT data ->> 'status' AS status FROM practice_payments.objects WHERE id = ${before?.provider ?? ''}`
  expect(held?.status).toBe('canceled')
  const { customers, methods } = await heldOf(customer?.id ?? '')
  expect([customers, methods]).toEqual([0, 0])
  for (const table of ['subscriptions', 'subscription_forwards', 'subscription_invoices', 'subscription_notices'])
    expect(await sql`SELECT 1 FROM ${sql(`payments.${table}`)} WHERE organization_id = ${owner}`, table).toHaveLength(0)
})
