import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('IDN-44 installing apps for an unknown person or organization is refused, and installs nothing', async () => {
  const dashboard = world.services['platform-dashboard-api'] ?? world.stranger
  const { organizations } = world.ada.things
  const { installedApps, theirAppId, ada } = world
  const choose = (id: string, by: string) =>
    dashboard.fetch(`PUT /api/internal/organizations/${id}/apps`, { apps: [...installedApps, theirAppId], by })
  const install = (id: string, by: string) =>
    dashboard.fetch(`PUT /api/internal/organizations/${id}/apps/${theirAppId}`, { installed: true, by })
  const listInstalled = async () =>
    (await ada.fetchJson<{ items: { id: string }[] }>(`GET /api/organizations/${organizations}/apps`)).items
      .map(({ id }) => id)
      .sort()
  const before = await listInstalled()
  for (const send of [choose, install]) {
    const unknownPerson = await send(organizations, newId())
    expect([unknownPerson.status, await unknownPerson.json()]).toMatchObject([422, { errors: [{ path: 'by' }] }])
    expect((await send(newId(), ada.id)).status).toBe(404)
  }
  expect(await listInstalled()).toEqual(before)
})
