import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type Caller, type World } from '../support/world.ts'

interface Item {
  id: string
  slug: string
  name: string
  group: string | null
  installed: boolean
  favorite: boolean
  hidden: boolean
  covered: boolean
  can: { install: boolean; uninstall: boolean; launch: boolean }
}

interface Catalog {
  items: Item[]
  nextCursor: string | null
  tileSize: string
  plan: { used: number; allowed: number | null; left: number | null } | null
}

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const catalog = (who: Caller, query = '') => who.fetchJson<Catalog>(`GET /api/catalog${query}`)
const find = async (who: Caller, slug: string) => {
  const found = (await catalog(who, '?limit=100')).items.find((item) => item.slug === slug)
  if (!found) throw new Error(`The catalog has no ${slug}`)
  return found
}
const refusalOf = async (response: Response) => {
  const { code } = (await response.json()) as { code: string }
  return [response.status, code]
}

test('DSH-05 catalog lists installed apps first, says who can install them, and is empty of the dashboard itself', async () => {
  const { items, plan } = await catalog(world.ada, '?limit=100')
  const installed = items.map((item) => item.installed)
  expect(installed).toEqual(installed.toSorted((one, other) => Number(other) - Number(one)))
  const groups = items.flatMap(({ group, installed: isInstalled }) => (isInstalled ? [group] : []))
  expect([...new Set(groups)]).toEqual(['Work', 'Platform', 'Account'])
  expect(items.map(({ slug }) => slug)).not.toContain('platform-dashboard-api')
  expect(plan).toMatchObject({ allowed: null, left: null })
  expect((await find(world.ada, 'platform-socialize')).can).toEqual({ install: false, uninstall: true, launch: true })
  expect((await find(world.vera, 'platform-socialize')).can).toEqual({ install: false, uninstall: false, launch: true })
  expect((await world.stranger.fetch('GET /api/catalog')).status).toBe(401)
  expect(await refusalOf(await world.nora.fetch('GET /api/catalog'))).toEqual([403, 'permission_missing'])
})

test('DSH-05 catalog finds apps by a part of their name and pages through all of them without a gap', async () => {
  const { items } = await catalog(world.ada, '?limit=100')
  expect((await catalog(world.ada, '?q=SOCI')).items.map(({ slug }) => slug)).toContain('platform-socialize')
  expect((await catalog(world.ada, '?q=nothing-like-it')).items).toEqual([])
  const paged: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Catalog = await catalog(world.ada, `?limit=1${cursor && `&cursor=${cursor}`}`)
    paged.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  }
  expect(paged).toEqual(items.map(({ id }) => id))
  expect((await world.ada.fetch('GET /api/catalog?cursor=junk')).status).toBe(422)
})

test('DSH-05 IDN-21 favorites and hidden apps are kept per person, also when two change at once', async () => {
  const { items } = await catalog(world.ada, '?limit=100')
  const ids = items.map(({ id }) => id)
  await Promise.all(ids.map((id) => world.ada.fetchJson(`PUT /api/catalog/${id}/preferences`, { favorite: true })))
  expect((await catalog(world.ada, '?view=favorites&limit=100')).items.map(({ id }) => id)).toEqual(ids)
  expect((await catalog(world.vera, '?view=favorites')).items).toEqual([])
  const [first = ''] = ids
  await world.ada.fetchJson(`PUT /api/catalog/${first}/preferences`, { hidden: true })
  expect((await catalog(world.ada, '?limit=100')).items.map(({ id }) => id)).toEqual(ids.slice(1))
  expect((await catalog(world.ada, '?view=hidden')).items.map(({ id }) => id)).toEqual([first])
  for (const id of ids)
    await world.ada.fetchJson(`PUT /api/catalog/${id}/preferences`, { favorite: false, hidden: false })
  await world.ada.fetchJson('PUT /api/catalog/preferences', { tileSize: 'large' })
  expect((await catalog(world.ada)).tileSize).toBe('large')
  await world.ada.fetchJson('PUT /api/catalog/preferences', { tileSize: 'medium' })
})

test('DSH-05 IDN-44 admin uninstalls and installs an app, a viewer can’t, and repeating it says so', async () => {
  const { id } = await find(world.ada, 'platform-socialize')
  const path = `/api/catalog/${id}/install`
  for (const method of ['POST', 'DELETE'])
    expect(await refusalOf(await world.vera.fetch(`${method} ${path}`))).toEqual([403, 'permission_missing'])
  expect(await refusalOf(await world.ada.fetch(`POST ${path}`))).toEqual([409, 'already_installed'])
  expect(await world.ada.fetchJson(`DELETE ${path}`)).toMatchObject({ installed: false, can: { install: true } })
  expect((await world.ada.fetch(`DELETE ${path}`)).status).toBe(404)
  expect(await world.ada.fetchJson(`POST ${path}`)).toMatchObject({ installed: true })
  const free = await find(world.ada, 'platform-identity')
  const refused = await world.ada.fetch(`DELETE /api/catalog/${free.id}/install`)
  expect(await refusalOf(refused)).toEqual([409, 'app_not_removable'])
})

test('DSH-33 key with apps.write installs an app, and one with apps.read only reads the catalog', async () => {
  const { id } = await find(world.ada, 'platform-socialize')
  const service = 'platform-dashboard-api'
  const reader = await world.ada.createKey({ service, scopes: ['apps.read'] })
  const writer = await world.ada.createKey({ service, scopes: ['apps.read', 'apps.write'] })
  expect((await find(reader, 'platform-socialize')).can.uninstall).toBe(false)
  expect((await reader.fetch(`DELETE /api/catalog/${id}/install`)).status).toBe(403)
  await writer.fetchJson(`DELETE /api/catalog/${id}/install`)
  await writer.fetchJson(`POST /api/catalog/${id}/install`)
  expect((await find(reader, 'platform-socialize')).installed).toBe(true)
})

test('DSH-05 page of apps shows the catalog, and in a personal account the apps for it', async () => {
  const pageOf = async (who: World['nora']) => {
    const { cookie } = await who.signIn()
    return world.stranger.fetch('GET /apps', undefined, { cookie, accept: 'text/html' })
  }
  const page = await pageOf(world.vera)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('aria-label="Open Social"')])
  const personal = await pageOf(world.nora)
  expect([personal.status, await personal.text()]).toEqual([200, expect.not.stringContaining('Open Social')])
})
