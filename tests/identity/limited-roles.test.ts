import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { PostList } from '#social/types'
import { dot, openWorld, type Caller, type Person, type World } from '../support/world.ts'

// A role that is limited to brands and differs between them (IDN-27).

let world: World
let edda: Person
let coffee: string
let bakery: string
let cafe: string

beforeAll(async () => {
  world = await openWorld()
  coffee = world.ada.things.brands
  edda = await world.join(world.ada, { name: 'Edda', role: 'editor' })
  const make = async (name: string) => (await world.ada.fetchJson<{ id: string }>('POST /api/brands', { name }, 201)).id
  ;[bakery, cafe] = await Promise.all([make('Bakery'), make('Café')])
  for (const brandId of [bakery, cafe])
    await world.ada.fetchJson('POST /api/posts', { brandId, provider: 'sandbox', text: `Fresh in ${brandId}` }, 201)
})

afterAll(() => world.close())

const route = (userId = edda.id) => `/api/organizations/${world.ada.things.organizations}/members/${userId}/resources`
const brand = (id: string, role: string) => ({ service: 'platform-socialize', kind: 'brand', id, role })
const limit = (...resources: object[]) => world.ada.fetchJson(`PUT ${route()}`, { resources })

const brandsOf = async (caller: Caller) =>
  (await caller.fetchJson<{ items: { id: string }[] }>('GET /api/brands')).items.map(({ id }) => id).sort()
const write = (caller: Caller, brandId: string) =>
  caller.fetch('POST /api/posts', { brandId, provider: 'sandbox', text: 'Mine' })

test('IDN-27 lists, single resources and search show only what a limited role allows, from the next request', async () => {
  expect(await brandsOf(edda)).toEqual([coffee, bakery, cafe].sort())
  await limit(brand(bakery, 'editor'), brand(cafe, 'viewer'))
  expect(await brandsOf(edda)).toEqual([bakery, cafe].sort())
  const { items } = await edda.fetchJson<{ items: { brandId: string }[] }>('GET /api/posts')
  expect(new Set(items.map(({ brandId }) => brandId))).toEqual(new Set([bakery, cafe]))
  for (const path of [`brands/${coffee}`, `posts/${world.ada.things.posts}`, `accounts/${world.ada.things.accounts}`])
    expect((await edda.fetch(`GET /api/${path}`)).status, path).toBe(404)
  const found = JSON.stringify(await edda.fetchJson('GET /api/search?q=draft'))
  expect(found).not.toContain(world.ada.things.posts)
  expect(JSON.stringify(await world.ada.fetchJson('GET /api/search?q=draft'))).toContain(world.ada.things.posts)
  const bindables = `GET /api/services/${world.serviceId}/bindable-resources`
  expect((await edda.fetchJson<{ items: unknown[] }>(bindables)).items).toHaveLength(2)
  const { cookie } = await edda.signIn()
  const page = await world.stranger.fetch('GET /workspace/posts', undefined, { accept: 'text/html', cookie })
  expect(await page.text()).not.toContain('Acme Coffee')
})

test('IDN-27 limited role can differ by brand: editor of one, viewer of another', async () => {
  await limit(brand(bakery, 'editor'), brand(cafe, 'viewer'))
  expect((await write(edda, bakery)).status).toBe(201)
  expect((await write(edda, coffee)).status).toBe(404)
  const [post] = (await edda.fetchJson<{ items: { id: string }[] }>(`GET /api/posts?brandId=${cafe}`)).items
  for (const refused of [
    await write(edda, cafe),
    await edda.fetch(`PUT /api/posts/${post?.id}`, { text: 'Changed' }),
    await edda.fetch(`POST /api/posts/${post?.id}/publish-now`, {}),
    await edda.fetch('POST /api/media', { brandId: cafe, file: dot, alt: 'A dot' }),
  ])
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { code: 'permission_missing', permission: 'posts:write' },
    ])
  expect((await edda.fetch(`PUT /api/posts/${world.ada.things.posts}`, { text: 'Changed' })).status).toBe(404)
  await limit(brand(bakery, 'viewer'), brand(cafe, 'viewer'))
  expect((await write(edda, bakery)).status).toBe(403)
})

