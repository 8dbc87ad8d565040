import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Stripe from 'stripe'
import { charge, newSecretKey, openPayments, refusalOf, type Payments } from './practice-payments-client.ts'

let payments: Payments

beforeAll(async () => {
  payments = await openPayments()
})
afterAll(() => payments.stop())

test('the current account is that of the key, the same for two keys of one account, and a connected one for its header', async () => {
  const key = newSecretKey()
  const { id } = await payments.stripeOf(`${key}_1`).accounts.retrieveCurrent()
  expect(id).toMatch(/^acct_\w+$/)
  expect((await payments.stripeOf(`${key}_2`).accounts.retrieveCurrent()).id).toBe(id)
  expect((await payments.stripeOf().accounts.retrieveCurrent()).id).not.toBe(id)
  const connected = await payments.stripeOf(key).accounts.retrieveCurrent({}, { stripeAccount: 'acct_cafe' })
  expect(connected.id).toBe('acct_cafe')
})

test('request with an Idempotency-Key is executed once, also when it is declined or sent twenty times at once', async () => {
  const key = newSecretKey()
  const stripe = payments.stripeOf(key)
  const create = (name: string) => stripe.products.create({ name }, { idempotencyKey: 'a' })
  const first = await create('Latte')
  const headers = { 'idempotency-key': 'a' }
  const again = await payments.send('/v1/products', { key, headers, fields: { name: 'Latte' } })
  expect(await again.json()).toMatchObject({ id: first.id })
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.headers.get('original-request')).toBe(first.lastResponse.requestId)
  expect(await refusalOf(create('Mocha'))).toMatchObject({ statusCode: 400, type: 'StripeIdempotencyError' })

  const pay = () =>
    stripe.paymentIntents.create(
      { amount: 500, currency: 'usd', confirm: true, payment_method: 'pm_card_chargeDeclined' },
      { idempotencyKey: 'b' },
    )
  const declined = await refusalOf(pay())
  const replayed = await refusalOf(pay())
  expect([replayed.code, replayed.payment_intent?.id]).toEqual(['card_declined', declined.payment_intent?.id])
  expect((await stripe.charges.list()).data.length).toBe(1)

  const paid = await charge(stripe, 1000)
  const refund = () => stripe.refunds.create({ payment_intent: paid.id, amount: 300 }, { idempotencyKey: 'c' })
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () =>
      refund().then(
        ({ id }) => id,
        (error: Stripe.errors.StripeError) => error.code,
      ),
    ),
  )
  const ids = new Set(outcomes.filter((outcome) => outcome !== 'idempotency_key_in_use'))
  expect(ids.size).toBe(1)
  expect((await stripe.refunds.list({ payment_intent: paid.id })).data.map(({ id }) => id)).toEqual(
    [...ids].map(String),
  )
})

test('parameters that failed validation can be corrected under the same Idempotency-Key', async () => {
  const stripe = payments.stripeOf()
  const pay = (amount: number) =>
    stripe.paymentIntents.create({ amount, currency: 'usd' }, { idempotencyKey: 'corrected' })
  expect(await refusalOf(pay(-1))).toMatchObject({ statusCode: 400 })
  expect(await pay(100)).toMatchObject({ status: 'requires_payment_method' })
})

test.each(['timeout_after_success', 'fail'] as const)('behavior %s: a retry makes the change once', async (answers) => {
  const key = newSecretKey()
  const stripe = payments.stripeOf(key, { timeout: 1500, maxNetworkRetries: 5 })
  await payments.behave({ answers, times: 1, apiKey: key })
  const intent = await charge(stripe, 700)
  expect(intent.status).toBe('succeeded')
  expect((await stripe.charges.list()).data.length).toBe(1)
})

test('lists have cursors in both directions, a limit, and filters by time and fields', async () => {
  const stripe = payments.stripeOf()
  const made: string[] = []
  for (const name of ['a', 'b', 'c', 'd'])
    made.unshift((await stripe.products.create({ name, active: name !== 'd' })).id)
  const names = async (params: Stripe.ProductListParams) => {
    const { data, has_more } = await stripe.products.list(params)
    return [data.map((each) => each.name).join(''), has_more]
  }
  expect(await names({ limit: 2 })).toEqual(['dc', true])
  expect(await names({ limit: 2, starting_after: made[1] })).toEqual(['ba', false])
  expect(await names({ limit: 2, ending_before: made[3] })).toEqual(['cb', true])
  expect(await names({ active: true })).toEqual(['cba', false])
  expect(await names({ created: { gt: Math.floor(Date.now() / 1000) + 60 } })).toEqual(['', false])
  expect(await names({ ids: [made[0] ?? ''] })).toEqual(['d', false])
  const all: string[] = []
  for await (const product of stripe.products.list({ limit: 1 })) all.push(product.id)
  expect(all).toEqual(made)
  expect(await refusalOf(stripe.products.list({ starting_after: 'prod_unknown' }))).toMatchObject({
    code: 'resource_missing',
    param: 'starting_after',
  })
})

