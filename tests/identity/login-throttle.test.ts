import { afterAll, beforeAll, expect, test } from 'bun:test'
import { deleteExpired } from '#identity'
import { newId } from '#lib/ids.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { password } from '../support/world.ts'
import { json, startIdentity, type IdentityServer } from './server.tsx'

let database: TestDatabase
let server: IdentityServer
let other: IdentityServer

beforeAll(async () => {
  database = await freshDatabase()
  ;[server, other] = await Promise.all([startIdentity(database.url), startIdentity(database.url)])
  server.clock.stoppedAt = other.clock.stoppedAt = Date.now()
})

afterAll(async () => {
  await Promise.all([server.stop(), other.stop()])
  await database.drop()
})

const wrong = 'wrong horse battery'
const browser = { 'sec-fetch-site': 'same-origin' }

interface From {
  /** Null when the client's address is unknown. */
  address?: string | null
  headers?: Record<string, string>
  at?: IdentityServer
}

/** Moves the servers' clocks ahead. */
const wait = (seconds: number) => (server.clock.ahead = other.clock.ahead = server.clock.ahead + seconds * 1000)

const tries = (email: string, secret: string, { address = null, headers = {}, at = server }: From = {}) =>
  at.handle(
    new Request('http://localhost/api/auth/login', {
      method: 'POST',
      body: JSON.stringify({ email, password: secret }),
      headers: { 'content-type': 'application/json', ...headers },
    }),
    address,
  )

async function inTurn<Result>(times: number, act: (time: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let time = 0; time < times; time++) results.push(await act(time))
  return results
}

const statuses = (times: number, act: (time: number) => Promise<Response>) =>
  inTurn(times, async (time) => (await act(time)).status)

async function someone(): Promise<string> {
  const email = `${newId()}@example.com`
  expect((await server.fetch('POST /register', { email, password, name: 'Ada' })).status).toBe(201)
  return email
}

const unknownId = () => `${newId()}@example.com`

/** The cookie by which a browser is recognized at its next sign-in. */
async function deviceOf(email: string, cookie = ''): Promise<string> {
  const response = await tries(email, password, { headers: { ...browser, cookie } })
  expect(response.status).toBe(200)
  return (
    response.headers
      .getSetCookie()
      .find((text) => text.startsWith('device='))
      ?.split(';')[0] ?? ''
  )
}

test('IDN-02 account is blocked for a second after five wrong passwords, then twice as long after each one, up to 15 minutes', async () => {
  const email = await someone()
  expect(await statuses(5, () => tries(email, wrong))).toEqual([401, 401, 401, 401, 401])
  const waits = await inTurn(7, async (time) => {
    if (time === 4) await skipTo(13)
    const refused = await tries(email, password)
    expect(refused.status).toBe(429)
    const seconds = Number(refused.headers.get('retry-after'))
    wait(seconds)
    expect((await tries(email, wrong)).status).toBe(401)
    return seconds
  })
  expect(waits).toEqual([1, 2, 4, 8, 256, 512, 900])
  const refused = await tries(email, password)
  expect(await json(refused)).toMatchObject({
    code: 'sign_in_throttled',
    detail: 'Too many wrong passwords. Try again in 15 minutes.',
  })
  wait(900)
  expect((await tries(email, password)).status).toBe(200)
  expect(await statuses(5, () => tries(email, wrong))).toEqual([401, 401, 401, 401, 401])
})

/** Sets the count of wrong passwords of every waiting subject. */
const skipTo = (failures: number) => server.database.sql`
  UPDATE identity.sign_in_failures SET failures = ${failures}, waits_until = last_failed_at + interval '256 seconds'
  WHERE failures >= 5`

test('IDN-02 delay applies on every server, and the correct password doesn’t shorten it', async () => {
  const email = await someone()
  await statuses(5, (time) => tries(email, wrong, { at: time % 2 ? server : other }))
  for (const at of [server, other]) expect((await tries(email, password, { at })).status).toBe(429)
})

test('IDN-02 concurrent guesses get no more attempts than sequential ones', async () => {
  const email = await someone()
  const guesses = Array.from({ length: 20 }, (_, at) => tries(email, at === 15 ? password : wrong))
  const answers = (await Promise.all(guesses)).map(({ status }) => status)
  expect(answers.filter((status) => status === 401).length).toBe(5)
  expect(answers[15]).toBe(429)
  expect(answers.filter((status) => status === 429).length).toBe(15)
})

