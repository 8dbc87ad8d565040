import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { eraseOrganizationData } from '#lib/tenant-data/erase.ts'
import type { ConnectedAccountList, NetworkAppList } from '../../src/gateway/contract.ts'
import { credentialSets } from '../../src/gateway/social-credentials/networks.ts'
import { gatewayData } from '../../src/gateway/tenant-data.ts'
import { startMastodon, type MastodonCounterpart } from '../counterparts/mastodon.ts'
import { openWorld, type Caller, type World } from '../support/world.ts'
import { openUpstream } from './upstream.ts'

let world: World
let mastodon: MastodonCounterpart
beforeAll(async () => {
  world = await openWorld()
  mastodon = startMastodon({ expiring: true })
})
afterAll(async () => {
  await mastodon.stop()
  await world.close()
})

const provider = 'mastodon'
const redirectUri = 'http://localhost/workspace/accounts/callback/mastodon'
const scopes = ['read:accounts', 'write:statuses']
const codeVerifier = 'v'.repeat(43)

/** The tokens of an account that consented. */
async function consentOf(username: string) {
  const { social } = world.provided.gateway
  const place = { provider, instance: mastodon.url } as const
  const { clientId } = await social.authorize({ ...place, redirectUri, scopes })
  const authorizeUrl = new URL('/oauth/authorize', mastodon.url)
  const challenge = new Bun.CryptoHasher('sha256').update(codeVerifier).digest('base64url')
  authorizeUrl.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state: 'state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }).toString()
  const code = new URL(mastodon.consent(authorizeUrl.href, username)).searchParams.get('code') ?? ''
  return { ...(await social.exchange({ ...place, redirectUri, clientId, code, codeVerifier })), clientId, place }
}

test('GTW-04 gateway exchanges a code, refreshes the tokens and says when a refresh is final', async () => {
  const { social } = world.provided.gateway
  const { place, clientId, refreshToken, scope, ...first } = await consentOf('ada')
  expect(scope).toBe(scopes.join(' '))
  const account = { id: newId(), organizationId: world.ada.things.organizations }
  const renewed = await social.refresh({ ...place, account, clientId, refreshToken: refreshToken ?? '' })
  expect(renewed.accessToken).not.toBe(first.accessToken)
  mastodon.signOut('ada')
  const again = social.refresh({ ...place, account, clientId, refreshToken: renewed.refreshToken ?? '' })
  expect(await again.catch((error: unknown) => error)).toMatchObject({ status: 409, code: 'refresh_refused' })
})

test('GTW-04 secret of an app is in no response and in no audit entry, and is sealed in the database', async () => {
  const caller = world.gatewayServices['platform-socialize'] ?? world.stranger
  const sent = { provider, instance: mastodon.url, redirectUri: `${redirectUri}?2`, scopes }
  const response = await caller.fetch('POST /platform/social/authorize', sent)
  expect(Object.keys((await response.json()) as object)).toEqual(['clientId'])
  const { sql } = world.database
  const [row] =
    await sql`SELECT sealed_secret, former_table FROM gateway.social_apps WHERE redirect_uri = ${sent.redirectUri}`
  expect(row?.['former_table']).toBeNull()
  const entries =
    await sql`SELECT before, after, object_kind FROM platform.audit_log WHERE operation = 'authorizeSocialAccount'`
  expect(entries).not.toHaveLength(0)
  expect(JSON.stringify(entries)).not.toContain(String(row?.['sealed_secret']))
})

test('GTW-04 consent with other scopes gets a registration of its own, and each is used again', async () => {
  const place = { provider, instance: mastodon.url, redirectUri: `${redirectUri}?scopes` } as const
  const authorize = (...requested: string[]) =>
    world.provided.gateway.social.authorize({ ...place, scopes: requested }).then(({ clientId }) => clientId)
  const before = mastodon.registrations()
  const parts = await authorize('read:accounts', 'write:statuses')
  const broad = await authorize('read', 'write')
  expect(broad).not.toBe(parts)
  expect([await authorize('read:accounts', 'write:statuses'), await authorize('read', 'write')]).toEqual([parts, broad])
  expect(mastodon.registrations()).toBe(before + 2)
})

