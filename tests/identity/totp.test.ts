import { afterAll, beforeAll, expect, test } from 'bun:test'
import { deleteExpired } from '#identity'
import { totp } from '../support/totp.ts'
import { bearer, openIdentity, startIdentity } from './server.tsx'

// Sign-in with an authenticator app, on a clock that the tests move.

let server: Awaited<ReturnType<typeof openIdentity>>

beforeAll(async () => {
  server = await openIdentity()
})

afterAll(() => server.stop())

const password = 'correct horse battery'
const minute = 60_000

interface Answered {
  status: number
  headers: Headers
  body: {
    code: string
    challenge: string
    accessToken: string
    recoveryCodes: string[]
    secret: string
    uri: string
    qr: string
    user: { id: string }
    organization: { id: string } | null
  }
}

async function send(route: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answered> {
  const response = await server.fetch(route, body, headers)
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : {} }
}

/** Moves the clock by two time steps to the beginning of one, so that 30 seconds remain until the next. */
function beginStep(): void {
  const now = Date.now() + server.clock.ahead
  server.clock.ahead += 90_000 - (now % 30_000)
}

let people = 0

/** A person with an authenticator app that uses the server's clock. */
async function withTotp() {
  const email = `person${(people += 1)}@example.com`
  const registration = { email, password, name: 'Ada', createOrganization: true }
  const { body: signedUp } = await send('POST /register', registration)
  const headers = bearer(signedUp.accessToken)
  const { body: enrollment } = await send('POST /api/auth/me/totp', { password }, headers)
  const code = (later = 0) => totp(enrollment.secret, Date.now() + server.clock.ahead + later)
  const confirmed = await send('POST /api/auth/me/totp/confirm', { code: code() }, headers)
  beginStep()
  const signIn = () => send('POST /api/auth/login', { email, password })
  const finish = (challenge: string, given: string) =>
    send('POST /api/auth/login/second-factor', { challenge, code: given })
  return { email, headers, started: enrollment, confirmed, code, signIn, finish, id: signedUp.user.id }
}

const wrong = (code: string) => (code === '000000' ? '000001' : '000000')

test('IDN-08 generated codes match the examples in RFC 6238', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  expect([59, 1_111_111_109, 20_000_000_000].map((at) => totp(secret, at * 1000))).toEqual([
    '287082',
    '081804',
    '353130',
  ])
})

test('IDN-08 authenticator app is active after its first code, and sign-in then requires a code', async () => {
  const ada = await withTotp()
  expect(ada.started.uri).toContain(`secret=${ada.started.secret}`)
  expect(ada.started.uri).toStartWith('otpauth://totp/Atrium:')
  expect(ada.started.qr).toStartWith('<svg')
  expect(ada.confirmed.status).toBe(200)
  expect(new Set(ada.confirmed.body.recoveryCodes).size).toBe(10)
  const first = await ada.signIn()
  expect(first).toMatchObject({ status: 401, body: { code: 'second_factor_required' } })
  expect(first.body.accessToken).toBeUndefined()
  expect(first.headers.getSetCookie()).toEqual([])
  const second = await ada.finish(first.body.challenge, ada.code())
  expect(second).toMatchObject({
    status: 200,
    body: { user: { id: ada.id }, organization: { id: expect.any(String) } },
  })
  expect((await send('GET /api/auth/me', undefined, bearer(second.body.accessToken))).status).toBe(200)
})

test('IDN-08 unconfirmed authenticator app changes nothing, and starting again creates a new secret', async () => {
  const email = 'begun@example.com'
  const { body } = await send('POST /register', { email, password, name: 'Ada' })
  const headers = bearer(body.accessToken)
  const [one, two] = [
    await send('POST /api/auth/me/totp', { password }, headers),
    await send('POST /api/auth/me/totp', { password }, headers),
  ]
  expect(one.body.secret).not.toBe(two.body.secret)
  expect((await send('POST /api/auth/login', { email, password })).status).toBe(200)
  const confirm = (code: string) => send('POST /api/auth/me/totp/confirm', { code }, headers)
  const now = Date.now() + server.clock.ahead
  expect((await confirm(totp(one.body.secret, now))).status).toBe(422)
  expect((await confirm(totp(two.body.secret, now))).status).toBe(200)
  expect(await confirm(totp(two.body.secret, now))).toMatchObject({ status: 409, body: { code: 'totp_not_started' } })
  const third = await send('POST /api/auth/me/totp', { password }, headers)
  expect(third).toMatchObject({ status: 409, body: { code: 'totp_exists' } })
})

