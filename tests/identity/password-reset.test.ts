import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { password, tokenIn } from '../support/world.ts'
import { bearer, type IdentityServer, json, openIdentity } from './server.tsx'

let server: IdentityServer

beforeAll(async () => {
  server = await openIdentity()
})

afterAll(() => server.stop())

const minute = 60_000
const fresh = 'another horse battery'

async function someone() {
  const email = `${newId()}@example.com`
  const { accessToken, refreshToken } = await json(
    await server.fetch('POST /register', { email, password, name: 'Ada' }),
  )
  return { email, accessToken, refreshToken }
}

const asks = (email: string) => server.fetch('POST /api/auth/password-reset', { email })
const follows = (token: string, chosen = fresh) =>
  server.fetch('POST /api/auth/password-reset/confirm', { token, password: chosen })
const look = (token: string, method = 'GET') =>
  server.fetch(`${method} /password-reset/${token}`, undefined, { accept: 'text/html' })
const signsIn = async (email: string, secret: string) =>
  (await server.fetch('POST /api/auth/login', { email, password: secret })).status

async function tokenFor(email: string): Promise<string> {
  expect((await asks(email)).status).toBe(202)
  return tokenIn((await server.mails(email))[0])
}

async function later<Result>(milliseconds: number, act: () => Promise<Result>): Promise<Result> {
  server.clock.ahead = milliseconds
  return act().finally(() => (server.clock.ahead = 0))
}

test('IDN-08 reset link sets a new password once and ends all sessions', async () => {
  const { email, accessToken, refreshToken } = await someone()
  const token = await tokenFor(email)
  expect((await follows(token)).status).toBe(204)
  const [notice] = await server.mails(email)
  expect(notice?.text).toContain('The password for your Atrium account was reset with an emailed link')
  expect((await server.fetch('GET /api/auth/me', undefined, bearer(accessToken))).status).toBe(401)
  expect((await server.fetch('POST /api/auth/refresh', { refreshToken })).status).toBe(401)
  expect([await signsIn(email, password), await signsIn(email, fresh)]).toEqual([401, 200])
  expect((await follows(token, 'a third horse battery')).status).toBe(404)
  expect(await signsIn(email, fresh)).toBe(200)
})

test('IDN-08 using a reset link invalidates the others, and one of two concurrent uses is rejected', async () => {
  const { email } = await someone()
  const [first, second] = [await tokenFor(email), await tokenFor(email)]
  const answers = await Promise.all([follows(second), follows(second)])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404])
  expect((await follows(first)).status).toBe(404)
})

test('IDN-08 reset link expires after 30 minutes', async () => {
  const { email } = await someone()
  const token = await tokenFor(email)
  expect(await later(30 * minute + 1000, async () => (await follows(token)).status)).toBe(404)
  expect(await later(30 * minute + 1000, async () => (await look(token)).status)).toBe(404)
  expect(await later(29 * minute, async () => (await follows(token)).status)).toBe(204)
})

test('IDN-08 reset link opened by a scanner stays valid, and its page sends no referrer', async () => {
  const { email } = await someone()
  const token = await tokenFor(email)
  for (const method of ['GET', 'HEAD', 'GET']) {
    const page = await look(token, method)
    expect([page.status, page.headers.get('referrer-policy')]).toEqual([200, 'no-referrer'])
    expect(page.headers.getSetCookie()).toEqual([])
  }
  expect((await follows(token)).status).toBe(204)
  expect((await look(token)).status).toBe(404)
})

test('IDN-02 IDN-08 reset with an invalid password is rejected and the link stays valid', async () => {
  const { email } = await someone()
  const token = await tokenFor(email)
  for (const unfit of ['short', 'password1234', email.toUpperCase()]) {
    const refused = await follows(token, unfit)
    expect(refused.status).toBe(422)
    expect((await json(refused)).errors[0].path).toBe('password')
  }
  expect((await follows(token)).status).toBe(204)
})

test('IDN-08 reset request for an unknown address gets the same response in a comparable time, but sends no email', async () => {
  const { email } = await someone()
  const unknownId = `${newId()}@example.com`
  const requested = async (address: string) => {
    const started = performance.now()
    const response = await asks(address)
    const ms = performance.now() - started
    const headers = [...response.headers.keys()]
    return { ms, shape: { status: response.status, headers, body: { ...(await json(response)), email: null } } }
  }
  const [known, unknown] = [await requested(email), await requested(unknownId)]
  expect(unknown.shape).toEqual(known.shape)
  for (const { ms } of [known, unknown]) expect(ms).toBeGreaterThan(149)
  expect([(await server.mails(email)).length, (await server.mails(unknownId)).length]).toEqual([1, 0])
})

