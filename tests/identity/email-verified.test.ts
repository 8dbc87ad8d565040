import { afterAll, beforeAll, expect, test } from 'bun:test'
import { decodeJwt } from 'jose'
import { startDnsServer, type DnsServer } from '../support/dns-server.ts'
import { startOidcServer, type OidcServer } from '../support/oidc-server.ts'
import { arriveBy, cookiesOf, proveDomain, setOrganizationSso, type Domain } from '../support/organization-sso.ts'
import { pkce } from '../support/sso.ts'
import { openWorld, password, tokenIn, type World } from '../support/world.ts'

// Whether an email address is verified, and what apps receive about it.

let world: World
let dns: DnsServer
let oidc: OidcServer
let umbrella = ''
const shop = 'https://shop.example/auth/callback'

beforeAll(async () => {
  ;[dns, oidc] = await Promise.all([startDnsServer(), startOidcServer()])
  world = await openWorld({ env: { DNS_RESOLVER: dns.address } })
  umbrella = world.mallory.things.organizations
  oidc.open([`http://localhost/login/sso/${umbrella}/callback`])
  await setOrganizationSso(world.mallory, umbrella, oidc)
  await world.database.sql`
    WITH shop AS (INSERT INTO identity.services (slug, name, description) VALUES ('corner-shop', 'Corner Shop', 'Sells') RETURNING id)
    INSERT INTO identity.service_redirect_uris SELECT id, ${shop} FROM shop`
})

afterAll(async () => {
  await world.close()
  await oidc.stop()
  dns.stop()
})

const browser = (cookie: string) => ({ cookie, 'sec-fetch-site': 'same-origin' })

/** The user as a browser's session sees it. */
async function userOf(cookie: string): Promise<{ id: string; email: string; emailVerified: boolean }> {
  const answer = await world.stranger.fetch('GET /api/auth/me', undefined, browser(cookie))
  return ((await answer.json()) as { user: { id: string; email: string; emailVerified: boolean } }).user
}

async function signUp(email: string): Promise<string> {
  const body = { email, password, name: 'Person' }
  return cookiesOf(await world.stranger.fetch('POST /register', body, { 'sec-fetch-site': 'same-origin' }))
}

async function followLink(email: string): Promise<string> {
  await world.stranger.fetch('POST /api/auth/magic-link', { email })
  const mail = (await world.letters(email)).find(({ text }) => text.includes('magic-link/consume'))
  const token = /token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
  return cookiesOf(
    await world.stranger.fetch('POST /magic-link/consume', { token }, { 'sec-fetch-site': 'same-origin' }),
  )
}

async function resetPassword(email: string): Promise<number> {
  await world.stranger.fetch('POST /api/auth/password-reset', { email })
  const token = tokenIn((await world.letters(email))[0])
  const body = { token, password: 'another horse battery' }
  return (await world.stranger.fetch('POST /api/auth/password-reset/confirm', body)).status
}

/** The claims about the person in an ID token for a third-party app. */
async function claimsOf(cookie: string) {
  const request = { service_id: 'corner-shop', redirect_uri: shop, scope: 'openid email', ...pkce.promise }
  const answer = await world.stranger.fetch('POST /sso/authorize', request, browser(cookie))
  const { url } = (await answer.json()) as { url: string }
  const exchange = {
    grant_type: 'authorization_code',
    client_id: 'corner-shop',
    redirect_uri: shop,
    code: new URL(url).searchParams.get('code'),
    code_verifier: pkce.verifier,
  }
  const tokens = (await (await world.stranger.fetch('POST /sso/exchange', exchange)).json()) as { id_token: string }
  return decodeJwt(tokens.id_token)
}

test('IDN-49 ID token includes a verified email address and omits an unverified one', async () => {
  const email = 'grace@navy.example'
  const cookie = await signUp(email)
  expect(await userOf(cookie)).toMatchObject({ email, emailVerified: false })
  const claims = await claimsOf(cookie)
  expect([claims['email'], claims['email_verified']]).toEqual([undefined, false])

  expect((await userOf(await followLink(email))).emailVerified).toBe(true)
  const later = await claimsOf(cookie)
  expect([later['email'], later['email_verified']]).toEqual([email, true])
})

test('IDN-49 accepted invitation and password reset by email verify the address', async () => {
  const max = await world.join(world.mallory, { name: 'Max', role: 'viewer' })
  expect((await userOf((await max.signIn()).cookie)).emailVerified).toBe(true)
  const email = 'forgot@navy.example'
  await signUp(email)
  expect(await resetPassword(email)).toBe(204)
  const login = { email, password: 'another horse battery' }
  const again = await world.stranger.fetch('POST /api/auth/login', login, { 'sec-fetch-site': 'same-origin' })
  expect((await userOf(cookiesOf(again))).emailVerified).toBe(true)
})

