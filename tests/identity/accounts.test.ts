import { afterAll, beforeAll, expect, test } from 'bun:test'
import { bearer, type IdentityServer, json, openIdentity } from './server.tsx'

let server: IdentityServer

beforeAll(async () => {
  server = await openIdentity()
})

afterAll(() => server.stop())

const ada = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }
const someone = () => ({ ...ada, email: `${crypto.randomUUID()}@example.com` })

let signedUp: Promise<{ email: string; password: string }> | undefined
/** A person who has signed up. */
const grace = () => (signedUp ??= signUpGrace())

async function signUpGrace() {
  const { email, password, name } = someone()
  await server.fetch('POST /register', { email, password, name })
  return { email, password }
}

test('IDN-01 sign-up with an organization makes the person its owner and returns tokens', async () => {
  expect(await server.client.hasAccounts()).toBe(false)
  const response = await server.fetch('POST /register', {
    ...ada,
    createOrganization: true,
    organizationName: 'Acme',
    organizationSlug: 'acme',
  })
  expect(response.status).toBe(201)
  const body = await json(response)
  expect(body.user).toMatchObject({ email: ada.email, name: 'Ada', principalType: 'user', launcherEligible: true })
  expect(body.organization).toMatchObject({ slug: 'acme', name: 'Acme', role: 'owner' })
  expect(body.expiresIn).toBe(600)
  expect(JSON.stringify(body)).not.toContain('argon2')
  const me = await json(await server.fetch('GET /api/auth/me', undefined, bearer(body.accessToken)))
  expect(me.organizations).toEqual([body.organization])
  expect(await server.client.hasAccounts()).toBe(true)
})

test('IDN-03 registered person signs in', async () => {
  const { email, password } = someone()
  await server.fetch('POST /register', { email, password, name: 'Ada' })
  const response = await server.fetch('POST /api/auth/login', { email: email.toUpperCase(), password })
  expect(response.status).toBe(200)
  expect(await json(response)).toMatchObject({ user: { email }, organization: null, expiresIn: 600 })
})

test('IDN-01 sign-up flags are accepted in the query, and a slug is derived from the organization name', async () => {
  const route =
    'POST /register?developerWorkspace=true&createOrganization=true&organizationName=Caf%C3%A9%20Gr%C3%B6%C3%9Fe'
  const first = await json(await server.fetch(route, someone()))
  const second = await json(await server.fetch(route, someone()))
  expect([first.organization.slug, second.organization.slug]).toEqual(['cafe-grosse', 'cafe-grosse-2'])
})

test('IDN-48 sign-up with a registered email in any letter case returns 409', async () => {
  const person = someone()
  expect((await server.fetch('POST /register', person)).status).toBe(201)
  const again = await server.fetch('POST /register', { ...person, email: person.email.toUpperCase() })
  expect(again.status).toBe(409)
  expect(await json(again)).toMatchObject({ code: 'email_taken', errors: [{ path: 'email' }] })
})

test('IDN-48 twenty concurrent sign-ups with the same email create one account', async () => {
  const person = someone()
  const answers = await Promise.all(Array.from({ length: 20 }, () => server.fetch('POST /register', person)))
  expect(answers.filter(({ status }) => status === 201).length).toBe(1)
  expect(answers.filter(({ status }) => status === 409).length).toBe(19)
})

test('IDN-01 sign-up with a taken slug returns 409 and creates no account', async () => {
  const person = { ...someone(), createOrganization: true, organizationName: 'Other', organizationSlug: 'acme' }
  expect(await json(await server.fetch('POST /register', person))).toMatchObject({ status: 409, code: 'slug_taken' })
  const { email, password } = person
  expect((await server.fetch('POST /api/auth/login', { email, password })).status).toBe(401)
})

test.each([
  ['nine characters', 'a'.repeat(9)],
  ['257 characters', 'a'.repeat(257)],
  ['four characters that look like eight', 'ﬁ'.repeat(4)],
  ['nothing', undefined],
  ['the email', 'GRACE@example.com'],
])('IDN-02 sign-up with a password of %s is rejected', async (_, password) => {
  const response = await server.fetch('POST /register', { name: 'Grace', email: 'grace@example.com', password })
  expect(response.status).toBe(422)
  expect((await json(response)).errors[0].path).toBe('password')
})

