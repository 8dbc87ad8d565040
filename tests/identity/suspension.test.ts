import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type World } from '../support/world.ts'

let world: World
let route: string

beforeAll(async () => {
  world = await openWorld()
  route = `/api/admin/organizations/${world.ada.things.organizations}/suspension`
})

afterAll(() => world.close())

const suspend = (reason = 'Spam.') => world.root.fetch(`POST ${route}`, { reason })
const lift = () => world.root.fetch(`DELETE ${route}`)
const refusal = async (response: Response) => {
  const { code, detail } = (await response.json()) as { code: string; detail: string }
  return [response.status, code, detail.includes('Spam.')]
}
const suspended = [403, 'workspace_suspended', true]

test('PLT-38 sessions, tokens and keys of a suspended organization are rejected from the next request', async () => {
  const { cookie } = await world.ada.signIn()
  expect((await world.ada.fetch('GET /api/posts')).status).toBe(200)
  expect((await world.key.fetch('GET /api/posts')).status).toBe(200)
  expect((await world.stranger.fetch('GET /api/posts', undefined, { cookie })).status).toBe(200)
  expect((await suspend()).status).toBe(201)
  for (const caller of [world.ada, world.vera, world.key])
    expect(await refusal(await caller.fetch('GET /api/posts'))).toEqual(suspended)
  expect(await refusal(await world.stranger.fetch('GET /api/posts', undefined, { cookie }))).toEqual(suspended)
  const { organizations } = world.ada.things
  for (const act of ['GET /api/api-keys', 'GET /api/audit', `GET /api/organizations/${organizations}/members`])
    expect(await refusal(await world.ada.fetch(act))).toEqual(suspended)
  expect(await world.key.fetchJson('GET /validate')).toMatchObject({ organization: null, permissions: [] })
  const page = await world.stranger.fetch('GET /workspace/posts', undefined, { cookie, accept: 'text/html' })
  expect([page.status, (await page.text()).includes('Acme is suspended: Spam.')]).toEqual([403, true])
  expect((await world.mallory.fetch('GET /api/posts')).status).toBe(200)
  expect((await lift()).status).toBe(204)
  expect((await world.ada.fetch('GET /api/posts')).status).toBe(200)
  expect((await world.key.fetch('GET /api/posts')).status).toBe(200)
})

test('PLT-38 members of a suspended organization can see their account, work elsewhere and sign out', async () => {
  expect((await suspend()).status).toBe(201)
  const ada = await world.ada.signIn()
  expect(await ada.fetchJson('GET /api/auth/me')).toMatchObject({ context: 'personal', organization: null })
  const settings = { cookie: ada.cookie, accept: 'text/html' }
  expect((await world.stranger.fetch('GET /settings/profile', undefined, settings)).status).toBe(200)
  const there = { organizationId: world.ada.things.organizations }
  expect(await refusal(await ada.fetch('POST /api/auth/context', there))).toEqual(suspended)
  expect((await ada.fetch('POST /api/auth/context', { context: 'personal' })).status).toBe(200)
  expect((await ada.fetch('POST /api/auth/logout', {})).status).toBe(200)
  expect((await lift()).status).toBe(204)
})

test('PLT-38 suspension records who, when and why, can’t be repeated, and is in both logs', async () => {
  expect((await suspend('')).status).toBe(422)
  const both = await Promise.all([suspend(), suspend()])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
  expect((await lift()).status).toBe(204)
  expect((await lift()).status).toBe(404)
  const detail = await world.root.fetchJson<{ suspensions: unknown[] }>(`GET ${route.replace('/suspension', '')}`)
  expect(detail).toMatchObject({ state: 'active', members: 3, brands: 1, apiKeys: 2, owners: [{ name: 'Ada' }] })
  expect(detail.suspensions[0]).toMatchObject({
    reason: 'Spam.',
    suspendedBy: { name: 'Root' },
    liftedBy: { name: 'Root' },
  })
  for (const caller of [world.ada, world.root]) {
    const { items } = await caller.fetchJson<{ items: { operation: string; principal: { id: string } }[] }>(
      'GET /api/audit',
    )
    expect(items.filter(({ operation }) => operation === 'suspendOrganization').length).toBeGreaterThan(0)
  }
})

test('PLT-38 super admins’ own organization can’t be suspended', async () => {
  const { items } = await world.root.fetchJson<{ items: { id: string }[] }>('GET /api/admin/organizations?q=admin')
  const own = await world.root.fetch(`POST /api/admin/organizations/${items[0]?.id}/suspension`, { reason: 'x' })
  expect([own.status, ((await own.json()) as { code: string }).code]).toEqual([409, 'own_organization'])
})

test('PLT-38 PLT-12 list of organizations is paged and filtered by name and state', async () => {
  const names = async (query: string) => {
    const { items } = await world.root.fetchJson<{ items: { slug: string }[] }>(`GET /api/admin/organizations?${query}`)
    return items.map(({ slug }) => slug)
  }
  // Not of this test.
  await world.database.sql`DELETE FROM identity.organizations WHERE name = 'Buyer'`
  expect((await names('')).sort()).toEqual(['acme', 'admin', 'umbrella'])
  expect(await names('q=UMB')).toEqual(['umbrella'])
  expect(await names('q=%25')).toEqual([])
  await suspend()
  expect(await names('state=suspended')).toEqual(['acme'])
  expect((await names('state=active')).sort()).toEqual(['admin', 'umbrella'])
  await lift()
  const first = await world.root.fetchJson<{ items: { slug: string }[]; nextCursor: string }>(
    'GET /api/admin/organizations?limit=2',
  )
  const rest = await names(`limit=2&cursor=${first.nextCursor}`)
  expect([...first.items.map(({ slug }) => slug), ...rest].sort()).toEqual(['acme', 'admin', 'umbrella'])
})
