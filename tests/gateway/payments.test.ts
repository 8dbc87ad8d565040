import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { Stripe } from 'stripe'
import { fieldsOf, leaves } from '../operations/fields.ts'
import { operations } from '../operations/every.ts'
import { requestFor } from '../operations/send-request.ts'
import { scaleTime } from '../support/time-scale.ts'
import { openWorld, type World } from '../support/world.ts'
import { faultsOf, sdkVersion } from './stripe/held-to-types.ts'
import { paymentSamples } from './stripe/samples.ts'
import { failure, openStripe, type StripeServer } from './stripe/server.ts'

let world: World
let stripe: StripeServer

beforeAll(async () => {
  stripe = await openStripe()
  world = await openWorld({ env: { PAYMENTS_URL: stripe.url } })
})
beforeEach(() => {
  stripe.requests.length = 0
  stripe.answer(() => undefined)
})
afterAll(async () => {
  await world.close()
  await stripe.stop()
})

/** Without the account, for which the provider isn't called. */
const surface = operations.filter(
  ({ path, name }) => path.startsWith('/platform/payments/') && name !== 'getPaymentAccount',
)
const refundInput = { paymentIntent: 'pi_1', amount: 200 }

const refund = (headers: Record<string, string> = {}) =>
  world.payments.fetch('POST /platform/payments/refunds', refundInput, headers)

test.each(surface.map((operation) => [operation.name, operation] as const))(
  'GTW-42 %s sends only what the types of Stripe’s SDK allow, with any of its fields',
  async (name, operation) => {
    const samples = paymentSamples[name] ?? []
    const paths = (of: string[][]) => new Set(of.map((path) => path.join('.')))
    const sampled = paths(
      samples.flatMap((sample) =>
        leaves(sample).map(([path]) => path.map((part) => (/^\d+$/.test(part) ? '0' : part))),
      ),
    )
    const isSampled = (path: string) => [...sampled].some((one) => one === path || one.startsWith(`${path}.`))
    expect([...paths(fieldsOf(operation.input))].filter((path) => !isSampled(path))).toEqual([])
    for (const sample of samples) {
      const { route, body } = requestFor(operation, sample)
      const response = await world.payments.fetch(route, body)
      const text = await response.text()
      expect(stripe.requests.flatMap(({ faults }) => faults)).toEqual([])
      expect(response.status, text).toBe(200)
      expect(stripe.requests.at(-1)?.headers.get('stripe-version')).toBe(Stripe.API_VERSION)
    }
  },
)

test('GTW-42 requests are held to the types of the installed SDK, which refuse an unknown and a mistyped parameter', () => {
  expect(sdkVersion).toBe(Stripe.PACKAGE_VERSION)
  expect(faultsOf('POST /v1/customers', 'email=c%40example.com&metadata[emai]=x&address[city]=Berlin')).toEqual([])
  expect(faultsOf('POST /v1/customers', 'emai=c%40example.com')).toHaveLength(1)
  expect(faultsOf('POST /v1/customers', 'address[town]=Berlin').join()).toContain('town')
  expect(faultsOf('POST /v1/refunds', 'payment_intent=pi_1&amount=two')[0]).toContain('/amount must be number')
  expect(faultsOf('POST /v1/refunds', 'payment_intent=pi_1&reason=none').join()).toContain('/reason')
  expect(faultsOf('POST /v1/transfers', 'amount=1')[0]).toContain('currency')
})

test('GTW-42 the official client’s request has our parameters, times in seconds and the currency in lowercase', async () => {
  await world.payments.fetchJson(
    'POST /platform/payments/checkout/sessions',
    paymentSamples['createCheckoutSession']?.[0],
  )
  const sent = stripe.requests[0]
  const form = Object.fromEntries(new URLSearchParams(sent?.form))
  expect(sent?.path).toBe('/v1/checkout/sessions')
  expect(form).toMatchObject({
    'line_items[0][price_data][currency]': 'eur',
    'line_items[0][price_data][product_data][name]': 'Latte',
    'line_items[1][price]': 'price_1',
    expires_at: String(Date.parse('2026-11-22T12:00:00Z') / 1000),
    success_url: 'https://shop.example/done?session={CHECKOUT_SESSION_ID}',
    'metadata[order]': 'o-1',
  })
})

