import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openStripe, type StripeServer } from '../gateway/stripe/server.ts'
import { openWorld, type KeyCaller, type World } from '../support/world.ts'
import { coffee } from './shop.ts'

const scopes = ['payments.read', 'payments.create']

const deployed = {
  PUBLIC_URL: 'https://atrium.example',
  PAY_APP_URL: 'https://pay.atrium.example',
  SMTP_URL: 'smtp://127.0.0.1:9',
  SECRETS_KEY: '6f1e0c7a93bd45e8a27c61f0d94b38e5517ac2f86e03db9147a5c0e2b8d7f631',
  BLUESKY_RESOLVER_URL: 'http://127.0.0.1:9',
  PLC_DIRECTORY_URL: 'http://127.0.0.1:9',
}

let world: World
let stripe: StripeServer

beforeAll(async () => {
  stripe = await openStripe()
  world = await openWorld()
})
afterAll(async () => {
  await world.close()
  await stripe.stop()
})

const keysOf = async ({ ada }: World) => {
  const own = { service: 'platform-pay', scopes }
  return { test: await ada.createKey({ ...own, mode: 'test' }), live: await ada.createKey(own) }
}

const orderOf = (key: KeyCaller) => key.fetch('POST /api/orders', coffee)

async function expectRefused(key: KeyCaller): Promise<void> {
  for (const response of [await key.fetch('GET /api/orders'), await orderOf(key)])
    expect([response.status, await response.json()]).toMatchObject([
      403,
      {
        code: 'test_key_not_allowed',
        detail: 'Test keys can’t be used here: this data is live. Use a live key.',
      },
    ])
}

test('PAY-30 IDN-36 test key creates orders with the practice provider, and is refused once the account is live', async () => {
  const keys = await keysOf(world)
  expect((await orderOf(keys.test)).status).toBe(201)
  const own = { label: 'main', baseUrl: stripe.url, secret: { apiKey: 'sk_live_of_acme' } }
  await world.ada.fetchJson('PUT /api/credentials/stripe', own)
  await expectRefused(keys.test)
  expect((await orderOf(keys.live)).status).toBe(201)
  await world.ada.fetch('DELETE /api/credentials/stripe')
  expect((await orderOf(keys.test)).status).toBe(201)
})

test.each(['production', 'staging'])('PAY-30 IDN-36 test key in %s', async (ATRIUM_ENV) => {
  const server = await openWorld({ env: { ...deployed, ATRIUM_ENV } })
  try {
    const keys = await keysOf(server)
    if (ATRIUM_ENV === 'production') await expectRefused(keys.test)
    else expect((await orderOf(keys.test)).status).toBe(201)
    expect((await orderOf(keys.live)).status).toBe(201)
  } finally {
    await server.close()
  }
})

test('PAY-30 IDN-36 test key doesn’t reach the gateway’s payment operations', async () => {
  const { test: key } = await keysOf(world)
  const refused = await key.fetch('GET /platform/payments/balance', undefined, {
    'x-organization-id': world.ada.things.organizations,
  })
  expect([refused.status, (await refused.json()).code]).toEqual([403, 'permission_missing'])
})
