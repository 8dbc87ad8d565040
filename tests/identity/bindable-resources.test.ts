import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { reportAllBrands } from '#social'
import { openWorld, tokenIn, type Caller, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterAll(() => world.close())

interface Listed {
  items: { kind: string; id: string; name: string }[]
  nextCursor: string | null
}

const list = (caller: Caller, query = '') =>
  caller.fetchJson<Listed>(`GET /api/services/${world.serviceId}/bindable-resources${query}`)

const namesOf = async (caller: Caller, query?: string) => (await list(caller, query)).items.map(({ name }) => name)

const report = (item: object, caller = world.service) =>
  caller.fetch('PUT /api/internal/bindable-resources', {
    items: [{ kind: 'merchant', organizationId: world.ada.things.organizations, ...item }],
  })

test('IDN-18 new brand is immediately listed for all members of its organization, and for no one else', async () => {
  const brand = await world.ada.fetchJson<{ id: string }>('POST /api/brands', { name: 'Bean' }, 201)
  expect((await list(world.vera)).items).toContainEqual({ kind: 'brand', id: brand.id, name: 'Bean' })
  expect(await namesOf(world.mallory)).toEqual(['Umbrella Coffee'])
  await world.ada.fetchJson(`PUT /api/brands/${brand.id}`, { name: 'Roast' })
  expect(await namesOf(world.ada, '?q=ROA')).toEqual(['Roast'])
  expect(await namesOf(world.ada, '?q=bean')).toEqual([])
  const { status } = await world.nora.fetch(`GET /api/services/${world.serviceId}/bindable-resources`)
  expect(status).toBe(403)
})

test('IDN-18 transferred brand moves to the new organization’s list, and only keys of that organization can be bound to it', async () => {
  const { ada } = world
  await ada.fetchJson('POST /api/invitations/accept', { token: await invitedBy(world.mallory) })
  const brand = await ada.fetchJson<{ id: string }>('POST /api/brands', { name: 'Traveller' }, 201)
  const target = { targetOrganizationId: world.mallory.things.organizations }
  await ada.fetchJson(`POST /api/brands/${brand.id}/transfer-organization`, target)
  expect(await namesOf(ada)).not.toContain('Traveller')
  expect(await namesOf(world.mallory)).toContain('Traveller')
  const bound = { scopes: ['posts.read'], bindings: [{ kind: 'brand', id: brand.id }] }
  await expect(ada.createKey(bound)).rejects.toThrow('404')
  expect(await namesOf(await world.mallory.createKey(bound))).toEqual(['Traveller'])
})

/** Adds Ada to another organization as well and returns her token for it. */
async function invitedBy(of: World['mallory']): Promise<string> {
  const route = `POST /api/organizations/${of.things.organizations}/invitations`
  await of.fetchJson(route, { email: world.ada.email, role: 'admin' }, 201)
  return tokenIn((await world.letters(world.ada.email))[0])
}

test('IDN-18 list of bindable resources is paged by name', async () => {
  const words = ['d', 'b', 'c', 'a']
  for (const word of words) await report({ id: newId(), name: `paged ${word}`, version: 1 })
  const first = await list(world.ada, '?q=paged&limit=3')
  expect(first.items.map(({ name }) => name)).toEqual(['paged a', 'paged b', 'paged c'])
  const second = await list(world.ada, `?q=paged&limit=3&cursor=${first.nextCursor}`)
  expect(second).toMatchObject({ items: [{ name: 'paged d', kind: 'merchant' }], nextCursor: null })
  expect(await namesOf(world.ada, '?kind=brand&q=paged')).toEqual([])
})

test('IDN-18 resource report with an older version is ignored', async () => {
  const id = newId()
  await report({ id, name: 'Stand 2', version: 2 })
  await report({ id, name: 'Stand 1', version: 1 })
  expect(await namesOf(world.ada, '?q=stand')).toEqual(['Stand 2'])
  await report({ id, name: 'Stand 3', version: 3, deleted: true })
  await report({ id, name: 'Stand 2', version: 2 })
  expect(await namesOf(world.ada, '?q=stand')).toEqual([])
})

test('IDN-18 resource report is accepted only from the resource’s own service', async () => {
  const brand = world.ada.things.brands
  expect((await report({ id: brand, name: 'Mine', version: 9e15 }, world.ada)).status).toBe(403)
  expect((await report({ id: newId(), name: 'X', version: 1, organizationId: newId() })).status).toBe(422)
  const claimed = await report({ id: newId(), name: 'Y', version: 1, serviceId: newId(), service: 'platform-pay' })
  expect(claimed.status).toBe(422)
  const { id: pay } = await world.stranger.fetchJson<{ id: string }>('GET /api/services/by-slug/platform-pay')
  expect((await world.ada.fetchJson<Listed>(`GET /api/services/${pay}/bindable-resources`)).items).toEqual([])
  expect((await world.ada.fetch(`GET /api/services/${newId()}/bindable-resources`)).status).toBe(404)
})

test('IDN-18 resource report is queued in the same transaction as the change, and a lost report is sent again', async () => {
  const { database, provided } = world
  const brand = await world.ada.fetchJson<{ id: string }>('POST /api/brands', { name: 'Queued' }, 201)
  const rows = await database.sql`SELECT data FROM pgboss.job WHERE name = 'social.report-brands'`
  expect(JSON.stringify(rows)).toContain(brand.id)
  const refused = await world.ada.fetch('POST /api/brands', { name: 'Queued', slug: 'queued' })
  expect(refused.status).toBe(409)
  expect(await database.sql`SELECT FROM pgboss.job WHERE name = 'social.report-brands'`).toHaveLength(rows.length)

  await database.sql`DELETE FROM identity.bindable_resources WHERE resource_id = ${brand.id}`
  expect(await namesOf(world.ada, '?q=queued')).toEqual([])
  await reportAllBrands.run({ ...provided, database, input: {}, now: () => new Date() })
  expect(await namesOf(world.ada, '?q=queued')).toEqual(['Queued'])
})
