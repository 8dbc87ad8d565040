import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { openWorld, type World } from '../support/world.ts'
import { failure, openStripe, type StripeServer } from './stripe/server.ts'

/** Stripe as the platform’s credential reaches it, and a server of an organization. */
let platform: StripeServer
let own: StripeServer
let world: World

const accountOf = (id: string) => () => Response.json({ id, object: 'account' })
const asAccount =
  (id: string): Parameters<StripeServer['answer']>[0] =>
  ({ name }) =>
    name === 'GET /v1/account' ? accountOf(id)() : undefined

const putKey = (level: 'organization' | 'platform', apiKey: string) =>
  (level === 'platform' ? world.root : world.ada).fetchJson('PUT /api/credentials/stripe', {
    level,
    label: level,
    baseUrl: level === 'platform' ? platform.url : own.url,
    secret: { apiKey },
  })
const dropKey = () => world.ada.fetch('DELETE /api/credentials/stripe')

const readAccount = () => world.payments.fetchJson<Record<string, string>>('GET /platform/payments/account')
async function send(account: string | null, route = 'GET /platform/payments/refunds/re_1', body?: object) {
  const response = await world.payments.fetch(route, body, account === null ? {} : { 'x-payment-account': account })
  const { code, detail } = await response.json()
  return { status: response.status, code, detail }
}
const namesAt = (server: StripeServer) => server.requests.map(({ name }) => name)

beforeAll(async () => {
  platform = await openStripe()
  own = await openStripe()
  platform.answer(asAccount('acct_Platform1'))
  own.answer(asAccount('acct_Own1'))
  world = await openWorld()
  await putKey('platform', 'sk_live_platform')
})
afterEach(async () => {
  await dropKey()
  own.answer(asAccount('acct_Own1'))
  platform.requests.length = 0
  own.requests.length = 0
})
afterAll(async () => {
  await world.close()
  await Promise.all([platform.stop(), own.stop()])
})

test('GTW-42 the account of a key is asked once, and again for another key', async () => {
  await putKey('organization', 'sk_live_first')
  expect(await readAccount()).toEqual({
    provider: 'stripe',
    level: 'organization',
    mode: 'live',
    accountKey: 'organization:acct_Own1',
  })
  for (let calls = 0; calls < 3; calls += 1) expect(await send('organization:acct_Own1')).toMatchObject({ status: 200 })
  expect(namesAt(own)).toEqual(['GET /v1/account', ...Array(3).fill('GET /v1/refunds/:id')])
  own.answer(asAccount('acct_Own2'))
  await putKey('organization', 'sk_test_second')
  // The sandbox of an account has other objects.
  expect((await readAccount())['accountKey']).toBe('organization:acct_Own2:test')
  expect(await send('organization:acct_Own2')).toMatchObject({ status: 409, code: 'provider_account_changed' })
})

test('GTW-42 what was made at the platform’s account continues there when the organization has its own key', async () => {
  const accountKey = (await readAccount())['accountKey'] ?? ''
  expect(accountKey).toBe('platform:acct_Platform1')
  await putKey('organization', 'sk_live_own')
  expect((await readAccount())['accountKey']).toBe('organization:acct_Own1')
  own.requests.length = 0
  platform.requests.length = 0
  const refund = { paymentIntent: 'pi_1', amount: 200 }
  expect(await send(accountKey, 'POST /platform/payments/refunds', refund)).toMatchObject({ status: 200 })
  expect(await send(null)).toMatchObject({ status: 200 })
  expect([namesAt(platform), namesAt(own)]).toEqual([['POST /v1/refunds'], ['GET /v1/refunds/:id']])
})

test('GTW-42 an account without its key is refused before anything is sent, and nothing goes to another one', async () => {
  const refund = { paymentIntent: 'pi_1', amount: 200 }
  for (const account of ['organization:acct_Own1', 'platform:acct_Platform2', 'platform:acct_Platform1:test']) {
    const refused = await send(account, 'POST /platform/payments/refunds', refund)
    expect(refused).toMatchObject({ status: 409, code: 'provider_account_changed' })
    expect(refused.detail).toContain('Nothing was sent')
  }
  await putKey('organization', 'sk_live_own')
  expect(await send('organization:acct_Other')).toMatchObject({ status: 409 })
  expect([...namesAt(platform), ...namesAt(own)].filter((name) => name !== 'GET /v1/account')).toEqual([])
})

