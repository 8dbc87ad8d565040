import { afterAll, beforeAll, expect, test } from 'bun:test'
import { generateServiceKey } from '#identity'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'
import { scaleTime } from '../support/time-scale.ts'
import { bearer, password } from '../support/world.ts'
import { coffee, shopOf, type Shop } from './shop.ts'

// Payments on a server and database of their own; identity and the gateway on another server, which goes away.

let ofRest: TestDatabase
let ofPayments: TestDatabase
let direct: DatabaseHandle
let rest: Server
let pay: Server
let port: number
let shop: Shop
let token: string

const env = { PAYMENTS_TIMEOUT_MS: String(scaleTime(2_000)) }

const startRest = () =>
  serveInProcess({
    databaseUrl: ofRest.url,
    env: { ...env, SERVICES: 'identity,gateway', PORT: String(port) },
  })

const request = async (url: string, route: string, body?: unknown, headers: Record<string, string> = {}) => {
  const [method = 'GET', path = ''] = route.split(' ')
  return fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

const callerOf = (url: string, credential: Record<string, string>) => {
  const send = (route: string, body?: unknown, headers: Record<string, string> = {}) =>
    request(url, route, body, { ...credential, ...headers })
  return {
    credential,
    fetch: send,
    fetchJson: async <Answer>(route: string, body?: unknown, status = 200): Promise<Answer> => {
      const response = await send(route, body)
      const text = await response.text()
      if (response.status !== status) throw new Error(`${route} answered ${response.status}: ${text}`)
      return JSON.parse(text)
    },
  }
}

beforeAll(async () => {
  ;[ofRest, ofPayments] = await Promise.all([freshDatabase(), freshDatabase()])
  direct = openDatabase(ofRest.url, 1)
  const free = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  port = free.port ?? 0
  await free.stop(true)
  rest = await startRest()
  const url = `http://127.0.0.1:${port}`
  const SERVICE_KEY = await generateServiceKey(direct.db, 'platform-pay', new Date())
  pay = await serveInProcess({
    databaseUrl: ofPayments.url,
    env: { ...env, SERVICES: 'payments', AUTH_API_URL: url, NEXUS_GATEWAY_URL: url, SERVICE_KEY },
  })
  const person = { name: 'Ada', email: 'ada@example.com', password, createOrganization: true }
  const registered = await callerOf(url, {}).fetchJson<{ accessToken: string }>('POST /register', person, 201)
  token = registered.accessToken
  shop = shopOf(callerOf(pay.url, bearer(token)), callerOf(url, {}))
})

afterAll(async () => {
  await pay.stop()
  await rest.stop()
  await direct.close()
  await Promise.all([ofRest.drop(), ofPayments.drop()])
})

test('PAY-01 PAY-02 payments sell on a server of their own, with every provider call through the gateway', async () => {
  expect(await (await fetch(`${pay.url}/api/service-identity`)).json()).toEqual({
    slug: 'platform-pay',
    serviceId: expect.any(String),
    environment: 'test',
  })
  const { id } = await shop.createOrder()
  const payment = await shop.createPayment(id)
  await shop.pay(payment)
  await shop.check(payment)
  expect(await shop.order(id)).toMatchObject({ status: 'paid', captured: 700 })
  const tables = await direct.sql`SELECT count(*)::int AS count FROM payments.orders`
  expect(tables[0]).toEqual({ count: 0 })
})

test('PAY-03 while identity and gateway are away, payments respond 503 and nothing changes', async () => {
  const { id } = await shop.createOrder()
  await rest.stop()
  const seller = callerOf(pay.url, bearer(token))
  for (const route of ['GET /api/orders', `POST /api/orders/${id}/cancel`])
    expect((await seller.fetch(route, route.startsWith('POST') ? {} : undefined)).status).toBe(503)
  expect((await seller.fetch('POST /api/orders', coffee)).status).toBe(503)
  expect((await seller.fetch('POST /api/payments', { orderId: id })).status).toBe(503)
  rest = await startRest()
  expect(await shop.order(id)).toMatchObject({ status: 'pending', payments: [] })
  const payment = await shop.createPayment(id)
  await shop.pay(payment)
  await shop.check(payment)
  expect(await shop.order(id)).toMatchObject({ status: 'paid' })
})