test('SOC-11 IDN-27 post and its files are copied only to brands in which a limited role can write', async () => {
  await limit(brand(bakery, 'editor'), brand(cafe, 'viewer'))
  const { ada } = world
  const file = await ada.fetchJson<{ id: string }>('POST /api/media', { brandId: bakery, file: dot, alt: 'A dot' }, 201)
  const media = [{ mediaId: file.id, alt: 'A dot' }]
  const draft = { brandId: bakery, provider: 'sandbox', text: 'With a file', media }
  const { id } = await ada.fetchJson<{ id: string }>('POST /api/posts', draft, 201)
  const copy = (caller: Caller, brandId: string, more: object = {}) =>
    caller.fetch(`POST /api/posts/${id}/duplicate`, { brandId, ...more })
  expect([await copy(edda, cafe), await copy(edda, coffee)].map(({ status }) => status)).toEqual([403, 404])
  expect((await copy(edda, bakery)).status).toBe(201)
  const copyFile = (caller: Caller, brandId: string) =>
    caller.fetch('POST /api/media/copies', { brandId, mediaIds: [file.id] })
  expect([await copyFile(edda, cafe), await copyFile(edda, coffee)].map(({ status }) => status)).toEqual([403, 404])
  expect((await copyFile(edda, bakery)).status).toBe(201)
  const whole = await copy(ada, cafe)
  expect([whole.status, await whole.json()]).toMatchObject([201, { items: [{ media: [{ alt: 'A dot' }] }] }])
  const made = await copy(ada, cafe, { media: false })
  expect([made.status, await made.json()]).toMatchObject([201, { items: [{ brandId: cafe, media: [] }] }])
})

test('PLT-06 IDN-27 list shows what a limited role can do in each brand', async () => {
  await limit(brand(bakery, 'editor'), brand(cafe, 'viewer'))
  const { items, can } = await edda.fetchJson<PostList>('GET /api/posts')
  const duplicable = Map.groupBy(items, (post) => `${post.brandId} ${post.can.duplicate}`)
  expect([...duplicable.keys()].toSorted()).toEqual([`${bakery} true`, `${cafe} false`].toSorted())
  expect(can.create).toBe(true)
  for (const [brandId, expected] of [
    [bakery, true],
    [cafe, false],
  ] as const)
    expect((await edda.fetchJson<PostList>(`GET /api/posts?brandId=${brandId}`)).can.create).toBe(expected)
})

test('IDN-27 key has no more access than its creator’s limited role', async () => {
  await limit()
  const { ada } = world
  const membership = `/api/organizations/${ada.things.organizations}/members/${edda.id}`
  await ada.fetchJson(`PATCH ${membership}`, { role: 'admin' })
  const scopes = ['posts.read', 'posts.write']
  const whole = await edda.createKey({ scopes })
  const bound = await edda.createKey({ scopes, bindings: [{ kind: 'brand', id: cafe }] })
  const elsewhere = await edda.createKey({ scopes, bindings: [{ kind: 'brand', id: coffee }] })
  await ada.fetchJson(`PATCH ${membership}`, { role: 'editor' })
  await limit(brand(bakery, 'editor'), brand(cafe, 'viewer'))
  expect(await brandsOf(whole)).toEqual([bakery, cafe].sort())
  expect((await write(whole, bakery)).status).toBe(201)
  expect((await write(whole, cafe)).status).toBe(403)
  expect(await brandsOf(bound)).toEqual([cafe])
  expect((await write(bound, cafe)).status).toBe(403)
  for (const requested of ['GET /api/brands', 'GET /api/posts', `GET /api/brands/${coffee}`])
    expect((await elsewhere.fetch(requested)).status).toBe(403)
})

