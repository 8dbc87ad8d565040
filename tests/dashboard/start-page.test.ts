import { afterAll, beforeAll, expect, onTestFinished, test } from 'bun:test'
import { openWorld, password, type Caller, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const visit = (who: Caller, path: string, headers = {}) =>
  who.fetch(`GET ${path}`, undefined, { accept: 'text/html', ...headers })
const destination = async (who: Caller, headers = {}) => {
  const { status, headers: sent } = await visit(who, '/', headers)
  return [status, sent.get('location')]
}

test('DSH-01 start page leads to the dashboard, from the next request on to the posts without its permission', async () => {
  expect(await destination(world.ada)).toEqual([303, '/dashboard'])
  expect(await destination(world.vera)).toEqual([303, '/dashboard'])
  const route = `/api/organizations/${world.ada.things.organizations}/members/${world.vera.id}/overrides`
  const denial = { permission: `${await dashboardId()}.dashboard:read`, effect: 'deny', reason: 'Posts only' }
  const { id } = await world.ada.fetchJson<{ id: string }>(`POST ${route}`, denial, 201)
  expect(await destination(world.vera)).toEqual([303, '/workspace/posts'])
  await world.ada.fetchJson(`DELETE ${route}/${id}`, undefined, 204)
  expect(await destination(world.vera)).toEqual([303, '/dashboard'])
})

test('DSH-01 start page leads to the dashboard with a role that is limited to brands', async () => {
  const route = `PUT /api/organizations/${world.ada.things.organizations}/members/${world.vera.id}/resources`
  const brand = { service: 'platform-socialize', kind: 'brand', id: world.ada.things.brands, role: 'editor' }
  await world.ada.fetchJson(route, { resources: [brand] })
  expect(await destination(world.vera)).toEqual([303, '/dashboard'])
  expect((await visit(world.vera, '/dashboard')).status).toBe(200)
  await world.ada.fetchJson(route, { resources: [] })
})

test('DSH-01 start page leads to the organizations in a personal account', async () => {
  expect(await destination(world.nora)).toEqual([303, '/settings/workspaces'])
})

test('DSH-01 start page leads to the posts where the dashboard doesn’t run, on this host or at all', async () => {
  const split = await openWorld({ env: { DASHBOARD_HOST: 'dash.example.com', SOCIAL_HOST: 'social.example.com' } })
  const apart = await openWorld({ env: { SERVICES: 'identity,gateway,social,payments' } })
  onTestFinished(async () => {
    await Promise.all([split.close(), apart.close()])
  })
  const { cookie } = await split.ada.signIn()
  const at = async (host: string) => {
    const headers = { cookie, accept: 'text/html' }
    return (await split.handle(new Request(`http://${host}/`, { headers }))).headers.get('location')
  }
  expect([await at('dash.example.com'), await at('social.example.com')]).toEqual(['/dashboard', '/workspace/posts'])
  expect(await destination(apart.ada)).toEqual([303, '/workspace/posts'])
  const page = await (await visit(apart.ada, '/workspace/posts')).text()
  expect(page).toContain('hx-post="/sso/handoff-code"')
  expect(page).not.toContain('/api/launches')
})

test('DSH-01 sign-in page of the dashboard takes a password and lands on the dashboard', async () => {
  const split = await openWorld({ env: { DASHBOARD_HOST: 'dash.example.com' } })
  onTestFinished(() => split.close())
  const origin = 'http://dash.example.com'
  const page = await split.handle(new Request(`${origin}/login`, { headers: { accept: 'text/html' } }))
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('type="password"')])
  const form = new URLSearchParams({ email: split.ada.email, password })
  const headers = { accept: 'text/html', 'sec-fetch-site': 'same-origin' }
  const signedIn = await split.handle(
    new Request(`${origin}/api/auth/login`, { method: 'POST', body: form, headers: { ...headers, origin } }),
  )
  const cookie = signedIn.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')
  const first = await split.handle(
    new Request(`${origin}${signedIn.headers.get('location')}`, { headers: { ...headers, cookie } }),
  )
  expect([signedIn.status, first.status, first.headers.get('location')]).toEqual([303, 303, '/dashboard'])
})

test('DSH-01 dashboard has its pages, and no store', async () => {
  const statusOf = async (path: string) => (await visit(world.ada, path)).status
  for (const path of ['/dashboard', '/apps', '/actions', '/login', '/onboarding'])
    expect([path, [200, 303].includes(await statusOf(path))]).toEqual([path, true])
  expect(await statusOf('/store')).toBe(404)
  expect((await visit(world.stranger, '/store')).status).toBe(404)
})

test('DSH-02 nothing is above the widgets of the dashboard', async () => {
  const content = await (
    await visit(world.ada, '/dashboard', { 'hx-request': 'true', 'hx-request-type': 'partial' })
  ).text()
  expect(content).toMatch(/^<h1 class="visually-hidden">Dashboard<\/h1><widget-grid/)
})

test('DSH-22 pages open the apps of their switcher, and leave the settings, by launches', async () => {
  for (const path of ['/workspace/posts', '/dashboard', '/settings/profile']) {
    const page = await (await visit(world.ada, path)).text()
    expect([
      path,
      /hx-post="\/api\/launches" hx-vals=[^>]*switcher/.test(page),
      page.includes('/sso/handoff-code'),
    ]).toEqual([path, true, false])
  }
})

async function dashboardId(): Promise<string> {
  const { sql } = world.database
  const [row] = await sql<{ id: string }[]>`SELECT id FROM identity.services WHERE slug = 'platform-dashboard-api'`
  return row?.id ?? ''
}