test('GTW-42 answers are objects of our contract: camelCase, currency in uppercase, IDs of expanded objects', async () => {
  const session = await world.payments.fetchJson('GET /platform/payments/checkout/sessions/cs_test_1')
  expect(session).toEqual({
    id: 'cs_test_1',
    url: 'https://checkout.stripe.com/c/pay/cs_test_1',
    mode: 'payment',
    status: 'open',
    paymentStatus: 'unpaid',
    currency: 'EUR',
    amountSubtotal: 700,
    amountTotal: 700,
    customerId: 'cus_1',
    customerEmail: 'c@example.com',
    paymentIntentId: 'pi_1',
    setupIntentId: null,
    subscriptionId: null,
    clientReferenceId: 'o-1',
    metadata: { order: 'o-1' },
    expiresAt: new Date((1_795_000_000 + 3600) * 1000).toISOString(),
    createdAt: new Date(1_795_000_000 * 1000).toISOString(),
  })
  const events = await world.payments.fetchJson<{ items: { payload: string }[]; nextCursor: string }>(
    'GET /platform/payments/events?limit=1&types=charge.refunded&delivered=false',
  )
  expect(events).toMatchObject({ nextCursor: 'evt_1', items: [{ object: { id: 'ch_1', type: 'charge' } }] })
  expect(JSON.parse(events.items[0]?.payload ?? '')).toMatchObject({ id: 'evt_1', object: 'event' })
  await world.payments.fetchJson(`GET /platform/payments/events?limit=1&cursor=${events.nextCursor}`)
  expect(stripe.requests.at(-1)?.form).toBe('limit=1&starting_after=evt_1')
})

test('GTW-42 only the payment service calls: another service and a person get 403, and nothing is sent', async () => {
  for (const caller of [world.gatewayClient, world.ada, world.root]) {
    const refused = await caller.fetch('GET /platform/payments/balance', undefined, {
      'x-organization-id': world.ada.things.organizations,
    })
    expect([refused.status, (await refused.json()).code]).toEqual([403, 'permission_missing'])
  }
  expect(stripe.requests).toHaveLength(0)
})

test('GTW-42 a write without an Idempotency-Key is refused, and one without an organization', async () => {
  const keyless = await refund({ 'idempotency-key': '' })
  expect([keyless.status, (await keyless.json()).errors]).toMatchObject([422, [{ path: 'Idempotency-Key' }]])
  const nameless = await world.payments.fetch('GET /platform/payments/balance', undefined, { 'x-organization-id': '' })
  expect(nameless.status).toBe(400)
  expect(stripe.requests).toHaveLength(0)
})

test('GTW-42 the Idempotency-Key reaches the provider, apart for each organization and never too long', async () => {
  const keys = ['k-1', 'k-1', 'x'.repeat(255)]
  await refund({ 'idempotency-key': keys[0] ?? '' })
  await refund({ 'idempotency-key': keys[1] ?? '', 'x-organization-id': world.mallory.things.organizations })
  await refund({ 'idempotency-key': keys[2] ?? '' })
  const [first, second, third] = stripe.requests.map(({ headers }) => headers.get('idempotency-key'))
  expect(first).toBe(`${world.ada.things.organizations}:k-1`)
  expect(second).toBe(`${world.mallory.things.organizations}:k-1`)
  expect(third).toMatch(/^[\w-]{36}:[0-9a-f]{64}$/)
})

test('GTW-42 a connected account is named in the header that Stripe reads, not among the parameters', async () => {
  await world.payments.fetchJson('GET /platform/payments/payouts/po_1?account=acct_1')
  expect(stripe.requests[0]).toMatchObject({ path: '/v1/payouts/po_1', form: '' })
  expect(stripe.requests[0]?.headers.get('stripe-account')).toBe('acct_1')
})

test('GTW-42 the quantity of a subscription with several items needs the item', async () => {
  stripe.answer(({ name }) =>
    name === 'GET /v1/subscriptions/:id'
      ? Response.json({ object: 'subscription', id: 'sub_1', items: { data: [{ id: 'si_1' }, { id: 'si_2' }] } })
      : undefined,
  )
  const several = await world.payments.fetch('PATCH /platform/payments/subscriptions/sub_1/quantity', { quantity: 5 })
  expect([several.status, (await several.json()).errors]).toMatchObject([422, [{ path: 'item' }]])
  expect(stripe.requests.map(({ name }) => name)).toEqual(['GET /v1/subscriptions/:id'])
})

