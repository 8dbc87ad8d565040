import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, password, type World } from '../support/world.ts'

interface Service {
  slug: string
  name: string
  icon: string | null
  launchable: boolean
  firstParty: boolean
  webUrl: string | null
}

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('IDN-20 IDN-25 services list contains every service and marks those that people can open here', async () => {
  for (const route of ['GET /api/services', 'GET /api/auth/services']) {
    const { items } = await world.vera.fetchJson<{ items: Service[] }>(route)
    expect(items.length).toBeGreaterThanOrEqual(5)
    const launched = items.filter(({ launchable, firstParty }) => launchable && firstParty)
    expect(launched.map(({ slug, webUrl }) => [slug, webUrl])).toEqual([
      ['platform-dashboard-api', '/dashboard'],
      ['platform-developer-console', '/developers'],
      ['platform-gateway', '/gateway'],
      ['platform-identity', '/settings/profile'],
      ['platform-pay', '/pay'],
      ['platform-socialize', '/workspace/posts'],
    ])
    for (const { webUrl } of launched) expect((await world.ada.fetch(`GET ${webUrl}`)).status).toBe(200)
    expect((await world.stranger.fetch(route)).status).toBe(401)
  }
})

test('IDN-20 service entry has every field of the registry, with the documented names', async () => {
  const entry = await world.vera.fetchJson<Record<string, unknown>>(`GET /api/services/${world.serviceId}`)
  expect(entry).toMatchObject({
    slug: 'platform-socialize',
    name: 'Social',
    icon: 'megaphone',
    surface_kind: 'app',
    surface_group: 'Work',
    launchable: true,
    household_capable: false,
    supportedContexts: ['organization'],
    webUrl: '/workspace/posts',
    nativeLinks: { ios: null, android: null },
    widgetUrl: '/api/widget?app=platform-socialize',
    redirectUris: ['http://localhost/auth/callback'],
    handoffUri: 'http://localhost/auth/callback',
    firstParty: true,
    paid: true,
    installed: true,
  })
  expect((await world.vera.fetch(`GET /api/services/${world.vera.id}`)).status).toBe(404)
})

test('IDN-10 IDN-20 person without an organization sees only services for personal use, including in the app switcher', async () => {
  const slugs = async (who: World['stranger']) =>
    (await who.fetchJson<{ items: Service[] }>('GET /api/services')).items.map(({ slug }) => slug)
  expect(await slugs(world.nora)).toEqual(['platform-dashboard-api', 'platform-identity'])
  expect(await slugs(world.vera)).toContain('platform-socialize')
  const { cookie } = await world.nora.signIn()
  const page = await world.stranger.fetch('GET /settings/profile', undefined, { cookie, accept: 'text/html' })
  expect(await page.text()).not.toContain('Social')
})

test('IDN-20 IDN-25 invalid bearer is rejected even when a valid session cookie is sent', async () => {
  const { cookie } = await world.ada.signIn()
  const route = 'GET /api/auth/services'
  expect((await world.stranger.fetch(route, undefined, { cookie })).status).toBe(200)
  expect((await world.stranger.fetch(route, undefined, { cookie, authorization: 'Bearer none' })).status).toBe(401)
})

const preferences = '/api/app-switcher/preferences'

test('IDN-21 preferences are per person, update only the fields sent, and are the same under /api/auth', async () => {
  expect(await world.ada.fetchJson(`GET ${preferences}`)).toEqual({ favorites: [], hidden: [], tileSize: 'medium' })
  await world.ada.fetchJson(`PUT ${preferences}`, { favorites: [world.serviceId], theme: 'dark' })
  const kept = { favorites: [world.serviceId], hidden: [], tileSize: 'large', theme: 'dark' }
  expect(await world.ada.fetchJson(`PUT /api/auth/app-switcher/preferences`, { tileSize: 'large' })).toEqual(kept)
  for (const route of [`GET ${preferences}`, 'GET /api/auth/app-switcher/preferences'])
    expect(await world.ada.fetchJson(route)).toEqual(kept)
  expect(await world.vera.fetchJson(`GET ${preferences}`)).toEqual({ favorites: [], hidden: [], tileSize: 'medium' })
  const { theme: _, ...rest } = kept
  expect(await world.ada.fetchJson(`PUT ${preferences}`, { theme: 'system' })).toEqual(rest)
  for (const wrong of [{ theme: 'blue' }, { tileSize: 'huge' }, { favorites: ['x'] }])
    expect((await world.ada.fetch(`PUT ${preferences}`, wrong)).status).toBe(422)
  expect((await world.stranger.fetch(`GET ${preferences}`)).status).toBe(401)
})

test('IDN-21 app switcher shows a person’s favorites first, omits hidden apps, and has the chosen size', async () => {
  const { cookie } = await world.ada.signIn()
  const tiles = async () => {
    const page = await (
      await world.stranger.fetch('GET /workspace/posts', undefined, { cookie, accept: 'text/html' })
    ).text()
    const [, size, inner = ''] = /<div class="tiles" data-size="(\w+)">(.*?)<\/div>/s.exec(page) ?? []
    return { size, names: [...inner.matchAll(/<span>([^<]+)<\/span>/g)].map(([, name]) => name) }
  }
  const { items } = await world.ada.fetchJson<{ items: (Service & { id: string })[] }>('GET /api/services')
  const idOf = (name: string) => items.find((each) => each.name === name)?.id ?? ''
  await world.ada.fetchJson(`PUT ${preferences}`, { favorites: [], hidden: [], tileSize: 'medium' })
  const { names } = await tiles()
  const last = names.at(-1) ?? ''
  await world.ada.fetchJson(`PUT ${preferences}`, { favorites: [idOf(last)], tileSize: 'large' })
  expect(await tiles()).toEqual({ size: 'large', names: [last, ...names.slice(0, -1)] })
  const hidden = names.filter((name) => name !== 'Social').map((name) => idOf(name ?? ''))
  await world.ada.fetchJson(`PUT ${preferences}`, {
    favorites: [],
    hidden: [...hidden, idOf('Social')],
    tileSize: 'small',
  })
  expect(await tiles()).toEqual({ size: 'small', names: ['Social'] })
  await world.ada.fetchJson(`PUT ${preferences}`, { hidden: [], tileSize: 'medium' })
})

