import { afterAll, beforeAll, expect, test } from 'bun:test'
import { deleteExpired, serviceTokens, createSuperAdminLink } from '#identity'
import { lookUp } from '../../src/identity/tokens/validate.ts'
import { createValidationCache, createValidator } from '../../src/identity/tokens/validator.ts'
import { eventually } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { bearer, json, startIdentity, type IdentityServer } from './server.tsx'

let database: TestDatabase
let server: IdentityServer
let other: IdentityServer

beforeAll(async () => {
  database = await freshDatabase()
  ;[server, other] = await Promise.all([startIdentity(database.url), startIdentity(database.url)])
})

afterAll(async () => {
  await Promise.all([server.stop(), other.stop()])
  await database.drop()
})

const day = 24 * 60 * 60 * 1000
const password = 'correct horse battery'

async function signUp(headers: Record<string, string> = {}) {
  const email = `${crypto.randomUUID()}@example.com`
  const person = { email, password, name: 'Ada', createOrganization: true, organizationName: 'Acme' }
  const response = await server.fetch('POST /register', person, headers)
  return { email, cookies: response.headers.getSetCookie(), ...(await json(response)) }
}

const validate = (headers: Record<string, string>, at = server) => at.fetch('GET /validate', undefined, headers)
const refresh = async (refreshToken: string, at = server) => at.fetch('POST /api/auth/refresh', { refreshToken })

async function later<Result>(milliseconds: number, act: () => Promise<Result>): Promise<Result> {
  server.clock.ahead = other.clock.ahead = milliseconds
  return act().finally(() => (server.clock.ahead = other.clock.ahead = 0))
}

test('IDN-05 /validate describes an access token with GET and POST', async () => {
  const ada = await signUp()
  const answer = await json(await validate(bearer(ada.accessToken)))
  const social = await server.client.serviceId('platform-socialize')
  expect(answer).toMatchObject({
    valid: true,
    tokenType: 'access',
    context: 'organization',
    principal: { id: ada.user.id, principalType: 'user', launcherEligible: true },
    organization: { id: ada.organization.id, slug: ada.organization.slug, role: 'owner' },
  })
  expect(answer.permissions).toContain(`${social}.posts:write`)
  expect(answer.principal.principalServices).toContain(social)
  expect(Date.parse(answer.expiresAt)).toBeWithin(Date.now() + 590_000, Date.now() + 600_001)
  const posted = await server.fetch('POST /validate', undefined, bearer(ada.accessToken))
  expect(await json(posted)).toEqual(answer)
})