test('GTW-42 a server that claims the platform’s account stays at the organization’s level', async () => {
  own.answer(asAccount('acct_Platform1'))
  await putKey('organization', 'sk_live_malicious')
  expect((await readAccount())['accountKey']).toBe('organization:acct_Platform1')
  own.requests.length = 0
  expect(await send('platform:acct_Platform1')).toMatchObject({ status: 200 })
  expect([namesAt(own), namesAt(platform)]).toEqual([[], ['GET /v1/refunds/:id']])
  await dropKey()
  platform.requests.length = 0
  expect(await send('organization:acct_Platform1')).toMatchObject({ status: 409, code: 'provider_account_changed' })
  expect(platform.requests).toHaveLength(0)
})

test('GTW-42 while keys of two accounts rotate, each request uses the key of its account', async () => {
  own.answer(({ name, headers }) =>
    name === 'GET /v1/account'
      ? accountOf(headers.get('authorization')?.endsWith('next') ? 'acct_Next' : 'acct_Own1')()
      : undefined,
  )
  await putKey('organization', 'sk_live_own')
  await world.ada.fetchJson('POST /api/credentials/stripe/rotate', { secret: { apiKey: 'sk_live_next' } })
  expect((await readAccount())['accountKey']).toBe('organization:acct_Next')
  for (const [account, key] of [
    ['organization:acct_Own1', 'Bearer sk_live_own'],
    ['organization:acct_Next', 'Bearer sk_live_next'],
  ] as const) {
    expect(await send(account)).toMatchObject({ status: 200 })
    expect(own.requests.at(-1)?.headers.get('authorization')).toBe(key)
  }
})

test('GTW-42 a rejected new key leaves payments at the old one, and two rejected keys are a clear problem', async () => {
  await putKey('organization', 'sk_live_own')
  await world.ada.fetchJson('POST /api/credentials/stripe/rotate', { secret: { apiKey: 'sk_live_next' } })
  own.answer((request) =>
    request.headers.get('authorization')?.endsWith('next') ? failure(401, {}) : asAccount('acct_Own1')(request),
  )
  expect((await readAccount())['accountKey']).toBe('organization:acct_Own1')
  await dropKey()
  await putKey('organization', 'sk_live_next')
  expect(await send('organization:acct_Own1')).toMatchObject({ status: 502, code: 'provider_key_rejected' })
})

test('GTW-42 a restricted key that can’t read its account is refused when it is tested and used', async () => {
  own.answer(({ name }) => (name === 'GET /v1/account' ? failure(403, {}) : undefined))
  await putKey('organization', 'rk_live_narrow')
  const checked = await world.ada.fetchJson('POST /api/credentials/stripe/check', {})
  expect(checked).toMatchObject({ healthy: false, error: expect.stringContaining('read access to accounts') })
  const used = await send('organization:acct_Own1')
  expect(used).toMatchObject({ status: 502, code: 'provider_key_rejected' })
  expect(used.detail).toContain('read access to accounts')
})

test.each([
  ['no account', () => Response.json({ id: 'cus_1', object: 'customer' })],
  ['an ID with other characters', accountOf('acct_1:test')],
])('GTW-42 %s in place of the account is a failure of the provider', async (_, answer) => {
  own.answer(({ name }) => (name === 'GET /v1/account' ? answer() : undefined))
  await putKey('organization', 'sk_live_odd')
  expect(await send('organization:acct_1')).toMatchObject({ status: 502, code: 'provider_failed' })
})

test('GTW-42 an account that isn’t one of getAccount is refused', async () => {
  for (const account of ['acct_1', 'owner:acct_1', 'platform:acct_1 ', `platform:acct_${'a'.repeat(250)}`, 'platform:'])
    expect(await send(account)).toMatchObject({ status: account.endsWith(' ') ? 409 : 422 })
})

test('PAY-33 platform names the platform’s account, whatever account the organization has', async () => {
  await putKey('organization', 'sk_live_first')
  const headers = { 'x-payment-account': 'platform' }
  const response = await world.payments.fetch('GET /platform/payments/account', undefined, headers)
  expect(await response.json()).toMatchObject({ level: 'platform', accountKey: 'platform:acct_Platform1' })
  own.requests.length = 0
  expect(await send('platform')).toMatchObject({ status: 200 })
  expect([own.requests.length, namesAt(platform).at(-1)]).toEqual([0, 'GET /v1/refunds/:id'])
})