test('IDN-49 sign-in link that a service received at checkout doesn’t verify the address', async () => {
  const email = 'payer@navy.example'
  const options = { email, workspaceName: 'Payer', serviceId: world.serviceId, redirectUri: '/workspace/posts' }
  const pay = world.services['platform-pay'] ?? world.stranger
  const { loginUrl } = await pay.fetchJson<{ loginUrl: string }>(
    'POST /api/internal/provision-from-checkout',
    options,
    201,
  )
  const { pathname, search } = new URL(loginUrl)
  const page = { accept: 'text/html', 'sec-fetch-site': 'none' }
  const cookie = cookiesOf(await world.stranger.fetch(`GET ${pathname}${search}`, undefined, page))
  expect(await userOf(cookie)).toMatchObject({ email, emailVerified: false })
})

test('IDN-49 attacker’s session from an unverified provider ends once the owner of the address resets the password', async () => {
  const domain = 'victim-corp.example'
  const { id, record } = await proveDomain(world.mallory, umbrella, dns, domain)
  const email = `ceo@${domain}`
  oidc.people.set('ceo', { email, email_verified: true, name: 'The Boss' })
  const attacker = cookiesOf(await arriveBy(world, oidc, umbrella, 'ceo'))
  const victim = await userOf(attacker)
  // As the previous release left it: the account exists, and the domain was never verified.
  dns.records.delete(record.name)
  await world.database.sql`UPDATE identity.organization_domains SET verified_at = NULL WHERE id = ${id}`
  await world.database.sql`UPDATE identity.users SET email_verified_at = NULL WHERE id = ${victim.id}`

  expect(await resetPassword(email)).toBe(204)
  const login = { email, password: 'another horse battery' }
  const owner = cookiesOf(
    await world.stranger.fetch('POST /api/auth/login', login, { 'sec-fetch-site': 'same-origin' }),
  )
  const { sub } = await claimsOf(owner)
  expect(sub).toBe(victim.id)

  expect((await world.stranger.fetch('GET /api/auth/me', undefined, browser(attacker))).status).toBe(401)
  const back = await arriveBy(world, oidc, umbrella, 'ceo')
  expect(back.headers.get('location')).toContain('failure=unproven')
  expect(back.headers.getSetCookie().some((text) => text.startsWith('session='))).toBe(false)
  // Verifying the domain later doesn't open the account: its owner would have to connect the provider.
  await proveAgain(id, record)
  expect((await arriveBy(world, oidc, umbrella, 'ceo')).headers.get('location')).toContain('failure=known')
})

async function proveAgain(id: string, record: Domain['record']): Promise<void> {
  dns.records.set(record.name, [record.value])
  await world.mallory.fetchJson(`POST /api/organizations/${umbrella}/domains/${id}/verification`, {})
}

test('IDN-49 emailed link that verifies an address ends the sessions of an unverified provider', async () => {
  const { id, record } = await proveDomain(world.mallory, umbrella, dns, 'second-corp.example')
  const email = 'cfo@second-corp.example'
  oidc.people.set('cfo', { email, email_verified: true, name: 'CFO' })
  const attacker = cookiesOf(await arriveBy(world, oidc, umbrella, 'cfo'))
  const { id: userId, emailVerified } = await userOf(attacker)
  expect(emailVerified).toBe(true)
  dns.records.delete(record.name)
  await world.database.sql`UPDATE identity.organization_domains SET verified_at = NULL WHERE id = ${id}`
  await world.database.sql`UPDATE identity.users SET email_verified_at = NULL WHERE id = ${userId}`
  const owner = await followLink(email)
  expect((await userOf(owner)).id).toBe(userId)
  expect((await world.stranger.fetch('GET /api/auth/me', undefined, browser(attacker))).status).toBe(401)
})

test('IDN-49 password reset keeps the identity of a provider with a verified domain', async () => {
  await proveDomain(world.mallory, umbrella, dns, 'umbrella.example')
  const email = 'staff@umbrella.example'
  oidc.people.set('staff', { email, email_verified: true, name: 'Staff' })
  await arriveBy(world, oidc, umbrella, 'staff')
  expect(await resetPassword(email)).toBe(204)
  expect(cookiesOf(await arriveBy(world, oidc, umbrella, 'staff'))).toContain('session=')
})

test('IDN-49 profile shows that an address isn’t verified and emails a verification link', async () => {
  const email = 'profile@navy.example'
  const cookie = await signUp(email)
  const page = async () =>
    (await world.stranger.fetch('GET /settings/profile', undefined, { accept: 'text/html', cookie })).text()
  expect(await page()).toContain('Your email address isn’t verified')
  const requested = await world.stranger.fetch(
    'POST /api/auth/magic-link',
    { email },
    { ...browser(cookie), 'hx-request': 'true', accept: 'text/html' },
  )
  expect(await requested.text()).toContain('Check your email')
  await followLink(email)
  expect(await page()).not.toContain('isn’t verified')
})
