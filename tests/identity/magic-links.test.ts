import { afterAll, beforeAll, expect, test } from 'bun:test'
import { digest, newId, randomToken } from '#lib/ids.ts'
import { totp } from '../support/totp.ts'
import { password } from '../support/world.ts'
import { bearer, type IdentityServer, json, openIdentity } from './server.tsx'

let server: IdentityServer

beforeAll(async () => {
  server = await openIdentity()
})

afterAll(() => server.stop())

const minute = 60_000
const navigation = { accept: 'text/html', 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' }
const fromPage = { 'hx-request': 'true', 'sec-fetch-site': 'same-origin' }

async function someone() {
  const email = `${newId()}@example.com`
  const options = { email, password, name: 'Ada', createOrganization: true, organizationName: 'Acme' }
  const { user, organization } = await json(await server.fetch('POST /register', options))
  return { email, id: user.id, organization }
}

const mails = (to: string) => server.mails(to)

const asks = (email: string, more: object = {}, headers = {}) =>
  server.fetch('POST /api/auth/magic-link', { email, ...more }, headers)
const tokenFor = async (email: string) => /token=([\w-]{43})\s/.exec((await mails(email))[0]?.text ?? '')?.[1] ?? ''
const look = (token: string, headers: Record<string, string> = navigation, method = 'GET') =>
  server.fetch(`${method} /magic-link/consume?token=${token}`, undefined, headers)
const follows = (token: string, headers = {}) => server.fetch('POST /magic-link/consume', { token }, headers)

/** A person with a mailed link. */
async function mailed(more: object = {}) {
  const person = await someone()
  await asks(person.email, more)
  return { ...person, token: await tokenFor(person.email) }
}

/** A person with a link that a service was given and that signs in at once. */
async function handed({ organizationId = null, redirectUri = '/settings/profile' }: Partial<Link> = {}) {
  const person = await someone()
  const token = randomToken()
  await server.database.sql`
    INSERT INTO identity.magic_login_tokens
      (id, token_hash, user_id, email, organization_id, redirect_uri, skip_interstitial, created_at, expires_at)
    VALUES (${newId()}, ${digest(token)}, ${person.id}, ${person.email}, ${organizationId}, ${redirectUri}, true, now(),
      now() + interval '10 minutes')`
  return { ...person, token }
}

interface Link {
  organizationId: string | null
  redirectUri: string
}

async function later<Result>(milliseconds: number, act: () => Promise<Result>): Promise<Result> {
  server.clock.ahead = milliseconds
  return act().finally(() => (server.clock.ahead = 0))
}

const sessionsOf = async (userId: string) =>
  (await server.database.sql`SELECT method FROM identity.sessions WHERE user_id = ${userId}`).map(
    (row) => row['method'],
  )

const hasSession = (response: Response) => response.headers.getSetCookie().some((text) => text.startsWith('session='))

test('IDN-42 emailed link shows its account and signs in only through the button', async () => {
  const { email, id, organization, token } = await mailed()
  const page = await look(token)
  const text = await page.text()
  expect([page.status, hasSession(page)]).toEqual([200, false])
  expect(text).toContain(`${email} in Acme`)
  expect(text).toContain('hx-post="/magic-link/consume"')
  expect(await sessionsOf(id)).toEqual(['registration'])
  const done = await follows(token)
  const { accessToken, refreshToken, ...answer } = await json(done)
  expect([done.status, answer]).toMatchObject([200, { user: { email }, organization: { id: organization.id } }])
  expect(refreshToken).toBeString()
  expect((await server.fetch('GET /api/auth/me', undefined, bearer(accessToken))).status).toBe(200)
  expect((await sessionsOf(id)).toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
    'link',
    'registration',
  ])
})

test('IDN-42 sign-in by link redirects to the requested page only on this origin', async () => {
  const { token } = await mailed({ next: '/workspace/posts?status=draft' })
  const done = await follows(token, fromPage)
  expect([hasSession(done), done.headers.get('hx-redirect')]).toEqual([true, '/workspace/posts?status=draft'])
  for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
    const elsewhere = await mailed({ next })
    expect((await follows(elsewhere.token, fromPage)).headers.get('hx-redirect')).toBe('/')
  }
})