test('IDN-08 codes for the previous, current and next time step are accepted, others are rejected, and none works twice', async () => {
  const ada = await withTotp()
  const enter = async (code: string) => (await ada.finish((await ada.signIn()).body.challenge, code)).status
  expect(await enter(ada.code(-60_000))).toBe(401)
  expect(await enter(ada.code(60_000))).toBe(401)
  const early = ada.code(-30_000)
  expect(await enter(early)).toBe(200)
  expect(await enter(early)).toBe(401)
  const late = ada.code(30_000)
  expect(await enter(late)).toBe(200)
  expect(await enter(ada.code())).toBe(401)
})

test('IDN-08 one of four concurrent sign-ins with the same code succeeds', async () => {
  const ada = await withTotp()
  const challenges = await Promise.all(Array.from({ length: 4 }, ada.signIn))
  const code = ada.code()
  const answers = await Promise.all(challenges.map(({ body }) => ada.finish(body.challenge, code)))
  expect(answers.filter(({ status }) => status === 200).length).toBe(1)
})

test('IDN-08 sign-in challenge works once, within ten minutes, and only for its own person', async () => {
  const [ada, eve] = [await withTotp(), await withTotp()]
  const { challenge } = (await ada.signIn()).body
  expect(await ada.finish(challenge, eve.code())).toMatchObject({ status: 401, body: { code: 'wrong_code' } })
  expect((await ada.finish(challenge, ada.code())).status).toBe(200)
  server.clock.ahead += minute
  expect(await ada.finish(challenge, ada.code())).toMatchObject({ status: 401, body: { code: 'challenge_expired' } })
  const slow = (await ada.signIn()).body.challenge
  server.clock.ahead += 10 * minute
  expect(await ada.finish(slow, ada.code())).toMatchObject({ status: 401, body: { code: 'challenge_expired' } })
  expect((await ada.finish('none', ada.code())).status).toBe(401)
  expect((await ada.finish(slow, '12345')).status).toBe(422)
  const { now, ...provided } = { ...server.provided, now: () => new Date(Date.now() + server.clock.ahead) }
  await deleteExpired.run({ ...provided, input: {}, now, database: server.database })
  const kept = await server.database.sql`SELECT 1 FROM identity.sign_in_challenges WHERE user_id = ${ada.id}`
  expect(kept.length).toBe(0)
})

test('IDN-08 a thousand concurrent wrong codes get five attempts, and then sign-in waits', async () => {
  const ada = await withTotp()
  const challenges = await Promise.all(Array.from({ length: 8 }, ada.signIn))
  const guesses = Array.from({ length: 1000 }, (_, at) => challenges[at % challenges.length]?.body.challenge ?? '')
  const answers = await Promise.all(guesses.map((challenge) => ada.finish(challenge, wrong(ada.code()))))
  const reported = Map.groupBy(answers, ({ status, body }) => `${status} ${body.code}`)
  expect([...reported.keys()].sort()).toEqual(['401 wrong_code', '429 too_many_codes'])
  expect(reported.get('401 wrong_code')?.length).toBe(5)
  const fresh = (await ada.signIn()).body.challenge
  const refused = await ada.finish(fresh, ada.code())
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_codes' } })
  expect(Number(refused.headers.get('retry-after'))).toBeWithin(14 * 60, 15 * 60 + 1)
  server.clock.ahead += 14 * minute
  expect((await ada.finish((await ada.signIn()).body.challenge, ada.code())).status).toBe(429)
  server.clock.ahead += 2 * minute
  expect((await ada.finish((await ada.signIn()).body.challenge, ada.code())).status).toBe(200)
})

