import { afterAll, beforeAll, expect, test } from 'bun:test'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose'
import { createAssertedTokens, generateServiceKey, rotateKeys } from '#identity'
import { openWorld, type World } from '../support/world.ts'

let world: World
/** Social, as it would authenticate from another machine. */
let pair: { publicKey: CryptoKey; privateKey: CryptoKey }
let serviceId: string
let keyId: string

beforeAll(async () => {
  world = await openWorld()
  pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  serviceId = world.serviceId
  const publicKey = await exportJWK(pair.publicKey)
  keyId = (await world.root.fetchJson<{ id: string }>(`POST /api/services/${serviceId}/keys`, { publicKey }, 201)).id
})

afterAll(() => world.close())

const path = '/api/internal/service-tokens'

interface Options {
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  audience?: string
  seconds?: number
  key?: CryptoKey | Uint8Array
}

/** A service's assertion with these deviations. */
const assertion = ({ claims, header, audience, seconds = 60, key = pair.privateKey }: Options = {}) =>
  new SignJWT({ jti: crypto.randomUUID(), iss: 'platform-socialize', sub: 'platform-socialize', ...claims })
    .setProtectedHeader({ alg: 'EdDSA', ...header })
    .setAudience(audience ?? 'http://localhost')
    .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
    .sign(key)

const present = (client_assertion: string, more: object = {}) =>
  world.stranger.fetch(`POST ${path}`, {
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion,
    ...more,
  })

const bearer = (text: string) => ({ authorization: `Bearer ${text}` })
const names = `GET /api/internal/users?ids=${crypto.randomUUID()}`

async function token(more: object = {}): Promise<string> {
  const answer = await present(await assertion(), more)
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { access_token: string }).access_token
}

test('IDN-40 service authenticates with its key pair and gets a five-minute token in the OAuth response format', async () => {
  const answer = await present(await assertion())
  const body = (await answer.json()) as { access_token: string }
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 300 })
  const validation = await world.stranger.fetch('GET /validate', undefined, bearer(body.access_token))
  expect(await validation.json()).toMatchObject({
    tokenType: 'service',
    service: 'platform-socialize',
    audience: 'platform-identity',
    principal: { principalType: 'service' },
    organization: null,
    permissions: [],
  })
  expect((await world.stranger.fetch(names, undefined, bearer(body.access_token))).status).toBe(200)
})

test('IDN-40 token for one service is rejected by another', async () => {
  const other = await token({ audience: 'platform-pay' })
  expect((await world.stranger.fetch(names, undefined, bearer(other))).status).toBe(401)
  expect((await present(await assertion(), { audience: 'platform-nowhere' })).status).toBe(404)
})

test('IDN-40 assertion works once, even when sent a hundred times at the same time', async () => {
  const one = await assertion()
  const statuses = await Promise.all(Array.from({ length: 100 }, async () => (await present(one)).status))
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => status === 401)).toHaveLength(99)
  expect(await (await present(one)).json()).toMatchObject({ code: 'invalid_client', error: 'invalid_client' })
})

test('IDN-40 assertion with a wrong audience, lifetime, issuer or key id, or without an id, is rejected', async () => {
  const cases: Options[] = [
    { audience: 'https://elsewhere.example' },
    { seconds: 3600 },
    { seconds: -120 },
    { claims: { jti: undefined } },
    { claims: { nbf: Math.floor(Date.now() / 1000) + 600 } },
    { claims: { iss: 'platform-pay' } },
    { claims: { iss: 'platform-pay', sub: 'platform-pay' } },
    { header: { kid: 'another' } },
  ]
  for (const options of cases) expect((await present(await assertion(options))).status).toBe(401)
})