test('IDN-42 emailed link opened by a scanner with GET, HEAD or prefetch signs no one in and stays valid', async () => {
  for (const { id, token } of [await mailed(), await handed()]) {
    const before = await sessionsOf(id)
    const scans = [
      await look(token, navigation, 'HEAD'),
      await look(token, { ...navigation, 'sec-purpose': 'prefetch' }),
      await look(token, { ...navigation, 'sec-purpose': 'prefetch;prerender' }),
      await look(token, { ...navigation, purpose: 'prefetch' }),
      await look(token, { accept: 'text/html', 'x-moz': 'prefetch' }),
      await look(token, { 'sec-fetch-dest': 'image', accept: 'image/*' }),
      await look(token, { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }),
      await look(token, { 'sec-fetch-dest': 'iframe', accept: 'text/html' }),
    ]
    expect(scans.map(({ status }) => status)).toEqual(scans.map(() => 200))
    expect(scans.filter(hasSession)).toEqual([])
    expect(await sessionsOf(id)).toEqual(before)
    expect((await follows(token)).status).toBe(200)
  }
})

test('IDN-42 opening an emailed link never signs in, even when it is opened repeatedly', async () => {
  const { id, token } = await mailed()
  for (let times = 0; times < 3; times++) expect(hasSession(await look(token))).toBe(false)
  expect(await sessionsOf(id)).toEqual(['registration'])
})

test('IDN-42 page of an emailed link shows that it was opened before, and a HEAD request doesn’t count', async () => {
  const { token } = await mailed()
  await look(token, navigation, 'HEAD')
  expect(await (await look(token)).text()).not.toContain('already opened')
  expect(await (await look(token)).text()).toContain('already opened')
  expect((await follows(token)).status).toBe(200)
})

test('IDN-42 trusted link signs in at once, redirects to its page and works once', async () => {
  const { id, organization, token } = await handed()
  const [first, second] = await Promise.all([look(token), look(token)])
  const opened = [first, second].filter(hasSession)
  expect(opened.map(({ status, headers }) => [status, headers.get('location')])).toEqual([[303, '/settings/profile']])
  expect([first, second].filter((response) => !hasSession(response)).map(({ status }) => status)).toEqual([404])
  const [cookie = ''] = opened[0]?.headers.getSetCookie() ?? []
  const me = await json(await server.fetch('GET /api/auth/me', undefined, { cookie: cookie.split(';')[0] ?? '' }))
  expect(me).toMatchObject({ user: { id }, organization: { id: organization.id } })
  expect((await look(token)).status).toBe(404)
})

test('IDN-42 trusted link can be completed by POST', async () => {
  const { id, token } = await handed()
  const done = await follows(token, fromPage)
  expect([hasSession(done), done.headers.get('hx-redirect')]).toEqual([true, '/settings/profile'])
  expect(await sessionsOf(id)).toContain('link')
})

test('IDN-42 emailed link works once, even when used many times at the same time', async () => {
  const { token } = await mailed()
  const answers = await Promise.all(Array.from({ length: 10 }, () => follows(token)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(9)
  expect((await look(token)).status).toBe(404)
})

test('IDN-42 emailed link expires after ten minutes', async () => {
  const { token } = await mailed()
  expect(await later(10 * minute + 1000, async () => (await look(token)).status)).toBe(404)
  expect(await later(10 * minute + 1000, async () => (await follows(token)).status)).toBe(404)
  expect(await later(10 * minute - 5000, async () => (await follows(token)).status)).toBe(200)
})

test('IDN-42 page of an invalid link offers a new one', async () => {
  for (const token of ['', 'nonsense', "' OR 1=1 --", 'ü'.repeat(50), 'x'.repeat(500), '%00']) {
    const page = await look(encodeURIComponent(token))
    expect(page.status).toBe(404)
    expect(await page.text()).toContain('href="/login/link"')
  }
  expect((await follows('nonsense')).status).toBe(404)
})

test('IDN-42 page of an emailed link sends no referrer and has no script that submits it', async () => {
  const { token } = await mailed()
  for (const response of [await look(token), await look('nonsense')])
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  const text = await (await look(token)).text()
  expect(text).not.toMatch(/<script|autofocus|hx-trigger|http-equiv/i)
})

test('IDN-42 page that requests a link redirects a person who is already signed in', async () => {
  const { token } = await handed()
  const [cookie = ''] = (await look(token)).headers.getSetCookie()
  const requested = (headers: Record<string, string>) =>
    server.fetch('GET /login/link?next=/settings/members', undefined, { ...navigation, ...headers })
  const led = await requested({ cookie: cookie.split(';')[0] ?? '' })
  expect([led.status, led.headers.get('location')]).toEqual([303, '/settings/members'])
  expect(await (await requested({})).text()).toContain('hx-post="/api/auth/magic-link"')
})

test('IDN-42 PLT-21 emailed link can’t be confirmed by a cross-site request', async () => {
  const { id, token } = await mailed()
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ])
    expect((await follows(token, headers)).status).toBe(403)
  expect(await sessionsOf(id)).toEqual(['registration'])
  expect((await follows(token)).status).toBe(200)
})

