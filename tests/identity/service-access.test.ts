import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type World } from '../support/world.ts'

let world: World
let organization: string

beforeAll(async () => {
  world = await openWorld()
  organization = world.ada.things.organizations
})

afterAll(() => world.close())

interface Validated {
  permissions: string[]
  principal: { principalServices: string[] }
}

/** Validates after the event of a changed organization, so that nothing cached is returned. */
const validated = async (who: World['stranger']) => {
  await world.provided.events.publish(world.database.db, 'identity.revoked', { id: organization })
  return who.fetchJson<Validated>('GET /validate')
}

const withdraw = (slug: string) => world.database.sql`
  DELETE FROM identity.service_access WHERE organization_id = ${organization}
    AND service_id = (SELECT id FROM identity.services WHERE slug = ${slug})`
const grant = (slug: string) => world.database.sql`
  INSERT INTO identity.service_access (organization_id, service_id, granted_at)
  SELECT ${organization}, id, now() FROM identity.services WHERE slug = ${slug}`
const override = (userId: string, permission: string, effect: 'grant' | 'deny') => world.database.sql`
  INSERT INTO identity.user_permission_overrides (id, organization_id, user_id, service_id, permission, effect, created_at)
  VALUES (gen_random_uuid(), ${organization}, ${userId}, ${world.serviceId}, ${permission}, ${effect}, now())`
const dropCache = (userId: string) =>
  world.database.sql`DELETE FROM identity.user_permission_overrides WHERE user_id = ${userId}`

test('IDN-12 IDN-41 new organization has every default service and no internal one', async () => {
  const rows = await world.database.sql<{ slug: string }[]>`
    SELECT slug FROM identity.service_access JOIN identity.services ON id = service_id
    WHERE organization_id = ${organization} ORDER BY slug`
  expect(rows.map(({ slug }) => slug)).toEqual([
    'platform-dashboard-api',
    'platform-developer-console',
    'platform-gateway',
    'platform-identity',
    'platform-pay',
    'platform-socialize',
  ])
})

test('IDN-13 people and keys have no permissions in a service that their organization doesn’t have', async () => {
  const before = await validated(world.ada)
  expect(before.permissions).toContain(`${world.serviceId}.posts:write`)
  await override(world.ada.id, 'posts:write', 'grant')
  await withdraw('platform-socialize')
  const without = await validated(world.ada)
  expect(without.permissions.filter((text) => text.startsWith(world.serviceId))).toEqual([])
  expect(without.permissions.length).toBeGreaterThan(10)
  expect(without.principal.principalServices).not.toContain(world.serviceId)
  expect((await validated(world.key)).permissions).toEqual([])
  await grant('platform-socialize')
  await dropCache(world.ada.id)
  expect(await validated(world.ada)).toMatchObject({ permissions: before.permissions })
  expect((await validated(world.key)).permissions.length).toBe(2)
})

test('IDN-13 override grants what the role lacks, a denial removes what it includes, and both apply to the person’s keys', async () => {
  const name = (permission: string) => `${world.serviceId}.${permission}`
  await override(world.vera.id, 'posts:write', 'grant')
  expect((await validated(world.vera)).permissions).toContain(name('posts:write'))
  await override(world.vera.id, 'posts:write', 'deny')
  await override(world.vera.id, 'posts:read', 'deny')
  const { permissions } = await validated(world.vera)
  expect(permissions).not.toContain(name('posts:write'))
  expect(permissions).not.toContain(name('posts:read'))
  expect(permissions).toContain(name('accounts:read'))
  await override(world.ada.id, 'posts:read', 'deny')
  expect((await validated(world.key)).permissions).toEqual([name('accounts:read')])
  await Promise.all([dropCache(world.vera.id), dropCache(world.ada.id)])
})

test('IDN-13 overrides belong to one membership: they are deleted with it and apply in no other organization', async () => {
  const who = await world.join(world.ada, { name: 'Otto', role: 'viewer' })
  await override(who.id, 'posts:write', 'grant')
  await world.ada.fetchJson(`DELETE /api/organizations/${organization}/members/${who.id}`, undefined, 204)
  const rows = await world.database.sql`SELECT FROM identity.user_permission_overrides WHERE user_id = ${who.id}`
  expect(rows.length).toBe(0)
})
