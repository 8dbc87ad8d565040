import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type Caller, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

/** The links of the overview with their names. */
async function areasOf(who: Caller): Promise<Record<string, string>> {
  const page = await (await who.fetch('GET /settings', undefined, { accept: 'text/html' })).text()
  const links = page.matchAll(/<a class="row-link" href="([^"]+)">([^<]+)<\/a>/g)
  return Object.fromEntries([...links].map(([, href = '', name = '']) => [name, href]))
}

test('DSH-06 settings lead to every area, each with its page', async () => {
  const areas = await areasOf(world.ada)
  expect(areas).toMatchObject({
    Profile: '/settings/profile',
    Security: '/settings/security',
    Sessions: '/settings/sessions',
    General: '/settings/organization',
    Members: '/settings/members',
    'API keys': '/settings/keys',
    'Audit log': '/settings/audit',
    'Dashboard layout': '/settings/dashboard',
  })
  for (const path of Object.values(areas)) {
    const page = await world.ada.fetch(`GET ${path}`, undefined, { accept: 'text/html' })
    expect([path, page.status]).toEqual([path, 200])
  }
})

test('DSH-06 settings list only what the person can open, and those of the person in a personal account', async () => {
  const viewer = await areasOf(world.vera)
  expect(Object.keys(viewer)).toEqual(expect.arrayContaining(['Profile', 'Security', 'General', 'Members']))
  expect(Object.keys(viewer)).not.toEqual(expect.arrayContaining(['API keys']))
  expect(Object.keys(viewer)).not.toContain('Audit log')
  expect(Object.keys(await areasOf(world.nora))).not.toContain('Members')
})

test('DSH-06 settings are a place of the dashboard and found in search', async () => {
  const page = await (await world.ada.fetch('GET /dashboard', undefined, { accept: 'text/html' })).text()
  const bar = /<nav class="tabbar".*?<\/nav>/s.exec(page)?.[0] ?? ''
  expect([...bar.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
    '/dashboard',
    '/apps',
    '/actions',
    '/settings',
  ])
  const { items } = await world.ada.fetchJson<{ items: { href: string }[] }>('GET /api/search?q=settings')
  expect(items.map(({ href }) => href)).toContain('/settings')
})

test('DSH-06 theme, language, time zone, security and plan are on their pages', async () => {
  const read = async (path: string) => (await world.ada.fetch(`GET ${path}`, undefined, { accept: 'text/html' })).text()
  const profile = await read('/settings/profile')
  for (const part of ['aria-label="Theme"', 'name="timeZone"', 'name="language"']) expect(profile).toContain(part)
  const security = await read('/settings/security')
  for (const part of ['Password', 'Passkeys', 'Authenticator', 'ecovery email']) expect(security).toContain(part)
  expect(await read('/settings/organization')).toContain('Seats')
})
