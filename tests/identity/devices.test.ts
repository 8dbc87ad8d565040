import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { password } from '../support/world.ts'
import { bearer, type IdentityServer, json, openIdentity } from './server.tsx'

let server: IdentityServer

beforeAll(async () => {
  server = await openIdentity()
})

afterAll(() => server.stop())

const minute = 60_000
const browser = { 'sec-fetch-site': 'same-origin' }
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

interface From {
  address?: string
  headers?: Record<string, string>
}

const post = (path: string, body: object, { address, headers = {} }: From = {}) =>
  server.handle(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    }),
    address ?? null,
  )

async function someone(from: From = {}) {
  const email = `${newId()}@example.com`
  const { accessToken, refreshToken } = await json(await post('/register', { email, password, name: 'Ada' }, from))
  return { email, accessToken, refreshToken }
}

const signIn = (email: string, from: From = {}) => post('/api/auth/login', { email, password }, from)

const list = async (accessToken: string) => {
  const response = await server.fetch('GET /api/auth/sessions', undefined, bearer(accessToken))
  return (await json(response)).items
}

const cookiesOf = (response: Response): Record<string, string> =>
  Object.fromEntries(response.headers.getSetCookie().map((text) => text.split(';')[0]?.split('=') ?? []))

test('IDN-03 session shows device, address, sign-in method and last use', async () => {
  const { email, accessToken } = await someone({ address: '203.0.113.5', headers: { 'user-agent': 'curl/8.14.1' } })
  await signIn(email, { address: '2001:db8::7', headers: { ...browser, 'user-agent': firefox } })
  const [first, second] = await list(accessToken)
  expect(first).toMatchObject({ device: 'curl', address: '203.0.113.5', method: 'registration', current: true })
  expect(second).toMatchObject({
    device: 'Firefox on Linux',
    address: '2001:db8::7',
    method: 'password',
    current: false,
  })
  expect(second?.['lastUsedAt']).toBe(second?.['createdAt'])
})

test('IDN-03 last use of a session is updated at most every five minutes', async () => {
  const { email, accessToken } = await someone()
  const { session } = cookiesOf(await signIn(email, { headers: browser }))
  const used = async (after: number) => {
    server.clock.ahead = after
    expect((await server.fetch('GET /api/auth/me', undefined, { cookie: `session=${session}` })).status).toBe(200)
    server.clock.ahead = 0
    const [, second] = await list(accessToken)
    return Date.parse(String(second?.['lastUsedAt'])) - Date.now()
  }
  expect(await used(4 * minute)).toBeLessThan(1)
  expect(await used(6 * minute)).toBeGreaterThan(5 * minute)
})

test.each([
  [firefox, 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'Chrome on Windows',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
    'Chrome on iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  ['Atrium-CLI/1.2 (linux)', 'Atrium-CLI'],
  ['<script>alert(1)</script>', null],
  ['\u00fc'.repeat(5), null],
])('IDN-03 device name of user agent %s is %p', async (agent, name) => {
  const { accessToken } = await someone({ headers: { 'user-agent': agent } })
  expect((await list(accessToken))[0]?.['device']).toBe(name)
})

test('IDN-03 person signs out all their other sessions at once, and no one else’s', async () => {
  const [ada, bob] = [await someone(), await someone()]
  const others = await Promise.all([signIn(ada.email), signIn(ada.email)].map(async (each) => json(await each)))
  expect((await server.fetch('DELETE /api/auth/sessions', undefined, bearer(ada.accessToken))).status).toBe(204)
  const status = async (token: string) => (await server.fetch('GET /api/auth/me', undefined, bearer(token))).status
  expect(await Promise.all(others.map(({ accessToken }) => status(accessToken)))).toEqual([401, 401])
  expect([await status(ada.accessToken), await status(bob.accessToken)]).toEqual([200, 200])
})

test('IDN-03 sign-in from a new device is emailed once', async () => {
  const { email } = await someone({ headers: browser })
  expect(await server.mails(email)).toEqual([])
  const from = { address: '203.0.113.9', headers: { ...browser, 'user-agent': firefox } }
  const { device } = cookiesOf(await signIn(email, from))
  const [letter] = await server.mails(email)
  expect(letter?.subject).toBe('New sign-in to your Atrium account')
  expect(letter?.text).toContain('Firefox on Linux, 203.0.113.9, on')
  await signIn(email, { ...from, headers: { ...from.headers, cookie: `device=${device}` } })
  expect(await server.mails(email)).toHaveLength(1)
})

test('IDN-03 program is recognized as a known device by its name and network', async () => {
  const { email } = await someone()
  const curl = (address: string) => signIn(email, { address, headers: { 'user-agent': 'curl/8.14.1' } })
  const answers = await Promise.all([curl('203.0.113.9'), curl('203.0.113.9'), curl('203.0.113.9')])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await server.mails(email)).toHaveLength(1)
  await curl('198.51.100.9')
  expect(await server.mails(email)).toHaveLength(2)
})

test('IDN-03 reused refresh token ends its session and the person is emailed', async () => {
  const { email, refreshToken } = await someone()
  const refresh = () => post('/api/auth/refresh', { refreshToken })
  expect((await refresh()).status).toBe(200)
  server.clock.ahead = 11_000
  const answers = await Promise.all([refresh(), refresh()])
  server.clock.ahead = 0
  expect(answers.map(({ status }) => status)).toEqual([401, 401])
  const mails = await server.mails(email)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.text).toContain('its token was used twice')
})

test('IDN-26 sign-in replaces all cookies that the browser sent', async () => {
  const [victim, attacker] = [await someone(), await someone()]
  const theirs = cookiesOf(await signIn(attacker.email, { headers: browser }))
  const planted = [theirs, { session: 'planted', refresh: 'planted', device: 'x'.repeat(43) }]
  for (const jar of planted) {
    const cookie = Object.entries(jar)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ')
    const given = cookiesOf(await signIn(victim.email, { headers: { ...browser, cookie } }))
    for (const name of ['session', 'refresh', 'device']) {
      expect(given[name]).toMatch(/^[\w.-]{43,}$/)
      expect(given[name]).not.toBe(jar[name])
    }
    const whose = async (session = '') =>
      (await json(await server.fetch('GET /api/auth/me', undefined, { cookie: `session=${session}` }))).user?.email
    expect(await whose(given['session'])).toBe(victim.email)
    if (jar === theirs) expect(await whose(jar['session'])).toBe(attacker.email)
  }
})

test('IDN-08 failed sign-ins are shown only to the owner of the account', async () => {
  const [ada, bob] = [await someone(), await someone()]
  await post('/api/auth/login', { email: ada.email, password: 'wrong horse battery' }, { address: '203.0.113.66' })
  const seen = async (accessToken: string) =>
    (await json(await server.fetch('GET /api/auth/refused-sign-ins', undefined, bearer(accessToken)))).items
  expect(await seen(ada.accessToken)).toEqual([{ at: expect.any(String), address: '203.0.113.66' }])
  expect(await seen(bob.accessToken)).toEqual([])
})
