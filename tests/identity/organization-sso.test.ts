import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startOidcServer, type OidcServer } from '../support/oidc-server.ts'
import { startDnsServer, type DnsServer } from '../support/dns-server.ts'
import { arriveBy, cookiesOf, proveDomain, setOrganizationSso } from '../support/organization-sso.ts'
import { pkce } from '../support/sso.ts'
import { openWorld, type World } from '../support/world.ts'

// An organization's single sign-on: who can sign in by it, and what the session can reach.

let world: World
let oidc: OidcServer
let dns: DnsServer
let acme: string

beforeAll(async () => {
  oidc = await startOidcServer()
  dns = await startDnsServer()
  world = await openWorld({ env: { DNS_RESOLVER: dns.address } })
  acme = world.ada.things.organizations
  oidc.open([`http://localhost/login/sso/${acme}/callback`])
  await set({})
  await proveDomain(world.ada, acme, dns, 'acme.example')
})

afterAll(async () => {
  await world.close()
  await oidc.stop()
  dns.stop()
})

const set = (more: object) => setOrganizationSso(world.ada, acme, oidc, more)
const arrive = (login: string, own?: string) => arriveBy(world, oidc, acme, login, own)

const asker = (cookie: string) => (route: string, body?: unknown) =>
  world.stranger.fetch(route, body, { cookie, 'sec-fetch-site': 'same-origin' })

interface Me {
  user: { id: string; email: string }
  organization: { id: string; role: string } | null
  organizations: { id: string }[]
}

test('IDN-49 person with an address of the organization’s domain joins as a viewer by SSO', async () => {
  oidc.people.set('ina', { email: 'Ina@acme.example', email_verified: true, name: 'Ina' })
  const send = asker(cookiesOf(await arrive('ina')))
  const me = (await (await send('GET /api/auth/me')).json()) as Me
  expect(me).toMatchObject({ user: { email: 'ina@acme.example' }, organization: { id: acme, role: 'viewer' } })
  expect((await send('GET /api/posts')).status).toBe(200)
  expect((await send('POST /api/brands', { name: 'No' })).status).toBe(403)
  const again = (await (await asker(cookiesOf(await arrive('ina')))('GET /api/auth/me')).json()) as Me
  expect(again.user.id).toBe(me.user.id)
})

test('IDN-49 SSO is rejected for other domains, lookalikes and unverified addresses', async () => {
  const others = ['eve@evil.example', 'eve@sub.acme.example', 'eve@notacme.example', 'acme.example@evil.example']
  for (const [nth, email] of others.entries()) {
    oidc.people.set(`eve${nth}`, { email, email_verified: true })
    expect((await arrive(`eve${nth}`)).headers.get('location')).toStartWith(
      `/login?failure=outsider&provider=${acme}&request=`,
    )
  }
  oidc.people.set('vague', { email: 'vague@acme.example', email_verified: false })
  expect((await arrive('vague')).headers.get('location')).toContain('failure=outsider')
})

const noAddresses = [
  'ceo@bigbank.example@acme.example',
  'x,y@acme.example',
  'x@acme.example\r\nBcc: y@acme.example',
  'x\r\nBcc: y@acme.example',
  '<b>x</b>@acme.example',
  '"x y"@acme.example',
  'x y@acme.example',
  '@acme.example',
  'acme.example',
  'x\0@acme.example',
  '\ud800@acme.example',
  `${'x'.repeat(250)}@acme.example`,
]
test.each(noAddresses)('IDN-49 SSO is rejected for the malformed address %j', async (email) => {
  oidc.people.set('odd', { email, email_verified: true })
  expect((await arrive('odd')).headers.get('location')).toStartWith(`/login?failure=outsider&provider=${acme}&request=`)
  expect(
    await world.database
      .sql`SELECT FROM identity.users WHERE name LIKE '%bigbank%' OR email = ${email.replace('\0', '')}`,
  ).toBeEmpty()
})

test('IDN-49 SSO trims and lowercases addresses, as sign-up does', async () => {
  oidc.people.set('spacious', { email: ' Spacious@ACME.example ', email_verified: true, name: 'Spacious' })
  const send = asker(cookiesOf(await arrive('spacious')))
  expect(await (await send('GET /api/auth/me')).json()).toMatchObject({ user: { email: 'spacious@acme.example' } })
})