test('IDN-02 unknown account is delayed like a registered one', async () => {
  const [known, unknown] = [await someone(), unknownId()]
  const shape = async (email: string) =>
    inTurn(7, async () => {
      const response = await tries(email, wrong)
      return { ...(await json(response)), requestId: null, retry: response.headers.get('retry-after') }
    })
  expect(await shape(unknown)).toEqual(await shape(known))
})

test('IDN-02 known device can sign in while strangers’ guesses block the account', async () => {
  const email = await someone()
  const device = await deviceOf(email)
  for (const address of ['203.0.113.1', '203.0.113.2']) await statuses(12, () => tries(email, wrong, { address }))
  expect((await tries(email, password)).status).toBe(429)
  const own = { address: '203.0.113.1', headers: { ...browser, cookie: device } }
  expect((await tries(email, password, own)).status).toBe(200)
})

test('IDN-02 known device is delayed after its own wrong passwords', async () => {
  const email = await someone()
  const device = { headers: { ...browser, cookie: await deviceOf(email) } }
  expect(await statuses(6, () => tries(email, wrong, device))).toEqual([401, 401, 401, 401, 401, 429])
  expect((await tries(email, password)).status).toBe(200)
  wait(1)
  expect((await tries(email, password, device)).status).toBe(200)
})

test('IDN-02 device is known only to accounts that signed in from it', async () => {
  const [ada, bob, eve] = [await someone(), await someone(), await someone()]
  const ofEve = await deviceOf(eve)
  for (const email of [ada, bob]) await statuses(5, () => tries(email, wrong))
  const from = (cookie: string) => ({ headers: { ...browser, cookie } })
  expect((await tries(ada, password, from(ofEve))).status).toBe(429)
  expect((await tries(ada, password, from(`device=${'x'.repeat(43)}`))).status).toBe(429)
  wait(2)
  const shared = await deviceOf(bob, await deviceOf(ada))
  for (const email of [ada, bob]) {
    await statuses(5, () => tries(email, wrong))
    expect((await tries(email, password, from(shared))).status).toBe(200)
  }
})

test('IDN-02 password change makes all devices unknown except the one that changed it', async () => {
  const email = await someone()
  const [thief, own] = [await deviceOf(email), await tries(email, password, { headers: browser })]
  const cookie = own.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')
  const fresh = 'another horse battery'
  const body = { currentPassword: password, password: fresh }
  expect((await server.fetch('POST /api/auth/password', body, { ...browser, cookie })).status).toBe(204)
  await statuses(5, () => tries(email, wrong))
  expect((await tries(email, fresh, { headers: { ...browser, cookie: thief } })).status).toBe(429)
  expect((await tries(email, fresh, { headers: { ...browser, cookie } })).status).toBe(200)
})

test('IDN-02 sign-in replaces the device cookie that the browser sent', async () => {
  const [victim, attacker] = [await someone(), await someone()]
  const planted = await deviceOf(attacker)
  const given = await deviceOf(victim, planted)
  expect(given).not.toBe(planted)
  await statuses(5, () => tries(victim, wrong))
  expect((await tries(victim, password, { headers: { ...browser, cookie: planted } })).status).toBe(429)
})

test('IDN-02 device cookie is HttpOnly, lasts 400 days and is stored hashed', async () => {
  const email = await someone()
  const response = await tries(email, password, { headers: browser })
  const cookie = response.headers.getSetCookie().find((text) => text.startsWith('device='))
  expect(cookie).toMatch(/^device=[\w-]{43}; Path=\/; Max-Age=34560000; SameSite=Lax; HttpOnly$/)
  const rows = await server.database.sql`SELECT mark FROM identity.known_devices`
  expect(JSON.stringify(rows)).not.toContain(/=([^;]+)/.exec(cookie ?? '')?.[1] ?? '')
})