test('IDN-42 link request takes the same time and gets the same response for known and unknown addresses, but only known ones are emailed', async () => {
  const { email } = await someone()
  const timed = async (to: string) => {
    const started = performance.now()
    const response = await asks(to)
    const body = await response.text()
    const headers = [...response.headers.keys()].filter((name) => name !== 'x-request-id')
    return { ms: performance.now() - started, reply: [response.status, body.replace(to, ''), headers] }
  }
  const known = await timed(email.toUpperCase())
  const stranger = `${newId()}@example.com`
  const unknown = await timed(stranger)
  expect(unknown.reply).toEqual(known.reply.map((part) => (typeof part === 'string' ? part.replace(email, '') : part)))
  expect(known.reply[0]).toBe(202)
  for (const { ms } of [known, unknown]) expect(ms).toBeGreaterThan(145)
  expect(await mails(stranger)).toEqual([])
  expect(await mails(email)).toHaveLength(1)
})

test('IDN-42 link requests email an address at most three times in ten minutes, even under concurrency', async () => {
  const { email } = await someone()
  const answers = await Promise.all(Array.from({ length: 8 }, () => asks(email)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202))
  expect(await mails(email)).toHaveLength(3)
  await later(10 * minute + 1000, () => asks(email))
  expect(await mails(email)).toHaveLength(4)
})

test('IDN-46 token is stored hashed, and a link to a former address is invalid', async () => {
  const { id, token } = await mailed()
  const { sql } = server.database
  const [row] = await sql`SELECT * FROM identity.magic_login_tokens WHERE user_id = ${id}`
  expect(row).toMatchObject({ token_hash: digest(token), skip_interstitial: false })
  expect(JSON.stringify(row)).not.toContain(token)
  await sql`UPDATE identity.users SET email = ${`${newId()}@example.com`} WHERE id = ${id}`
  expect((await look(token)).status).toBe(404)
  expect((await follows(token)).status).toBe(404)
})

test('IDN-42 link for an organization opens it, or the person’s own organization if they aren’t a member', async () => {
  const other = await someone()
  const organizationId = other.organization.id
  const person = await handed({ organizationId })
  const { organization } = await json(await follows(person.token))
  expect(organization.id).toBe(person.organization.id)
  await server.database.sql`
    INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    VALUES (${organizationId}, ${person.id}, 'viewer', now())`
  const token = randomToken()
  await server.database.sql`
    INSERT INTO identity.magic_login_tokens
      (id, token_hash, user_id, email, organization_id, skip_interstitial, created_at, expires_at)
    VALUES (${newId()}, ${digest(token)}, ${person.id}, ${person.email}, ${organizationId}, true, now(), now() + interval '1 hour')`
  expect((await json(await follows(token))).organization.id).toBe(organizationId)
})

test('IDN-42 IDN-08 second factor is required after both emailed and trusted links', async () => {
  for (const { email, id, token } of [await mailed(), await handed()]) {
    const { accessToken } = await json(await server.fetch('POST /api/auth/login', { email, password }))
    await addTotp(bearer(accessToken))
    const before = await sessionsOf(id)
    const [first, ...others] = [await look(token), await follows(token, fromPage), await follows(token)]
    expect([first, ...others].filter((answer) => answer && hasSession(answer))).toEqual([])
    expect(await sessionsOf(id)).toEqual(before)
    const sentOn = [first?.headers.get('location'), ...others.map(({ headers }) => headers.get('hx-redirect'))]
    expect(sentOn.filter((to) => to?.startsWith('/login/second-factor'))).toHaveLength(1)
  }
})

/** Adds and confirms an authenticator app. */
async function addTotp(headers: Record<string, string>): Promise<void> {
  const started = await server.fetch('POST /api/auth/me/totp', { password }, headers)
  const { secret } = (await started.json()) as { secret: string }
  const code = totp(secret, Date.now() + server.clock.ahead)
  expect((await server.fetch('POST /api/auth/me/totp/confirm', { code }, headers)).status).toBe(200)
}