test('IDN-27 member whose only allowed brand is transferred can access no brand', async () => {
  await limit(brand(cafe, 'editor'))
  await world.database
    .sql`UPDATE social.brands SET platform_org_id = ${world.mallory.things.organizations} WHERE id = ${cafe}`
  expect(await brandsOf(edda)).toEqual([])
  await world.database
    .sql`UPDATE social.brands SET platform_org_id = ${world.ada.things.organizations} WHERE id = ${cafe}`
})

test('IDN-27 grant applies in every brand of a limited role, a denial removes it, and admins can’t be limited', async () => {
  const { ada } = world
  const overrides = `/api/organizations/${ada.things.organizations}/members/${edda.id}/overrides`
  await limit(brand(bakery, 'viewer'), brand(cafe, 'editor'))
  const grant = { permission: `${world.serviceId}.posts:write`, effect: 'grant' }
  const { id } = await ada.fetchJson<{ id: string }>(`POST ${overrides}`, grant, 201)
  expect((await write(edda, bakery)).status).toBe(201)
  await ada.fetchJson(`DELETE ${overrides}/${id}`, undefined, 204)
  expect((await write(edda, bakery)).status).toBe(403)
  const denied = await ada.fetchJson<{ id: string }>(`POST ${overrides}`, { ...grant, effect: 'deny' }, 201)
  expect((await write(edda, cafe)).status).toBe(403)
  await ada.fetchJson(`DELETE ${overrides}/${denied.id}`, undefined, 204)

  const membership = `/api/organizations/${ada.things.organizations}/members/${edda.id}`
  await ada.fetchJson(`PATCH ${membership}`, { role: 'admin' })
  expect(await brandsOf(edda)).toHaveLength(3)
  expect((await ada.fetch(`PUT ${route()}`, { resources: [brand(cafe, 'viewer')] })).status).toBe(409)
  await ada.fetchJson(`PATCH ${membership}`, { role: 'editor' })
  await limit()
  expect(await brandsOf(edda)).toHaveLength(3)
})

test('IDN-27 limited role can be set only by admins, for the organization’s brands and roles below admin', async () => {
  expect((await edda.fetch(`PUT ${route()}`, { resources: [] })).status).toBe(403)
  expect((await world.mallory.fetch(`PUT ${route()}`, { resources: [] })).status).toBe(404)
  const theirs = await world.ada.fetch(`PUT ${route()}`, { resources: [brand(world.mallory.things.brands, 'viewer')] })
  expect(theirs.status).toBe(404)
  for (const role of ['owner', 'admin', 'root'])
    expect((await world.ada.fetch(`PUT ${route()}`, { resources: [brand(bakery, role)] })).status, role).toBe(422)
})

test('IDN-27 request without resources is rejected with an error that names the field, and keeps the limits', async () => {
  await limit(brand(bakery, 'editor'))
  for (const body of [{}, { unlimited: true }]) {
    const refused = await world.ada.fetch(`PUT ${route()}`, body)
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { errors: [{ path: 'resources', message: 'Required.' }] },
    ])
  }
  expect(await brandsOf(edda)).toEqual([bakery])
})

test('IDN-27 list of members shows the brands of a limited role only to admins and the member', async () => {
  await limit(brand(bakery, 'editor'), brand(cafe, 'viewer'))
  const rosa = await world.join(world.ada, { name: 'Rosa', role: 'viewer' })
  const seenBy = async (caller: Caller) => {
    const list = `GET /api/organizations/${world.ada.things.organizations}/members?limit=100`
    const { items } = await caller.fetchJson<{ items: { id: string; resources: object[] | null }[] }>(list)
    return items.find(({ id }) => id === edda.id)?.resources
  }
  const limits = [
    { name: 'Bakery', role: 'editor' },
    { name: 'Café', role: 'viewer' },
  ]
  expect([await seenBy(world.ada), await seenBy(edda), await seenBy(rosa)]).toEqual([limits, limits, null])
})

