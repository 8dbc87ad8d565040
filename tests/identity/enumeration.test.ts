import { afterAll, afterEach, beforeAll, expect, spyOn, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { password, tokenIn } from '../support/world.ts'
import { json, startIdentity, type IdentityServer } from './server.tsx'

// Responses and work are the same with and without an account, so that registered addresses can't be discovered.

const verified = spyOn(Bun.password, 'verify')
const hashed = spyOn(Bun.password, 'hash')

let database: TestDatabase
let server: IdentityServer
let known: string
let withoutPassword: string

beforeAll(async () => {
  database = await freshDatabase()
  server = await startIdentity(database.url, { REGISTRATION_VERIFY: 'true' })
  known = await member()
  withoutPassword = await member()
  await server.database.sql`UPDATE identity.users SET password_hash = NULL WHERE email = ${withoutPassword}`
})

afterEach(() => {
  verified.mockClear()
  hashed.mockClear()
})

afterAll(async () => {
  verified.mockRestore()
  hashed.mockRestore()
  await server.stop()
  await database.drop()
})

const someone = () => ({ email: `${newId()}@example.com`, password, name: 'Ada' })

async function member(): Promise<string> {
  const person = someone()
  await server.fetch('POST /register', person)
  const token = tokenIn((await server.mails(person.email))[0])
  expect((await server.fetch('POST /register/confirm', { token, password })).status).toBe(201)
  return person.email
}

/** The visible parts of a response and the number of password hashes computed. */
async function reported(route: string, body: object, headers = {}) {
  const [before, made] = [verified.mock.calls.length, hashed.mock.calls.length]
  const response = await server.fetch(route, body, headers)
  const { status } = response
  const seen = Object.fromEntries(
    [...response.headers].filter(([name]) => !['x-request-id', 'set-cookie'].includes(name)),
  )
  const content = { ...(await json(response)), requestId: null, email: null }
  const hashes = { verified: verified.mock.calls.length - before, made: hashed.mock.calls.length - made }
  return { status, seen, content, cookies: response.headers.getSetCookie().length, hashes }
}

test('IDN-02 sign-in response is the same for addresses with an account, without one, and with an account that has no password', async () => {
  const tries = (email: string) => reported('POST /api/auth/login', { email, password: 'wrong horse battery' })
  const answer = await tries(known)
  expect(answer).toMatchObject({ status: 401, hashes: { verified: 1, made: 0 } })
  for (const email of [`${newId()}@example.com`, withoutPassword]) expect(await tries(email)).toEqual(answer)
})

test('IDN-02 sign-in with a password that can’t be hashed still takes one hash verification', async () => {
  for (const given of ['', 'x', 'ü'.repeat(1000)]) {
    const { status, hashes } = await reported('POST /api/auth/login', { email: known, password: given })
    expect([status, hashes]).toEqual([401, { verified: 1, made: 0 }])
  }
})

test('IDN-48 sign-up response is the same for registered and unknown addresses', async () => {
  const signsUp = (email: string) => reported('POST /register', { ...someone(), email })
  const answer = await signsUp(known)
  expect(answer).toMatchObject({ status: 202, hashes: { verified: 0, made: 1 } })
  expect(await signsUp(`${newId()}@example.com`)).toEqual(answer)
})

test('IDN-08 password reset and sign-in link responses are the same for registered and unknown addresses', async () => {
  for (const route of ['POST /api/auth/password-reset', 'POST /api/auth/magic-link', 'POST /register/resend']) {
    const answer = await reported(route, { email: known })
    expect(answer.hashes).toEqual({ verified: 0, made: 0 })
    expect(await reported(route, { email: `${newId()}@example.com` })).toEqual(answer)
  }
})

test('IDN-02 sign-in takes a comparable time with and without an account', async () => {
  const timed = async (email: string) => {
    const started = performance.now()
    await server.fetch('POST /api/auth/login', { email, password: 'wrong horse battery' })
    return performance.now() - started
  }
  process.env['TEST_REAL_HASHES'] = 'true'
  const accounts = await Promise.all([member(), member(), member(), member()]).finally(
    () => delete process.env['TEST_REAL_HASHES'],
  )
  const [ofKnown, ofUnknown]: [number[], number[]] = [[], []]
  const isComparable = () => {
    const [a, b] = [Math.min(...ofKnown), Math.min(...ofUnknown)]
    return Math.abs(a - b) < Math.max(a, b) / 2
  }
  // Compares the shortest of a few runs; a busy machine needs more of them.
  for (let round = 0; round < 5 && (round === 0 || !isComparable()); round++)
    for (const email of accounts) {
      ofKnown.push(await timed(email))
      ofUnknown.push(await timed(`${newId()}@example.com`))
    }
  expect(isComparable()).toBe(true)
})