test('GTW-04 PLT-25 gateway never calls an instance in a private network', async () => {
  const guarded = await openWorld({ env: { ALLOW_PRIVATE_NETWORK: 'false' } })
  try {
    const before = mastodon.registrations()
    const outcome = guarded.provided.gateway.social.authorize({ provider, instance: mastodon.url, redirectUri, scopes })
    expect(await outcome.catch((error: unknown) => error)).toMatchObject({
      status: 422,
      options: { errors: [{ path: 'instance', message: expect.stringContaining('public internet') }] },
    })
    expect(mastodon.registrations()).toBe(before)
  } finally {
    await guarded.close()
  }
})

test('GTW-04 instance that fails is reported as such, not as an unavailable gateway', async () => {
  const authorizeAt = (instance: string) =>
    world.provided.gateway.social
      .authorize({ provider, instance, redirectUri, scopes })
      .catch((error: unknown) => error)
  expect(await authorizeAt('http://127.0.0.1:1')).toMatchObject({ status: 502, code: 'provider_unreachable' })
  mastodon.faults.next('POST /api/v1/apps', { kind: 'answer', status: 500 })
  mastodon.deleteApps()
  expect(await authorizeAt(mastodon.url)).toMatchObject({ status: 502, code: 'provider_error' })
})

test.each(['x'.repeat(100_000), 'a\0b'])('GTW-04 registration with the client ID … is refused', async (clientId) => {
  const instance = openUpstream(() => Response.json({ client_id: clientId, client_secret: 'secret' }))
  const place = { provider, instance: new URL(instance.url).origin } as const
  const outcome = world.provided.gateway.social.authorize({ ...place, redirectUri, scopes })
  expect(await outcome.catch((error: unknown) => error)).toMatchObject({ status: 502, code: 'provider_error' })
  instance.stop()
})

const report = (version: number, fields: Record<string, unknown> = {}) => ({
  version,
  organizationId: world.ada.things.organizations,
  brandId: world.ada.things.brands,
  brandName: 'Acme Coffee',
  provider: 'mastodon',
  name: '@acme@one.example',
  host: 'https://one.example',
  health: 'healthy',
  connectedAt: '2026-11-21T10:20:00Z',
  lastUsedAt: null,
  ...fields,
})

const put = (id: string, body: object) =>
  world.gatewayClient.fetchJson<{ applied: boolean }>(`PUT /platform/social/connections/${id}`, body)

const listed = async (query = '', who: Caller = world.ada) =>
  (await who.fetchJson<ConnectedAccountList>(`GET /api/connections?${query}`)).items

test('GTW-02 late and repeated reports of an account change nothing, and none brings a removed one back', async () => {
  const id = newId()
  expect(await put(id, report(2))).toEqual({ applied: true })
  expect(await put(id, report(2, { name: '@other' }))).toEqual({ applied: false })
  expect(await put(id, report(1, { name: '@older' }))).toEqual({ applied: false })
  expect(await put(id, report(3, { health: 'signed_out' }))).toEqual({ applied: true })
  const found = (await listed()).filter((account) => account.id === id)
  expect(found).toMatchObject([{ name: '@acme@one.example', health: 'signed_out', brandName: 'Acme Coffee' }])
  for (const _ of [1, 2])
    await world.gatewayClient.fetchJson(`DELETE /platform/social/connections/${id}`, undefined, 204)
  expect(await put(id, report(4))).toEqual({ applied: false })
  // Removed before its first report arrived.
  const unknown = newId()
  await world.gatewayClient.fetchJson(`DELETE /platform/social/connections/${unknown}`, undefined, 204)
  expect(await put(unknown, report(9))).toEqual({ applied: false })
  expect((await listed()).filter((account) => [id, unknown].includes(account.id))).toEqual([])
  const kept = await world.database.sql`SELECT name FROM gateway.social_connections WHERE id = ${id}`
  expect([...kept]).toEqual([{ name: null }])
})