test('IDN-40 assertion that is unsigned, signed with another key, or signed with the public key as a secret is rejected', async () => {
  const stranger = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
  expect((await present(await assertion({ key: stranger.privateKey }))).status).toBe(401)
  const { x = '' } = await exportJWK(pair.publicKey)
  const secret = Buffer.from(x, 'base64url')
  expect((await present(await assertion({ header: { alg: 'HS256' }, key: secret }))).status).toBe(401)
  const [, claims = ''] = (await assertion()).split('.')
  const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`
  expect((await present(none)).status).toBe(401)
  for (const junk of ['', 'a.b.c', 'x'.repeat(4000)]) expect((await present(junk)).status).toBe(401)
})

test('IDN-40 registration of a private key is rejected, and a key belongs to one service', async () => {
  const other = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const route = `POST /api/services/${serviceId}/keys`
  const secret = await world.root.fetch(route, { publicKey: await exportJWK(other.privateKey) })
  expect(secret.status).toBe(422)
  expect(JSON.stringify(await secret.json())).toContain('private key')
  const again = await world.root.fetch(route, { publicKey: await exportJWK(pair.publicKey) })
  expect(await again.json()).toMatchObject({ status: 409, code: 'key_exists' })
})

test('IDN-40 revoked service key invalidates its tokens on the next request', async () => {
  const living = await token()
  expect((await world.stranger.fetch(names, undefined, bearer(living))).status).toBe(200)
  await world.root.fetchJson(`DELETE /api/services/${serviceId}/keys/${keyId}`, undefined, 200)
  expect((await world.stranger.fetch(names, undefined, bearer(living))).status).toBe(401)
  expect((await present(await assertion())).status).toBe(401)
})

test('IDN-40 process uses a service key created on the command line and reuses a token for most of its lifetime', async () => {
  const { db } = world.database
  const key = JSON.parse(await generateServiceKey(db, 'platform-pay', new Date()))
  let requested = 0
  const now = { ahead: 0 }
  const tokens = createAssertedTokens({
    slug: 'platform-pay',
    key,
    baseUrl: 'http://localhost',
    now: () => new Date(Date.now() + now.ahead),
    fetch: async (request) => {
      requested += 1
      return world.stranger.fetch(`POST ${path}`, Object.fromEntries(new URLSearchParams(await request.text())))
    },
  })
  const [one, same] = await Promise.all([tokens('platform-identity'), tokens('platform-identity')])
  expect(same).toBe(one)
  expect(requested).toBe(1)
  expect((await world.stranger.fetch(names, undefined, bearer(one))).status).toBe(200)
  now.ahead = 241_000
  // The process's clock is ahead here, so identity may refuse the second token; only the request counts.
  await tokens('platform-identity').catch(() => {})
  expect(requested).toBe(2)
})

interface Keys {
  keys: { kid: string }[]
}

const kidOf = (text: string): string => JSON.parse(Buffer.from(text.split('.')[0] ?? '', 'base64url').toString()).kid

test('IDN-03 signing key is replaced after a month, its successor is published a day ahead, and the previous key still verifies its tokens', async () => {
  const { database, provided } = world
  const day = 24 * 60 * 60 * 1000
  const listed = async () =>
    (await world.stranger.fetchJson<Keys>('GET /.well-known/jwks.json')).keys.map(({ kid }) => kid)
  const rotate = (ahead: number) =>
    rotateKeys.run({ ...provided, input: {}, now: () => new Date(Date.now() + ahead), database })
  const [first] = await listed()
  await rotate(0)
  expect(await listed()).toEqual([first ?? ''])
  await Promise.all([rotate(30 * day), rotate(30 * day), rotate(30 * day)])
  const both = await listed()
  expect(both).toHaveLength(2)
  const signIn = async () => {
    const body = { email: world.ada.email, password: 'correct horse battery' }
    return kidOf((await world.stranger.fetchJson<{ accessToken: string }>('POST /api/auth/login', body)).accessToken)
  }
  expect(await signIn()).toBe(first ?? '')
  // More than a month passes in the database, since the clock of the world is fixed.
  await database.sql`UPDATE identity.signing_keys SET signs_from = signs_from - interval '31 days 2 hours'`
  await rotate(0)
  expect(await listed()).toHaveLength(1)
})