test('IDN-49 SSO signs in to an existing account only after its owner connects it, and only for this organization', async () => {
  const { mallory } = world
  // Mallory owns Umbrella and has an address at Acme as well.
  await world.database.sql`UPDATE identity.users SET email = 'mallory@acme.example' WHERE id = ${mallory.id}`
  oidc.people.set('mal', { email: 'mallory@acme.example', email_verified: true })
  expect((await arrive('mal')).headers.get('location')).toContain('failure=known')
  await world.database.sql`UPDATE identity.users SET email = ${mallory.email} WHERE id = ${mallory.id}`
  const { cookie } = await mallory.signIn()
  expect((await arrive('mal', cookie)).headers.get('location')).toBe('/settings/security')

  const send = asker(cookiesOf(await arrive('mal')))
  const me = (await (await send('GET /api/auth/me')).json()) as Me
  expect(me).toMatchObject({ user: { id: mallory.id }, organization: { id: acme } })
  expect(me.organizations.map(({ id }) => id)).toEqual([acme])

  // The administrator of Acme's provider could sign in as Mallory, so nothing of hers outside Acme can be reachable.
  const beyond: [string, object?][] = [
    ['POST /api/auth/context', { organizationId: mallory.things.organizations }],
    ['POST /api/auth/context', { context: 'personal' }],
    ['PUT /api/auth/me', { name: 'Taken' }],
    ['POST /api/auth/identities', { provider: 'github' }],
    [`DELETE /api/auth/identities/${mallory.things.identities}`],
    ['POST /api/auth/me/passkeys/options', {}],
    ['POST /api/households', { name: 'Taken' }],
    [`DELETE /api/auth/sessions/${mallory.things.sessions}`],
  ]
  for (const [route, body] of beyond) {
    const refused = await send(route, body)
    expect(await refused.json(), route).toMatchObject({ status: 403, code: 'own_session_required' })
  }
  expect((await send('PUT /api/app-switcher/preferences', { theme: 'dark' })).status).toBe(200)
  await mallory.fetchJson('POST /api/auth/context', { organizationId: mallory.things.organizations })
})

test('IDN-49 SSO session can sign in to the organization’s first-party apps and to no third-party app', async () => {
  const shop = 'https://shop.example/auth/callback'
  await world.database.sql`
    WITH shop AS (INSERT INTO identity.services (slug, name, description) VALUES ('corner-shop', 'Corner Shop', 'Sells') RETURNING id)
    INSERT INTO identity.service_redirect_uris SELECT id, ${shop} FROM shop`
  oidc.people.set('boss', { email: 'boss@acme.example', email_verified: true, name: 'Boss' })
  const cookie = cookiesOf(await arrive('boss'))
  const send = asker(cookie)
  const options = { service_id: 'corner-shop', redirect_uri: shop }
  const request = { ...options, state: 'xyz', scope: 'openid email', ...pkce.promise }
  for (const [route, body] of [
    ['POST /sso/handoff-code', options],
    ['POST /sso/authorize', request],
  ] as const) {
    const refused = await send(route, body)
    expect(await refused.json(), route).toMatchObject({ status: 403, code: 'own_session_required' })
  }
  const visit = async (more: Record<string, string>) =>
    world.stranger.fetch(`GET /sso/authorize?${new URLSearchParams({ ...request, ...more }).toString()}`, undefined, {
      accept: 'text/html',
      cookie,
    })
  const page = await (await visit({})).text()
  expect(page).toContain('You can’t sign in to Corner Shop this way')
  expect(page).toContain('You signed in with the single sign-on of Acme')
  const quiet = new URL((await visit({ prompt: 'none' })).headers.get('location') ?? '')
  expect([quiet.origin, quiet.searchParams.get('error')]).toEqual(['https://shop.example', 'login_required'])
  const denied = (await (await send('POST /sso/authorize', { ...request, decision: 'deny' })).json()) as { url: string }
  expect(new URL(denied.url).searchParams.get('error')).toBe('access_denied')
  expect(await world.database.sql`SELECT FROM identity.sso_codes WHERE redirect_uri = ${shop}`).toBeEmpty()

  const ours = { service_id: 'platform-socialize', redirect_uri: 'http://localhost/auth/callback' }
  const { url } = (await (await send('POST /sso/handoff-code', ours)).json()) as { url: string }
  const sso_code = new URL(url).searchParams.get('sso_code')
  const arrived = (await (await world.stranger.fetch('POST /sso/exchange', { sso_code })).json()) as {
    accessToken: string
  }
  const there = { authorization: `Bearer ${arrived.accessToken}` }
  const validation = (await (await world.stranger.fetch('GET /validate', undefined, there)).json()) as {
    onlyIn: string
  }
  expect(validation.onlyIn).toBe(acme)
})

