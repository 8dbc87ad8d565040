import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createAuthenticator, type Authenticator } from '../support/authenticator.ts'
import { bearer, openIdentity, startIdentity } from './server.tsx'

// Passkeys, with an authenticator that can forge its statements.

let server: Awaited<ReturnType<typeof openIdentity>>

beforeAll(async () => {
  server = await openIdentity()
})

afterAll(() => server.stop())

const password = 'correct horse battery'
const minute = 60_000

interface Answered {
  status: number
  body: {
    id: string
    code: string
    challenge: string
    accessToken: string
    user: { id: string; name: string }
    authenticatorSelection: object
    excludeCredentials: object[]
    allowCredentials?: object[]
    rp: { id: string }
    items: { id: string; name: string; lastUsedAt: string | null }[]
  }
}

async function send(route: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answered> {
  const response = await server.fetch(route, body, headers)
  const text = await response.text()
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : {} }
}

let people = 0

/** A person who has signed up. */
async function person() {
  const email = `person${(people += 1)}@example.com`
  const { body } = await send('POST /register', { email, password, name: `Person ${people}` })
  const headers = bearer(body.accessToken)
  const options = () => send('POST /api/auth/me/passkeys/options', { password }, headers)
  const add = (credential: unknown) => send('POST /api/auth/me/passkeys', { name: 'Phone', credential }, headers)
  return { id: body.user.id, email, headers, options, add }
}

/** A person with a passkey. */
async function withPasskey() {
  const [who, device] = [await person(), createAuthenticator()]
  const { challenge } = (await who.options()).body
  const added = await who.add(device.attest(challenge))
  return { ...who, device, added }
}

const challengeOf = async () => (await send('POST /api/auth/passkeys/options')).body.challenge
const enter = (credential: unknown) => send('POST /api/auth/passkeys/verify', { credential })
const refused = { status: 401, body: { code: 'passkey_invalid' } }

test('IDN-08 passkey is created for this host with user verification and is then enough to sign in', async () => {
  const ada = await person()
  const { body: options } = await ada.options()
  expect(options.rp.id).toBe('localhost')
  expect(options.authenticatorSelection).toMatchObject({ residentKey: 'required', userVerification: 'required' })
  const device = createAuthenticator()
  expect((await ada.add(device.attest(options.challenge))).status).toBe(201)
  expect((await ada.options()).body.excludeCredentials).toMatchObject([{ id: device.credentialId }])
  const requested = await send('POST /api/auth/passkeys/options')
  expect(requested.body.allowCredentials).toBeUndefined()
  const entered = await enter(device.assert(requested.body.challenge, ada.id))
  expect(entered).toMatchObject({ status: 200, body: { user: { id: ada.id } } })
  const { body: list } = await send('GET /api/auth/me/passkeys', undefined, bearer(entered.body.accessToken))
  expect(list.items).toMatchObject([{ name: 'Phone', lastUsedAt: expect.any(String) }])
})

test('PLT-06 adding a passkey returns the security settings to htmx', async () => {
  const who = await person()
  const credential = createAuthenticator().attest((await who.options()).body.challenge)
  const headers = { ...who.headers, 'hx-request': 'true' }
  const response = await server.fetch('POST /api/auth/me/passkeys', { name: 'Key ring', credential }, headers)
  expect([response.status, response.headers.get('hx-redirect')]).toEqual([201, null])
  expect(await response.text()).toMatch(/^<div class="page[^>]*id="security-settings".*Key ring/s)
})

test('IDN-08 passkey counts as two factors', async () => {
  const ada = await withPasskey()
  await enter(ada.device.assert(await challengeOf(), ada.id))
  const rows = await server.database.sql`
    SELECT method, second_factor FROM identity.sessions WHERE user_id = ${ada.id} ORDER BY id`
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { method: 'registration', second_factor: true },
    { method: 'passkey', second_factor: true },
  ])
})

test('IDN-08 passkey assertion works once, within five minutes, and only for its own challenge', async () => {
  const ada = await withPasskey()
  const answer = ada.device.assert(await challengeOf(), ada.id)
  const both = await Promise.all([enter(answer), enter(answer)])
  expect(both.filter(({ status }) => status === 200).length).toBe(1)
  expect(await enter(answer)).toMatchObject(refused)
  expect(await enter(ada.device.assert('bm9ib2R5IGFza2VkIHRoaXM', ada.id))).toMatchObject(refused)
  const late = ada.device.assert(await challengeOf(), ada.id)
  server.clock.ahead += 5 * minute
  expect(await enter(late)).toMatchObject(refused)
})

/** Each forged assertion. */
const forged: [string, (device: Authenticator, id: string, challenge: string) => unknown][] = [
  ['another origin', (device, id, challenge) => device.assert(challenge, id, { origin: 'http://evil.example' })],
  [
    'the same host by another port',
    (device, id, challenge) => device.assert(challenge, id, { origin: 'http://localhost:81' }),
  ],
  [
    'a host with the same beginning',
    (device, id, challenge) => device.assert(challenge, id, { origin: 'http://localhost.evil.example' }),
  ],
  ['another relying party', (device, id, challenge) => device.assert(challenge, id, { rpId: 'evil.example' })],
  ['no user verification', (device, id, challenge) => device.assert(challenge, id, { unverified: true })],
  ['a statement of another type', (device, id, challenge) => device.assert(challenge, id, { type: 'webauthn.create' })],
  ['another person’s handle', (device, _, challenge) => device.assert(challenge, crypto.randomUUID())],
  ['an unknown key', (_, id, challenge) => createAuthenticator().assert(challenge, id)],
  [
    'another key under the passkey’s id',
    (device, id, challenge) => ({
      ...createAuthenticator().assert(challenge, id),
      id: device.credentialId,
      rawId: device.credentialId,
    }),
  ],
]

