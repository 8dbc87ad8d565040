import { afterAll, beforeAll, expect, test } from 'bun:test'
import Stripe from 'stripe'
import { readConfig } from '#config'
import { chosenContexts } from '../../src/contexts.ts'
import { servePayments } from '../../src/gateway/practice-payments/server.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'
import { charge, newSecretKey } from './practice-payments-client.ts'
import { receiveWebhooks } from './webhook-receiver.ts'

let fresh: TestDatabase
let server: Server

beforeAll(async () => {
  fresh = await freshDatabase()
  server = await serveInProcess({ databaseUrl: fresh.url })
})
afterAll(async () => {
  await server.stop()
  await fresh.drop()
})

const send = (path: string, init: RequestInit = {}) => fetch(server.url + path, { redirect: 'manual', ...init })

test('server and process of one database share their objects, and the server’s behavior applies to both', async () => {
  const payments = servePayments({ at: fresh.url, port: 0, fail: console.error })
  const { hostname, port } = new URL(payments.url)
  const key = newSecretKey()
  const stripe = new Stripe(key, { host: hostname, port: Number(port), protocol: 'http', maxNetworkRetries: 0 })
  const { id } = await charge(stripe, 1000)
  const authorization = `Bearer ${key}`
  const found = await send(`/dev/payments/v1/payment_intents/${id}?expand[]=latest_charge`, {
    headers: { authorization },
  })
  expect(await found.json()).toMatchObject({ id, status: 'succeeded', latest_charge: { paid: true } })

  const listed = await send(`/dev/payments/api/objects?type=charge&apiKey=${key}`)
  expect(await listed.json()).toMatchObject({
    items: [{ object: 'charge', data: { payment_intent: id } }],
    nextCursor: null,
  })
  const body = JSON.stringify({ answers: 'fail', times: 1, apiKey: key })
  const headers = { 'content-type': 'application/json' }
  const saved = await send('/dev/payments/behavior', { method: 'PUT', headers, body })
  expect(await saved.json()).toEqual({ webhooks: 'ok', answers: 'fail', payouts: 'ok', times: 1 })
  await expect(charge(stripe, 1000)).rejects.toMatchObject({ statusCode: 500, type: 'StripeAPIError' })
  await payments.stop()
})

test('checkout page of a server is paid by its form, and unknown paths are refused in Stripe’s format', async () => {
  const authorization = `Bearer ${newSecretKey()}`
  const body = new URLSearchParams({
    success_url: `${server.url}/done`,
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'eur',
    'line_items[0][price_data][unit_amount]': '350',
    'line_items[0][price_data][product_data][name]': 'Coffee <b>',
  })
  const made = await send('/dev/payments/v1/checkout/sessions', { method: 'POST', headers: { authorization }, body })
  const { url } = Object(await made.json())
  expect(url).toStartWith(`${server.url}/dev/payments/checkout/cs_test_`)
  const page = await send(new URL(url).pathname)
  expect(await page.text()).toContain('Coffee &lt;b&gt;')
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  const fields = new URLSearchParams({ outcome: 'pay' })
  const paid = await send(new URL(url).pathname, { method: 'POST', headers: { origin: server.url }, body: fields })
  expect(paid.headers.get('location')).toBe(`${server.url}/done`)

  for (const [method, path, status] of [
    ['GET', '/dev/payments/v1/unicorns/1', 404],
    ['PUT', '/dev/payments/v1/products', 404],
    ['GET', '/dev/payments/v1/products/%00', 404],
    ['GET', '/dev/payments/v1/products?created[gt]=99999999999', 400],
  ] as const) {
    const refused = await send(path, { method, headers: { authorization } })
    expect([path, refused.status, await refused.json()]).toEqual([path, status, { error: expect.any(Object) }])
  }
  expect((await send('/dev/payments/checkout/%00')).status).toBe(404)
  expect((await send('/dev/payments/checkout/cs_test_unknown')).status).toBe(404)
})

test('two processes send each webhook once, also those of connected accounts', async () => {
  const receiver = receiveWebhooks()
  const open = () => servePayments({ at: fresh.url, port: 0, fail: console.error })
  const processes = [open(), open()]
  const key = newSecretKey()
  const [first, second] = processes.map(({ url }) => {
    const { hostname, port } = new URL(url)
    return new Stripe(key, { host: hostname, port: Number(port), protocol: 'http', maxNetworkRetries: 0 })
  })
  const { secret = '' } = await first!.webhookEndpoints.create({
    url: receiver.url,
    enabled_events: ['product.created'],
  })
  const connected = await second!.webhookEndpoints.create({
    url: receiver.url,
    enabled_events: ['customer.created'],
    connect: true,
  })
  const create = (at: number) => (at % 2 ? first! : second!).products.create({ name: `Product ${at}` })
  const made = await Promise.all(Array.from({ length: 12 }, (_, at) => create(at)))
  const events = await receiver.take(12, secret)
  const ids = events.map(({ data }) => String(Reflect.get(data.object, 'id')))
  expect(ids.toSorted()).toEqual(made.map(({ id }) => id).toSorted())

  await first!.customers.create({ name: 'Of the platform' })
  await first!.customers.create({ name: 'Of the account' }, { stripeAccount: 'acct_merchant' })
  const [event] = await receiver.take(1, connected.secret ?? '')
  expect(event).toMatchObject({ account: 'acct_merchant', data: { object: { name: 'Of the account' } } })
  await Promise.all(processes.map(({ stop }) => stop()))
  await receiver.stop()
})

test('practice payments are absent in staging and production', () => {
  const pathsWith = (offlineHelps: boolean) =>
    chosenContexts({ ...readConfig({ ATRIUM_ENV: 'test' }), offlineHelps })
      .flatMap(({ endpoints = [], operations, pages }) => [
        ...endpoints.map(({ path }) => path),
        ...Object.values(operations).map(({ route }) => route),
        ...pages.map(({ path }) => path),
      ])
      .filter((path) => path.includes('/dev/payments'))
  expect(pathsWith(false)).toEqual([])
  expect(pathsWith(true)).toContain('/dev/payments/checkout/:id')
})
