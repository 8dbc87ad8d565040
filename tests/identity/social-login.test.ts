import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startOidcServer, type OidcServer } from '../support/oidc-server.ts'
import { openWorld, password, type Caller, type World } from '../support/world.ts'

// Sign-in by a provider, against a real OpenID provider and a fake GitHub on loopback.

let world: World
let oidc: OidcServer
let github: Awaited<ReturnType<typeof startGithub>>

beforeAll(async () => {
  oidc = await startOidcServer()
  oidc.open(['http://localhost/login/sso/oidc/callback'])
  github = startGithub()
  world = await openWorld({
    env: {
      UPSTREAM_OIDC_ISSUER: oidc.issuer,
      UPSTREAM_OIDC_CLIENT_ID: oidc.client.id,
      UPSTREAM_OIDC_CLIENT_SECRET: oidc.client.secret,
      UPSTREAM_OIDC_NAME: 'Keyhouse',
      UPSTREAM_GITHUB_CLIENT_ID: 'octo',
      UPSTREAM_GITHUB_CLIENT_SECRET: 'cat',
      UPSTREAM_GITHUB_URL: github.url,
    },
  })
})

afterAll(async () => {
  await world.close()
  await Promise.all([oidc.stop(), github.stop()])
})

/** GitHub's documented responses to the four requests of a sign-in. */
function startGithub() {
  const requested: string[] = []
  const emails = [
    { email: 'old@example.com', primary: false, verified: true },
    { email: 'Octavia@example.com', primary: true, verified: true },
  ]
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    routes: {
      '/login/oauth/access_token': {
        POST: async (request) => {
          const form = new URLSearchParams(await request.text())
          requested.push(String(form.get('code_verifier')))
          return form.get('client_secret') === 'cat' && form.get('code') === 'good'
            ? Response.json({ access_token: 'gho_1', token_type: 'bearer', scope: 'read:user' })
            : Response.json({ error: 'bad_verification_code' })
        },
      },
      '/api/v3/user': () => Response.json({ id: 4711, login: 'octavia', name: null }),
      '/api/v3/user/emails': () => Response.json(emails),
    },
    fetch: () => new Response(null, { status: 404 }),
  })
  return { url: `http://127.0.0.1:${server.port}`, verifiers: requested, emails, stop: () => server.stop(true) }
}

const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')

interface StartedSignIn {
  authorizeUrl: string
  cookie: string
}

/** Starts a sign-in; with the cookie `own`, connects a provider to that account. */
async function begin(provider = 'oidc', body: object = {}, own = ''): Promise<StartedSignIn> {
  const route = own ? 'POST /api/auth/identities' : `POST /api/auth/sso/${provider}`
  const headers = { 'sec-fetch-site': 'same-origin', cookie: own || 'none=1' }
  const response = await world.stranger.fetch(route, own ? { provider, password } : body, headers)
  expect(response.status).toBe(200)
  const { authorizeUrl } = (await response.json()) as { authorizeUrl: string }
  return { authorizeUrl, cookie: [own, cookiesOf(response)].filter(Boolean).join('; ') }
}

const comeBack = (to: URL, cookie: string) =>
  world.stranger.fetch(`GET ${to.pathname}${to.search}`, undefined, { accept: 'text/html', cookie })

/** A complete sign-in; returns the last response. */
async function signIn(login: string, body: object = {}, own = ''): Promise<Response> {
  const { authorizeUrl, cookie } = await begin('oidc', body, own)
  return comeBack(await oidc.signIn(authorizeUrl, login), cookie)
}

const whoIs = async (cookie: string) =>
  (await (await world.stranger.fetch('GET /api/auth/me', undefined, { cookie })).json()) as {
    user: { id: string; email: string; name: string }
    organization: { name: string } | null
  }

async function idAtKeyhouse(caller: Caller): Promise<string | undefined> {
  const { items } = await caller.fetchJson<{ items: { id: string; name: string }[] }>('GET /api/auth/identities')
  return items.find(({ name }) => name === 'Keyhouse')?.id
}

const trouble = (response: Response): string | null => {
  expect(response.status).toBe(303)
  expect(cookiesOf(response)).not.toContain('session=')
  return new URL(response.headers.get('location') ?? '', 'http://localhost').searchParams.get('failure')
}

