import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { guarded } from '../operations/every.ts'
import { pkce } from '../support/sso.ts'
import { bearer, openWorld, password, type Caller, type World } from '../support/world.ts'

let world: World
/** A third-party service with its own redirect URI. */
let shop: { id: string; uri: string }
const callback = 'http://localhost/auth/callback'
const page = { accept: 'text/html', 'sec-fetch-site': 'none' }

beforeAll(async () => {
  world = await openWorld()
  const uri = 'https://shop.example/auth/callback'
  const [row] = await world.database.sql<{ id: string }[]>`
    INSERT INTO identity.services (slug, name, description) VALUES ('corner-shop', 'Corner Shop', 'Sells things')
    RETURNING id`
  shop = { id: row?.id ?? '', uri }
  await world.database.sql`INSERT INTO identity.service_redirect_uris VALUES (${shop.id}, ${uri})`
})
afterAll(() => world.close())

let ada: Awaited<ReturnType<World['ada']['signIn']>>
beforeAll(async () => {
  ada = await world.ada.signIn()
})

interface Tokens {
  accessToken: string
  refreshToken?: string
}

const send = (route: string, body?: unknown, headers: Record<string, string> = {}) =>
  world.stranger.fetch(route, body, headers)
const exchange = (body: Record<string, unknown>, headers?: Record<string, string>) =>
  send('POST /sso/exchange', body, headers)
const codeIn = (url: string | null): string => new URL(url ?? '').searchParams.get('sso_code') ?? ''
const isAlive = async (token: string) => (await send('GET /validate', undefined, bearer(token))).status === 200

async function handOff(caller: Caller = ada, options: Record<string, unknown> = {}): Promise<string> {
  const body = { service_id: world.serviceId, redirect_uri: callback, ...options }
  return codeIn((await caller.fetchJson<{ url: string }>('POST /sso/handoff-code', body)).url)
}

const authorizePath = (options: Record<string, string> = {}) =>
  `/sso/authorize?${new URLSearchParams({ service_id: world.serviceId, redirect_uri: callback, state: 'xyz', ...pkce.promise, ...options })}`
const visit = (path: string, cookie = ada.cookie) => send(`GET ${path}`, undefined, { ...page, cookie })

async function authorized(options: Record<string, string> = {}): Promise<string> {
  const answer = await visit(authorizePath(options))
  expect(answer.status).toBe(303)
  return codeIn(answer.headers.get('location'))
}

const verified = { code_verifier: pkce.verifier }

describe('hand-off', () => {
  test('IDN-22 hand-off URL is the registered address with a code that works once within a minute, and no token', async () => {
    const before = Date.now()
    const answer = await ada.fetchJson<{ url: string; expiresAt: string }>('POST /sso/handoff-code', {
      service_id: world.serviceId,
      redirect_uri: callback,
    })
    const url = new URL(answer.url)
    expect([url.origin + url.pathname, [...url.searchParams.keys()]]).toEqual([callback, ['sso_code']])
    expect(codeIn(answer.url)).toMatch(/^[\w-]{43}$/)
    expect(answer.url).not.toContain('eyJ')
    expect(Date.parse(answer.expiresAt)).toBeWithin(before + 59_000, Date.now() + 60_001)
    const kept = await world.database.sql`SELECT * FROM identity.sso_codes`
    expect(JSON.stringify(kept)).not.toContain(codeIn(answer.url))
    const arrived = await (await exchange({ sso_code: codeIn(answer.url) })).json()
    expect(arrived).toMatchObject({
      user: { id: world.ada.id },
      organization: { id: world.ada.things.organizations },
      service: { slug: 'platform-socialize', webUrl: '/workspace/posts' },
      expiresIn: 600,
    })
    expect(await isAlive(arrived.accessToken)).toBe(true)
  })

  test('IDN-22 hand-off accepts a slug and rejects unregistered URIs, unknown services and callers without a session', async () => {
    expect(await handOff(ada, { service_id: 'platform-socialize' })).not.toBe('')
    const refuse = async (options: Record<string, unknown>, status: number) => {
      const body = { service_id: world.serviceId, redirect_uri: callback, ...options }
      expect((await ada.fetch('POST /sso/handoff-code', body)).status, JSON.stringify(options)).toBe(status)
    }
    await refuse({ redirect_uri: shop.uri }, 422)
    await refuse({ service_id: shop.id }, 422)
    await refuse({ service_id: 'nothing' }, 422)
    await refuse({ service_id: crypto.randomUUID() }, 422)
    expect((await world.stranger.fetch('POST /sso/handoff-code', {})).status).toBe(401)
    expect((await world.key.fetch('POST /sso/handoff-code', {})).status).toBe(403)
    expect(
      (await world.service.fetch('POST /sso/handoff-code', { service_id: world.serviceId, redirect_uri: callback }))
        .status,
    ).toBe(403)
  })

  test('IDN-22 hand-off code is rejected after a minute and after its session ends', async () => {
    const late = await handOff()
    await world.database.sql`UPDATE identity.sso_codes SET expires_at = now() WHERE used_at IS NULL AND hash <> 'x'`
    expect((await exchange({ sso_code: late })).status).toBe(401)
    const other = await world.ada.signIn()
    const left = await handOff(other)
    await other.fetchJson('POST /api/auth/logout')
    const answer = await exchange({ sso_code: left })
    expect([answer.status, (await answer.json()).code]).toEqual([401, 'invalid_code'])
  })
})