const refusals: [string, Response, number, object][] = [
  [
    'a declined card',
    failure(402, {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
      payment_intent: { id: 'pi_1', object: 'payment_intent', client_secret: 'a-client-secret' },
    }),
    402,
    { code: 'card_declined', declineCode: 'insufficient_funds', paymentIntentId: 'pi_1' },
  ],
  [
    'an expired card',
    failure(402, { type: 'card_error', code: 'expired_card', message: 'Your card has expired.' }),
    402,
    { code: 'expired_card', declineCode: null },
  ],
  [
    'an invalid field',
    failure(400, { code: 'parameter_invalid_integer', param: 'amount', message: 'Too much.' }),
    422,
    {
      code: 'provider_refused',
      reason: 'parameter_invalid_integer',
      errors: [{ path: 'amount', message: 'Too much.' }],
    },
  ],
  [
    'a missing object that a field names',
    failure(404, { code: 'resource_missing', param: 'payment_intent', message: 'No such payment_intent.' }),
    422,
    { code: 'provider_refused', errors: [{ path: 'paymentIntent', message: 'No such payment_intent.' }] },
  ],
  [
    'a state that doesn’t allow it',
    failure(400, { code: 'charge_already_refunded', message: 'Already refunded.' }),
    422,
    { code: 'provider_refused', reason: 'charge_already_refunded' },
  ],
  [
    'a missing object of the path',
    failure(404, { code: 'resource_missing', param: 'id', message: 'No such refund.' }),
    404,
    { code: 'not_found' },
  ],
  ['a rate limit', failure(429, { code: 'rate_limit' }, { 'retry-after': '7' }), 429, { code: 'provider_limited' }],
  ['a reused key', failure(400, { type: 'idempotency_error' }), 409, { code: 'idempotency_conflict' }],
  ['a key in use', failure(409, { code: 'idempotency_key_in_use' }), 409, { code: 'idempotency_in_progress' }],
  ['a rejected key', failure(401, { message: 'Invalid API Key: sk_t***' }), 502, { code: 'provider_key_rejected' }],
  ['an internal error', failure(500, { type: 'api_error' }), 502, { code: 'outcome_unknown' }],
  [
    'an answer that isn’t Stripe’s',
    new Response('<h1>Bad gateway</h1>', { status: 502 }),
    502,
    { code: 'outcome_unknown' },
  ],
  ['a refusal without an error', Response.json({ message: 'No.' }, { status: 403 }), 502, { code: 'outcome_unknown' }],
]

test.each(refusals)(
  'GTW-42 %s becomes a problem of ours, after a single request',
  async (_, answer, status, problem) => {
    stripe.answer(() => answer.clone())
    const response = await refund()
    const text = await response.text()
    expect([response.status, JSON.parse(text)]).toMatchObject([status, problem])
    expect(text).not.toMatch(/doc_url|stripe\.test|client-secret|Bad gateway|sk_/)
    expect(stripe.requests).toHaveLength(1)
    if (status === 429) expect(response.headers.get('retry-after')).toBe('7')
  },
)

test('GTW-42 an object that the provider doesn’t have is 404, whichever parameter it names', async () => {
  for (const [path, param] of [
    ['customers/cus_2', 'id'],
    ['payment-intents/pi_2', 'intent'],
  ]) {
    stripe.answer(() => failure(404, { code: 'resource_missing', param, message: 'No such object.' }))
    const missing = await world.payments.fetch(`GET /platform/payments/${path}`)
    expect([missing.status, (await missing.json()).code]).toEqual([404, 'not_found'])
  }
})

test('GTW-42 a write whose answer is lost is outcome_unknown, and its repetition with the same key is done once', async () => {
  const done = new Set<string | null>()
  let isLost = true
  stripe.answer(({ headers }) => {
    done.add(headers.get('idempotency-key'))
    return isLost ? 'reset' : undefined
  })
  const key = { 'idempotency-key': 'lost-1' }
  const lost = await refund(key)
  expect([lost.status, await lost.json()]).toMatchObject([
    502,
    { code: 'outcome_unknown', detail: expect.stringContaining('same Idempotency-Key') },
  ])
  expect(stripe.requests).toHaveLength(1)
  isLost = false
  expect((await refund(key)).status).toBe(200)
  expect(done.size).toBe(1)
})

test('GTW-42 a read that fails is no unknown outcome, and a provider that can’t be reached did nothing', async () => {
  stripe.answer(() => failure(500, { type: 'api_error' }))
  const read = await world.payments.fetch('GET /platform/payments/balance')
  expect([read.status, (await read.json()).code]).toEqual([502, 'provider_failed'])
  // Nothing listens there.
  const away = { label: 'main', baseUrl: 'http://127.0.0.1:9', secret: { apiKey: 'sk_live_of_acme' } }
  await world.ada.fetchJson('PUT /api/credentials/stripe', away)
  const write = await refund()
  expect([write.status, await write.json()]).toMatchObject([
    502,
    { code: 'provider_failed', detail: expect.stringContaining('nothing was done') },
  ])
  await world.ada.fetch('DELETE /api/credentials/stripe')
})

