import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type Caller, type World } from '../support/world.ts'

let world: World
let service: { id: string; slug: string }

beforeAll(async () => {
  world = await openWorld()
  service = await world.root.fetchJson('POST /api/services', draft('acme-maps'), 201)
})

afterAll(() => world.close())

const draft = (slug: string, more: Record<string, unknown> = {}) => ({
  slug,
  name: 'Maps',
  description: 'Maps and directions',
  surface_kind: 'app',
  supportedContexts: ['personal', 'organization'],
  nativeLinks: { ios: 'https://apps.apple.com/app/maps' },
  webUrl: 'https://maps.example/start',
  launchable: true,
  ...more,
})
const enter = (slug: string, more?: Record<string, unknown>) =>
  world.root.fetch('POST /api/services', draft(slug, more))
const code = async (response: Response) => {
  const { code: name, errors } = (await response.json()) as { code: string; errors?: { path: string }[] }
  return [response.status, errors?.[0]?.path ?? name]
}
const social = () => `/api/services/${world.serviceId}`
const holds = async (who: Caller, permission: string) =>
  (await who.fetchJson<{ permissions: string[] }>('GET /validate')).permissions.includes(
    `${world.serviceId}.${permission}`,
  )

test('IDN-12 IDN-20 service created by a super admin is returned as entered', async () => {
  const found = await world.vera.fetchJson<Record<string, unknown>>(`GET /api/services/${service.id}`)
  expect(found).toMatchObject({
    ...draft('acme-maps', { nativeLinks: { ios: 'https://apps.apple.com/app/maps', android: null } }),
    firstParty: false,
    paid: false,
    defaultAccess: false,
    installed: false,
  })
  expect(await world.stranger.fetchJson('GET /api/services/by-slug/acme-maps')).toMatchObject({ id: service.id })
  const changed = { name: 'Atlas', webUrl: '', launchable: false, household_capable: true }
  expect(
    await code(await world.root.fetch(`PATCH /api/services/${service.id}`, { ...changed, slug: 'other' })),
  ).toEqual([422, 'slug'])
  const edited = await world.root.fetchJson(`PATCH /api/services/${service.id}`, changed)
  expect(edited).toMatchObject({ ...changed, webUrl: null, slug: 'acme-maps', description: 'Maps and directions' })
})

test('PLT-06 renaming a service reloads its page, whose title is the name; other changes return its sections', async () => {
  const change = async (body: object) => {
    const answer = await world.root.fetch(`PATCH /api/services/${service.id}`, body, { 'hx-request': 'true' })
    return [answer.status, answer.headers.get('hx-redirect'), (await answer.text()).slice(0, 4)]
  }
  expect(await change({ name: 'Atlas 2' })).toEqual([200, `/admin/services/${service.id}`, ''])
  expect(await change({ name: 'Atlas 2', description: 'Maps' })).toEqual([200, null, '<div'])
})

test('IDN-20 service entry with contradictory or unreachable fields is rejected with an error for each field', async () => {
  expect(await code(await enter('acme-maps'))).toEqual([409, 'slug_taken'])
  expect(await code(await enter('Not a slug'))).toEqual([422, 'slug'])
  expect(await code(await enter('maps-2', { webUrl: null }))).toEqual([422, 'webUrl'])
  expect(await code(await enter('maps-2', { paid: true }))).toEqual([422, 'paid'])
  expect(await code(await enter('maps-2', { supportedContexts: [] }))).toEqual([422, 'supportedContexts'])
  for (const webUrl of ['javascript:alert(1)', '//evil.example', String.raw`/\evil.example`, 'ftp://x', 'x'])
    expect(await code(await enter('maps-2', { webUrl })), webUrl).toEqual([422, 'webUrl'])
  expect((await world.ada.fetch('POST /api/services', draft('maps-3'))).status).toBe(403)
  expect((await world.stranger.fetch('GET /api/services/by-slug/maps-2')).status).toBe(404)
})

test('IDN-20 IDN-23 redirect URIs are stored verbatim, and unsafe ones are rejected', async () => {
  const set = (redirectUris: unknown) => world.root.fetch(`PATCH /api/services/${service.id}`, { redirectUris })
  const uris = ['https://maps.example/callback?x=1', 'http://localhost:8080/cb', 'com.example.maps:/callback']
  expect(await (await set(uris)).json()).toMatchObject({ redirectUris: uris.toSorted() })
  expect(await (await set('https://a.example/cb\n  https://b.example/cb\n')).json()).toMatchObject({
    redirectUris: ['https://a.example/cb', 'https://b.example/cb'],
  })
  for (const wrong of [
    'http://maps.example/cb',
    'https://*.example/cb',
    'https://maps.example/cb#part',
    'https://user@maps.example/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    '/callback',
    'https://',
  ])
    expect((await set([wrong])).status, wrong).toBe(422)
  expect(await (await set([])).json()).toMatchObject({ redirectUris: [] })
})