test('metadata is merged: an empty value deletes its key, an empty text all keys', async () => {
  const stripe = payments.stripeOf()
  const { id } = await stripe.customers.create({ metadata: { a: '1', b: '2', '0': 'zero' } })
  expect((await stripe.customers.update(id, { metadata: { b: '', c: '3' } })).metadata).toEqual({
    a: '1',
    c: '3',
    '0': 'zero',
  })
  expect((await stripe.customers.update(id, { metadata: '' })).metadata).toEqual({})
  await stripe.customers.del(id)
  expect(await stripe.customers.retrieve(id)).toMatchObject({ id, deleted: true })
})

test('keys of one account see the same objects, and keys of another account none', async () => {
  const account = newSecretKey()
  const { id } = await payments.stripeOf(`${account}_old`).products.create({ name: 'Shared' })
  expect((await payments.stripeOf(`${account}_new`).products.retrieve(id)).id).toBe(id)
  expect(await refusalOf(payments.stripeOf().products.retrieve(id))).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
    message: `No such product: '${id}'`,
  })
})

describe('refusals have Stripe’s format', () => {
  const refusals: [string, string, RequestInit & { key?: string; fields?: Record<string, string> }, number, object][] =
    [
      [
        'unknown parameter',
        '/v1/products',
        { fields: { name: 'a', color: 'red' } },
        400,
        { code: 'parameter_unknown', param: 'color' },
      ],
      [
        'unknown nested parameter',
        '/v1/customers',
        { fields: { 'address[planet]': 'Mars' } },
        400,
        { param: 'address[planet]' },
      ],
      [
        'missing parameter',
        '/v1/products',
        { fields: { active: 'true' } },
        400,
        { code: 'parameter_missing', param: 'name' },
      ],
      ['empty parameter', '/v1/products', { fields: { name: '' } }, 400, { code: 'parameter_invalid_empty' }],
      [
        'no integer',
        '/v1/payment_intents',
        { fields: { amount: '1.5', currency: 'eur' } },
        400,
        { code: 'parameter_invalid_integer' },
      ],
      [
        'amount too small',
        '/v1/payment_intents',
        { fields: { amount: '49', currency: 'eur' } },
        400,
        { code: 'amount_too_small' },
      ],
      [
        'unknown currency',
        '/v1/payment_intents',
        { fields: { amount: '500', currency: 'xyz' } },
        400,
        { param: 'currency' },
      ],
      [
        'currency that Stripe doesn’t have',
        '/v1/payment_intents',
        { fields: { amount: '500', currency: 'clf' } },
        400,
        { param: 'currency' },
      ],
      [
        'amount of three decimals',
        '/v1/payment_intents',
        { fields: { amount: '5125', currency: 'kwd' } },
        400,
        { param: 'amount' },
      ],
      ['wrong choice', '/v1/refunds', { fields: { reason: 'bored' } }, 400, { param: 'reason' }],
      ['unknown path', '/v1/unicorns', {}, 404, { type: 'invalid_request_error' }],
      ['unknown expansion', '/v1/balance?expand[]=unicorn', {}, 400, { code: 'property_not_expandable' }],
      [
        'JSON',
        '/v1/products',
        { method: 'POST', body: '{"name":"a"}', headers: { 'content-type': 'application/json' } },
        400,
        {},
      ],
      ['no key', '/v1/products', { headers: { authorization: '' } }, 401, { type: 'invalid_request_error' }],
      ['live key', '/v1/products', { key: 'sk_live_123456' }, 401, {}],
      ['revoked key', '/v1/products', { key: 'sk_test_invalid1' }, 401, {}],
      ['unknown version', '/v1/products', { headers: { 'stripe-version': '2099-01-01' } }, 400, {}],
    ]
  test.each(refusals)('%s', async (_, path, init, status, error) => {
    const response = await payments.send(path, init)
    expect(response.status).toBe(status)
    expect(response.headers.get('request-id')).toStartWith('req_')
    expect(await response.json()).toMatchObject({
      error: { type: 'invalid_request_error', message: expect.any(String), ...error },
    })
  })
})

test('Basic authentication with the key as user name is accepted', async () => {
  const authorization = `Basic ${btoa(`${newSecretKey()}:`)}`
  expect((await payments.send('/v1/balance', { headers: { authorization } })).status).toBe(200)
})
