import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { openWorld, type Caller, type World } from '../support/world.ts'

interface Widget {
  app: string
  columns: number
  hidden: boolean
}
interface Layout {
  widgets: Widget[]
  version: number
}
interface Settings extends Layout {
  custom: boolean
  can: { update: boolean }
}

let world: World
beforeAll(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  await world.database.sql`DELETE FROM dashboard.layouts`
  await world.database.sql`DELETE FROM dashboard.settings`
})
afterAll(() => world.close())

const route = '/api/dashboard/settings'
const read = (who: Pick<Caller, 'fetchJson'>) => who.fetchJson<Settings>(`GET ${route}`)
const layoutOf = (who: Pick<Caller, 'fetchJson'>) => who.fetchJson<Layout>('GET /api/dashboard/layout')

/** The usual one, turned around, with a hidden widget. */
async function otherLayout(): Promise<Widget[]> {
  const { widgets } = await read(world.ada)
  return widgets.toReversed().map((widget, at) => ({ ...widget, columns: 6, hidden: at === 0 }))
}

test('DSH-33 default layout is what members and keys see without a layout of their own, and null brings back the usual one', async () => {
  const { ada, vera, mallory } = world
  const usual = await read(ada)
  expect(usual).toMatchObject({ custom: false, version: 0, can: { update: true } })
  expect((await layoutOf(vera)).widgets).toEqual(usual.widgets)
  const widgets = await otherLayout()
  expect(await ada.fetchJson<Settings>(`PUT ${route}`, { widgets })).toEqual({
    widgets,
    custom: true,
    version: 1,
    can: { update: true },
  })
  expect(await read(vera)).toMatchObject({ widgets, can: { update: false } })
  expect(await layoutOf(vera)).toEqual({ widgets, version: 0 })
  const key = await ada.createKey({ service: 'platform-dashboard-api', scopes: ['dashboard.read'] })
  expect((await layoutOf(key)).widgets).toEqual(widgets)
  expect(await read(mallory)).toMatchObject({ custom: false, version: 0 })

  await vera.fetchJson('PUT /api/dashboard/layout', { widgets: usual.widgets })
  expect((await layoutOf(vera)).widgets).toEqual(usual.widgets)
  expect(await ada.fetchJson<Settings>(`PUT ${route}`, { widgets: null })).toMatchObject({ custom: false, version: 2 })
  expect((await layoutOf(ada)).widgets).toEqual(usual.widgets)
})

test('DSH-33 default layout is changed only by those with settings.write, and from the version that was read', async () => {
  const { ada, vera } = world
  const widgets = await otherLayout()
  const refused = await vera.fetch(`PUT ${route}`, { widgets })
  expect([refused.status, await refused.json()]).toMatchObject([403, { permission: 'settings:write' }])
  const put = async (version: string) => (await ada.fetch(`PUT ${route}`, { widgets }, { 'if-match': version })).status
  expect([await put('"1"'), await put('"0"'), await put('"0"'), await put('"1"')]).toEqual([409, 200, 409, 200])
  expect((await ada.fetch(`PUT ${route}`, { widgets, version: 1 })).status).toBe(409)
  const answer = await ada.fetch(`GET ${route}`)
  expect(answer.headers.get('etag')).toBe('"2"')
})

test('DSH-33 of changes of the default layout at once, one is saved', async () => {
  const widgets = await otherLayout()
  const send = () => world.ada.fetch(`PUT ${route}`, { widgets }, { 'if-match': '"0"' })
  const statuses = await Promise.all([send(), send(), send(), send()].map(async (each) => (await each).status))
  expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409, 409, 409])
  expect((await read(world.ada)).version).toBe(1)
})

test('DSH-33 default layout has each app once, leaves out apps that aren’t installed and adds those that are missing', async () => {
  const { ada } = world
  const social = { app: 'platform-socialize', columns: 6, hidden: false }
  const twice = await ada.fetch(`PUT ${route}`, { widgets: [social, social] })
  expect([twice.status, await twice.json()]).toMatchObject([422, { errors: [{ path: 'widgets' }] }])
  const wide = await ada.fetch(`PUT ${route}`, { widgets: [{ ...social, columns: 7 }] })
  expect([wide.status, await wide.json()]).toMatchObject([422, { errors: [{ path: 'widgets.0.columns' }] }])
  const saved = await ada.fetchJson<Settings>(`PUT ${route}`, {
    widgets: [{ ...social, app: 'not-installed' }, social],
  })
  const { widgets } = await read(ada)
  expect(saved.widgets).toEqual(widgets)
  expect(widgets[0]).toEqual(social)
  expect(widgets.map(({ app }) => app)).toContain('platform-pay')
  expect(widgets.map(({ app }) => app)).not.toContain('not-installed')
})

test('DSH-33 PLT-21 change of the default layout is in the audit log', async () => {
  const widgets = await otherLayout()
  await world.ada.fetchJson(`PUT ${route}`, { widgets })
  const { items } = await world.ada.fetchJson<{ items: object[] }>(`GET /api/audit?limit=1`)
  expect(JSON.stringify(items)).toContain('dashboard_settings')
})

test('DSH-33 page shows the default layout, and admins make their own the default', async () => {
  const { ada, vera } = world
  const page = async (who: Caller) =>
    (await who.fetch('GET /settings/dashboard', undefined, { accept: 'text/html' })).text()
  expect(await page(vera)).not.toContain('hx-put="/api/dashboard/settings"')
  expect(await page(ada)).not.toContain('Use my layout')
  const widgets = await otherLayout()
  await ada.fetchJson('PUT /api/dashboard/layout', { widgets })
  const mine = await page(ada)
  const form = /<form[^>]*settings\?_method=PUT[^>]*>.*?<\/form>/s.exec(mine)?.[0] ?? ''
  expect(form).toContain('Use my layout')
  const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value])
  const sent = await ada.fetch(`PUT ${route}`, new URLSearchParams(fields).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    'hx-request': 'true',
  })
  expect([sent.status, await sent.text()]).toEqual([200, expect.stringContaining('Use the usual layout')])
  expect(await layoutOf(vera)).toEqual({ widgets, version: 0 })
})