test.each([
  ['nothing', {}],
  ['garbage', { authorization: 'Bearer garbage' }],
  ['another scheme', { authorization: 'Basic YTpi' }],
  [
    'a token of an unknown key',
    { authorization: 'Bearer eyJhbGciOiJFZERTQSIsImtpZCI6IjAxOTIwMDAwLTAwMDAtNzAwMC04MDAwLTAwMDAwMDAwMDAwMCJ9.e30.AA' },
  ],
  ['an unsigned token', { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' }],
  ['an unknown cookie', { cookie: 'session=unknown' }],
])('IDN-05 /validate with %s returns 401', async (_, headers) => {
  const response = await validate(headers)
  expect(response.status).toBe(401)
  expect(await json(response)).toMatchObject({ code: 'invalid_token', status: 401, title: 'Unauthorized' })
})

test('IDN-05 token with altered content is rejected', async () => {
  const ada = await signUp()
  const [header, body = '', signature] = ada.accessToken.split('.')
  const claims = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), sub: crypto.randomUUID() }
  const forged = [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')
  expect((await validate(bearer(forged))).status).toBe(401)
})

test('IDN-03 access token expires after ten minutes', async () => {
  const { accessToken } = await signUp()
  expect(await later(599_000, async () => (await validate(bearer(accessToken))).status)).toBe(200)
  expect(await later(601_000, async () => (await validate(bearer(accessToken))).status)).toBe(401)
})

test('IDN-05 browser session is accepted from the cookie, and an explicit bearer token takes precedence', async () => {
  const ada = await signUp({ 'sec-fetch-site': 'same-origin' })
  const cookie = ada.cookies[0]?.split(';')[0] ?? ''
  expect(await json(await validate({ cookie }))).toMatchObject({
    tokenType: 'session',
    organization: { role: 'owner' },
  })
  expect((await validate({ cookie, authorization: 'Bearer garbage' })).status).toBe(401)
})

test('IDN-05 sign-out takes effect on the next request, on every server', async () => {
  const { accessToken, refreshToken } = await signUp()
  const presented = bearer(accessToken)
  for (const { client } of [server, other]) expect((await client.validate(presented)).tokenType).toBe('access')
  const out = await server.fetch('POST /api/auth/logout', undefined, presented)
  expect(out.status).toBe(200)
  await expect(server.client.validate(presented)).rejects.toMatchObject({ status: 401 })
  await Bun.sleep(50)
  await expect(other.client.validate(presented)).rejects.toMatchObject({ status: 401 })
  expect((await refresh(refreshToken)).status).toBe(401)
})

test('IDN-05 validation is cached until a revocation', async () => {
  const { accessToken } = await signUp()
  const presented = bearer(accessToken)
  const first = await server.client.validate(presented)
  expect(await server.client.validate(presented)).toBe(first)
  await server.events.publish(server.database.db, 'identity.revoked', { id: first.principal.id })
  expect(await server.client.validate(presented)).not.toBe(first)
})

test('IDN-05 validation that was in progress when its session ended isn’t cached', async () => {
  const { accessToken } = await signUp()
  const presented = bearer(accessToken)
  const requested = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  let ahead = 0
  const { db } = other.database
  const store = { db, secrets: other.secrets, now: () => new Date() }
  const cache = createValidationCache(other.events, () => new Date(Date.now() + ahead))
  const slow = createValidator(store, cache, async (...question) => {
    const answer = await lookUp(...question)
    requested.resolve()
    await gate.promise
    return answer
  })
  const onItsWay = slow({ bearer: accessToken })
  await requested.promise
  await server.fetch('POST /api/auth/logout', undefined, presented)
  await Bun.sleep(50)
  ahead = 10_000
  gate.resolve()
  expect((await onItsWay).tokenType).toBe('access')
  await expect(slow({ bearer: accessToken })).rejects.toMatchObject({ status: 401 })
})

test('IDN-05 token that expires during a request is valid only for that request, and not after its session ends', async () => {
  const { accessToken } = await signUp()
  const since = new Date()
  let ahead = 0
  const now = () => new Date(since.getTime() + ahead)
  const store = { db: other.database.db, secrets: other.secrets, now }
  const look = createValidator(store, createValidationCache(other.events, now))
  const presented = { bearer: accessToken }
  expect((await look(presented)).tokenType).toBe('access')
  ahead = 3_600_000
  await expect(look(presented)).rejects.toMatchObject({ status: 401 })
  expect((await look(presented, { since })).tokenType).toBe('access')
  await server.fetch('POST /api/auth/logout', undefined, bearer(accessToken))
  const isRefused = () =>
    look(presented, { since }).then(
      () => false,
      () => true,
    )
  expect(await eventually(isRefused)).toBe(true)
})

test('IDN-05 validation during an uncommitted revocation isn’t cached', async () => {
  const presented = bearer((await signUp()).accessToken)
  await server.database.transaction(async (tx) => {
    const { principal } = await server.client.validate(presented)
    await server.events.publish(tx, 'identity.revoked', { id: principal.id })
    const first = await server.client.validate(presented)
    expect(await server.client.validate(presented)).not.toBe(first)
  })
})

test('IDN-05 validation isn’t cached on a server that has lost its listening connection', async () => {
  const lonely = await startIdentity(database.url)
  const { accessToken } = await signUp()
  const presented = bearer(accessToken)
  const first = await lonely.client.validate(presented)
  expect(await lonely.client.validate(presented)).toBe(first)
  await lonely.events.close()
  await Bun.sleep(2_600)
  expect(lonely.events.healthy()).toBe(false)
  expect(await lonely.client.validate(presented)).not.toBe(first)
  await lonely.stop()
})

test('IDN-05 validation returns 503 without a database', async () => {
  const lost = await startIdentity(database.url)
  await lost.database.close()
  await expect(lost.client.validate({ cookie: 'session=x' })).rejects.toMatchObject({
    status: 503,
    code: 'identity_unavailable',
  })
  await lost.events.close()
})

test('IDN-03 refresh token can be exchanged for new tokens once', async () => {
  const ada = await signUp()
  const first = await json(await refresh(ada.refreshToken))
  expect(first.expiresIn).toBe(600)
  expect(first.refreshToken).not.toBe(ada.refreshToken)
  expect((await validate(bearer(first.accessToken))).status).toBe(200)
  expect((await refresh(first.refreshToken)).status).toBe(200)
})

test('IDN-03 two tabs that refresh at the same time get the same new token', async () => {
  const ada = await signUp()
  const tabs = [server, other, server, other, server, other].map((at) => refresh(ada['refreshToken'], at))
  const successors = await Promise.all((await Promise.all(tabs)).map(json))
  expect(new Set(successors.map((tokens) => tokens.refreshToken)).size).toBe(1)
  const nine = await later(9_000, async () => json(await refresh(ada.refreshToken)))
  expect(nine.refreshToken).toBe(successors[0]?.refreshToken ?? '')
})

test('IDN-03 refresh token that is reused later ends its session', async () => {
  const ada = await signUp()
  const next = await json(await refresh(ada.refreshToken))
  const stolen = await later(11_000, () => refresh(ada.refreshToken))
  expect(stolen.status).toBe(401)
  expect(await json(stolen)).toMatchObject({ code: 'invalid_refresh_token' })
  expect((await refresh(next.refreshToken)).status).toBe(401)
  expect((await validate(bearer(next.accessToken))).status).toBe(401)
})

test('IDN-03 refresh token expires after 14 idle days, a session after 90 days', async () => {
  const idle = await signUp()
  expect((await later(14 * day + 1000, () => refresh(idle.refreshToken))).status).toBe(401)
  let { refreshToken } = await signUp()
  for (let days = 13; days < 90; days += 13) {
    const answer = await later(days * day, () => refresh(refreshToken))
    expect(answer.status).toBe(200)
    refreshToken = (await json(answer)).refreshToken
  }
  expect((await later(90 * day + 1000, () => refresh(refreshToken))).status).toBe(401)
})

test('IDN-03 browser refreshes with its cookie and gets a new one', async () => {
  const browser = { 'sec-fetch-site': 'same-origin' }
  const ada = await signUp(browser)
  const cookie = ada.cookies.map((text) => text.split(';')[0]).join('; ')
  const response = await server.fetch('POST /api/auth/refresh', {}, { ...browser, cookie })
  expect(response.status).toBe(200)
  expect((await json(response)).refreshToken).toBeUndefined()
  expect(response.headers.getSetCookie()[0]).toStartWith('refresh=')
})

test('PLT-21 cookies have the __Host- prefix over https', async () => {
  const secure = await startIdentity(database.url, { PUBLIC_URL: 'https://atrium.example' })
  const { email } = await signUp()
  const browser = { 'sec-fetch-site': 'same-origin' }
  const response = await secure.fetch('POST /api/auth/login', { email, password }, browser)
  const [session = ''] = response.headers.getSetCookie()
  expect(session).toMatch(/^__Host-session=.*; Secure$/)
  const value = session.split(';')[0] ?? ''
  expect((await validate({ cookie: value }, secure)).status).toBe(200)
  expect((await validate({ cookie: value.replace('__Host-', '') }, secure)).status).toBe(401)
  await secure.stop()
})

test('IDN-10 switching to the personal context and back issues new tokens, and sign-in returns to the last context', async () => {
  const ada = await signUp()
  const organizationId = ada.organization.id
  const headers = bearer(ada.accessToken)
  const alone = await json(await server.fetch('POST /api/auth/context', { context: 'personal' }, headers))
  expect(await json(await validate(bearer(alone.accessToken)))).toMatchObject({
    context: 'personal',
    organization: null,
    permissions: [],
  })
  const login = () => server.fetch('POST /api/auth/login', { email: ada['email'], password }).then(json)
  expect((await login()).organization).toBeNull()
  const back = await json(await server.fetch('POST /api/auth/context', { organizationId }, bearer(alone.accessToken)))
  expect(await json(await validate(bearer(back.accessToken)))).toMatchObject({
    organization: { id: organizationId },
  })
  expect((await login()).organization.id).toBe(organizationId)
  expect((await refresh(back.refreshToken)).status).toBe(200)
})

test('IDN-10 switching to an organization that the person isn’t a member of is rejected', async () => {
  const [ada, eve] = [await signUp(), await signUp()]
  const options = { organizationId: ada.organization.id }
  expect((await server.fetch('POST /api/auth/context', options, bearer(eve.accessToken))).status).toBe(404)
})

test('IDN-03 published key verifies an access token', async () => {
  const { accessToken } = await signUp()
  const { keys } = await json(await server.fetch('GET /.well-known/jwks.json'))
  expect(keys.length).toBe(1)
  expect(Object.keys(keys[0]).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
  const key = await crypto.subtle.importKey('jwk', keys[0], 'Ed25519', false, ['verify'])
  const [header = '', body = '', signature = ''] = accessToken.split('.')
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ alg: 'EdDSA', kid: keys[0].kid })
  const signed = Buffer.from(`${header}.${body}`)
  expect(await crypto.subtle.verify('Ed25519', key, Buffer.from(signature, 'base64url'), signed)).toBe(true)
})

