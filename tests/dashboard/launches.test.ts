import { afterAll, beforeAll, expect, onTestFinished, test } from 'bun:test'
import { platformOf } from '../../src/dashboard/launches/platform.ts'
import { openWorld, type Caller, type World } from '../support/world.ts'

interface Launch {
  url: string
  universalUrl: string
  expiresAt: string | null
}

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const social = 'platform-socialize'
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15'
const android = 'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36'

const idOf = async (slug: string) => {
  const [row] = await world.database.sql<{ id: string }[]>`SELECT id FROM identity.services WHERE slug = ${slug}`
  if (!row) throw new Error(`There is no ${slug}`)
  return row.id
}
const launch = (who: Caller, serviceId: string, more = {}) =>
  who.fetchJson<Launch>('POST /api/launches', { serviceId, surface: 'catalog', ...more })
const launchOn = async (userAgent: string, more = {}) => {
  const headers = { 'user-agent': userAgent }
  const response = await world.ada.fetch('POST /api/launches', { serviceId: social, ...more }, headers)
  expect(response.status).toBe(200)
  return (await response.json()) as Launch
}
const redeem = (code: string | null) => {
  const body = { sso_code: code, redirect_uri: 'http://localhost/auth/callback' }
  return world.stranger.fetchJson<{ user: object }>('POST /sso/exchange', body)
}
const open = (who: Caller, path: string, headers = {}) =>
  who.fetch(`GET ${path}`, undefined, { accept: 'text/html', ...headers })
const refusalOf = async (response: Response) => {
  const { code } = (await response.json()) as { code: string }
  return [response.status, code]
}

test('DSH-22 launch creates a one-time code for the app and is listed with its person', async () => {
  const id = await idOf(social)
  const { url, universalUrl, expiresAt } = await launch(world.ada, id)
  expect(new URL(url).searchParams.get('sso_code')).toBeTruthy()
  expect(new URL(universalUrl).pathname).toBe(`/launch/${id}`)
  expect(Date.parse(expiresAt ?? '') - Date.now()).toBeLessThanOrEqual(60_000)
  const again = await launch(world.ada, social)
  expect(again.url).not.toBe(url)
  const { items } = await world.ada.fetchJson<{ items: object[] }>('GET /api/launches?limit=1')
  expect(items).toEqual([
    {
      id: expect.any(String),
      launchedAt: expect.any(String),
      service: { id, name: 'Social' },
      person: { id: world.ada.id, name: 'Ada' },
      surface: 'catalog',
      outcome: 'opened',
      problem: null,
    },
  ])
})

test('DSH-22 code of a launch signs the person in once', async () => {
  const { origin, pathname, searchParams } = new URL((await launch(world.ada, social)).url)
  const body = { sso_code: searchParams.get('sso_code'), redirect_uri: origin + pathname }
  const { accessToken } = await world.stranger.fetchJson<{ accessToken: string }>('POST /sso/exchange', body)
  const headers = { authorization: `Bearer ${accessToken}` }
  const me = await world.stranger.fetch('GET /api/auth/me', undefined, headers)
  expect(await me.json()).toMatchObject({ user: { id: world.ada.id } })
  expect(await refusalOf(await world.stranger.fetch('POST /sso/exchange', body))).toEqual([401, 'invalid_code'])
})

test('DSH-22 launch without a session, by an API key, of an unknown or an uninstalled app is refused with its reason', async () => {
  expect((await world.stranger.fetch('POST /api/launches', { serviceId: social })).status).toBe(401)
  const key = await world.ada.createKey({ service: 'platform-dashboard-api', scopes: ['launches.read'] })
  expect((await key.fetch('POST /api/launches', { serviceId: social })).status).toBe(403)
  const unknown = await world.ada.fetch('POST /api/launches', { serviceId: crypto.randomUUID() })
  expect(await refusalOf(unknown)).toEqual([404, 'not_found'])
  const id = await idOf(social)
  await world.ada.fetchJson(`DELETE /api/catalog/${id}/install`)
  try {
    const refused = await world.ada.fetch('POST /api/launches', { serviceId: social })
    expect(await refusalOf(refused)).toEqual([409, 'app_not_installed'])
    const page = await open(world.ada, `/launch/${id}`)
    expect(page.status).toBe(409)
    const html = await page.text()
    expect(html).toContain('Social can’t be opened')
    expect(html).toContain('An admin can install it in Apps')
    const { items } = await key.fetchJson<{ items: { outcome: string; problem: string }[] }>(
      'GET /api/launches?limit=2',
    )
    expect(items).toMatchObject([
      { outcome: 'refused', problem: 'app_not_installed' },
      { outcome: 'refused', problem: 'app_not_installed' },
    ])
  } finally {
    await world.ada.fetchJson(`POST /api/catalog/${id}/install`)
  }
})

