import Stripe from 'stripe'
import { z } from 'zod'
import { newPublisher } from '../../support/publisher.ts'
import { scaleTime } from '../../support/time-scale.ts'
import type { Chance } from './random.ts'
import { providerTimeoutMs, type Servers } from './servers.ts'

export interface Response {
  status: number
  // The engine reads few members of many responses.
  body: Record<string, unknown>
}

interface CallOptions {
  body?: object
  key?: string
}

/** An organization with an account of its own at the provider, whose programs call any of the servers. */
export interface Shop {
  organizationId: string
  apiKey: string
  /** The merchant’s own access to the account, as with the provider’s dashboard. */
  stripe: Stripe
  providerUrl: string
  /** With saved cards: one that succeeds, is declined, and has to be confirmed. */
  customerId: string
  cards: readonly string[]
  /** Of a random server. Null when the response was lost. */
  call(chance: Chance, route: string, options?: CallOptions): Promise<Response | null>
  /** Repeated with the same key until it has a response; null when that stays unknown. */
  create(chance: Chance, route: string, body: object): Promise<Response | null>
  /** Repeated until it succeeds. @throws after 30 s */
  read<Body>(chance: Chance, route: string): Promise<Body>
  behave(behavior: object): Promise<void>
  /** Responses that no fault of the provider explains. */
  faults: string[]
}

export async function openShop(servers: Servers, name: string): Promise<Shop> {
  const { urls, providerUrl } = servers
  const { token, organizationId } = await newPublisher(urls[0] ?? '')
  const apiKey = `sk_test_${name}${organizationId.replaceAll('-', '')}`
  const faults: string[] = []
  const call: Shop['call'] = async (chance, route, options = {}) => {
    const at = chance.pick(urls)
    const response = await send(at, token, route, options).catch(() => null)
    if (response && (response.status === 500 || isUnexpected(response)))
      faults.push(`${route} ${JSON.stringify(options.body)}: ${response.status} ${JSON.stringify(response.body)}`)
    return response
  }
  const shop: Shop = {
    organizationId,
    apiKey,
    providerUrl,
    customerId: '',
    cards: [],
    stripe: clientOf(providerUrl, apiKey),
    call,
    create: (chance, route, body) => createOnce(call, chance, route, body),
    read: (chance, route) => readUntil(call, chance, route),
    behave: (behavior) => behave(providerUrl, { ...behavior, apiKey }),
    faults,
  }
  const credential = { label: 'main', baseUrl: providerUrl, secret: { apiKey } }
  const stored = await send(urls[0] ?? '', token, 'PUT /api/credentials/stripe', { body: credential })
  if (stored.status >= 300) throw new Error(`The credential was refused: ${JSON.stringify(stored.body)}`)
  return { ...shop, ...(await saveCards(shop, (route, body) => send(urls[0] ?? '', token, route, { body }))) }
}

const savedCards = ['pm_card_visa', 'pm_card_chargeCustomerFail', 'pm_card_authenticationRequired']

async function saveCards({ stripe }: Shop, request: (route: string, body: object) => Promise<Response>) {
  const made = await request('POST /api/customers', { name: 'Regular' })
  const customerId = String(made.body['id'])
  await request(`POST /api/customers/${customerId}/setup-intents`, { mode: 'intent' })
  const [customer] = (await stripe.customers.list()).data
  for (const card of savedCards) await stripe.paymentMethods.attach(card, { customer: customer?.id ?? '' })
  const { body } = await request(`POST /api/customers/${customerId}/payment-methods/check`, {})
  const methods = z.object({ items: z.array(z.object({ id: z.string() })).length(savedCards.length) }).parse(body)
  return { customerId, cards: methods.items.map(({ id }) => id) }
}

/** Requests of the account wait for each other there, so that it can take long. */
async function behave(providerUrl: string, behavior: object): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const response = await fetch(`${providerUrl}/dev/payments/behavior`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(behavior),
    })
    const text = await response.text()
    if (response.ok) return
    if (tries === 5) throw new Error(`The provider refused a behavior: ${text}`)
  }
}

export function clientOf(providerUrl: string, apiKey: string): Stripe {
  const { hostname, port } = new URL(providerUrl)
  return new Stripe(apiKey, {
    host: hostname,
    port,
    protocol: 'http',
    maxNetworkRetries: 4,
    timeout: providerTimeoutMs,
    telemetry: false,
  })
}

async function send(at: string, token: string, route: string, { body, key }: CallOptions): Promise<Response> {
  const [method = '', path = ''] = route.split(' ')
  const response = await fetch(new URL(path, at), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
    signal: AbortSignal.timeout(scaleTime(20_000)),
  })
  const text = await response.text()
  return { status: response.status, body: text ? JSON.parse(text) : {} }
}

/** Validation of what the engine itself sends. */
const isUnexpected = ({ status, body }: Response): boolean =>
  [400, 401, 403, 404, 405, 415].includes(status) ||
  (status === 422 && !['provider_refused', 'refund_exceeds_captured'].includes(String(body['code'])))

const isUncertain = (response: Response | null): boolean =>
  response === null || response.status >= 500 || response.body['code'] === 'idempotency_in_progress'

const maxTries = 6

async function createOnce(call: Shop['call'], chance: Chance, route: string, body: object): Promise<Response | null> {
  const key = Bun.randomUUIDv7()
  // The same request can arrive at two servers at once.
  if (chance.happens(0.2)) void call(chance, route, { body, key })
  for (let tries = 0; tries < maxTries; tries += 1) {
    const response = await call(chance, route, { body, key })
    if (!isUncertain(response)) return response
    await Bun.sleep(100 * 2 ** tries)
  }
  return null
}

async function readUntil<Body>(call: Shop['call'], chance: Chance, route: string): Promise<Body> {
  const deadline = Date.now() + scaleTime(30_000)
  for (;;) {
    const response = await call(chance, route)
    if (response?.status === 200) return response.body as Body
    if (Date.now() > deadline) throw new Error(`${route} answered ${response?.status}`)
    await Bun.sleep(100)
  }
}
