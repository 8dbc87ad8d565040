import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT, type JWTHeaderParameters } from 'jose'
import { serviceTokens } from '#identity'
import { newId } from '#lib/ids.ts'
import { sign } from '../../src/identity/tokens/signing-keys.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { bearer, json, startIdentity, type IdentityServer } from './server.tsx'

// Tokens of the wrong kind, key or issuer: each is refused like an unknown one.

let database: TestDatabase
let server: IdentityServer
/** A valid token and its parts. */
let good: string
let header: Record<string, unknown>
let claims: Record<string, unknown>

beforeAll(async () => {
  database = await freshDatabase()
  server = await startIdentity(database.url)
  const person = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada', createOrganization: true }
  good = (await json(await server.fetch('POST /register', person))).accessToken
  const [head = '', body = ''] = good.split('.')
  header = decoded(head)
  claims = decoded(body)
})

afterAll(async () => {
  await server.stop()
  await database.drop()
})

const decoded = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString())
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const statusOf = async (token: string, route = 'GET /validate') =>
  (await server.fetch(route, undefined, bearer(token))).status

const publicKey = async () => (await json(await server.fetch('GET /.well-known/jwks.json'))).keys[0]
const store = () => ({ db: server.database.db, secrets: server.secrets, now: () => new Date() })

/** The same claims with another header, signed with the attacker's key. */
async function forged(more: Record<string, unknown>): Promise<string> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
  const protectedHeader: JWTHeaderParameters = { ...header, alg: 'EdDSA', ...more }
  return new SignJWT(claims).setProtectedHeader(protectedHeader).sign(privateKey)
}

test('IDN-05 token that the other tests alter is valid', async () => {
  expect(await statusOf(good)).toBe(200)
})

test('IDN-05 token without a signature is rejected, in every spelling of "none"', async () => {
  const [, body = '', signature = ''] = good.split('.')
  for (const alg of ['none', 'None', 'NONE', 'nOnE', '']) {
    expect(await statusOf(`${encoded({ ...header, alg })}.${body}.`)).toBe(401)
    expect(await statusOf(`${encoded({ ...header, alg })}.${body}.${signature}`)).toBe(401)
  }
  expect(await statusOf(good.slice(0, good.lastIndexOf('.') + 1))).toBe(401)
})

test('IDN-05 token signed with the public key as a secret is rejected', async () => {
  const { x } = await publicKey()
  const jwk = { kty: 'OKP', crv: 'Ed25519', x }
  for (const secret of [x, Buffer.from(x, 'base64url'), JSON.stringify(jwk)]) {
    const text = `${encoded({ ...header, alg: 'HS256' })}.${encoded(claims)}`
    expect(await statusOf(`${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`)).toBe(401)
  }
})

test('IDN-05 key embedded in the token or at a URL in the token is not used', async () => {
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const jwk = await exportJWK(pair.publicKey)
  const own = new SignJWT(claims).setProtectedHeader({ ...header, alg: 'EdDSA', jwk }).sign(pair.privateKey)
  expect(await statusOf(await own)).toBe(401)
  let requested = 0
  const elsewhere = Bun.serve({ port: 0, fetch: () => Response.json({ keys: [jwk], asked: (requested += 1) }) })
  expect(await statusOf(await forged({ jku: elsewhere.url.href }))).toBe(401)
  expect(await statusOf(await forged({ x5u: elsewhere.url.href }))).toBe(401)
  expect(requested).toBe(0)
  await elsewhere.stop(true)
})

test('IDN-05 token with a wrong key id is rejected', async () => {
  const kids = [newId(), '../../etc/passwd', "' OR 1=1 --", '', null, 1, { kid: header['kid'] }, [header['kid']]]
  for (const kid of kids) {
    const [, body = '', signature = ''] = good.split('.')
    expect(await statusOf(`${encoded({ ...header, kid })}.${body}.${signature}`)).toBe(401)
  }
  expect(await statusOf(await forged({}))).toBe(401)
})

test('IDN-05 token with another audience, issuer, session or organization is rejected even with a valid signature', async () => {
  const { sid, org, sub } = claims
  const named = { aud: 'atrium', sub: String(sub), sid: String(sid), org: String(org) }
  expect(await statusOf(await sign(store(), named, 600))).toBe(200)
  expect(await statusOf(await sign(store(), { ...named, aud: 'elsewhere' }, 600))).toBe(401)
  expect(await statusOf(await sign(store(), { ...named, sid: newId() }, 600))).toBe(401)
  expect(await statusOf(await sign(store(), { ...named, org: newId() }, 600))).toBe(401)
  expect(await statusOf(await sign(store(), named, -1))).toBe(401)
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
  const foreign = { ...claims, iss: 'https://elsewhere.example' }
  const token = new SignJWT(foreign).setProtectedHeader({ ...header, alg: 'EdDSA' }).sign(pair.privateKey)
  expect(await statusOf(await token)).toBe(401)
})

test('IDN-40 IDN-45 service token is rejected on routes for people, and a person’s token on routes for services', async () => {
  const token = await serviceTokens(store(), 'platform-socialize')('platform-identity')
  expect(await statusOf(token)).toBe(200)
  for (const route of ['GET /api/auth/me', 'GET /api/auth/sessions', 'POST /api/auth/logout', 'GET /api/organizations'])
    expect(await statusOf(token, route)).toBe(403)
  expect(await statusOf(good, `GET /api/internal/users?ids=${newId()}`)).toBe(403)
  expect(await statusOf(good, 'GET /api/internal/has-accounts')).toBe(403)
  // Signed with identity's key and with a session id added: the claims of a person are ignored in a service token.
  const mixed = { aud: 'platform-identity', sub: 'platform-socialize', key: null, sid: String(claims['sid']) }
  const answer = await json(await server.fetch('GET /validate', undefined, bearer(await sign(store(), mixed, 300))))
  expect(answer).toMatchObject({ tokenType: 'service', organization: null, permissions: [] })
  // A service token with the audience of people's tokens.
  const odd = { aud: 'atrium', sub: 'platform-socialize', key: null }
  expect(await statusOf(await sign(store(), odd, 300))).toBe(401)
})

test('IDN-05 token is accepted only in the Authorization header, not in the query or body', async () => {
  for (const route of [`GET /api/auth/me?access_token=${good}`, `GET /api/auth/me?token=${good}`])
    expect((await server.fetch(route)).status).toBe(401)
  expect((await server.fetch('POST /validate', { access_token: good })).status).toBe(422)
})