test('IDN-08 new person with a verified address gets an account and an organization and signs in again', async () => {
  oidc.people.set('grace', { email: 'Grace@example.com', email_verified: true, name: 'Grace Hopper' })
  const first = await signIn('grace', { next: '/workspace/brands?x=1' })
  expect(first.headers.get('location')).toBe('/workspace/brands?x=1')
  const me = await whoIs(cookiesOf(first))
  expect(me.user).toMatchObject({ email: 'grace@example.com', name: 'Grace Hopper' })
  expect(me.organization?.name).toBe('Grace Hopper’s organization')

  oidc.people.set('grace', { email: 'other@example.com', email_verified: false })
  const again = await whoIs(cookiesOf(await signIn('grace')))
  expect(again.user.id).toBe(me.user.id)
  const [row] = await world.database.sql`SELECT method FROM identity.sessions WHERE user_id = ${me.user.id}`
  expect(row).toEqual({ method: 'sso' })
})

test('IDN-08 authorization request has state, nonce and PKCE, and the stored values are encrypted or hashed', async () => {
  const { authorizeUrl, cookie } = await begin()
  const query = new URL(authorizeUrl).searchParams
  expect(Object.fromEntries(query)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: 'http://localhost/login/sso/oidc/callback',
    scope: 'openid email profile',
  })
  const secrets = [query.get('state'), query.get('nonce'), query.get('code_challenge'), cookie.split('=')[1]]
  const [row] = await world.database.sql`SELECT json_agg(s)::text AS all FROM identity.upstream_sign_ins s`
  for (const secret of secrets) {
    expect(secret?.length).toBeGreaterThanOrEqual(43)
    expect(row?.['all']).not.toContain(secret)
  }
})

test('IDN-08 provider can’t sign in to an existing account until its owner connects it', async () => {
  oidc.people.set('ada-elsewhere', { email: world.ada.email, email_verified: true })
  expect(trouble(await signIn('ada-elsewhere'))).toBe('known')

  const { cookie } = await world.ada.signIn()
  const connected = await signIn('ada-elsewhere', {}, cookie)
  expect(connected.headers.get('location')).toBe('/settings/security')
  expect((await world.letters(world.ada.email))[0]?.text).toContain('Keyhouse can now sign in')
  expect((await whoIs(cookiesOf(await signIn('ada-elsewhere')))).user.id).toBe(world.ada.id)
  const id = await idAtKeyhouse(world.ada)
  expect(id).toBeString()

  // Another person can neither connect it nor remove it.
  const nora = await world.nora.signIn()
  const taken = await signIn('ada-elsewhere', {}, nora.cookie)
  expect(taken.headers.get('location')).toContain('/settings/security?failure=elsewhere')
  expect((await world.nora.fetch(`DELETE /api/auth/identities/${id}`)).status).toBe(404)
})

test('IDN-08 provider sign-in without a verified address creates no account', async () => {
  oidc.people.set('vague', { email: 'vague@example.com', email_verified: false })
  expect(trouble(await signIn('vague'))).toBe('unverified')
  oidc.people.set('mute', {})
  expect(trouble(await signIn('mute'))).toBe('unverified')
  const [row] = await world.database.sql`SELECT count(*)::int FROM identity.users WHERE email = 'vague@example.com'`
  expect(row).toEqual({ count: 0 })
})

test('IDN-08 last sign-in method can’t be removed', async () => {
  oidc.people.set('solo', { email: 'solo@example.com', email_verified: true, name: 'Solo' })
  const cookie = cookiesOf(await signIn('solo'))
  const send = (route: string) => world.stranger.fetch(route, undefined, { cookie, 'sec-fetch-site': 'same-origin' })
  const { items } = (await (await send('GET /api/auth/identities')).json()) as { items: { id: string }[] }
  const refused = await send(`DELETE /api/auth/identities/${items[0]?.id}`)
  expect(refused.status).toBe(409)
  expect(await refused.json()).toMatchObject({ code: 'last_sign_in_method' })

  await world.ada.fetchJson(`DELETE /api/auth/identities/${await idAtKeyhouse(world.ada)}`, undefined, 204)
  expect((await world.letters(world.ada.email))[0]?.text).toContain('Keyhouse can no longer sign in')
  expect(trouble(await signIn('ada-elsewhere'))).toBe('known')
  await world.stranger.fetchJson('POST /api/auth/login', { email: world.ada.email, password })
})

test('IDN-08 callback that was used or comes from another browser signs no one in', async () => {
  const { authorizeUrl, cookie } = await begin()
  const back = await oidc.signIn(authorizeUrl, 'grace')
  expect(trouble(await comeBack(back, 'none=1'))).toBe('expired')
  const attacker = await begin()
  expect(trouble(await comeBack(back, attacker.cookie))).toBe('expired')
  const forged = new URL(back)
  forged.searchParams.set('state', 'x'.repeat(43))
  expect(trouble(await comeBack(forged, cookie))).toBe('expired')
  expect(cookiesOf(await comeBack(back, cookie))).toContain('session=')
  expect(trouble(await comeBack(back, cookie))).toBe('expired')
})