test('GTW-02 inventory is filtered and paged, and belongs to its organization', async () => {
  const brandId = newId()
  const names = ['@a', '@b', '@c']
  for (const name of names) await put(newId(), report(1, { brandId, brandName: 'Other 100% Brand', name }))
  const read = async (query: string) => (await listed(`brandId=${brandId}&${query}`)).map(({ name }) => name)
  expect(await read('')).toEqual(names)
  expect(await read('q=100%25')).toEqual(names)
  expect(await read('q=B&provider=mastodon&health=healthy')).toEqual(names)
  expect(await read('q=@B')).toEqual(['@b'])
  expect(await read('health=expired')).toEqual([])
  expect(await listed(`brandId=${brandId}`, world.mallory)).toEqual([])
  const path = `GET /api/connections?brandId=${brandId}&limit=2`
  const first = await world.ada.fetchJson<ConnectedAccountList>(path)
  const second = await world.ada.fetchJson<ConnectedAccountList>(`${path}&cursor=${first.nextCursor}`)
  expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(names)
})

test('GTW-02 PLT-39 erased organization leaves no account, and its late reports bring none back', async () => {
  const [id, organizationId] = [newId(), newId()]
  await put(id, report(1, { organizationId }))
  const work = { ...world.provided, database: world.database, now: () => new Date() }
  await eraseOrganizationData(work, gatewayData, organizationId)
  expect(await put(id, report(2, { organizationId }))).toEqual({ applied: false })
  const rows = await world.database.sql`SELECT organization_id, name FROM gateway.social_connections WHERE id = ${id}`
  expect([...rows]).toEqual([{ organization_id: null, name: null }])
})

test('GTW-02 inventory of app credentials says what each network has, and shows no secret', async () => {
  const readApps = async (who: Caller = world.ada) =>
    (await who.fetchJson<NetworkAppList>('GET /api/connections/apps')).items
  const find = (items: NetworkAppList['items'], name: string) => items.filter(({ provider: of }) => of === name)
  const before = await readApps()
  expect(find(before, 'x')).toMatchObject([{ mode: 'live', state: 'missing', lastFour: null, can: { update: true } }])
  expect(find(before, 'tiktok').map(({ mode }) => mode)).toEqual(['live'])
  expect(find(before, 'sandbox')).toMatchObject([{ mode: 'test', credential: 'built_in', state: 'ready' }])
  expect(find(before, 'bluesky')).toMatchObject([{ credential: 'app_password', state: 'ready' }])
  const secret = { clientId: 'our-client-9876', clientSecret: 'a-very-secret-text' }
  await world.ada.fetchJson('PUT /api/credentials/x', { level: 'organization', label: 'main', secret })
  const after = await readApps()
  expect(find(after, 'x')).toMatchObject([{ state: 'ready', level: 'organization', lastFour: '9876' }])
  expect(JSON.stringify(after)).not.toContain(secret.clientSecret)
  expect(find(await readApps(world.mallory), 'x')).toMatchObject([{ state: 'missing' }])
  const staging = credentialSets({ ATRIUM_ENV: 'staging', offlineHelps: false })
  const setsOf = (name: string) => staging.flatMap(({ provider: of, mode }) => (of === name ? [mode] : []))
  expect([setsOf('tiktok'), setsOf('sandbox')]).toEqual([['live', 'test'], []])
})

test('GTW-03 registrations at Mastodon servers are checked, and a rejected one is shown', async () => {
  await world.database.sql`DELETE FROM gateway.social_apps`
  const { social } = world.provided.gateway
  const instance = mastodon.url
  await social.authorize({ provider, instance, redirectUri, scopes })
  const check = async () => {
    const { items } = await world.root.fetchJson<NetworkAppList>('POST /api/connections/apps/mastodon/check', {})
    return items.find((app) => app.provider === 'mastodon')
  }
  expect(await check()).toMatchObject({ servers: 1, health: 'healthy', lastError: null, can: { check: true } })
  mastodon.deleteApps()
  expect(await check()).toMatchObject({ health: 'unhealthy', lastError: expect.stringContaining('1 of 1 servers') })
  await social.authorize({ provider, instance, redirectUri, scopes })
  expect(await check()).toMatchObject({ servers: 1, health: 'healthy' })
})