test('IDN-12 IDN-31 scope can be added and used by a key, and is removed from keys only with narrowKeys', async () => {
  const route = `${social()}/scopes`
  const added = { scope: 'maps.read', description: 'View maps' }
  expect(await world.root.fetchJson(`POST ${route}`, added, 201)).toMatchObject({ permission: 'maps:read', roles: [] })
  expect(await code(await world.root.fetch(`POST ${route}`, added))).toEqual([409, 'scope_exists'])
  expect(await code(await world.root.fetch(`POST ${route}`, { ...added, scope: 'maps' }))).toEqual([422, 'scope'])
  const { items } = await world.ada.fetchJson<{ items: { scope: string }[] }>(`GET ${route}`)
  expect(items.map(({ scope }) => scope)).toContain('maps.read')
  await world.root.fetchJson(`PUT ${social()}/role-bundles/owner`, {
    permissions: [...(await bundle('owner')), 'maps:read'],
  })
  const key = await world.ada.createKey({ scopes: ['maps.read', 'posts.read'] })
  expect(await holds(key, 'maps:read')).toBe(true)
  const end = `${route}/maps.read`
  expect(await code(await world.root.fetch(`DELETE ${end}`))).toEqual([409, 'scope_in_use'])
  expect(await code(await world.root.fetch(`PATCH ${end}`, { forKeys: false }))).toEqual([409, 'scope_in_use'])
  expect(await holds(key, 'maps:read')).toBe(true)
  const people = await world.root.fetchJson(`PATCH ${end}`, { forKeys: false, narrowKeys: true })
  expect(people).toMatchObject({ scope: null, roles: ['owner'] })
  expect(await holds(key, 'maps:read')).toBe(false)
  expect(await holds(world.ada, 'maps:read')).toBe(true)
  const other = await world.root.fetchJson(`PATCH ${end}`, { forKeys: true, description: 'See maps' })
  expect(other).toMatchObject({ scope: 'maps.read', description: 'See maps' })
  await world.ada.createKey({ scopes: ['maps.read'] })
  expect(await world.root.fetchJson(`DELETE ${end}`, { narrowKeys: true })).toEqual({ narrowedKeys: 1 })
  expect(await holds(world.ada, 'maps:read')).toBe(false)
  expect((await world.root.fetch(`DELETE ${end}`)).status).toBe(404)
})

const bundle = async (role: string) => {
  const { items } = await world.ada.fetchJson<{ items: { role: string; permissions: string[] }[] }>(
    `GET ${social()}/role-bundles`,
  )
  return items.find((each) => each.role === role)?.permissions ?? []
}

test('IDN-05 IDN-12 IDN-19 changed role bundle takes effect for everyone on the next request', async () => {
  const before = await bundle('viewer')
  expect((await world.vera.fetch('GET /api/posts')).status).toBe(200)
  const route = `PUT ${social()}/role-bundles/viewer`
  const without = before.filter((permission) => permission !== 'posts:read')
  expect(await world.root.fetchJson(route, { permissions: without })).toEqual({ role: 'viewer', permissions: without })
  expect((await world.vera.fetch('GET /api/posts')).status).toBe(403)
  expect((await world.ada.fetch('GET /api/posts')).status).toBe(200)
  expect(await code(await world.root.fetch(route, { permissions: ['nothing:read'] }))).toEqual([422, 'permissions'])
  expect((await world.root.fetch(`PUT ${social()}/role-bundles/king`, { permissions: [] })).status).toBe(404)
  expect((await world.ada.fetch(route, { permissions: before })).status).toBe(403)
  await world.root.fetchJson(`PUT ${social()}/role-bundles`, { bundles: { viewer: ['', ...before] } })
  expect((await world.vera.fetch('GET /api/posts')).status).toBe(200)
  expect(await bundle('viewer')).toEqual(before)
})

test('IDN-05 IDN-12 service granted to or withdrawn from an organization takes effect on the next request of people and keys', async () => {
  const organization = world.ada.things.organizations
  const route = `/api/admin/organizations/${organization}/services`
  const own = `${route}/${world.serviceId}`
  expect((await world.key.fetch('GET /api/posts')).status).toBe(200)
  expect((await world.root.fetch(`DELETE ${own}`)).status).toBe(204)
  for (const who of [world.ada, world.vera, world.key]) expect((await who.fetch('GET /api/posts')).status).toBe(403)
  expect((await world.mallory.fetch('GET /api/posts')).status).toBe(200)
  expect((await world.root.fetch(`DELETE ${own}`)).status).toBe(404)
  expect(await world.root.fetchJson(`PUT ${own}`)).toMatchObject({ slug: 'platform-socialize', installed: true })
  for (const who of [world.ada, world.vera, world.key]) expect((await who.fetch('GET /api/posts')).status).toBe(200)
  const { items } = await world.root.fetchJson<{ items: { slug: string; installed: boolean }[] }>(`GET ${route}`)
  expect(items.find(({ slug }) => slug === 'acme-maps')).toMatchObject({ installed: false })
  expect((await world.root.fetch(`PUT ${route}/${organization}`)).status).toBe(404)
  expect((await world.root.fetch(`PUT /api/admin/organizations/${service.id}/services/${service.id}`)).status).toBe(404)
  const log = await world.ada.fetchJson<{ items: { operation: string }[] }>('GET /api/audit?object=organization')
  expect(log.items.map(({ operation }) => operation)).toEqual(
    expect.arrayContaining(['grantService', 'withdrawService']),
  )
})

test('IDN-11 built-in services describe their permissions in plain English', async () => {
  const { items } = await world.root.fetchJson<{ items: { id: string; slug: string; description: string }[] }>(
    'GET /api/services',
  )
  const own = items.filter(({ slug }) => slug.startsWith('platform-'))
  const described = await Promise.all(
    own.map(({ id }) =>
      world.root.fetchJson<{ items: { description: string }[] }>(`GET /api/services/${id}/permissions`),
    ),
  )
  const texts = described.flatMap((each) => each.items.map(({ description }) => description))
  expect(texts).toContain('Create, edit and transfer brands')
  expect(
    texts.filter((text) => /\b(make|change|settle|refuse|machine credentials|service-client|metadata)\b/i.test(text)),
  ).toEqual([])
})