test('IDN-23 reused code is rejected and ends the session that it created', async () => {
  const code = await handOff()
  const first: Tokens = await (await exchange({ sso_code: code })).json()
  expect(await isAlive(first.accessToken)).toBe(true)
  expect((await exchange({ sso_code: code })).status).toBe(401)
  expect(await isAlive(first.accessToken)).toBe(false)
  expect((await send('POST /api/auth/refresh', { refreshToken: first.refreshToken })).status).toBe(401)
  expect((await ada.fetch('GET /api/auth/me')).status).toBe(200)
})

test('IDN-23 code that is used many times at the same time leaves no active session', async () => {
  const code = await handOff()
  const answers = await Promise.all(Array.from({ length: 20 }, () => exchange({ sso_code: code })))
  const got = answers.filter(({ status }) => status === 200)
  expect(got.length).toBeLessThanOrEqual(1)
  for (const answer of got) expect(await isAlive((await answer.json()).accessToken)).toBe(false)
})

test('IDN-23 /sso/authorize redirects a signed-in person with code, state and issuer, and others to sign in', async () => {
  const answer = await visit(authorizePath())
  expect(answer.status).toBe(303)
  const url = new URL(answer.headers.get('location') ?? '')
  expect(url.origin + url.pathname).toBe(callback)
  const { sso_code, code, ...rest } = Object.fromEntries(url.searchParams)
  expect(rest).toEqual({ state: 'xyz', iss: 'http://localhost' })
  expect(code).toBe(sso_code ?? '')
  const arrived = await exchange({ sso_code, ...verified })
  expect(await arrived.json()).toMatchObject({ user: { id: world.ada.id } })
  const stranger = await visit(authorizePath(), '')
  expect(stranger.headers.get('location')).toBe(`/login?next=${encodeURIComponent(authorizePath())}`)
  const quiet = new URL((await visit(authorizePath({ prompt: 'none' }), '')).headers.get('location') ?? '')
  expect(quiet.searchParams.get('error')).toBe('login_required')
})

test('IDN-23 long authorization request survives the sign-in page', async () => {
  const path = authorizePath({ state: 's'.repeat(1990), nonce: 'n'.repeat(490) })
  const door = (await visit(path, '')).headers.get('location') ?? ''
  const shown = await (await visit(door, '')).text()
  expect(shown).toContain(`name="next" value="${path.replaceAll('&', '&amp;')}"`)
  const { email } = world.nora
  const signedIn = await send('POST /api/auth/login', { email, password, next: path }, { 'hx-request': 'true' })
  expect(signedIn.headers.get('hx-redirect')).toBe(path)
})

test('IDN-23 code exchange with a wrong, missing or unexpected PKCE verifier is rejected and invalidates the code', async () => {
  for (const wrong of [
    {},
    { code_verifier: pkce.verifier.replace('a', 'b') },
    { code_verifier: 'short' },
    { code_verifier: pkce.promise.code_challenge },
  ]) {
    const code = await authorized()
    expect((await exchange({ sso_code: code, ...wrong })).status).toBe(401)
    expect((await exchange({ sso_code: code, ...verified })).status).toBe(401)
  }
  expect((await exchange({ sso_code: await handOff(), ...verified })).status).toBe(401)
})