test('IDN-49 SSO session of a removed member is rejected on the next request', async () => {
  oidc.people.set('tom', { email: 'tom@acme.example', email_verified: true, name: 'Tom' })
  const send = asker(cookiesOf(await arrive('tom')))
  const me = (await (await send('GET /api/auth/me')).json()) as Me
  await world.ada.fetchJson(`DELETE /api/organizations/${acme}/members/${me.user.id}`, undefined, 204)
  expect((await send('GET /api/auth/me')).status).toBe(401)
})

test('IDN-49 SSO settings can be changed only by owners, never return the secret, and keep it when none is sent', async () => {
  const route = `/api/organizations/${acme}/sign-in`
  const shown = await world.ada.fetchJson<object>(`GET ${route}`)
  expect(shown).toMatchObject({ issuer: oidc.issuer, callbackUrl: `http://localhost/login/sso/${acme}/callback` })
  expect(JSON.stringify(shown)).not.toContain(oidc.client.secret)
  const [row] = await world.database.sql`SELECT sealed_secret FROM identity.organization_sign_ins`
  expect(JSON.stringify(row)).not.toContain(oidc.client.secret)
  await set({ clientSecret: '', domains: 'acme.example, acme.org' })
  expect(await world.ada.fetchJson<object>(`GET ${route}`)).toMatchObject({
    domains: ['acme.example', 'acme.org', 'acme.test'],
  })
  oidc.people.set('lea', { email: 'lea@acme.example', email_verified: true })
  expect(cookiesOf(await arrive('lea'))).toContain('session=')
  for (const caller of [world.vera, world.mallory]) expect((await caller.fetch(`GET ${route}`)).status).not.toBe(200)
  const draft = { issuer: oidc.issuer, clientId: 'x' }
  const first = await world.mallory.fetch(`PUT /api/organizations/${world.mallory.things.organizations}/sign-in`, draft)
  expect(await first.json()).toMatchObject({ status: 422, errors: [{ path: 'clientSecret' }] })
})

test('IDN-49 sign-in page of an organization offers its provider, and looks the same for unknown slugs and those without one', async () => {
  const page = async (query: string) =>
    (await world.stranger.fetch(`GET /login/organization${query}`, undefined, { accept: 'text/html' })).text()
  expect(await page('?slug=acme')).toContain(`hx-post="/api/auth/sso/${acme}"`)
  const none = (html: string) => html.replaceAll(/nonce="[^"]*"|umbrella|missing/g, '')
  expect(none(await page('?slug=umbrella'))).toBe(none(await page('?slug=missing')))
})

test('IDN-49 organization that requires SSO refuses other sessions on the next request and redirects them to it', async () => {
  const { ada, vera } = world
  const { cookie } = await vera.signIn()
  expect((await vera.fetch('GET /api/posts')).status).toBe(200)
  await set({ required: true })
  const refused = await vera.fetch('GET /api/posts')
  const signIn = `/login/organization?id=${acme}`
  expect(await refused.json()).toMatchObject({ status: 403, code: 'organization_requires_sso', signIn })
  const page = await world.stranger.fetch('GET /workspace/posts', undefined, { accept: 'text/html', cookie })
  expect([page.status, page.headers.get('location')]).toEqual([303, signIn])
  const there = await world.stranger.fetch(`GET ${signIn}`, undefined, { accept: 'text/html', cookie })
  expect(await there.text()).toContain('Continue with Acme')

  // Personal routes stay open; signing in again with a password or switching doesn't help.
  expect((await vera.fetch('GET /api/auth/me')).status).toBe(200)
  const again = await vera.signIn()
  expect((await again.fetch('GET /api/posts')).status).toBe(403)
  expect((await again.fetch('POST /api/auth/context', { organizationId: acme })).status).toBe(403)

  // Existing API keys and owners still work, so that a broken provider locks no organization out.
  expect((await world.key.fetch('GET /api/posts')).status).toBe(200)
  expect((await ada.fetch('GET /api/posts')).status).toBe(200)

  oidc.people.set('vera', { email: vera.email, email_verified: true })
  expect((await arrive('vera', cookie)).headers.get('location')).toBe('/settings/security')
  const send = asker(cookiesOf(await arrive('vera')))
  expect((await send('GET /api/posts')).status).toBe(200)
  await set({ required: false })
  expect((await vera.fetch('GET /api/posts')).status).toBe(200)
})