test('DSH-22 DSH-24 universal link continues in the browser, or at the store of the visitor’s platform', async () => {
  const id = await idOf(social)
  const opens = async (headers = {}) => {
    const response = await open(world.ada, `/launch/${id}?code=used-before`, headers)
    return [response.status, response.headers.get('location') ?? '']
  }
  const inBrowser = [303, expect.stringContaining('sso_code=')]
  expect(await opens()).toEqual(inBrowser)
  expect((await opens())[1]).not.toContain('used-before')
  expect(await opens({ 'user-agent': iphone })).toEqual(inBrowser)
  await world.database.sql`UPDATE identity.services SET ios_url = 'https://apps.example/social' WHERE id = ${id}`
  expect(await opens({ 'user-agent': iphone })).toEqual([303, 'https://apps.example/social'])
  expect(await opens({ 'user-agent': android })).toEqual(inBrowser)
  await world.database.sql`UPDATE identity.services SET ios_url = NULL WHERE id = ${id}`
})

test('DSH-22 DSH-24 launch on a phone tries the universal link with a code of its own, then the store, else the browser', async () => {
  const id = await idOf(social)
  await world.database.sql`UPDATE identity.services SET ios_url = 'https://apps.example/social' WHERE id = ${id}`
  onTestFinished(async () => {
    await world.database.sql`UPDATE identity.services SET ios_url = NULL WHERE id = ${id}`
  })
  const { url, universalUrl, expiresAt } = await launchOn(iphone)
  const link = new URL(url)
  expect(link.origin + link.pathname).toBe(universalUrl)
  expect(Date.parse(expiresAt ?? '')).toBeGreaterThan(Date.now())
  expect((await launchOn(iphone)).url).not.toBe(url)
  // Not installed: the phone opens the link itself, and the code is still that of the native build.
  const response = await open(world.ada, link.pathname + link.search, { 'user-agent': iphone })
  expect([response.status, response.headers.get('location')]).toEqual([303, 'https://apps.example/social'])
  expect(await redeem(link.searchParams.get('code'))).toMatchObject({ user: { id: world.ada.id } })
  for (const userAgent of [android, 'Mozilla/5.0 (X11; Linux x86_64)'])
    expect(new URL((await launchOn(userAgent)).url).pathname).not.toContain('/launch/')
  const { items } = await world.ada.fetchJson<{ items: object[] }>('GET /api/launches?limit=5')
  expect(items).toMatchObject([
    { outcome: 'opened' },
    { outcome: 'opened' },
    { outcome: 'store', surface: 'link' },
    { outcome: 'opened' },
    { outcome: 'opened' },
  ])
})

test('DSH-24 universal link of a phone keeps the context in which the app is opened', async () => {
  const id = await idOf(social)
  await world.database.sql`UPDATE identity.services SET android_url = 'https://play.example/social' WHERE id = ${id}`
  onTestFinished(async () => {
    await world.database.sql`UPDATE identity.services SET android_url = NULL WHERE id = ${id}`
  })
  const context = world.ada.things.organizations
  const { searchParams } = new URL((await launchOn(android, { context })).url)
  expect(searchParams.get('context')).toBe(context)
})

test('DSH-22 launch address whose path begins with two slashes leads to this server, not to the host that they name', async () => {
  const id = await idOf(social)
  const locationOf = async (address: string) => {
    await world.database.sql`UPDATE identity.services SET ios_url = ${address} WHERE id = ${id}`
    const response = await open(world.ada, `/launch/${id}`, { 'user-agent': iphone })
    return response.headers.get('location') ?? ''
  }
  try {
    expect(await locationOf('http://localhost/apps?view=all')).toBe('/apps?view=all')
    for (const path of ['//elsewhere.example/apps', '///elsewhere.example', '/\\elsewhere.example']) {
      const location = await locationOf(`http://localhost${path}`)
      expect([path, new URL(location, 'http://localhost/launch/x').host]).toEqual([path, 'localhost'])
    }
  } finally {
    await world.database.sql`UPDATE identity.services SET ios_url = NULL WHERE id = ${id}`
  }
})

test('DSH-22 universal link without a session leads to the sign-in page and back', async () => {
  const id = await idOf(social)
  const response = await open(world.stranger, `/launch/${id}`)
  expect(response.status).toBe(303)
  const { pathname, searchParams } = new URL(response.headers.get('location') ?? '', 'http://localhost')
  expect([pathname, searchParams.get('next')]).toEqual(['/login', `/launch/${id}`])
  expect((await open(world.ada, `/launch/${crypto.randomUUID()}`)).status).toBe(404)
})

test('DSH-24 platform is read from the user agent', () => {
  expect([iphone, android, 'Mozilla/5.0 (X11; Linux x86_64)', null].map(platformOf)).toEqual([
    'ios',
    'android',
    null,
    null,
  ])
})

test('DSH-33 launcher and entitlements answer keys with their scope, and launches are those of the organization', async () => {
  const service = 'platform-dashboard-api'
  const key = await world.ada.createKey({ service, scopes: ['launcher.read', 'entitlements.read'] })
  const launcher = await key.fetchJson<{ items: { slug: string; universalUrl: string }[] }>('GET /api/launcher')
  expect(launcher.items.map(({ slug }) => slug)).toContain(social)
  const entitlements = await key.fetchJson<{ items: { slug: string }[]; plan: object }>('GET /api/entitlements')
  expect(entitlements.items.map(({ slug }) => slug)).toContain(social)
  expect(entitlements.plan).toMatchObject({ allowed: null, left: null })
  expect((await key.fetch('GET /api/launches')).status).toBe(403)
})