test('IDN-08 callback for another provider or issuer is rejected', async () => {
  const { authorizeUrl, cookie } = await begin()
  const back = await oidc.signIn(authorizeUrl, 'grace')
  const toGithub = new URL(back.href.replace('/oidc/', '/github/'))
  expect(trouble(await comeBack(toGithub, cookie))).toBe('expired')
  for (const iss of ['https://evil.example', '', null]) {
    const started = await begin()
    const mixed = await oidc.signIn(started.authorizeUrl, 'grace')
    if (iss === null) mixed.searchParams.delete('iss')
    else mixed.searchParams.set('iss', iss)
    expect(trouble(await comeBack(mixed, started.cookie))).toBe('failed')
  }
})

test('IDN-08 provider sign-in expires after ten minutes', async () => {
  const { authorizeUrl, cookie } = await begin()
  const back = await oidc.signIn(authorizeUrl, 'grace')
  await world.database.sql`UPDATE identity.upstream_sign_ins SET expires_at = now() - interval '1 second'`
  expect(trouble(await comeBack(back, cookie))).toBe('expired')
})

test('IDN-08 provider is not connected if a different person is signed in at the callback', async () => {
  const ada = await world.ada.signIn()
  const vera = await world.vera.signIn()
  const { authorizeUrl, cookie } = await begin('oidc', {}, ada.cookie)
  const device = cookie.split('; ').find((part) => part.startsWith('sso=')) ?? ''
  oidc.people.set('fresh', { email: 'fresh@example.com', email_verified: true })
  const swapped = await comeBack(await oidc.signIn(authorizeUrl, 'fresh'), `${vera.cookie}; ${device}`)
  expect(swapped.headers.get('location')).toContain('failure=expired')
  expect(await world.vera.fetchJson('GET /api/auth/identities')).toMatchObject({ items: [] })
})

test('IDN-08 denial at the provider is shown on the sign-in page, and its text is escaped', async () => {
  for (const [error, expected] of [
    ['access_denied', 'denied'],
    ['<script>alert(1)</script>', 'failed'],
  ] as const) {
    const { authorizeUrl, cookie } = await begin()
    const state = new URL(authorizeUrl).searchParams.get('state') ?? ''
    const back = new URL('http://localhost/login/sso/oidc/callback')
    back.search = new URLSearchParams({ state, error }).toString()
    const response = await comeBack(back, cookie)
    expect(trouble(response)).toBe(expected)
    const login = await world.stranger.fetch(`GET ${response.headers.get('location')}`, undefined, {
      accept: 'text/html',
    })
    const page = await login.text()
    expect(page).toContain('Keyhouse')
    expect(page).toContain('role="alert"')
    expect(page).not.toContain('<script>alert')
  }
})

test('IDN-08 GitHub sign-in reads the user from the GitHub API', async () => {
  const { authorizeUrl, cookie } = await begin('github', { next: '//evil.example/x' })
  const requested = new URL(authorizeUrl)
  expect(requested.origin + requested.pathname).toBe(`${github.url}/login/oauth/authorize`)
  const back = new URL('http://localhost/login/sso/github/callback')
  back.search = new URLSearchParams({ state: requested.searchParams.get('state') ?? '', code: 'good' }).toString()
  const arrived = await comeBack(back, cookie)
  expect(arrived.headers.get('location')).toBe('/')
  expect((await whoIs(cookiesOf(arrived))).user).toMatchObject({ email: 'octavia@example.com', name: 'octavia' })
  const challenge = new Bun.CryptoHasher('sha256').update(github.verifiers.at(-1) ?? '').digest('base64url')
  expect(requested.searchParams.get('code_challenge')).toBe(challenge)

  const second = await begin('github')
  back.search = new URLSearchParams({
    state: new URL(second.authorizeUrl).searchParams.get('state') ?? '',
    code: 'used',
  }).toString()
  expect(trouble(await comeBack(back, second.cookie))).toBe('failed')
})

test('IDN-08 only providers with an id and a secret are offered, and others return 404', async () => {
  const page = async (path: string) =>
    (await world.stranger.fetch(`GET ${path}`, undefined, { accept: 'text/html' })).text()
  for (const path of ['/login', '/register']) {
    const html = await page(path)
    expect(html).toContain('Continue with Keyhouse')
    expect(html).toContain('Continue with GitHub')
    expect(html).not.toContain('Google')
  }
  expect((await world.stranger.fetch('POST /api/auth/sso/google', {})).status).toBe(404)
  expect((await world.stranger.fetch('POST /api/auth/sso/facebook', {})).status).toBe(404)
})