test.each(forged)('IDN-08 passkey sign-in is rejected with %s', async (_, forge) => {
  const ada = await withPasskey()
  expect(await enter(forge(ada.device, ada.id, await challengeOf()))).toMatchObject(refused)
  expect((await enter(ada.device.assert(await challengeOf(), ada.id))).status).toBe(200)
})

test('IDN-08 passkey whose counter decreases is rejected as a clone', async () => {
  const ada = await withPasskey()
  const use = async (counter: number) =>
    (await enter(ada.device.assert(await challengeOf(), ada.id, { counter }))).status
  expect([await use(7), await use(7), await use(6), await use(0), await use(8)]).toEqual([200, 401, 401, 401, 200])
})

test('IDN-08 passkey registration is rejected for a different person, challenge, origin or host, for an unverified user, and when repeated', async () => {
  const [ada, eve] = [await person(), await person()]
  const device = createAuthenticator()
  const requested = async () => (await ada.options()).body.challenge
  const challenge = await requested()
  expect((await eve.add(device.attest(challenge))).status).toBe(422)
  expect((await ada.add(device.attest(await challengeOf()))).status).toBe(422)
  expect((await ada.add(device.attest(await requested(), { origin: 'http://evil.example' }))).status).toBe(422)
  expect((await ada.add(device.attest(await requested(), { rpId: 'evil.example' }))).status).toBe(422)
  expect((await ada.add(device.attest(await requested(), { unverified: true }))).status).toBe(422)
  expect((await enter(device.assert(await requested(), ada.id))).status).toBe(401)
  expect((await ada.add(device.attest(challenge))).status).toBe(201)
  expect((await ada.add(device.attest(challenge))).status).toBe(422)
  const stolen = await eve.add(device.attest((await eve.options()).body.challenge))
  expect(stolen).toMatchObject({ status: 409, body: { code: 'passkey_exists' } })
})

test('IDN-08 passkey can be renamed and removed only by its owner, and removal requires a proof', async () => {
  const [ada, eve] = [await withPasskey(), await person()]
  const route = `/api/auth/me/passkeys/${ada.added.body.id}`
  expect((await send(`PUT ${route}`, { name: 'Mine' }, eve.headers)).status).toBe(404)
  expect((await send(`DELETE ${route}`, { password }, eve.headers)).status).toBe(404)
  expect(await send(`PUT ${route}`, { name: 'Key ring' }, ada.headers)).toMatchObject({ body: { name: 'Key ring' } })
  expect((await send(`DELETE ${route}`, {}, ada.headers)).status).toBe(422)
  expect((await send(`DELETE ${route}`, { password: 'not the password' }, ada.headers)).status).toBe(422)
  expect((await send(`DELETE ${route}`, { password }, ada.headers)).status).toBe(204)
  expect(await enter(ada.device.assert(await challengeOf(), ada.id))).toMatchObject(refused)
  const mails = await server.provided.mail.kept(server.database.db)
  expect(mails.filter(({ recipient }) => recipient === ada.email).length).toBe(2)
})

test('IDN-08 passkey works at the public URL and its configured subdomains, regardless of the Host header', async () => {
  const secure = await startIdentity(server.url, {
    PUBLIC_URL: 'https://atrium.example',
    SOCIAL_HOST: 'social.atrium.example',
  })
  const at = async (host: string, path: string, body: unknown, headers: Record<string, string> = {}) => {
    const request = new Request(`http://${host}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
    const response = await secure.handle(request)
    return {
      status: response.status,
      body: (await response.json()) as { challenge: string; rpId: string; code: string },
    }
  }
  const askedAt = (host: string) => at(host, '/api/auth/passkeys/options', {})
  for (const host of ['atrium.example', 'social.atrium.example'])
    expect(await askedAt(host)).toMatchObject({ status: 200, body: { rpId: 'atrium.example' } })
  for (const host of ['evil.atrium.example', 'notatrium.example', 'atrium.example.evil.example', 'localhost'])
    expect(await askedAt(host)).toMatchObject({ status: 421, body: { code: 'misdirected_request' } })

  const [ada, device] = [
    await person(),
    createAuthenticator({ origin: 'https://atrium.example', rpId: 'atrium.example' }),
  ]
  const options = await at('atrium.example', '/api/auth/me/passkeys/options', { password }, ada.headers)
  const credential = device.attest(options.body.challenge)
  const added = await at('atrium.example', '/api/auth/me/passkeys', { name: 'Phone', credential }, ada.headers)
  expect(added.status).toBe(201)

  // A page on another host below the domain, run by an attacker, requests the passkey and relays the assertion.
  const origin = 'https://evil.atrium.example'
  for (const [host, status] of [
    ['evil.atrium.example', 421],
    ['atrium.example', 401],
  ] as const) {
    const { challenge } = (await askedAt('atrium.example')).body
    const relayed = { credential: device.assert(challenge, ada.id, { origin }) }
    expect((await at(host, '/api/auth/passkeys/verify', relayed)).status).toBe(status)
  }
  const { challenge } = (await askedAt('social.atrium.example')).body
  const own = { credential: device.assert(challenge, ada.id, { origin: 'https://social.atrium.example' }) }
  expect((await at('social.atrium.example', '/api/auth/passkeys/verify', own)).status).toBe(200)
  await secure.stop()
})