test('IDN-23 authorization request without a PKCE challenge or with a method other than S256 is rejected', async () => {
  const without = authorizePath().replace(/&code_challenge=[^&]*/, '')
  for (const path of [
    without,
    authorizePath({ code_challenge_method: 'plain' }),
    authorizePath({ code_challenge: 'short' }),
    authorizePath({ response_type: 'token' }),
  ]) {
    const url = new URL((await visit(path)).headers.get('location') ?? '')
    expect(url.origin + url.pathname).toBe(callback)
    expect([url.searchParams.get('state'), url.searchParams.has('sso_code')]).toEqual(['xyz', false])
    expect(url.searchParams.get('error')).toMatch(/^(invalid_request|unsupported_response_type)$/)
  }
})

test.each([
  ['a prefix of it', 'https://shop.example/auth'],
  ['a path below it', 'https://shop.example/auth/callback/more'],
  ['a path beside it', 'https://shop.example/auth/callback/../evil'],
  ['a trailing slash', 'https://shop.example/auth/callback/'],
  ['a query', 'https://shop.example/auth/callback?next=//evil.example'],
  ['a fragment', 'https://shop.example/auth/callback#x'],
  ['user info before another host', 'https://shop.example@evil.example/auth/callback'],
  ['credentials', 'https://ada@shop.example/auth/callback'],
  ['an uppercase host', 'https://SHOP.example/auth/callback'],
  ['another case of the path', 'https://shop.example/auth/Callback'],
  ['a port', 'https://shop.example:8443/auth/callback'],
  ['the default port', 'https://shop.example:443/auth/callback'],
  ['no encryption', 'http://shop.example/auth/callback'],
  ['an encoded letter', 'https://shop.example/auth/callb%61ck'],
  ['an encoded slash', 'https://shop.example/auth%2Fcallback'],
  ['a backslash', String.raw`https://shop.example\@evil.example/auth/callback`],
  ['a host with the same ending', 'https://evilshop.example/auth/callback'],
  ['a host with the same beginning', 'https://shop.example.evil.example/auth/callback'],
  ['a tab', 'https://shop.example/auth/callback\t'],
  ['the address of another service', 'http://localhost/auth/callback'],
  ['a script', 'javascript:alert(1)//https://shop.example/auth/callback'],
  ['nothing', ''],
])('IDN-23 redirect URI with %s is rejected without a redirect', async (_, uri) => {
  const path = authorizePath({ service_id: shop.id, redirect_uri: uri })
  for (const cookie of [ada.cookie, '']) {
    const answer = await visit(path, cookie)
    expect([answer.status, answer.headers.get('location')]).toEqual([422, null])
    expect(answer.headers.get('content-type')).toStartWith('text/html')
  }
  const body = { service_id: shop.id, redirect_uri: uri, ...pkce.promise }
  for (const route of ['POST /sso/handoff-code', 'POST /sso/authorize'])
    expect((await ada.fetch(route, body)).status).toBe(422)
})

test('IDN-23 repeated parameters are rejected', async () => {
  const path = `${authorizePath({ service_id: shop.id, redirect_uri: shop.uri })}&redirect_uri=https://evil.example`
  expect((await visit(path)).status).toBe(422)
  const two = `${authorizePath()}&client_id=${shop.id}`
  expect((await visit(two)).status).toBe(422)
})

test('IDN-23 code is rejected for a service or redirect URI other than the one it was issued for', async () => {
  for (const wrong of [
    { service_id: shop.id },
    { service_id: 'corner-shop' },
    { redirect_uri: shop.uri },
    { redirect_uri: `${callback}/` },
  ]) {
    expect((await exchange({ sso_code: await authorized(), ...verified, ...wrong })).status).toBe(401)
  }
  const right = { service_id: 'platform-socialize', redirect_uri: callback }
  expect((await exchange({ sso_code: await authorized(), ...verified, ...right })).status).toBe(200)
})

test('PLT-21 cross-site requests can’t exchange codes, decide about consent or start hand-offs', async () => {
  const code = await handOff()
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of foreign) {
    expect((await exchange({ sso_code: code }, headers)).status).toBe(403)
    for (const route of ['POST /sso/handoff-code', 'POST /sso/authorize']) {
      const body = { service_id: shop.id, redirect_uri: shop.uri, ...pkce.promise }
      expect((await send(route, body, { ...headers, cookie: ada.cookie })).status).toBe(403)
    }
  }
  expect((await exchange({ sso_code: code })).status).toBe(200)
})

