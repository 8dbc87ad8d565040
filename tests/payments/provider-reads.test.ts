import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { findLost } from '../../src/payments/webhooks/jobs.ts'
import { openStripe, type StripeServer } from '../gateway/stripe/server.ts'
import { openWorld, type World } from '../support/world.ts'
import { callerOf } from '../support/world/callers.ts'
import { shopOf } from './shop.ts'

let world: World
let stripe: StripeServer
let isAway = false
let reads = 0

/** Between the gateway and the practice provider. */
const provider = Bun.serve({
  port: 0,
  fetch: async (request) => {
    if (request.method === 'GET') reads += 1
    if (isAway) return Response.json({ error: { type: 'api_error', message: 'Away' } }, { status: 500 })
    const { pathname, search } = new URL(request.url)
    const { method, headers } = request
    const body = method === 'GET' ? null : await request.text()
    return world.handle(new Request(`http://localhost/dev/payments${pathname}${search}`, { method, headers, body }))
  },
})

beforeAll(async () => {
  stripe = await openStripe()
  world = await openWorld({ env: { PAYMENTS_URL: provider.url.origin, RATE_LIMIT_CHECKS: '3' } })
})
afterEach(() => void (isAway = false))
afterAll(async () => {
  await world.close()
  await provider.stop(true)
  await stripe.stop()
})

const codeOf = async (response: Response) => [response.status, (await response.json()).code]

test('PAY-13 SEC receipt that many people open while the provider fails is read there once per interval', async () => {
  const shop = shopOf(world.mallory, world.stranger)
  const payment = await shop.createPayment((await shop.createOrder()).id)
  const [row] = await world.database.sql<{ token: string }[]>`
    UPDATE payments.payments SET checked_at = now() - interval '1 hour', created_at = now() - interval '2 hours'
    WHERE id = ${payment.id} RETURNING receipt_token AS token`
  const read = () => world.stranger.fetchJson<{ status: string }>(`GET /api/pay/receipts/${row?.token}`)
  isAway = true
  reads = 0
  await read()
  const once = reads
  expect(once).toBeGreaterThan(0)
  for (const each of await Promise.all(Array.from({ length: 20 }, read))) expect(each.status).toBe('confirming')
  expect(reads).toBe(once)
  isAway = false
  await world.database.sql`UPDATE platform.rate_limits SET resets_at = now() WHERE class = 'receipts'`
  expect((await read()).status).toBe('unpaid')
})

test('PAY-20 SEC admin without an own account can’t manage the platform’s endpoints, nor search its events', async () => {
  const routes = ['POST /api/pay/webhook-endpoints', 'POST /api/pay/webhooks/find-lost'] as const
  const own = { label: 'main', baseUrl: stripe.url, secret: { apiKey: 'sk_live_of_the_platform' } }
  await world.root.fetchJson('PUT /api/credentials/stripe', { ...own, level: 'platform' })
  stripe.requests.length = 0
  for (const route of routes) expect(await codeOf(await world.ada.fetch(route, {}))).toEqual([403, 'platform_account'])
  const canRegister = async (person: Pick<World['ada'], 'fetchJson'>) =>
    (await person.fetchJson<{ can: { register: boolean } }>('GET /api/pay/webhook-endpoints')).can.register
  expect([await canRegister(world.ada), await canRegister(world.root)]).toEqual([false, true])
  // Only whose account it is.
  expect(stripe.requests.filter(({ name }) => name !== 'GET /v1/account')).toEqual([])
  for (const route of routes) expect((await world.root.fetch(route, {})).status).toBe(200)
  await world.ada.fetchJson('PUT /api/credentials/stripe', own)
  expect((await world.ada.fetch(routes[0], {})).status).toBe(200)
  for (const person of [world.ada, world.root])
    await person.fetch(`DELETE /api/credentials/stripe${person === world.root ? '?level=platform' : ''}`)
})

test('PAY-20 SEC searching lost events and checks share a limit per minute, since each asks the provider', async () => {
  const mallory = callerOf((request) => world.handle(request, '127.0.0.1'), world.mallory.credential)
  const statuses: number[] = []
  for (let at = 0; at < 4; at++) statuses.push((await mallory.fetch('POST /api/pay/webhooks/find-lost', {})).status)
  expect(statuses).toEqual([200, 200, 200, 429])
  const { things } = world.mallory
  expect((await mallory.fetch(`POST /api/payments/${things.payments}/check`, {})).status).toBe(429)
})

test('PAY-20 SEC lost events are searched by one job per endpoint', async () => {
  const { database, provided } = world
  await findLost.run({ ...provided, database, now: () => new Date(), input: {} })
  const jobs = await database.sql<{ singleton_key: string }[]>`
    SELECT singleton_key FROM pgboss.job WHERE name = 'payments.find-lost-events-of-endpoint'`
  const endpoints = await database.sql<{ id: string }[]>`SELECT id FROM payments.webhook_endpoints`
  expect(endpoints.length).toBeGreaterThan(1)
  expect(jobs.map((job) => job.singleton_key).toSorted()).toEqual(endpoints.map(({ id }) => id).toSorted())
})