test('GTW-42 a provider that doesn’t respond in time leaves the outcome of a write unknown, not of a read', async () => {
  const hasty = await openWorld({ env: { PAYMENTS_URL: stripe.url, PAYMENTS_TIMEOUT_MS: '20' } })
  const silence = Promise.withResolvers<undefined>()
  stripe.answer(() => silence.promise)
  try {
    const read = await hasty.payments.fetch('GET /platform/payments/balance')
    expect([read.status, (await read.json()).code]).toEqual([504, 'provider_timed_out'])
    const write = await hasty.payments.fetch('POST /platform/payments/refunds', refundInput)
    expect([write.status, (await write.json()).code]).toEqual([502, 'outcome_unknown'])
  } finally {
    silence.resolve(undefined)
    await hasty.close()
  }
})

test('GTW-42 without a credential the practice provider does it, which is written from Stripe’s types by others', async () => {
  const practice = await openWorld({ env: { PAYMENTS_TIMEOUT_MS: String(scaleTime(500)) } })
  const send = async (route: string, body?: object, headers?: Record<string, string>) => {
    const response = await practice.payments.fetch(route.replace(' ', ' /platform/payments/'), body, headers)
    return { status: response.status, ...(await response.json()) }
  }
  try {
    const customer = await send('POST customers', { email: 'c@example.com', metadata: { shop: '1' } })
    expect(await send(`PATCH customers/${customer.id}`, { name: 'Cleo' })).toMatchObject({
      email: 'c@example.com',
      name: 'Cleo',
      metadata: { shop: '1' },
    })
    const session = await send('POST checkout/sessions', {
      mode: 'payment',
      lineItems: [{ priceData: { currency: 'EUR', unitAmount: 350, productData: { name: 'Latte' } }, quantity: 2 }],
      successUrl: 'https://shop.example/done',
      customer: customer.id,
    })
    expect(session).toMatchObject({ amountTotal: 700, status: 'open', url: expect.stringContaining(session.id) })
    expect(await send(`POST checkout/sessions/${session.id}/expire`, {})).toMatchObject({ status: 'expired' })
    const payment = {
      amount: 700,
      currency: 'EUR',
      confirm: true,
      captureMethod: 'manual',
      automaticPaymentMethods: { enabled: true, allowRedirects: 'never' },
    }
    const intent = await send('POST payment-intents', { ...payment, paymentMethod: 'pm_card_visa' })
    expect(intent).toMatchObject({ status: 'requires_capture', amountCapturable: 700 })
    expect(await send(`POST payment-intents/${intent.id}/capture`, { amountToCapture: 500 })).toMatchObject({
      status: 'succeeded',
      amountReceived: 500,
    })
    expect(await send('POST refunds', { paymentIntent: intent.id, amount: 200 })).toMatchObject({ amount: 200 })
    await practice.stranger.fetchJson('PUT /dev/payments/behavior', { answers: 'timeout_after_success', times: 1 })
    const again = () => send('POST refunds', { paymentIntent: intent.id, amount: 50 }, { 'idempotency-key': 'lost' })
    expect(await again()).toMatchObject({ status: 502, code: 'outcome_unknown' })
    expect(await again()).toMatchObject({ status: 'succeeded', amount: 50 })
    const refunds = await send(`GET refunds?paymentIntent=${intent.id}`)
    expect(refunds.items.map(({ amount }: { amount: number }) => amount)).toEqual([50, 200])
    expect(await send('POST refunds', { paymentIntent: intent.id, amount: 251 })).toMatchObject({
      status: 422,
      errors: [{ path: 'amount' }],
    })
    expect(await send('POST payment-intents', { ...payment, paymentMethod: 'pm_card_chargeDeclined' })).toMatchObject({
      status: 402,
      code: 'card_declined',
      paymentIntentId: expect.stringContaining('pi_'),
    })
    const { items } = await send('GET events?limit=100')
    expect(items.map(({ type }: { type: string }) => type)).toContain('charge.refunded')
  } finally {
    await practice.close()
  }
})