test('PLT-22 private signing keys are stored encrypted', async () => {
  const [row] = await server.database.sql`SELECT id, sealed_private_key FROM identity.signing_keys`
  const sealed: string = row?.['sealed_private_key']
  expect(sealed).toMatch(/^[0-9a-f]{12}\./)
  expect(server.secrets.open(sealed, `identity.signing_keys:${row?.['id']}`)).toMatch(/^MC4CAQ/)
  expect(() => server.secrets.open(sealed, 'identity.signing_keys:another')).toThrow()
})

test('IDN-40 service token is accepted only by its audience, for five minutes', async () => {
  const { db } = server.database
  const now = () => new Date(Date.now() + server.clock.ahead)
  const mint = serviceTokens({ db, secrets: server.secrets, now }, 'platform-socialize')
  const authorization = `Bearer ${await mint('platform-identity')}`
  expect(await json(await validate({ authorization }))).toMatchObject({
    tokenType: 'service',
    service: 'platform-socialize',
    audience: 'platform-identity',
    organization: null,
    permissions: [],
  })
  expect((await server.client.validate({ authorization })).service).toBe('platform-socialize')
  const elsewhere = { authorization: `Bearer ${await mint('platform-pay')}` }
  await expect(server.client.validate(elsewhere)).rejects.toMatchObject({ status: 401 })
  expect((await later(301_000, () => validate({ authorization }))).status).toBe(401)
})