test('IDN-02 password matches in every Unicode normalization form', async () => {
  const person = { ...someone(), password: 'Größe-größe-Å' }
  await server.fetch('POST /register', person)
  const typed = { email: person.email, password: person.password.normalize('NFD') }
  expect((await server.fetch('POST /api/auth/login', typed)).status).toBe(200)
})

/** A person whose password is hashed with the production cost. */
async function hashedForReal() {
  process.env['TEST_REAL_HASHES'] = 'true'
  const person = someone()
  await server.fetch('POST /register', person).finally(() => delete process.env['TEST_REAL_HASHES'])
  return { email: person.email, password: person.password }
}

test('IDN-02 passwords are hashed with argon2id at the configured cost', async () => {
  const { email } = await hashedForReal()
  const rows = await server.database.sql`SELECT password_hash FROM identity.users WHERE email = ${email}`
  expect(rows.length).toBe(1)
  for (const row of rows) expect(row['password_hash']).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
})

test('IDN-02 sign-in returns 503 with Retry-After when the password hash queue is full', async () => {
  const credentials = await hashedForReal()
  const answers = await Promise.all(Array.from({ length: 80 }, () => server.fetch('POST /api/auth/login', credentials)))
  const busy = answers.filter(({ status }) => status === 503)
  expect(answers.filter(({ status }) => status === 200).length).toBe(80 - busy.length)
  expect(busy.length).toBeWithin(1, 15)
  expect(busy[0]?.headers.get('retry-after')).toBe('3')
})

test('IDN-26 browser sign-in sets both tokens as cookies and omits the refresh token from the body', async () => {
  const { email, password } = await grace()
  const browser = { 'sec-fetch-site': 'same-origin' }
  const response = await server.fetch('POST /api/auth/login', { email, password }, browser)
  expect((await json(response)).refreshToken).toBeUndefined()
  const cookies = response.headers.getSetCookie()
  expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(['session', 'refresh', 'device'])
  for (const cookie of cookies) expect(cookie).toMatch(/; SameSite=Lax; HttpOnly/)
  const program = await server.fetch('POST /api/auth/login', { email, password })
  expect((await json(program)).refreshToken).toBeString()
  expect(program.headers.getSetCookie()).toEqual([])
})

test.each([
  ['/workspace/posts?tab=drafts', '/workspace/posts?tab=drafts'],
  ['https://evil.example/', '/'],
  ['//evil.example/', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['/.//evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['', '/'],
])('IDN-03 form sign-in with next %p redirects to %p', async (next, target) => {
  const { email, password } = await grace()
  const htmx = { 'hx-request': 'true', 'sec-fetch-site': 'same-origin' }
  const response = await server.fetch('POST /api/auth/login', { email, password, next }, htmx)
  expect(response.headers.get('hx-redirect')).toBe(target)
  expect(response.headers.getSetCookie().length).toBe(3)
})

test('IDN-47 organization is visible to its members and returns 404 to others', async () => {
  const owner = await json(
    await server.fetch('POST /register', { ...someone(), createOrganization: true, organizationName: 'Inner' }),
  )
  const stranger = await json(
    await server.fetch('POST /register', { ...someone(), createOrganization: true, organizationName: 'Outer' }),
  )
  const { id } = owner.organization
  const mine = bearer(owner.accessToken)
  expect(await json(await server.fetch(`GET /api/organizations/${id}`, undefined, mine))).toMatchObject(
    owner.organization,
  )
  const members = await json(await server.fetch(`GET /api/organizations/${id}/members`, undefined, mine))
  expect(members).toMatchObject({ items: [{ id: owner.user.id, role: 'owner', name: 'Ada' }], nextCursor: null })
  const list = await json(await server.fetch('GET /api/organizations?limit=1', undefined, bearer(stranger.accessToken)))
  expect(list.items).toMatchObject([stranger.organization])
  for (const path of [`/api/organizations/${id}`, `/api/organizations/${id}/members`, '/api/organizations/none']) {
    expect((await server.fetch(`GET ${path}`, undefined, bearer(stranger.accessToken))).status).toBe(404)
  }
})