test('IDN-08 wrong codes from a person who knows the password don’t block a known device', async () => {
  const ada = await withTotp()
  const browser = { 'sec-fetch-site': 'same-origin' }
  const from = async (cookie: string, code: string) => {
    const headers = { ...browser, ...(cookie && { cookie }) }
    const { body } = await send('POST /api/auth/login', { email: ada.email, password }, headers)
    return server.fetch('POST /api/auth/login/second-factor', { challenge: body.challenge, code }, headers)
  }
  const statusFrom = async (cookie: string, code: string) => (await from(cookie, code)).status
  const [device = ''] = (await from('', ada.code())).headers
    .getSetCookie()
    .flatMap((text) => (text.startsWith('device=') ? [text.split(';')[0]] : []))
  expect(device).not.toBe('')
  beginStep()
  for (let guess = 0; guess < 5; guess++) expect(await statusFrom('', wrong(ada.code()))).toBe(401)
  expect(await statusFrom('', ada.code())).toBe(429)
  expect(await statusFrom(device, ada.code())).toBe(200)
  beginStep()
  for (let guess = 0; guess < 5; guess++) expect(await statusFrom(device, wrong(ada.code()))).toBe(401)
  expect(await statusFrom(device, ada.code())).toBe(429)
})

test('IDN-08 correct code resets the attempts, and a challenge allows only a few', async () => {
  const ada = await withTotp()
  for (let round = 0; round < 2; round++) {
    for (let at = 0; at < 4; at++) {
      const { challenge } = (await ada.signIn()).body
      expect((await ada.finish(challenge, wrong(ada.code()))).status).toBe(401)
    }
    expect((await ada.finish((await ada.signIn()).body.challenge, ada.code())).status).toBe(200)
    server.clock.ahead += minute
  }
  const { challenge } = (await ada.signIn()).body
  for (let at = 0; at < 4; at++) await ada.finish(challenge, wrong(ada.code()))
  await ada.finish((await ada.signIn()).body.challenge, ada.code())
  server.clock.ahead += minute
  await ada.finish(challenge, wrong(ada.code()))
  expect(await ada.finish(challenge, ada.code())).toMatchObject({ status: 401, body: { code: 'challenge_expired' } })
})

test('IDN-08 recovery code works once, in any case and spacing, and only for its owner', async () => {
  const [ada, eve] = [await withTotp(), await withTotp()]
  const [code = '', next = ''] = ada.confirmed.body.recoveryCodes
  const enter = async (given: string) => (await ada.finish((await ada.signIn()).body.challenge, given)).status
  expect(await enter(eve.confirmed.body.recoveryCodes[0] ?? '')).toBe(401)
  expect(await enter(code.toUpperCase().replaceAll('-', ' '))).toBe(200)
  expect(await enter(code)).toBe(401)
  const renew = (proof: object) => send('POST /api/auth/me/recovery-codes', proof, ada.headers)
  expect((await renew({})).status).toBe(422)
  const renewed = await renew({ password })
  expect(renewed.body.recoveryCodes.length).toBe(10)
  expect(await enter(next)).toBe(401)
  expect(await enter(renewed.body.recoveryCodes[0] ?? '')).toBe(200)
  const stored = await server.database.sql`SELECT hash FROM identity.recovery_codes WHERE user_id = ${ada.id}`
  expect(stored.length).toBe(9)
  for (const { hash } of stored) expect(hash).toMatch(/^[0-9a-f]{64}$/)
})

test('IDN-08 removing the authenticator app requires a proof, and sign-in then requires only the password', async () => {
  const ada = await withTotp()
  const remove = (proof: object) => send('DELETE /api/auth/me/totp', proof, ada.headers)
  expect((await remove({})).status).toBe(422)
  expect((await remove({ password: 'not the password' })).status).toBe(422)
  expect((await remove({ code: wrong(ada.code()) })).status).toBe(422)
  expect((await ada.signIn()).status).toBe(401)
  expect((await remove({ code: ada.code() })).status).toBe(204)
  expect((await ada.signIn()).status).toBe(200)
  expect(await remove({ password })).toMatchObject({ status: 409, body: { code: 'no_totp' } })
  const left = await server.database.sql`SELECT 1 FROM identity.recovery_codes WHERE user_id = ${ada.id}`
  expect(left.length).toBe(0)
})

test('IDN-08 wrong proofs are slowed down like wrong passwords', async () => {
  const ada = await withTotp()
  const remove = (proof: object) => send('DELETE /api/auth/me/totp', proof, ada.headers)
  const answers = await Promise.all(Array.from({ length: 40 }, () => remove({ code: wrong(ada.code()) })))
  expect(answers.filter(({ status }) => status === 422).length).toBe(5)
  expect(await remove({ code: ada.code() })).toMatchObject({ status: 429, body: { code: 'too_many_codes' } })
})