const pageOf = async (who: Caller, query = '') => {
  const response = await who.fetch(`GET /gateway/connections?${query}`, undefined, { accept: 'text/html' })
  expect(response.status).toBe(200)
  return response.text()
}

test('GTW-02 page of connections says which networks lack a client, and lists accounts with their health', async () => {
  const { ada, vera, mallory } = world
  await put(newId(), report(1, { name: '@broken@two.example', host: 'https://two.example', health: 'signed_out' }))
  const html = await pageOf(ada)
  for (const text of ['YouTube', 'aren’t set up', 'Add client', 'Connected accounts', '@broken@two.example'])
    expect(html).toContain(text)
  expect(html).toContain('Mastodon, two.example')
  expect(html).toContain('/workspace/accounts/callback/youtube')
  expect(await pageOf(ada, 'health=expired')).toContain('No results')
  expect(await pageOf(vera)).not.toContain('Add client')
  expect(await pageOf(mallory)).not.toContain('@broken@two.example')
  await put(newId(), report(1, { host: '', name: '@nowhere' }))
  expect(await pageOf(ada)).toContain('@nowhere')
})

test('GTW-02 a client that is added on the page of connections answers with the apps as they are now', async () => {
  const fromPage = { 'hx-request': 'true', 'hx-target': 'div#network-apps', accept: 'text/html' }
  const secret = { clientId: 'threads-client-4321', clientSecret: 'a-very-secret-text' }
  const added = await world.ada.fetch('POST /api/credentials', { provider: 'threads', label: 'main', secret }, fromPage)
  const html = await added.text()
  expect([added.status, html.startsWith('<div id="network-apps"')]).toEqual([201, true])
  expect(html).toContain('4321')
  expect(html).toContain('Rotate the secret')
  expect(html).not.toContain(secret.clientSecret)
})

test.each([
  ['x', { status: 400, body: { error: 'invalid_grant' } }, null],
  ['x', { status: 401, body: { error: 'invalid_client' } }, 'x rejected the client ID or secret (401).'],
  ['linkedin', { status: 400, body: { error: 'invalid_client' } }, 'linkedin rejected the client ID or secret (400).'],
  ['facebook', { status: 400, body: { error: { code: 1 } } }, 'facebook rejected the client ID or secret (400).'],
  ['tiktok', { status: 200, body: { access_token: 'unused' } }, null],
  ['tiktok', { status: 503, body: {} }, 'tiktok responded 503.'],
] as const)(
  'GTW-03 app credential of %s is checked at its token endpoint: %j means %p',
  async (name, answer, error) => {
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => Response.json(answer.body, { status: answer.status }),
    })
    const secret = { clientId: 'our-client', clientSecret: 'a-very-secret-text' }
    const baseUrl = server.url.origin
    await world.ada.fetchJson(`PUT /api/credentials/${name}`, { level: 'organization', label: 'main', baseUrl, secret })
    const check = await world.ada.fetchJson(`POST /api/credentials/${name}/check`, { level: 'organization' })
    expect(check).toMatchObject({ healthy: error === null, error })
    await server.stop(true)
  },
)

test('GTW-02 PLT-42 palette finds a connected account by its name or its brand, in its own organization', async () => {
  await put(newId(), report(1, { name: '@findable@three.example', brandName: 'Quince & Co' }))
  const find = async (q: string, who: Caller = world.ada) => {
    const { items } = await who.fetchJson<{ items: { kind: string; label: string; detail: string }[] }>(
      `GET /api/search?q=${encodeURIComponent(q)}`,
    )
    return items.filter(({ kind }) => kind === 'account').map(({ label, detail }) => `${label} ${detail}`)
  }
  const found = ['@findable@three.example Mastodon · Quince & Co']
  expect([await find('findable'), await find('quince'), await find('quince', world.mallory)]).toEqual([
    found,
    found,
    [],
  ])
})
