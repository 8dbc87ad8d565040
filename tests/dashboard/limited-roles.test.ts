import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type Person, type World } from '../support/world.ts'

// Roles that are limited to a brand change nothing, and read nothing, of the whole organization.

let world: World
let limited: Person
beforeAll(async () => {
  world = await openWorld()
  const { brands, organizations } = world.ada.things
  limited = await world.join(world.ada, { name: 'Liam', role: 'editor' })
  const member = `/api/organizations/${organizations}/members/${limited.id}`
  const resources = [{ service: 'platform-socialize', kind: 'brand', id: brands, role: 'editor' }]
  await world.ada.fetchJson(`PUT ${member}/resources`, { resources })
  const serviceId = await world.provided.identity.serviceId('platform-dashboard-api')
  for (const permission of ['settings:read', 'settings:write', 'apps:read', 'apps:write', 'launches:read'])
    await world.ada.fetchJson(
      `POST ${member}/overrides`,
      { permission: `${serviceId}.${permission}`, effect: 'grant' },
      201,
    )
})
afterAll(() => world.close())

const refusalOf = async (response: Response) => {
  const { code } = (await response.json()) as { code: string }
  return [response.status, code]
}
const layout = [{ app: 'platform-pay', columns: 12, hidden: false }]

test('DSH-33 IDN-27 role that is limited to a brand can’t change the default layout, and isn’t offered to', async () => {
  const before = await world.ada.fetchJson('GET /api/dashboard/settings')
  const refused = await limited.fetch('PUT /api/dashboard/settings', { widgets: layout })
  expect(refused.status).toBe(403)
  expect(await limited.fetchJson('GET /api/dashboard/settings')).toMatchObject({ can: { update: false } })
  expect(await limited.fetchJson('GET /api/dashboard')).toMatchObject({ can: { updateDefault: false } })
  expect(await world.ada.fetchJson('GET /api/dashboard')).toMatchObject({ can: { updateDefault: true } })
  expect(await world.ada.fetchJson('GET /api/dashboard/settings')).toEqual(before)
})

test('DSH-05 IDN-27 role that is limited to a brand can’t install or uninstall apps, and isn’t offered to', async () => {
  const { items } = await limited.fetchJson<{
    items: { id: string; slug: string; can: { install: boolean; uninstall: boolean } }[]
  }>('GET /api/catalog?limit=100')
  expect(items.filter(({ can }) => can.install || can.uninstall)).toEqual([])
  const social = items.find(({ slug }) => slug === 'platform-socialize')
  expect((await limited.fetch(`DELETE /api/catalog/${social?.id}/install`)).status).toBe(403)
  const own = `/api/organizations/${world.ada.things.organizations}/apps`
  expect((await limited.fetch(`DELETE ${own}/${social?.id}`)).status).toBe(403)
  expect((await world.ada.fetch(`POST ${own}`, { serviceId: social?.id })).status).toBe(409)
})

test('DSH-22 IDN-27 role that is limited to a brand sees only its own launches', async () => {
  for (const person of [world.ada, limited])
    await person.fetch('POST /api/launches', { serviceId: 'platform-socialize', surface: 'catalog' })
  const { items } = await limited.fetchJson<{ items: { person: { id: string } }[] }>('GET /api/launches')
  expect([...new Set(items.map(({ person }) => person.id))]).toEqual([limited.id])
})

test('DSH-33 other organizations’ layouts, apps and launches aren’t changed or opened by their IDs', async () => {
  const { mallory, ada } = world
  const before = await ada.fetchJson('GET /api/dashboard/settings')
  await mallory.fetch('PUT /api/dashboard/settings', { widgets: layout, organizationId: ada.things.organizations })
  expect(await ada.fetchJson('GET /api/dashboard/settings')).toEqual(before)
  const elsewhere = { serviceId: 'platform-socialize', context: ada.things.organizations }
  expect(await refusalOf(await mallory.fetch('POST /api/launches', elsewhere))).not.toContain(200)
  const link = await mallory.fetch(`GET /launch/platform-socialize?context=${ada.things.organizations}`, undefined, {
    accept: 'text/html',
  })
  expect([403, 404, 409]).toContain(link.status)
  expect(link.headers.get('location')).toBeNull()
})

test.each([
  ['too many widgets', Array.from({ length: 101 }, (_, at) => ({ app: `app-${at}`, columns: 6 })), 'widgets'],
  ['the same app twice', [layout[0], layout[0]], 'widgets'],
  ['a width that the grid doesn’t have', [{ app: 'platform-pay', columns: 7 }], 'widgets.0.columns'],
  ['a long slug', [{ app: 'x'.repeat(10_000), columns: 6 }], 'widgets.0.app'],
])('DSH-33 default layout with %s is refused with its field', async (_, widgets, path) => {
  const refused = await world.ada.fetch('PUT /api/dashboard/settings', { widgets })
  const { errors } = (await refused.json()) as { errors: { path: string }[] }
  expect([refused.status, errors.map((error) => error.path)]).toEqual([422, [path]])
})