test('IDN-40 names of people are returned only to services', async () => {
  const ada = await signUp()
  const path = `GET /api/internal/users?ids=${ada.user.id}`
  expect((await server.fetch(path, undefined, bearer(ada.accessToken))).status).toBe(403)
  expect((await server.fetch(path)).status).toBe(401)
  const people = await server.client.people([ada.user.id, crypto.randomUUID()])
  expect([...people.values()]).toEqual([{ id: ada.user.id, name: 'Ada' }])
})

test('IDN-12 scope and role catalogs are returned by service, and unknown services return 404', async () => {
  const ada = await signUp()
  const { id } = await json(await server.fetch('GET /api/services/by-slug/platform-socialize'))
  const headers = bearer(ada.accessToken)
  const scopes = await json(await server.fetch(`GET /api/services/${id}/scopes`, undefined, headers))
  expect(scopes.items.length).toBe(9)
  expect(scopes.items).toContainEqual({
    scope: 'posts.write',
    permission: 'posts:write',
    description: 'Create, schedule and publish posts',
    actions: expect.arrayContaining(['createPost', 'publishPostNow']),
  })
  const bundles = await json(await server.fetch(`GET /api/services/${id}/role-bundles`, undefined, headers))
  expect(bundles.items.map((bundle) => bundle['role'])).toEqual(['viewer', 'reviewer', 'editor', 'admin', 'owner'])
  for (const path of [`${crypto.randomUUID()}/scopes`, 'none/scopes', `${crypto.randomUUID()}/role-bundles`]) {
    expect((await server.fetch(`GET /api/services/${path}`, undefined, headers)).status).toBe(404)
  }
})

test('IDN-05 expired rows are deleted', async () => {
  const now = () => new Date(Date.now() + 91 * day)
  await createSuperAdminLink(server.database.db, 'unused-link@example.com', new Date())
  await deleteExpired.run({ ...server.provided, input: {}, now, database: server.database })
  const [left] = await server.database.sql`SELECT count(*)::int AS count FROM identity.refresh_tokens`
  expect(left?.['count']).toBe(0)
  expect(await server.database.sql`SELECT 1 FROM identity.super_admin_links`).toHaveLength(0)
})

test('IDN-05 expired rows are deleted when deletion of one kind fails', async () => {
  const now = () => new Date(Date.now() + 91 * day)
  const { db, sql } = server.database
  await createSuperAdminLink(db, 'unused-link@example.com', new Date())
  await sql`CREATE FUNCTION identity.refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''broken''; END'`
  await sql`CREATE TRIGGER refuse BEFORE DELETE ON identity.sessions EXECUTE FUNCTION identity.refuse()`
  const run = deleteExpired.run({ ...server.provided, input: {}, now, database: server.database })
  await expect(Promise.resolve(run)).rejects.toThrow()
  await sql`DROP FUNCTION identity.refuse CASCADE`
  expect(await sql`SELECT 1 FROM identity.super_admin_links`).toHaveLength(0)
})

test('IDN-03 two servers that start with an empty database share one signing key', async () => {
  const empty = await freshDatabase()
  const pair = await Promise.all([startIdentity(empty.url), startIdentity(empty.url)])
  const answers = await Promise.all(
    [...pair, ...pair].map((at, nth) =>
      at.fetch('POST /register', { email: `p${nth}@example.com`, password, name: 'P' }),
    ),
  )
  for (const answer of answers) {
    const { accessToken } = await json(answer)
    for (const at of pair) expect((await validate(bearer(accessToken), at)).status).toBe(200)
  }
  const keys = await pair[0].database.sql`SELECT 1 FROM identity.signing_keys`
  expect(keys.length).toBe(1)
  await Promise.all(pair.map((at) => at.stop()))
  await empty.drop()
})