test('IDN-27 members can read the limits of their own role; only admins can read those of others and the available resources', async () => {
  await limit(brand(bakery, 'viewer'))
  const item = { kind: 'brand', id: bakery, name: 'Bakery', role: 'viewer' }
  expect(await edda.fetchJson<object>(`GET ${route()}`)).toMatchObject({ items: [item], choices: null })
  const { choices } = await world.ada.fetchJson<{ choices: { name: string }[] }>(`GET ${route()}`)
  expect(choices.map(({ name }) => name)).toContain('Café')
  const others = `/api/organizations/${world.ada.things.organizations}/members/${world.ada.id}/resources`
  expect((await edda.fetch(`GET ${others}`)).status).toBe(403)
  await limit()
})

test('IDN-27 member page shows the brands of a limited role, and its form sets and removes the limits', async () => {
  const { cookie } = await world.ada.signIn()
  const page = async () =>
    (await world.stranger.fetch(`GET /settings/members/${edda.id}`, undefined, { accept: 'text/html', cookie })).text()
  const send = (role: string, unlimited = 'false') =>
    world.stranger.fetch(`PUT ${route()}`, formOf(role, unlimited), {
      cookie,
      'sec-fetch-site': 'same-origin',
      'hx-request': 'true',
      'content-type': 'application/x-www-form-urlencoded',
    })
  const formOf = (role: string, unlimited: string) =>
    new URLSearchParams([['unlimited', unlimited], ...field(0, bakery, role), ...field(1, cafe, '')]).toString()
  const field = (at: number, id: string, role: string) =>
    Object.entries(brand(id, role)).map(([name, value]): [string, string] => [`resources[${at}].${name}`, value])
  const fragment = await (await send('reviewer')).text()
  expect(fragment).toStartWith('<div class="page split" id="access"')
  for (const html of [fragment, await page()]) {
    expect(html).toContain('Bakery</span><small class="muted">Reviewer</small>')
    expect(html).toContain('Not included in any of the roles for individual resources')
  }
  expect(await brandsOf(edda)).toEqual([bakery])
  expect((await send('')).status).toBe(422)
  expect(await brandsOf(edda)).toEqual([bakery])
  await send('reviewer', 'true')
  expect(await page()).toContain('Access to all brands.')
})

test('IDN-27 saving a member’s brands unchanged keeps limits on moved brands and on brands past the first 100', async () => {
  const { ada, mallory, database } = world
  const { cookie } = await ada.signIn()
  const make = async (name: string) => (await ada.fetchJson<{ id: string }>('POST /api/brands', { name }, 201)).id
  const [moved, last] = await Promise.all([make('Moved'), make('Zucchini')])
  await database.sql`INSERT INTO identity.bindable_resources
    (service_id, kind, resource_id, organization_id, name, version)
    SELECT ${world.serviceId}, 'brand', gen_random_uuid(), ${ada.things.organizations}, 'Many ' || n, 1
    FROM generate_series(1, 100) AS n`
  const saveUnchanged = async () => {
    const accept = { accept: 'text/html', cookie }
    const html = await (await world.stranger.fetch(`GET /settings/members/${edda.id}`, undefined, accept)).text()
    return world.stranger.fetch(`PUT ${route()}`, filledIn(html), {
      cookie,
      'sec-fetch-site': 'same-origin',
      'hx-request': 'true',
      'content-type': 'application/x-www-form-urlencoded',
    })
  }
  const limits = async () =>
    (await ada.fetchJson<{ items: { id: string; role: string }[] }>(`GET ${route()}`)).items
      .map(({ id, role }) => `${id} ${role}`)
      .sort()
  for (const resources of [[brand(last, 'viewer'), brand(moved, 'editor')], [brand(moved, 'editor')]]) {
    await limit(...resources)
    await database.sql`UPDATE identity.bindable_resources SET organization_id = ${mallory.things.organizations}
      WHERE resource_id = ${moved}`
    const before = await limits()
    expect(before).toHaveLength(resources.length)
    expect((await saveUnchanged()).status).toBe(200)
    expect(await limits()).toEqual(before)
  }
  await limit()
  await database.sql`DELETE FROM identity.bindable_resources WHERE name LIKE 'Many %'`
})