describe('third-party app', () => {
  const options = () => ({ service_id: shop.id, redirect_uri: shop.uri })
  const allow = async (decision?: string) => {
    const body = { ...options(), ...pkce.promise, state: 'xyz', ...(decision && { decision }) }
    return new URL((await ada.fetchJson<{ url: string }>('POST /sso/authorize', body)).url)
  }

  test('IDN-23 consent is requested before a code is issued, and a denial is returned to the app', async () => {
    const requested = await visit(authorizePath(options()))
    expect(requested.status).toBe(200)
    const text = await requested.text()
    expect(text).toContain('Sign in to Corner Shop?')
    expect(text).toContain('shop.example')
    expect(text).not.toContain('sso_code')
    const refused = await allow('deny')
    expect(Object.fromEntries(refused.searchParams)).toEqual({
      error: 'access_denied',
      state: 'xyz',
      iss: 'http://localhost',
    })
    const quiet = new URL((await visit(authorizePath({ ...options(), prompt: 'none' }))).headers.get('location') ?? '')
    expect(quiet.searchParams.get('error')).toBe('consent_required')
  })

  test('IDN-23 app can read only the person’s identity, and consent isn’t requested again while its session lasts', async () => {
    const code = codeIn((await allow()).href)
    const { accessToken, refreshToken } = await (await exchange({ sso_code: code, ...verified })).json()
    const app = (route: string, body?: unknown) => send(route, body, bearer(accessToken))
    const validation = await (await app('GET /validate')).json()
    expect(validation).toMatchObject({ app: shop.id, permissions: [], principal: { id: world.ada.id } })
    const me = await (await app('GET /api/auth/me')).json()
    expect(me).toMatchObject({ user: { email: world.ada.email }, organization: { name: 'Acme' } })
    expect(me.organizations.length).toBe(1)
    const reading = guarded.filter(({ method, name, signed }) => method === 'GET' && name !== 'me' && !signed)
    for (const route of [
      'PUT /api/auth/me',
      ...reading.map((operation) => operation.route.replaceAll(/:\w+/g, newId())),
    ])
      expect([route, (await app(route)).status]).toEqual([route, 403])
    for (const route of ['POST /sso/handoff-code', 'POST /sso/authorize'])
      expect((await app(route, { ...options(), ...pkce.promise })).status).toBe(403)
    expect((await visit(authorizePath(options()))).status).toBe(303)
    expect((await app('POST /api/auth/logout')).status).toBe(200)
    expect((await send('POST /api/auth/refresh', { refreshToken })).status).toBe(401)
    expect((await ada.fetch('GET /api/auth/me')).status).toBe(200)
    expect((await visit(authorizePath(options()))).status).toBe(200)
  })

  test('IDN-26 app gets no cookies of this site', async () => {
    const sso_code = codeIn((await allow()).href)
    const arrived = await exchange({ sso_code, ...verified }, { 'sec-fetch-site': 'same-origin' })
    expect([arrived.status, arrived.headers.getSetCookie()]).toEqual([200, []])
  })
})