test('IDN-08 person is emailed about each change of their second factor', async () => {
  const ada = await withTotp()
  await ada.finish((await ada.signIn()).body.challenge, ada.confirmed.body.recoveryCodes[0] ?? '')
  await send('POST /api/auth/me/recovery-codes', { password }, ada.headers)
  await send('DELETE /api/auth/me/totp', { password }, ada.headers)
  const kept = await server.provided.mail.kept(server.database.db)
  expect(kept.filter(({ recipient }) => recipient === ada.email).length).toBe(4)
})

test('PLT-22 authenticator secrets are stored encrypted', async () => {
  const ada = await withTotp()
  const [row] = await server.database.sql`
    SELECT id, sealed_secret FROM identity.totp_authenticators WHERE user_id = ${ada.id}`
  const place = `identity.totp_authenticators:${row?.['id']}`
  expect(server.secrets.open(row?.['sealed_secret'], place)).toBe(ada.started.secret)
})

test('IDN-08 browser is redirected to the second-factor page with the challenge in an HttpOnly cookie', async () => {
  const ada = await withTotp()
  const browser = { accept: 'text/html', 'hx-request': 'true', 'sec-fetch-site': 'same-origin' }
  const first = await server.fetch(
    'POST /api/auth/login',
    { email: ada.email, password, next: '/workspace/posts' },
    browser,
  )
  expect(first.status).toBe(200)
  expect(first.headers.get('hx-redirect')).toBe('/login/second-factor?next=%2Fworkspace%2Fposts')
  const [set = ''] = first.headers.getSetCookie()
  expect(set).toMatch(/^second_factor=[\w-]{43}; Path=\/; Max-Age=600; SameSite=Lax; HttpOnly$/)
  const cookie = set.split(';')[0] ?? ''
  const page = await server.fetch('GET /login/second-factor', undefined, { accept: 'text/html', cookie })
  expect(await page.text()).toContain('hx-post="/api/auth/login/second-factor"')
  const lost = await server.fetch('GET /login/second-factor', undefined, { accept: 'text/html' })
  expect(await lost.text()).toContain('No sign-in is waiting for a code')
  const answer = { code: ada.code(), next: '//evil.example' }
  const second = await server.fetch('POST /api/auth/login/second-factor', answer, { ...browser, cookie })
  expect(second.headers.get('hx-redirect')).toBe('/')
  const cookies = second.headers.getSetCookie()
  expect(cookies.find((text) => text.startsWith('session='))).toBeDefined()
  expect(cookies.find((text) => text.startsWith('second_factor='))).toContain('Max-Age=0')
})

test('IDN-08 emailed link counts as one factor, and the authenticator code is still required', async () => {
  const ada = await withTotp()
  await send('POST /api/auth/magic-link', { email: ada.email })
  const { db } = server.database
  const kept = (await server.provided.mail.kept(db)).find(({ recipient }) => recipient === ada.email)
  const mail = await server.provided.mail.open(db, kept?.id ?? '')
  const token = /token=([\w-]+)/.exec(mail?.text ?? '')?.[1]
  const first = await send('POST /magic-link/consume', { token })
  expect(first).toMatchObject({ status: 401, body: { code: 'second_factor_required' } })
  expect((await ada.finish(first.body.challenge, ada.code())).status).toBe(200)
})

test('IDN-49 second factor required by an organization is enforced on every server from the next request', async () => {
  const other = await startIdentity(server.url)
  const email = 'owner@example.com'
  const { body } = await send('POST /register', { email, password, name: 'Ada', createOrganization: true })
  const owner = bearer(body.accessToken)
  const second = bearer((await send('POST /api/auth/login', { email, password })).body.accessToken)
  const { body: enrollment } = await send('POST /api/auth/me/totp', { password }, owner)
  const code = totp(enrollment.secret, Date.now() + server.clock.ahead)
  await send('POST /api/auth/me/totp/confirm', { code }, owner)
  const inside = async () =>
    (await Promise.all([server, other].map(({ client }) => client.validate(second)))).map((actor) => actor.organization)
  expect((await inside()).map((each) => each?.id)).toEqual([body.organization?.id, body.organization?.id])
  const route = `PUT /api/organizations/${body.organization?.id}`
  expect((await send(route, { requiresSecondFactor: true }, owner)).status).toBe(200)
  expect(await inside()).toEqual([null, null])
  expect((await send(route, { requiresSecondFactor: false }, owner)).status).toBe(200)
  expect(await inside()).not.toContain(null)
  await other.stop()
})