/** What a browser sends for the form of brands when nothing is changed. */
function filledIn(html: string): string {
  const form = html.match(/<form[^>]*\/resources"[\s\S]*?<\/form>/)?.[0] ?? ''
  const sent = new URLSearchParams()
  for (const [, name = '', value = ''] of form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g))
    sent.append(name, value)
  for (const [, name = '', options = ''] of form.matchAll(/<select[^>]* name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g))
    sent.append(name, options.match(/<option value="([^"]*)" selected/)?.[1] ?? '')
  return sent.toString()
}

test('IDN-27 IDN-47 agent’s key has no more access than its creator’s limited role', async () => {
  const { ada, serviceId } = world
  const organization = `/api/organizations/${ada.things.organizations}`
  await limit(brand(bakery, 'editor'), brand(cafe, 'viewer'))
  const grant = { permission: `${serviceId}.api_keys:write`, effect: 'grant' }
  const { id } = await ada.fetchJson<{ id: string }>(`POST ${organization}/members/${edda.id}/overrides`, grant, 201)
  const agent = await ada.fetchJson<{ id: string }>(
    `POST ${organization}/agents`,
    { name: 'Robot', role: 'editor' },
    201,
  )
  const draft = { name: 'Robot', service: 'platform-socialize', scopes: ['posts.write'], agentId: agent.id }
  const made = async (...brands: string[]) => {
    const bindings = brands.map((each) => ({ kind: 'brand', id: each }))
    return (await edda.fetch('POST /api/api-keys', { ...draft, bindings })).status
  }
  expect([await made(), await made(coffee), await made(cafe), await made(bakery, cafe)]).toEqual([403, 403, 403, 403])
  expect(await made(bakery)).toBe(201)
  expect((await ada.fetch('POST /api/api-keys', draft)).status).toBe(201)
  await ada.fetchJson(`DELETE ${organization}/members/${edda.id}/overrides/${id}`, undefined, 204)
  await limit()
})

test('IDN-27 list of members is filtered by role and by the brand that roles are limited to, the latter only for admins', async () => {
  await limit(brand(bakery, 'editor'))
  const listRoute = `GET /api/organizations/${world.ada.things.organizations}/members`
  interface Listed {
    items: { id: string; role: string }[]
    resources: { id: string; name: string }[] | null
  }
  const listed = (by: Caller, query: string) => by.fetchJson<Listed>(`${listRoute}?limit=100&${query}`)
  const ids = async (query: string) => (await listed(world.ada, query)).items.map(({ id }) => id)
  expect(await ids(`resourceId=${bakery}&role=`)).toEqual([edda.id])
  expect(await ids(`resourceId=${cafe}`)).toEqual([])
  expect(await ids(`resourceId=${bakery}&role=viewer`)).toEqual([])
  expect(new Set((await listed(world.ada, 'role=editor&resourceId=')).items.map(({ role }) => role))).toEqual(
    new Set(['editor']),
  )
  expect((await listed(world.ada, '')).resources).toEqual([expect.objectContaining({ id: bakery, name: 'Bakery' })])
  expect((await listed(edda, '')).resources).toBeNull()
  expect((await edda.fetch(`${listRoute}?resourceId=${bakery}`)).status).toBe(403)
  expect((await world.ada.fetch(`${listRoute}?role=boss`)).status).toBe(422)
  const page = await world.ada.fetch(`GET /settings/members?resourceId=${bakery}`, undefined, { accept: 'text/html' })
  const html = await page.text()
  expect(html).toContain('Limited to Bakery')
  expect(html).toContain(`id="member-${edda.id}"`)
  expect(html).not.toContain(`id="member-${world.ada.id}"`)
})
