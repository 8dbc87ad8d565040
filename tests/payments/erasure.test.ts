import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { contexts } from '../../src/contexts.ts'
import { openWorld, password, type World } from '../support/world.ts'
import type { Caller } from '../support/world/callers.ts'
import { listen, until } from './provider.ts'
import { refundsOf } from './refunding.ts'
import { shopOf } from './shop.ts'

/** Ada’s organization has an account of its own at the practice provider, Mallory’s uses the platform’s. */
let world: World
let listener: ReturnType<typeof listen>
let behave: ReturnType<typeof refundsOf>['behave']
const ownKey = `sk_test_${newId().replaceAll('-', '')}`

beforeAll(async () => {
  world = await openWorld({ env: { PAYMENTS_SWEEP_S: '0.05,0.05' } })
  listener = listen(world)
  behave = refundsOf(world).behave
})
afterEach(() => behave({}))
afterAll(async () => {
  await listener.stop()
  await world.close()
})

const run = (name: keyof typeof contexts) =>
  contexts[name].erasureJob?.run({ ...world.provided, input: {}, database: world.database, now: () => new Date() })

async function deleteOrganization({ things, fetchJson }: World['ada'], confirm: string): Promise<string> {
  const id = things.organizations
  await fetchJson(`DELETE /api/organizations/${id}`, { confirm, password }, 202)
  await world.database.sql`
    UPDATE identity.suspensions SET suspended_at = suspended_at - interval '31 days', deletes_at = deletes_at - interval '31 days'
    WHERE organization_id = ${id} AND lifted_at IS NULL`
  return id
}

interface Held {
  id: string
  data: { status?: string; active?: boolean; url?: string; metadata: Record<string, string> }
}

async function heldAt(apiKey: string, type: string, paymentId?: string): Promise<Held['data'][]> {
  const route = `GET /dev/payments/api/objects?limit=100&type=${type}&apiKey=${apiKey}`
  const { items } = await world.root.fetchJson<{ items: Held[] }>(route)
  return items.map(({ data }) => data).filter(({ metadata }) => !paymentId || metadata['paymentId'] === paymentId)
}

/** An open page, an open link of which a customer has a page, and an authorized intent. */
async function openPayments(seller: Caller) {
  const shop = shopOf(seller, world.stranger)
  const [page, link, authorized] = [
    await shop.createPayment((await shop.createOrder()).id),
    await shop.createPayment((await shop.createOrder()).id, { mode: 'link' }),
    await shop.createPayment((await shop.createOrder()).id, { captureMethod: 'manual' }),
  ]
  const visit = await world.stranger.fetch(`GET ${new URL(link.checkoutUrl ?? '').pathname}`)
  await shop.pay(authorized)
  const { status, providerReference } = await shop.check(authorized)
  expect(status).toBe('authorized')
  return { page, link, authorized, intent: providerReference, linkPage: visit.headers.get('location') ?? '' }
}

const paymentsOf = async (organizationId: string) =>
  (await world.database.sql`SELECT id FROM payments.payments WHERE organization_id = ${organizationId}`).length

test('GTW-42 payments of a suspended organization are read and canceled; nothing is created or captured for it', async () => {
  const { organizations } = world.mallory.things
  const { intent } = await openPayments(world.mallory)
  const suspension = `/api/admin/organizations/${organizations}/suspension`
  await world.root.fetchJson(`POST ${suspension}`, { reason: 'Unpaid.' }, 201)
  const send = async (method: string, path: string, body?: object) => {
    const headers = { 'x-organization-id': organizations, 'idempotency-key': newId() }
    return (await world.payments.fetch(`${method} /platform/payments/${path}`, body, headers)).status
  }
  const created = { amount: 100, currency: 'EUR' }
  // The gateway remembers for some seconds that it isn’t suspended.
  await until(
    () => send('POST', 'payment-intents', created),
    (status) => status === 403,
  )
  expect(await send('POST', `payment-intents/${intent}/capture`, {})).toBe(403)
  expect(await send('GET', `payment-intents/${intent}`)).toBe(200)
  expect(await send('POST', `payment-intents/${intent}/cancel`, {})).toBe(200)
  await world.root.fetchJson(`DELETE ${suspension}`, undefined, 204)
  // It remembers for as long that it was.
  await until(
    () => send('POST', 'payment-intents', created),
    (status) => status !== 403,
  )
})

test('PAY-10 erasure of an organization closes its pages, links and intents at its own account, and deletes its endpoints', async () => {
  const ada = listener.caller(world.ada)
  const baseUrl = `${listener.origin}/dev/payments`
  await ada.fetchJson('PUT /api/credentials/stripe', { label: 'main', baseUrl, secret: { apiKey: ownKey } })
  await ada.fetchJson('POST /api/pay/webhook-endpoints', {})
  const { page, link, authorized, linkPage } = await openPayments(ada)
  expect(await heldAt(ownKey, 'webhook_endpoint')).toHaveLength(2)
  const id = await deleteOrganization(world.ada, 'Acme')
  await run('gateway')
  await run('payments')
  expect(await paymentsOf(id)).toBe(0)
  expect(await heldAt(ownKey, 'checkout.session', page.id)).toMatchObject([{ status: 'expired' }])
  expect(await heldAt(ownKey, 'payment_link', link.id)).toMatchObject([{ active: false }])
  expect(await heldAt(ownKey, 'payment_intent', authorized.id)).toMatchObject([{ status: 'canceled' }])
  const shown = await world.stranger.fetch(`GET ${new URL(linkPage).pathname}`)
  expect(await shown.text()).toContain('Checkout expired')
  expect(await heldAt(ownKey, 'webhook_endpoint')).toEqual([])
  await run('social')
  await run('dashboard')
  await run('gateway')
  const credentials = await world.database.sql`
    SELECT id FROM gateway.provider_credentials WHERE organization_id = ${id}`
  expect(credentials).toHaveLength(0)
})

test('PAY-10 erasure waits while the provider fails, and after the last try goes on and records what stays open', async () => {
  const { page, link, authorized } = await openPayments(world.mallory)
  const id = await deleteOrganization(world.mallory, 'Umbrella')
  const before = await paymentsOf(id)
  await behave({ answers: 'fail' })
  for (let tries = 0; tries < 2; tries += 1) {
    await expect(run('payments')).rejects.toThrow('requests failed')
    // Within the delay it isn’t counted.
    await world.database.sql`UPDATE payments.closings SET tried_at = now() + interval '1 hour'`
    await expect(run('payments')).rejects.toThrow('requests failed')
    expect(await paymentsOf(id)).toBe(before)
    await world.database.sql`UPDATE payments.closings SET tried_at = now() - interval '1 hour'`
  }
  await run('payments')
  expect(await paymentsOf(id)).toBe(0)
  const entries = await world.database.sql<{ id: string; outcome: string }[]>`
    SELECT object_id AS id, outcome FROM platform.audit_log
    WHERE organization_id = ${id} AND operation = 'payments.erase-organizations'`
  expect(entries.map((entry) => entry.id)).toEqual(expect.arrayContaining([page.id, link.id, authorized.id]))
  expect(new Set(entries.map(({ outcome }) => outcome))).toEqual(new Set(['refused']))
  expect(await world.provided.identity.organizationsToErase('platform-pay')).not.toContain(id)
})
