import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createAuthenticator, type Authenticator } from '../support/authenticator.ts'
import { password } from '../support/world.ts'
import { bearer, openIdentity } from './server.tsx'

// Sensitive changes require a fresh proof of identity; a session or token alone doesn't suffice.

let server: Awaited<ReturnType<typeof openIdentity>>

beforeAll(async () => {
  const github = { UPSTREAM_GITHUB_CLIENT_ID: 'atrium', UPSTREAM_GITHUB_CLIENT_SECRET: 'secret' }
  server = await openIdentity(github)
})

afterAll(() => server.stop())

interface Answered {
  status: number
  body: {
    code: string
    challenge: string
    accessToken: string
    user: { id: string }
    errors?: { path: string }[]
    allowCredentials: { id: string }[]
  }
}

async function send(route: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answered> {
  const response = await server.fetch(route, body, headers)
  const text = await response.text()
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : {} }
}

let people = 0

/** A person who has just signed up. */
async function person() {
  const email = `person${(people += 1)}@example.com`
  const { body } = await send('POST /register', { email, password, name: `Person ${people}` })
  const headers = bearer(body.accessToken)
  const asks = (route: string, sent: object = {}) => send(route, sent, headers)
  let addresses = 0
  /** Makes a change that requires a proof. */
  const sets = (proof: object) => {
    const address = `${(addresses += 1)}-home-${email}`
    return asks('PUT /api/auth/me/recovery-email', { email: address, ...proof })
  }
  return { id: body.user.id, email, asks, sets }
}

type Known = Awaited<ReturnType<typeof person>>

async function addPasskey({ asks }: Known): Promise<Authenticator> {
  const device = createAuthenticator()
  const { challenge } = (await asks('POST /api/auth/me/passkeys/options', { password })).body
  const added = await asks('POST /api/auth/me/passkeys', { name: 'Phone', credential: device.attest(challenge) })
  expect(added.status).toBe(201)
  return device
}

const losePassword = ({ id }: Known) =>
  server.database.sql`UPDATE identity.users SET password_hash = NULL WHERE id = ${id}`

const proofChallenge = async ({ asks }: Known) =>
  (await asks('POST /api/auth/me/passkeys/proof-options')).body.challenge

async function mailedCode({ asks, email }: Known): Promise<string> {
  expect((await asks('POST /api/auth/me/proof-code')).status).toBe(202)
  const [letter] = await server.mails(email)
  return /Your code is (\d{4} \d{4})/.exec(letter?.text ?? '')?.[1] ?? ''
}

const changes: [string, object][] = [
  ['POST /api/auth/me/passkeys/options', {}],
  ['POST /api/auth/me/totp', {}],
  ['POST /api/auth/identities', { provider: 'github' }],
  ['PUT /api/auth/me/recovery-email', { email: 'thief@example.com' }],
  ['POST /api/auth/me/email', { email: 'thief@example.com' }],
]

test.each(changes)('IDN-08 session without a proof is rejected for %s', async (route, body) => {
  const ada = await person()
  const refused = await ada.asks(route, body)
  expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, 'password'])
  expect((await ada.asks(route, { ...body, password: 'not the password' })).status).toBe(422)
  await losePassword(ada)
  const still = await ada.asks(route, body)
  expect([still.status, still.body.errors?.[0]?.path]).toEqual([422, 'code'])
})

test('IDN-08 passkey proves the person’s identity once, and only with a proof challenge', async () => {
  const [ada, eve] = [await person(), await person()]
  const [device, other] = [await addPasskey(ada), await addPasskey(eve)]
  await losePassword(ada)
  const options = (await ada.asks('POST /api/auth/me/passkeys/proof-options')).body
  expect(options.allowCredentials).toMatchObject([{ id: device.credentialId }])
  const passkey = device.assert(options.challenge, ada.id)
  expect((await ada.sets({ passkey })).status).toBe(200)
  expect((await ada.sets({ passkey })).status).toBe(422)
  const signIn = (await send('POST /api/auth/passkeys/options')).body.challenge
  expect((await ada.sets({ passkey: device.assert(signIn, ada.id) })).status).toBe(422)
  expect((await ada.sets({ passkey: other.assert(await proofChallenge(ada), eve.id) })).status).toBe(422)
  expect((await ada.sets({ passkey: other.assert(await proofChallenge(eve), eve.id) })).status).toBe(422)
  const form = JSON.stringify(device.assert(await proofChallenge(ada), null))
  expect((await ada.sets({ passkey: form, code: '' })).status).toBe(200)
})

test('IDN-08 proof challenge can’t be used to add a passkey', async () => {
  const ada = await person()
  await addPasskey(ada)
  const credential = createAuthenticator().attest(await proofChallenge(ada))
  expect((await ada.asks('POST /api/auth/me/passkeys', { name: 'Thief', credential })).status).toBe(422)
})

test('IDN-08 emailed code proves the identity of a person without a password or authenticator app, once within 10 minutes', async () => {
  const [ada, eve] = [await person(), await person()]
  await Promise.all([losePassword(ada), losePassword(eve)])
  const code = await mailedCode(ada)
  expect((await eve.sets({ code })).status).toBe(422)
  expect((await ada.sets({ code })).status).toBe(200)
  expect((await ada.sets({ code })).status).toBe(422)
  const [first, second] = [await mailedCode(ada), await mailedCode(ada)]
  expect((await ada.sets({ code: first })).status).toBe(422)
  await server.database.sql`
    UPDATE identity.proof_codes SET expires_at = expires_at - interval '10 minutes' WHERE user_id = ${ada.id}`
  expect((await ada.sets({ code: second })).status).toBe(422)
})

test('IDN-08 emailed code is locked after five wrong guesses', async () => {
  const ada = await person()
  await losePassword(ada)
  const code = await mailedCode(ada)
  const wrong = code === '0000 0000' ? '00000001' : '00000000'
  const answers = await Promise.all(Array.from({ length: 20 }, () => ada.sets({ code: wrong })))
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(5)
  expect(await ada.sets({ code })).toMatchObject({ status: 429, body: { code: 'too_many_codes' } })
})

test('IDN-08 emailed code is rejected for a person who has a password', async () => {
  const ada = await person()
  expect(await ada.asks('POST /api/auth/me/proof-code')).toMatchObject({
    status: 409,
    body: { code: 'stronger_proof_available' },
  })
  const [row] = await server.database.sql`SELECT password_hash FROM identity.users WHERE id = ${ada.id}`
  await losePassword(ada)
  const code = await mailedCode(ada)
  await server.database.sql`UPDATE identity.users SET password_hash = ${row?.['password_hash']} WHERE id = ${ada.id}`
  expect((await ada.sets({ code })).status).toBe(422)
})

test('IDN-08 authenticator app setup expires after 15 minutes', async () => {
  const ada = await person()
  await ada.asks('POST /api/auth/me/totp', { password })
  server.clock.ahead = 15 * 60_000 + 1000
  const late = await send('POST /api/auth/login', { email: ada.email, password })
  const confirmed = await send('POST /api/auth/me/totp/confirm', { code: '123456' }, bearer(late.body.accessToken))
  server.clock.ahead = 0
  expect(confirmed).toMatchObject({ status: 409, body: { code: 'totp_not_started' } })
})
