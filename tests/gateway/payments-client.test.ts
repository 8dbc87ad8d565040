import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { Problem } from '#lib/errors.ts'
import { writeOutcomeOf, type PaymentsClient } from '#gateway'
import { openWorld, type World } from '../support/world.ts'
import { failure, openStripe, type StripeServer } from './stripe/server.ts'

let world: World
let stripe: StripeServer
let payments: PaymentsClient
let organizationId: string

beforeAll(async () => {
  stripe = await openStripe()
  world = await openWorld({ env: { PAYMENTS_URL: stripe.url } })
  payments = world.provided.gateway.payments
  organizationId = world.ada.things.organizations
})
beforeEach(() => {
  stripe.requests.length = 0
  stripe.answer(() => undefined)
})
afterAll(async () => {
  await world.close()
  await stripe.stop()
})

const refund = () =>
  payments.createRefund({ organizationId, idempotencyKey: 'r-1', paymentIntent: 'pi_1', amount: 200 })

const problemOf = (promise: Promise<unknown>): Promise<Problem> =>
  promise.then(
    () => Promise.reject(new Error('It didn’t fail')),
    (error: unknown) => (error instanceof Problem ? error : Promise.reject(error as Error)),
  )

test('GTW-42 a payment is written for the organization with our key, and its times are dates', async () => {
  const created = await payments.createPaymentIntent({
    organizationId,
    idempotencyKey: 'p-1',
    amount: 700,
    currency: 'EUR',
    metadata: { paymentId: 'p-1' },
  })
  expect(created).toMatchObject({ id: 'pi_1', currency: 'EUR', createdAt: new Date(1_795_000_000_000) })
  expect(stripe.requests[0]?.headers.get('idempotency-key')).toBe(`${organizationId}:p-1`)
  expect(Object.fromEntries(new URLSearchParams(stripe.requests[0]?.form))).toEqual({
    amount: '700',
    currency: 'eur',
    'metadata[paymentId]': 'p-1',
  })
})

test('GTW-42 the ID is in the path, other fields of a read in the query, and of a write in the body', async () => {
  await payments.capturePaymentIntent({ organizationId, idempotencyKey: 'c-1', id: 'pi_1', amountToCapture: 350 })
  const { items } = await payments.listEvents({ organizationId, limit: 2, types: ['charge.refunded'] })
  await payments.deleteWebhookEndpoint({ organizationId, idempotencyKey: 'd-1', id: 'we_1' })
  expect(items[0]?.createdAt).toBeInstanceOf(Date)
  expect(stripe.requests.map(({ name, form }) => `${name} ${decodeURIComponent(form)}`.trim())).toEqual([
    'POST /v1/payment_intents/:id/capture amount_to_capture=350',
    'GET /v1/events limit=2&types[0]=charge.refunded',
    'DELETE /v1/webhook_endpoints/:id',
  ])
})

test('GTW-42 a decline keeps its code and members for the payment service', async () => {
  stripe.answer(() =>
    failure(402, {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
      payment_intent: { id: 'pi_9', object: 'payment_intent' },
    }),
  )
  const problem = await problemOf(refund())
  expect(problem).toMatchObject({ status: 402, code: 'card_declined', message: 'Your card has insufficient funds.' })
  expect(problem.options.members).toMatchObject({ declineCode: 'insufficient_funds', paymentIntentId: 'pi_9' })
  expect(writeOutcomeOf(problem)).toBe('refused')
})

test.each([
  ['an invalid field', failure(400, { code: 'parameter_invalid_integer', param: 'amount' }), 422, 'refused'],
  ['a missing object', failure(404, { code: 'resource_missing', param: 'id' }), 404, 'refused'],
  ['a reused key', failure(400, { type: 'idempotency_error' }), 409, 'refused'],
  ['a rate limit', failure(429, {}), 429, 'refused'],
  ['a rejected key', failure(401, {}), 502, 'refused'],
  ['a key in use', failure(409, { code: 'idempotency_key_in_use' }), 409, 'unknown'],
  ['an internal error', failure(500, { type: 'api_error' }), 502, 'unknown'],
  ['a foreign answer', new Response('<h1>Bad gateway</h1>', { status: 502 }), 502, 'unknown'],
] as const)('GTW-42 outcome of a write after %s', async (_, answer, status, outcome) => {
  stripe.answer(() => answer.clone())
  const problem = await problemOf(refund())
  expect([problem.status, writeOutcomeOf(problem)]).toEqual([status, outcome])
})

test('GTW-42 the outcome of a write is unknown when the gateway can’t be used or something else fails', async () => {
  const lost = new Problem(503, 'gateway_unavailable', 'The gateway isn’t available.')
  const late = new Problem(504, 'provider_timed_out', 'Late.')
  const undone = new Problem(503, 'busy', 'Busy.', { nothingDone: true })
  expect([lost, late, new Error('Broken'), undone].map(writeOutcomeOf)).toEqual([
    'unknown',
    'unknown',
    'unknown',
    'refused',
  ])
})