describe('sessions created by codes', () => {
  test('IDN-26 browser on a host of this site gets cookies and no refresh token in the body', async () => {
    const arrived = await exchange({ sso_code: await handOff() }, { 'sec-fetch-site': 'same-origin' })
    const names = arrived.headers.getSetCookie().map((text) => text.split('=')[0])
    expect(names).toEqual(expect.arrayContaining(['session', 'refresh']))
    expect(await arrived.json()).not.toHaveProperty('refreshToken')
  })

  test('IDN-22 browser with the same sign-in keeps its session', async () => {
    const browser = { cookie: ada.cookie, 'sec-fetch-site': 'same-origin' }
    const handoff = { service_id: world.serviceId, redirect_uri: callback }
    const { url } = await (await send('POST /sso/handoff-code', handoff, browser)).json()
    const arrived = await exchange({ sso_code: codeIn(url) }, browser)
    expect(arrived.headers.getSetCookie().map((text) => text.split('=')[0])).toEqual(['refresh'])
    expect((await visit('/workspace/posts')).status).toBe(200)
  })

  test('IDN-22 PLT-21 another person’s session in the browser is not reused, and the exchange creates a new one', async () => {
    const planted = await world.mallory.signIn()
    const browser = { cookie: planted.cookie, 'sec-fetch-site': 'same-origin' }
    const arrived = await exchange({ sso_code: await handOff(), replace: true }, browser)
    const session = arrived.headers.getSetCookie().find((text) => text.startsWith('session='))
    expect(session).toBeString()
    expect(planted.cookie).not.toContain(session?.split(';')[0] ?? '')
    const me = await send('GET /api/auth/me', undefined, { cookie: session?.split(';')[0] ?? '' })
    expect((await me.json()).user.id).toBe(world.ada.id)
    expect((await (await planted.fetch('GET /api/auth/me')).json()).user.id).toBe(world.mallory.id)
  })

  test('IDN-22 PLT-21 exchange that would replace another person’s session asks first and keeps the code valid', async () => {
    const victim = await world.mallory.signIn()
    const browser = { cookie: victim.cookie, 'sec-fetch-site': 'same-origin' }
    const whoIs = async () => (await (await send('GET /api/auth/me', undefined, browser)).json()).user.id
    const sso_code = await handOff()
    const requested = await exchange({ sso_code, redirect_uri: callback }, browser)
    expect(requested.headers.getSetCookie()).toEqual([])
    expect(await requested.json()).toMatchObject({
      status: 409,
      code: 'signed_in_as_another_account',
      current: { email: world.mallory.email },
      arriving: { email: world.ada.email },
    })
    expect(await whoIs()).toBe(world.mallory.id)
    const agreed = await exchange({ sso_code, redirect_uri: callback, replace: true }, browser)
    expect(agreed.status).toBe(200)
    expect((await agreed.json()).user.id).toBe(world.ada.id)
    expect((await exchange({ sso_code, replace: true }, browser)).status).toBe(401)

    // The owner of the code, a browser with an expired session, and the tab that requested the code are not asked.
    const own = await world.ada.signIn()
    const asOwn = { cookie: own.cookie, 'sec-fetch-site': 'same-origin' }
    expect((await exchange({ sso_code: await handOff() }, asOwn)).status).toBe(200)
    expect((await exchange({ sso_code: await authorized(), ...verified }, browser)).status).toBe(200)
    await victim.fetchJson('POST /api/auth/logout')
    const { cookie } = await world.mallory.signIn()
    await send('POST /api/auth/logout', {}, { cookie, 'sec-fetch-site': 'same-origin' })
    const over = { cookie, 'sec-fetch-site': 'same-origin' }
    expect((await exchange({ sso_code: await handOff() }, over)).status).toBe(200)
  })

  test('IDN-22 PLT-21 browser that has only another person’s refresh cookie must confirm too', async () => {
    const { refreshToken } = await (await exchange({ sso_code: await handOff(world.mallory) })).json()
    const sso_code = await handOff()
    for (const cookie of [`refresh=${refreshToken}`, `session=over; refresh=${refreshToken}`]) {
      const requested = await exchange({ sso_code }, { cookie, 'sec-fetch-site': 'same-origin' })
      expect(await requested.json()).toMatchObject({ status: 409, code: 'signed_in_as_another_account' })
    }
    const own = await (await exchange({ sso_code: await handOff() })).json()
    const browser = { cookie: `refresh=${own.refreshToken}`, 'sec-fetch-site': 'same-origin' }
    expect((await exchange({ sso_code }, browser)).status).toBe(200)
  })

  test('IDN-22 PLT-21 app on another host with another person’s refresh token must confirm the switch', async () => {
    const { refreshToken } = await (await exchange({ sso_code: await handOff(world.mallory) })).json()
    const sso_code = await handOff()
    const requested = await exchange({ sso_code, refresh_token: refreshToken })
    expect(await requested.json()).toMatchObject({ status: 409, code: 'signed_in_as_another_account' })
    expect((await exchange({ sso_code, refresh_token: refreshToken, replace: true })).status).toBe(200)
    expect((await send('POST /api/auth/refresh', { refreshToken })).status).toBe(200)
    const stale = await exchange({ sso_code: await handOff(), refresh_token: 'made-up' })
    expect(stale.status).toBe(200)
  })

  test('IDN-03 signing out of an app’s session signs out the original session, and vice versa', async () => {
    const one = await world.ada.signIn()
    const { accessToken } = await (await exchange({ sso_code: await handOff(one) })).json()
    const again = bearer((await (await exchange({ sso_code: await handOff(one) })).json()).accessToken)
    expect((await send('POST /api/auth/logout', {}, bearer(accessToken))).status).toBe(200)
    expect((await one.fetch('GET /api/auth/me')).status).toBe(401)
    expect((await send('GET /api/auth/me', undefined, again)).status).toBe(401)
    const other = await world.ada.signIn()
    const arrived: Tokens = await (await exchange({ sso_code: await handOff(other) })).json()
    await other.fetchJson('POST /api/auth/logout')
    expect(await isAlive(arrived.accessToken)).toBe(false)
  })

  test('IDN-03 app’s session is listed with the app’s name, and ending other sessions keeps it and the original session', async () => {
    const [one, other] = [await world.ada.signIn(), await world.ada.signIn()]
    const { accessToken } = await (await exchange({ sso_code: await handOff(one) })).json()
    const arrived = (route: string) => send(route, undefined, bearer(accessToken))
    const { items } = await (await arrived('GET /api/auth/sessions?limit=100')).json()
    const mine = items.find(({ current }: { current: boolean }) => current)
    expect(mine.app).toBe('Social')
    expect((await arrived('DELETE /api/auth/sessions')).status).toBeLessThan(300)
    const states = [arrived('GET /api/auth/me'), one.fetch('GET /api/auth/me'), other.fetch('GET /api/auth/me')]
    expect((await Promise.all(states)).map(({ status }) => status)).toEqual([200, 200, 401])
    ada = await world.ada.signIn()
  })

  test('IDN-03 refresh in an app extends the original session', async () => {
    const one = await world.ada.signIn()
    const { refreshToken } = await (await exchange({ sso_code: await handOff(one) })).json()
    await world.database.sql`UPDATE identity.sessions SET idle_expires_at = now() + interval '1 day'
      WHERE user_id = ${world.ada.id}`
    expect((await send('POST /api/auth/refresh', { refreshToken })).status).toBe(200)
    const [row] = await world.database.sql`
      SELECT child.idle_expires_at > now() + interval '13 days' AS here,
        parent.idle_expires_at > now() + interval '13 days' AS there
      FROM identity.sessions AS child JOIN identity.sessions AS parent ON parent.id = child.parent_id
      WHERE child.user_id = ${world.ada.id} ORDER BY child.id DESC LIMIT 1`
    expect(row).toEqual({ here: true, there: true })
  })

  test('IDN-03 session created by a code expires no later than the original one', async () => {
    await world.database
      .sql`UPDATE identity.sessions SET expires_at = now() + interval '1 hour', idle_expires_at = now() + interval '1 hour' WHERE user_id = ${world.ada.id}`
    await exchange({ sso_code: await handOff() })
    const [row] = await world.database.sql`
      SELECT max(expires_at) <= now() + interval '1 hour' AS bound, count(*) FILTER (WHERE parent_id IS NOT NULL) > 0 AS opened
      FROM identity.sessions WHERE user_id = ${world.ada.id}`
    expect(row).toEqual({ bound: true, opened: true })
  })
})

test.each(['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'PATCH'])(
  'IDN-22 retired %s /sso/handoff returns 404',
  async (method) => {
    for (const headers of [{}, { ...page, cookie: ada.cookie }])
      expect((await send(`${method} /sso/handoff`, undefined, headers)).status).toBe(404)
  },
)

test('IDN-20 IDN-22 services list includes the redirect URIs that hand-offs accept', async () => {
  interface Entry {
    id: string
    firstParty: boolean
    installed: boolean
    redirectUris: string[]
  }
  const { items } = await ada.fetchJson<{ items: Entry[] }>('GET /api/auth/services')
  const own = items.filter(({ firstParty, installed }) => firstParty && installed)
  expect(own.length).toBeGreaterThan(2)
  for (const { id, redirectUris } of own) {
    expect(redirectUris).toContain(callback)
    const answer = await ada.fetch('POST /sso/handoff-code', { service_id: id, redirect_uri: redirectUris[0] })
    expect(answer.status).toBe(200)
  }
  const entry = await ada.fetchJson<{ redirectUris: string[] }>(`GET /api/services/${shop.id}`)
  expect(entry.redirectUris).toEqual([shop.uri])
})
