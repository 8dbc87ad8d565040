import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, password, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterAll(() => world.close())

interface Organization {
  id: string
  slug: string
  role: string
}

const organization = () => world.ada.things.organizations
const make = (who: World['stranger'], draft: Record<string, unknown>, cookie?: string) =>
  who.fetch('POST /api/organizations', draft, cookie ? { cookie, 'sec-fetch-site': 'same-origin' } : {})
const code = async (response: Response) => {
  const { code: name, errors } = (await response.json()) as { code: string; errors?: { path: string }[] }
  return [response.status, errors?.[0]?.path ?? name]
}
const roles = async () => {
  const { items } = await world.ada.fetchJson<{ items: { id: string; role: string }[] }>(
    `GET /api/organizations/${organization()}/members?limit=100`,
  )
  return new Map(items.map(({ id, role }) => [id, role]))
}

test('IDN-10 person without an organization creates one, owns it, and their browser works in it at once', async () => {
  const { cookie } = await world.nora.signIn()
  const before = await world.stranger.fetch('GET /workspace/posts', undefined, { cookie, accept: 'text/html' })
  expect(before.status).toBe(403)
  const reported = await before.text()
  expect(reported).toContain('you are in your personal account')
  expect(reported).toContain('href="/settings/workspaces"')
  const page = await world.stranger.fetch('GET /settings/workspaces', undefined, { cookie, accept: 'text/html' })
  expect(await page.text()).toContain('You don’t belong to an organization')
  expect((await make(world.stranger, { name: 'Nora’s place', role: 'viewer' }, cookie)).status).toBe(422)
  const made = await make(world.stranger, { name: 'Nora’s place' }, cookie)
  expect(made.status).toBe(201)
  const { slug } = (await made.json()) as Organization
  expect(slug).toBe('nora-s-place')
  expect((await world.stranger.fetch('GET /api/posts', undefined, { cookie })).status).toBe(200)
  const { items } = await world.nora.fetchJson<{ items: Organization[] }>('GET /api/organizations')
  expect(items).toMatchObject([{ slug, role: 'owner' }])
  expect((await world.nora.fetch('GET /api/posts')).status).toBe(403)
})

test('IDN-10 IDN-16 IDN-43 taken or reserved slug is rejected, and super admins, services and keys can’t create organizations', async () => {
  expect(await code(await make(world.ada, { name: 'X', slug: 'umbrella' }))).toEqual([409, 'slug'])
  expect(await code(await make(world.ada, { name: 'X', slug: 'admin' }))).toEqual([422, 'slug'])
  expect(await code(await make(world.ada, { name: 'X', slug: 'A b' }))).toEqual([422, 'slug'])
  expect(await code(await make(world.ada, {}))).toEqual([422, 'name'])
  expect(await code(await make(world.root, { name: 'Root’s' }))).toEqual([409, 'super_admin'])
  expect(await code(await make(world.service, { name: 'Robots' }))).toEqual([403, 'session_required'])
  expect(await code(await make(world.key, { name: 'Keys' }))).toEqual([403, 'session_required'])
})

test('IDN-10 owner transfers ownership and is an admin from the next request', async () => {
  const heir = await world.join(world.ada, { name: 'Heir', role: 'editor' })
  const route = `POST /api/organizations/${organization()}/owner`
  expect((await heir.fetch(route, { userId: heir.id })).status).toBe(403)
  expect((await world.ada.fetch(route, { userId: world.nora.id })).status).toBe(404)
  expect((await world.mallory.fetch(route, { userId: heir.id })).status).toBe(404)
  expect(await code(await world.ada.fetch(route, { userId: world.ada.id }))).toEqual([422, 'userId'])
  expect(await world.ada.fetchJson(route, { userId: heir.id })).toMatchObject({ id: heir.id, role: 'owner' })
  expect((await roles()).get(world.ada.id)).toBe('admin')
  expect((await world.ada.fetch(`PUT /api/organizations/${organization()}`, { name: 'Mine' })).status).toBe(403)
  await heir.fetchJson(route, { userId: world.ada.id })
  expect([(await roles()).get(world.ada.id), (await roles()).get(heir.id)]).toEqual(['owner', 'admin'])
})

test('IDN-10 ownership transfer to a member scheduled for deletion is rejected', async () => {
  const leaving = await world.join(world.ada, { name: 'Leaving', role: 'editor' })
  await leaving.fetchJson('DELETE /api/auth/me', { confirm: leaving.email, password }, 202)
  const refused = await world.ada.fetch(`POST /api/organizations/${organization()}/owner`, { userId: leaving.id })
  expect(await code(refused)).toEqual([409, 'last_owner'])
  expect((await roles()).get(world.ada.id)).toBe('owner')
})

test('IDN-10 person removed from their only organization sees what to do next', async () => {
  const who = await world.join(world.ada, { name: 'Gone', role: 'viewer' })
  const { cookie } = await who.signIn()
  await world.ada.fetchJson(`DELETE /api/organizations/${organization()}/members/${who.id}`, undefined, 204)
  const start = await world.stranger.fetch('GET /', undefined, { cookie, accept: 'text/html' })
  expect(start.headers.get('location')).toBe('/settings/workspaces')
  const page = await world.stranger.fetch('GET /settings/workspaces', undefined, { cookie, accept: 'text/html' })
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('Create organization')
})

test('IDN-10 SOC-30 person can own at most 20 organizations on the free plan, even under concurrency', async () => {
  const { sql } = world.database
  const countOwned = async () => {
    const [row] = await sql`
      SELECT count(*)::int AS count FROM identity.memberships WHERE user_id = ${world.mallory.id} AND role = 'owner'`
    return Number(row?.['count'])
  }
  const missing = 19 - (await countOwned())
  await sql`
    WITH made AS (
      INSERT INTO identity.organizations (id, name, slug, created_at)
      SELECT gen_random_uuid(), 'Side', 'side-of-mallory-' || at, now() FROM generate_series(1, ${missing}) at RETURNING id)
    INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    SELECT id, ${world.mallory.id}, 'owner', now() FROM made`
  const made = await Promise.all([1, 2, 3].map((at) => make(world.mallory, { name: `At once ${at}` })))
  expect(made.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409, 409])
  expect(await code(await make(world.mallory, { name: 'One more' }))).toEqual([409, 'too_many_organizations'])
  expect(await countOwned()).toBe(20)
  await sql`UPDATE identity.organizations SET settings = '{"appEntitlement":{"mode":"all"}}' WHERE slug = 'side-of-mallory-1'`
  expect((await make(world.mallory, { name: 'Beside a paid one' })).status).toBe(201)
  expect((await make(world.mallory, { name: 'One more' })).status).toBe(409)
})