test('IDN-02 IP address is blocked for ten minutes after ten wrong passwords in a row, for any accounts', async () => {
  const from = { address: '198.51.100.7' }
  const mine = await someone()
  expect(new Set(await statuses(9, () => tries(unknownId(), wrong, from)))).toEqual(new Set([401]))
  expect((await tries(mine, password, from)).status).toBe(200)
  expect(new Set(await statuses(10, () => tries(unknownId(), wrong, from)))).toEqual(new Set([401]))
  const refused = await tries(mine, password, from)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '600'])
  expect((await tries(mine, password, { address: '198.51.100.8' })).status).toBe(200)
  wait(600)
  expect((await tries(mine, password, from)).status).toBe(200)
})

test('IDN-02 IPv6 addresses are counted by their /64 network', async () => {
  await statuses(10, (time) => tries(unknownId(), wrong, { address: `2001:db8:7:7::${time}` }))
  expect((await tries(unknownId(), wrong, { address: '2001:db8:7:7:ffff::1' })).status).toBe(429)
})

test('IDN-02 wrong passwords are forgotten after a day, and no client addresses are stored with them', async () => {
  const email = await someone()
  await statuses(5, () => tries(email, wrong))
  const rows = await server.database.sql`SELECT * FROM identity.sign_in_failures`
  expect(JSON.stringify(rows)).not.toContain('@')
  wait(24 * 60 * 60 + 1)
  expect(await statuses(5, () => tries(email, wrong))).toEqual([401, 401, 401, 401, 401])
  wait(24 * 60 * 60 + 1)
  const now = () => new Date((server.clock.stoppedAt ?? 0) + server.clock.ahead)
  await deleteExpired.run({ ...server.provided, database: server.database, now, input: {} })
  expect((await server.database.sql`SELECT * FROM identity.sign_in_failures`).length).toBe(0)
})

test('IDN-02 IPv6 /48 is counted in addition to its /64s and throttled after 50 wrong passwords', async () => {
  const from = (time: number) => ({ address: `2001:db8:9:${time.toString(16)}::1` })
  expect((await tries(unknownId(), wrong, from(1))).status).toBe(401)
  await server.database.sql`
    UPDATE identity.sign_in_failures SET failures = 49 WHERE kind = 'site' AND subject LIKE '2001:db8:9:%'`
  expect((await tries(unknownId(), wrong, from(2))).status).toBe(401)
  const refused = await tries(unknownId(), wrong, from(999))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '600'])
  expect((await tries(unknownId(), wrong, { address: '2001:db8:a:1::1' })).status).toBe(401)
})

/** Signs in with wrong passwords until `done`, from a new network each time, `lanes` at a time. */
async function flood(lanes: number, addressOf: (nth: number) => string, done: () => boolean): Promise<number[]> {
  const answers: number[] = []
  let nth = 0
  const one = async () => {
    while (!done()) {
      const { status } = await tries(unknownId(), wrong, { address: addressOf((nth += 1)) })
      answers.push(status)
      // A refusal costs nothing: without a pause the others would hardly get the event loop.
      if (status !== 401) await Bun.sleep(5)
    }
  }
  await Promise.all(Array.from({ length: lanes }, one))
  return answers
}

test('IDN-02 known devices and sessions work during a flood of guesses from many networks', async () => {
  const email = await someone()
  const device = await deviceOf(email)
  const { accessToken } = await json(await tries(email, password))
  let isOver = false
  const flooded = flood(
    80,
    (nth) => `198.18.${nth >> 8}.${nth & 255}`,
    () => isOver,
  )
  const own = { headers: { ...browser, cookie: device } }
  const known = await statuses(6, () => tries(email, password, own))
  const proof = { email: `new-${email}`, password }
  const proved = await server.fetch('POST /api/auth/me/email', proof, { authorization: `Bearer ${accessToken}` })
  isOver = true
  expect(await flooded).toContain(503)
  expect([...known, proved.status]).toEqual([200, 200, 200, 200, 200, 200, 202])
})

test('IDN-02 flood from one /48 doesn’t block other networks', async () => {
  let isOver = false
  const flooded = flood(
    80,
    (nth) => `2001:db8:b:${nth.toString(16)}::1`,
    () => isOver,
  )
  const neighbors = await statuses(6, (time) => tries(unknownId(), wrong, { address: `203.0.113.${100 + time}` }))
  isOver = true
  expect(await flooded).toContain(503)
  expect(new Set(neighbors)).toEqual(new Set([401]))
})