test('GTW-42 GTW-16 each call is one request in the usage of the organization, also a refused one', async () => {
  const usage = async () => {
    await world.provided.ledger.settled()
    return world.database.sql<
      { family: string; unit: string; user_id: string; application_id: string; metadata: object }[]
    >`
      SELECT family, unit, quantity::int, user_id, application_id, metadata FROM gateway.usage_logs
      WHERE organization_id = ${world.ada.things.organizations} AND metadata->>'operation' = 'createProviderRefund'`
  }
  const before = (await usage()).length
  await refund({ 'x-delegated-user-id': world.ada.id, 'x-application-id': 'platform-pay' })
  stripe.answer(() => failure(400, { code: 'charge_already_refunded' }))
  await refund()
  const rows = await usage()
  expect(rows).toHaveLength(before + 2)
  expect(rows).toContainEqual({
    family: 'requests',
    unit: 'request',
    quantity: 1,
    user_id: world.ada.id,
    application_id: 'platform-pay',
    metadata: { operation: 'createProviderRefund' },
  } as never)
  const stranger = await refund({ 'x-delegated-user-id': world.mallory.id })
  expect([stranger.status, (await stranger.json()).code]).toEqual([403, 'delegation_refused'])
})

test('GTW-42 GTW-01 the organization’s own key is used at its own address, and a test call never uses the live one', async () => {
  const { ada } = world
  const other = await openStripe()
  const credential = {
    label: 'main',
    baseUrl: other.url,
    secret: { apiKey: 'sk_live_of_acme', webhookSecret: 'whsec_1234' },
  }
  try {
    await ada.fetchJson('PUT /api/credentials/stripe', credential)
    expect((await refund()).status).toBe(200)
    expect(other.requests[0]?.headers.get('authorization')).toBe('Bearer sk_live_of_acme')
    await refund({ 'x-test-mode': 'true' })
    expect([stripe.requests.length, other.requests.length]).toEqual([1, 1])
    expect(await ada.fetchJson('POST /api/credentials/stripe/check', {})).toMatchObject({ healthy: true })
    other.answer(() => failure(401, { message: 'Invalid API Key' }))
    expect(await ada.fetchJson('POST /api/credentials/stripe/check', {})).toMatchObject({
      healthy: false,
      error: 'stripe rejected the key (401).',
    })
    await other.stop()
    expect(await ada.fetchJson('POST /api/credentials/stripe/check', {})).toMatchObject({
      healthy: false,
      error: expect.stringMatching(/ can’t be reached \(ECONNREFUSED\)\.$/),
    })
  } finally {
    await ada.fetch('DELETE /api/credentials/stripe')
    await other.stop()
  }
})

test('GTW-42 GTW-03 while a key is rotated, a call that Stripe rejects with the new one is made with the old one', async () => {
  const { ada } = world
  const next = 'sk_live_next'
  const keys = () => stripe.requests.map(({ headers }) => headers.get('authorization')?.replace('Bearer ', ''))
  await ada.fetchJson('PUT /api/credentials/stripe', {
    label: 'main',
    baseUrl: stripe.url,
    secret: { apiKey: 'sk_live_first' },
  })
  await ada.fetchJson('POST /api/credentials/stripe/rotate', { secret: { apiKey: next } })
  stripe.requests.length = 0
  stripe.answer(({ headers }) => (headers.get('authorization')?.endsWith(next) ? failure(401, {}) : undefined))
  expect((await refund({ 'idempotency-key': 'k-2' })).status).toBe(200)
  expect(keys()).toEqual([next, 'sk_live_first'])
  expect(new Set(stripe.requests.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
  await ada.fetch('DELETE /api/credentials/stripe')
})

test('GTW-42 GTW-03 error of a call that is made with the old key doesn’t contain it', async () => {
  const { ada } = world
  const [old, next] = ['sk_live_older', 'sk_live_newer']
  await ada.fetchJson('PUT /api/credentials/stripe', { label: 'main', baseUrl: stripe.url, secret: { apiKey: old } })
  await ada.fetchJson('POST /api/credentials/stripe/rotate', { secret: { apiKey: next } })
  stripe.answer(({ headers }) =>
    headers.get('authorization')?.endsWith(next)
      ? failure(401, {})
      : failure(400, { type: 'invalid_request_error', message: `The key ${old} can’t do this.` }),
  )
  const refused = await refund({ 'idempotency-key': 'k-3' })
  expect([refused.status, (await refused.json()).detail]).toEqual([422, 'The key … can’t do this.'])
  await ada.fetch('DELETE /api/credentials/stripe')
})