test('IDN-21 chosen theme is in the HTML of every page, including on other devices', async () => {
  const themeOf = async (cookie: string, route = 'GET /workspace/posts') => {
    const page = await world.stranger.fetch(route, undefined, { cookie, accept: 'text/html' })
    return /<html[^>]* data-theme="(\w+)"/.exec(await page.text())?.[1] ?? null
  }
  const chosen = await world.ada.fetch(`PUT ${preferences}`, { theme: 'light' })
  expect(chosen.headers.getSetCookie()[0]).toStartWith('theme=light; Path=/')
  const { cookie } = await world.ada.signIn()
  for (const route of ['GET /workspace/posts', 'GET /settings/profile', 'GET /workspace/nowhere'])
    expect([route, await themeOf(cookie, route)]).toEqual([route, 'light'])
  expect(await themeOf('theme=light', 'GET /login')).toBe('light')
  expect(await themeOf('theme="><script>', 'GET /login')).toBe(null)
  const others = await world.stranger.fetch(
    'POST /api/auth/login',
    { email: world.vera.email, password },
    { cookie: 'theme=light', 'sec-fetch-site': 'same-origin' },
  )
  expect(others.headers.getSetCookie().at(-1)).toStartWith('theme=; Path=/; Max-Age=0')
  await world.ada.fetchJson(`PUT ${preferences}`, { theme: 'system' })
  expect(await themeOf((await world.ada.signIn()).cookie)).toBe(null)
})

test('IDN-21 preferred time zone and clock format apply to every page, including on other devices, and can be reset to the browser’s', async () => {
  const timesOf = async (cookie: string) => {
    const page = await world.stranger.fetch('GET /settings/sessions', undefined, { cookie, accept: 'text/html' })
    return /<time datetime="[^"]+" title="[^"]*, (\d+):\d\d([^"]*)"/.exec(await page.text())?.slice(1)
  }
  const wrong = await world.ada.fetch(`PUT ${preferences}`, { timeZone: 'Berlin', hourCycle: '24' })
  expect([wrong.status, await wrong.json()]).toMatchObject([
    422,
    { errors: [{ path: 'timeZone' }, { path: 'hourCycle', message: 'Must be h12, h23 or system.' }] },
  ])
  const chosen = { timeZone: 'Asia/Kolkata', language: 'en-US', hourCycle: 'h23' }
  const saved = await world.ada.fetchJson<object>(`PUT ${preferences}`, { ...chosen, timeZone: 'Asia/Calcutta' })
  expect(saved).toMatchObject(chosen)
  const { cookie } = await world.ada.signIn()
  expect((await timesOf(`${cookie}; zone=America%2FNew_York`))?.[1]).toBe(' GMT+5:30')
  const htmx = { 'hx-request': 'true' }
  const fragment = await (await world.ada.fetch(`PUT ${preferences}`, { hourCycle: 'h12' }, htmx)).text()
  expect(fragment).toMatch(/^<section class="section" id="preferences".*It’s \d+:\d\d\s[AP]M there/s)
  await world.ada.fetchJson(`PUT ${preferences}`, { timeZone: 'system', language: 'en-GB', hourCycle: 'system' })
  const other = (await world.ada.signIn()).cookie
  expect((await timesOf(`${other}; zone=Asia%2FTokyo`))?.[1]).toBe(' GMT+9')
})

test('PLT-06 IDN-24 services are returned to htmx as app switcher tiles that start the hand-off', async () => {
  const htmx = { 'hx-request': 'true' }
  for (const route of ['GET /api/services', 'GET /api/auth/services']) {
    const tiles = await (await world.ada.fetch(route, undefined, htmx)).text()
    expect(tiles).toMatch(/^<div class="tiles" data-size="medium"><a href="[^"]*" hx-post="\/sso\/handoff-code"/)
    expect(tiles).toContain('<span>Social</span>')
  }
})

test('IDN-20 DSH-11 list of services is of the named context, whatever the session has chosen since', async () => {
  const { cookie } = await world.mallory.signIn()
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  const umbrella = world.mallory.things.organizations
  await world.stranger.fetch('POST /api/auth/context', { context: 'personal' }, headers)
  const installed = async (query: string) => {
    const response = await world.stranger.fetch(`GET /api/auth/services${query}`, undefined, headers)
    const { items } = (await response.json()) as { items: { slug: string; installed: boolean }[] }
    return items.filter((item) => item.installed).map(({ slug }) => slug)
  }
  expect(await installed('')).not.toContain('platform-socialize')
  expect(await installed('?context=personal')).not.toContain('platform-socialize')
  expect(await installed(`?context=${umbrella}`)).toContain('platform-socialize')
  const apps = await world.provided.identity.apps({ cookie, authorization: undefined }, umbrella)
  expect(apps.map(({ slug }) => slug)).toContain('platform-socialize')
  const theirs = `?context=${world.ada.things.organizations}`
  expect((await world.stranger.fetch(`GET /api/auth/services${theirs}`, undefined, headers)).status).toBe(404)
})