test('IDN-08 reset requests email an address at most three times in ten minutes and always get the same response', async () => {
  const { email } = await someone()
  const answers = await Promise.all(Array.from({ length: 5 }, () => asks(email)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
  expect(await server.mails(email)).toHaveLength(3)
})

test('IDN-08 reset requests from one network email at most twenty addresses an hour', async () => {
  const people = await Promise.all(Array.from({ length: 22 }, someone))
  const requested = people.map(({ email }) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ email })
    const url = 'http://localhost/api/auth/password-reset'
    return server.handle(new Request(url, { method: 'POST', headers, body }), '203.0.113.20')
  })
  expect(new Set((await Promise.all(requested)).map(({ status }) => status))).toEqual(new Set([202]))
  const mailed = await Promise.all(people.map(async ({ email }) => (await server.mails(email)).length))
  expect(mailed.filter((mails) => mails === 1)).toHaveLength(20)
})

test('IDN-08 second factor is still required after a password reset', async () => {
  const { email } = await someone()
  await server.database.sql`
    INSERT INTO identity.totp_authenticators (id, user_id, sealed_secret, last_step, created_at, confirmed_at)
    SELECT ${newId()}, id, '', 0, now(), now() FROM identity.users WHERE email = ${email}`
  const done = await follows(await tokenFor(email))
  expect([done.status, done.headers.getSetCookie()]).toEqual([204, []])
  expect((await server.mails(email))[0]?.text).toContain('Your authenticator app wasn’t removed')
  const answer = await server.fetch('POST /api/auth/login', { email, password: fresh })
  expect([answer.status, (await answer.json()) as object]).toMatchObject([401, { code: 'second_factor_required' }])
})

test('IDN-08 reset link is invalid after the email address changes', async () => {
  const { email, accessToken } = await someone()
  const token = await tokenFor(email)
  const options = { email: `${newId()}@example.com`, password }
  await server.fetch('POST /api/auth/me/email', options, bearer(accessToken))
  for (const mailbox of [email, options.email]) {
    const link = tokenIn((await server.mails(mailbox))[0])
    expect((await server.fetch('POST /api/auth/email-change/confirm', { token: link })).status).toBe(200)
  }
  expect((await follows(token)).status).toBe(404)
})

test('IDN-02 IDN-08 password reset removes the sign-in delay caused by wrong guesses', async () => {
  const { email } = await someone()
  for (let time = 0; time < 5; time++) await signsIn(email, 'wrong horse battery')
  expect(await signsIn(email, password)).toBe(429)
  await follows(await tokenFor(email))
  expect(await signsIn(email, fresh)).toBe(200)
})

test('IDN-08 guessed reset tokens are rejected, and the database stores no plaintext token', async () => {
  const { email } = await someone()
  const token = await tokenFor(email)
  for (const guess of ['', 'x', '../../login', "' OR 1=1 --", token.toLowerCase(), 'ü'.repeat(50)])
    expect((await follows(guess)).status).toBe(404)
  const [dump] = await server.database.sql`SELECT string_agg(r::text, '') AS text FROM identity.password_resets r`
  expect(dump?.['text']).not.toContain(token)
})

test('IDN-08 reset with an email, user ID or principal type in its body is rejected', async () => {
  const [ada, eve] = [await someone(), await someone()]
  const token = await tokenFor(eve.email)
  const { id: userId } = (await json(await server.fetch('GET /api/auth/me', undefined, bearer(ada.accessToken)))).user
  const body = { token, password: fresh }
  const route = 'POST /api/auth/password-reset/confirm'
  for (const more of [{ email: ada.email }, { userId }, { principalType: 'platform_super_admin' }])
    expect((await server.fetch(route, { ...body, ...more })).status).toBe(422)
  expect((await server.fetch(route, body)).status).toBe(204)
  expect([await signsIn(ada.email, password), await signsIn(eve.email, fresh)]).toEqual([200, 200])
  const [row] = await server.database.sql`SELECT principal_type FROM identity.users WHERE email = ${eve.email}`
  expect(row?.['principal_type']).toBe('user')
})

