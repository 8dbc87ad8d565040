import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type Person, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
  await world.database.sql`DELETE FROM dashboard.layouts`
  await world.database.sql`DELETE FROM dashboard.settings`
})
afterAll(() => world.close())

interface Layout {
  widgets: { app: string; columns: number; hidden: boolean }[]
  version: number
}

const read = (who: Pick<Person, 'fetchJson'>) => who.fetchJson<Layout>('GET /api/dashboard/layout')
const appsOf = ({ widgets }: Layout) => widgets.map(({ app }) => app)

test('DSH-07 layout begins with the usual order, and is kept per person', async () => {
  const { ada, vera } = world
  const first = await read(ada)
  expect(first.version).toBe(0)
  expect(appsOf(first).slice(0, 3)).toEqual(['platform-socialize', 'platform-pay', 'platform-dashboard-api'])
  expect(first.widgets.every(({ hidden }) => !hidden)).toBe(true)
  const widgets = first.widgets.toReversed().map((widget, at) => ({ ...widget, columns: 6, hidden: at === 0 }))
  const saved = await ada.fetchJson<Layout>('PUT /api/dashboard/layout', { widgets })
  expect(saved).toEqual({ widgets, version: 1 })
  expect(await read(ada)).toEqual(saved)
  expect((await read(vera)).version).toBe(0)
})

test('DSH-07 layout that its person deletes is the default again, and others keep theirs', async () => {
  const { ada, vera } = world
  await world.database.sql`DELETE FROM dashboard.layouts`
  const usual = await read(ada)
  const hidden = { widgets: usual.widgets.map((widget) => ({ ...widget, hidden: true })) }
  for (const person of [ada, vera]) await person.fetchJson('PUT /api/dashboard/layout', hidden)
  const chosen = usual.widgets.toReversed()
  await ada.fetchJson('PUT /api/dashboard/settings', { widgets: chosen })
  const shown = { widgets: chosen, version: 0 }
  expect(await ada.fetchJson<Layout>('DELETE /api/dashboard/layout')).toEqual(shown)
  expect(await read(ada)).toEqual(shown)
  expect(await ada.fetchJson<Layout>('DELETE /api/dashboard/layout')).toEqual(shown)
  expect(await read(vera)).toEqual({ ...hidden, version: 1 })
  const key = await ada.createKey({ service: 'platform-dashboard-api', scopes: ['dashboard.read'] })
  expect((await key.fetch('DELETE /api/dashboard/layout')).status).toBe(403)
})

test('DSH-07 person in two organizations has a layout in each, and switching shows that of the context', async () => {
  const { vera, ada, mallory, stranger, database } = world
  await database.sql`DELETE FROM dashboard.layouts`
  const [acme, umbrella] = [ada.things.organizations, mallory.things.organizations]
  await database.sql`
    INSERT INTO identity.memberships (organization_id, user_id, role, created_at) VALUES (${umbrella}, ${vera.id}, 'editor', now())`
  const { cookie } = await vera.signIn()
  const send = async <Answer>(route: string, body?: unknown): Promise<Answer> => {
    const response = await stranger.fetch(route, body, { cookie, 'sec-fetch-site': 'same-origin' })
    expect([route, response.status]).toEqual([route, 200])
    return (await response.json()) as Answer
  }
  const switchTo = (organizationId: string) => send('POST /api/auth/context', { organizationId })
  const layout = () => send<Layout>('GET /api/dashboard/layout')
  const save = (widgets: Layout['widgets']) => send<Layout>('PUT /api/dashboard/layout', { widgets })

  await switchTo(acme)
  const usual = await layout()
  const atAcme = await save(usual.widgets.map((widget) => ({ ...widget, columns: 12 })))
  await switchTo(umbrella)
  const untouched = await layout()
  expect(untouched.version).toBe(0)
  expect(untouched.widgets.some(({ columns }) => columns === 12)).toBe(false)
  const atUmbrella = await save(untouched.widgets.toReversed().map((widget, at) => ({ ...widget, hidden: at === 0 })))
  await switchTo(acme)
  expect(await layout()).toEqual(atAcme)
  await switchTo(umbrella)
  expect(await layout()).toEqual(atUmbrella)
  await send('DELETE /api/dashboard/layout')
  await switchTo(acme)
  expect(await layout()).toEqual(atAcme)
})