test('IDN-08 IDN-42 password change or reset invalidates links that were emailed before', async () => {
  const { email } = await someone()
  const mailedLink = async () => {
    await server.fetch('POST /api/auth/magic-link', { email })
    return /consume\?token=([\w-]+)/.exec((await server.mails(email))[0]?.text ?? '')?.[1] ?? ''
  }
  const opens = async (token: string) => (await server.fetch('POST /magic-link/consume', { token })).status
  expect(await opens(await mailedLink())).toBe(200)
  const before = await mailedLink()
  expect((await follows(await tokenFor(email))).status).toBe(204)
  expect(await opens(before)).toBe(404)
  const [link, reset] = [await mailedLink(), await tokenFor(email)]
  const { accessToken } = await json(await server.fetch('POST /api/auth/login', { email, password: fresh }))
  const change = { currentPassword: fresh, password: 'a third horse battery' }
  expect((await server.fetch('POST /api/auth/password', change, bearer(accessToken))).status).toBe(204)
  expect([await opens(link), (await follows(reset)).status]).toEqual([404, 404])
})

/** A person whose passkeys and identities were added this many days ago. */
async function withWaysIn(...ages: number[]) {
  const { email } = await someone()
  await server.database.sql`UPDATE identity.users SET created_at = now() - interval '1 year' WHERE email = ${email}`
  const ids = ages.map(() => newId())
  for (const [at, age] of ages.entries()) {
    const added = new Date(Date.now() - age * 24 * 60 * minute)
    await server.database.sql`
      INSERT INTO identity.passkeys
        (id, user_id, name, credential_id, public_key, counter, transports, rp_id, backed_up, created_at)
      SELECT ${ids[at] ?? ''}, id, ${`Key of ${age} days`}, ${newId()}, '', 0, '{}', 'localhost', false, ${added}
      FROM identity.users WHERE email = ${email}`
  }
  const left = async () => {
    const rows = await server.database.sql<{ name: string }[]>`
      SELECT name FROM identity.passkeys WHERE id = ANY(${ids}) ORDER BY name`
    return rows.map(({ name }) => name)
  }
  return { email, ids, left }
}

test('IDN-08 password reset removes recently added passkeys and identities, and the email lists those that remain', async () => {
  const { email, left } = await withWaysIn(3, 200)
  await server.database.sql`
    INSERT INTO identity.upstream_identities (id, user_id, provider, issuer, subject, created_at)
    SELECT ${newId()}, id, 'github', 'https://github.com', ${newId()}, now() FROM identity.users WHERE email = ${email}`
  const token = await tokenFor(email)
  const page = await (await look(token)).text()
  for (const shown of ['Key of 3 days', 'Key of 200 days', 'github.com']) expect(page).toContain(shown)
  expect((await follows(token)).status).toBe(204)
  expect(await left()).toEqual(['Key of 200 days'])
  const [notice] = await server.mails(email)
  expect(notice?.text).toContain('Removed: the passkey “Key of 3 days”, github.com.')
  expect(notice?.text).toContain('Can still sign in: the passkey “Key of 200 days”.')
})

test('IDN-08 password reset removes the sign-in methods that the person selects', async () => {
  const { email, ids, left } = await withWaysIn(3, 200)
  const [, old] = ids
  const body = { token: await tokenFor(email), password: fresh, remove: ['', old] }
  expect((await server.fetch('POST /api/auth/password-reset/confirm', body)).status).toBe(204)
  expect(await left()).toEqual(['Key of 3 days'])
  const again = { token: await tokenFor(email), password: 'a third horse battery', remove: [''] }
  expect((await server.fetch('POST /api/auth/password-reset/confirm', again)).status).toBe(204)
  expect(await left()).toEqual(['Key of 3 days'])
})

test('IDN-49 password reset keeps passkeys that an organization requires as a second factor', async () => {
  const { email, ids, left } = await withWaysIn(3)
  const organization = newId()
  await server.database.sql`
    INSERT INTO identity.organizations (id, slug, name, settings, requires_second_factor, created_at)
    VALUES (${organization}, ${organization}, 'Strict', '{}', true, now())`
  await server.database.sql`
    INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    SELECT ${organization}, id, 'owner', now() FROM identity.users WHERE email = ${email}`
  const body = { token: await tokenFor(email), password: fresh, remove: ids }
  expect((await server.fetch('POST /api/auth/password-reset/confirm', body)).status).toBe(204)
  expect(await left()).toEqual(['Key of 3 days'])
})
