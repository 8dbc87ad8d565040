import { afterAll, beforeAll, expect, test } from 'bun:test'
import { roles } from '#lib/actor.ts'
import { newId } from '#lib/ids.ts'
import { openWorld, type Caller, type Person, type World } from '../support/world.ts'

interface Entry {
  permission: string
  service: string
  granted: boolean
  explanation: string
  sources: { kind: string; effect?: string; role?: string; reason?: string }[]
}
interface Inspection {
  userId: string
  organizationId: string | null
  effectivePermissions: string[]
  entries: Entry[]
  sources: {
    serviceAccess: { service: string }[]
    roleBundles: { service: string; role: string; permissions: string[] }[]
    userOverrides: { id: string; permission: string; effect: string }[]
  }
}

let world: World
let organization: string
let social: (permission: string) => string

beforeAll(async () => {
  world = await openWorld()
  organization = world.ada.things.organizations
  social = (permission) => `${world.serviceId}.${permission}`
})

afterAll(() => world.close())

const inspect = (who: Caller, recipient: { id: string }, query = '') =>
  who.fetchJson<Inspection>(`GET /api/users/${recipient.id}/permissions${query}`)
const statusOf = async (who: Caller, recipient: { id: string }, query = '') =>
  (await who.fetch(`GET /api/users/${recipient.id}/permissions${query}`)).status
const overrides = (recipient: { id: string }) => `/api/organizations/${organization}/members/${recipient.id}/overrides`
const override = (who: Caller, recipient: { id: string }, draft: Record<string, unknown>) =>
  who.fetch(`POST ${overrides(recipient)}`, draft)
const withdraw = (recipient: { id: string }, id: string, who: Caller = world.ada) =>
  who.fetch(`DELETE ${overrides(recipient)}/${id}`)
const why = async (recipient: Person, permission: string) => {
  const { entries } = await inspect(world.ada, recipient, `?permission=${social(permission)}`)
  expect(entries.length).toBe(1)
  return entries[0] as Entry
}
const code = async (response: Response) => {
  const { code: name, permission } = (await response.json()) as { code: string; permission?: string }
  return [response.status, permission ?? name]
}
const idIn = async (response: Response) => ((await response.json()) as { id: string }).id

let nth = 0
const member = (role: string) => world.join(world.ada, { name: `Inspected${nth++}`, role })

test('IDN-13 permissions are shown to the person, admins of the organization and super admins, and return 404 to others', async () => {
  const [admin, viewer] = [await member('admin'), await member('viewer')]
  for (const who of [viewer, admin, world.ada, world.root])
    expect(await inspect(who, viewer)).toMatchObject({ userId: viewer.id, organizationId: organization })
  for (const who of [world.mallory, world.nora]) expect(await statusOf(who, viewer)).toBe(404)
  expect(await code(await world.vera.fetch(`GET /api/users/${viewer.id}/permissions`))).toEqual([403, 'role:admin'])
  expect(await statusOf(world.vera, world.mallory)).toBe(404)
  expect(await statusOf(world.service, viewer)).toBe(403)
  expect(await statusOf(world.mallory, viewer, `?organizationId=${organization}`)).toBe(404)
  expect(await statusOf(world.ada, viewer, `?organizationId=${world.mallory.things.organizations}`)).toBe(404)
  expect(await statusOf(viewer, viewer, `?organizationId=${world.mallory.things.organizations}`)).toBe(404)
  expect(await statusOf(world.ada, world.mallory)).toBe(404)
  expect(await statusOf(world.root, { id: organization })).toBe(404)
  expect(await statusOf(world.stranger, viewer)).toBe(401)
  expect(await statusOf(world.key, world.ada)).toBe(403)
  expect(await statusOf(world.ada, viewer, '?permission=nothing:read')).toBe(422)
  expect(await statusOf(world.ada, viewer, '?organizationId=x')).toBe(422)
})

test('IDN-13 service access, role and overrides are listed as separate sources', async () => {
  const who = await member('editor')
  await override(world.ada, who, { permission: social('brands:write'), effect: 'grant', reason: 'Runs the new brand.' })
  const { sources, effectivePermissions } = await inspect(world.ada, who)
  expect(sources.serviceAccess.map(({ service }) => service)).toContain('platform-pay')
  const bundle = sources.roleBundles.find(({ service }) => service === 'platform-socialize')
  expect(bundle).toMatchObject({ role: 'editor' })
  expect(bundle?.permissions).toContain(social('posts:write'))
  expect(bundle?.permissions).not.toContain(social('brands:write'))
  expect(sources.userOverrides).toMatchObject([{ permission: social('brands:write'), effect: 'grant' }])
  expect(effectivePermissions).toContain(social('brands:write'))
})

test('IDN-13 every permission has an explanation of why it is granted or not', async () => {
  const who = await member('viewer')
  expect(await why(who, 'posts:read')).toMatchObject({ granted: true, explanation: 'Granted by the viewer role.' })
  expect(await why(who, 'posts:write')).toMatchObject({
    granted: false,
    explanation: 'Not included in the viewer role. Requires editor, admin, or owner.',
    sources: [{ kind: 'service_access' }],
  })
  await override(world.ada, who, { permission: social('posts:write'), effect: 'grant', reason: 'On trial.' })
  expect(await why(who, 'posts:write')).toMatchObject({
    granted: true,
    explanation: 'Granted to this member by an override; the viewer role doesn’t include it. On trial.',
    sources: [{ kind: 'service_access' }, { kind: 'user_override', effect: 'grant', reason: 'On trial.' }],
  })
  await override(world.ada, who, { permission: social('posts:write'), effect: 'deny' })
  expect(await why(who, 'posts:write')).toMatchObject({
    granted: false,
    explanation: 'Denied to this member by an override.',
  })
  const { entries } = await inspect(world.ada, who)
  const provisioning = entries.find(({ permission }) => permission.endsWith('.organizations:provision'))
  expect(provisioning?.explanation).toBe('Not included in any role, because only services use it.')
  expect(entries.length).toBeGreaterThanOrEqual(56)
  expect(entries.filter(({ granted, explanation }) => !granted && !explanation)).toEqual([])
})

test('IDN-13 permission inspection returns what the caller can override, and an override returns the changed permissions to htmx', async () => {
  const who = await member('viewer')
  interface Seen {
    can: { override: boolean }
    member: object
    entries: { permission: string; can: { grant: boolean } }[]
  }
  const seenBy = (by: Caller) =>
    by.fetchJson<Seen>(`GET /api/users/${who.id}/permissions?organizationId=${organization}&permission=posts:write`)
  expect(await seenBy(world.ada)).toMatchObject({
    can: { override: true },
    member: { role: 'viewer' },
    entries: [{ can: { grant: true } }],
  })
  for (const by of [who, world.root])
    expect(await seenBy(by)).toMatchObject({ can: { override: false }, entries: [{ can: { grant: false } }] })
  const route = `POST /api/organizations/${organization}/members/${who.id}/overrides`
  const made = await world.ada.fetch(
    route,
    { permission: social('posts:write'), effect: 'grant' },
    { 'hx-request': 'true' },
  )
  const fragment = await made.text()
  expect([made.status, made.headers.get('hx-redirect')]).toEqual([201, null])
  expect(fragment).toStartWith('<div class="stack" id="permissions"')
  expect(fragment).toContain('Granted to this member by an override')
})

test('IDN-13 person without an organization has no permissions, and each entry says so', async () => {
  const own = await inspect(world.nora, world.nora)
  expect(own).toMatchObject({ organizationId: null, effectivePermissions: [] })
  expect(own.entries.every(({ granted, explanation }) => !granted && /organization/.test(explanation))).toBe(true)
})

test('IDN-13 member with org:admin of the gateway inspects others, and one with org:admin of an app doesn’t', async () => {
  const [editor, viewer] = [await member('editor'), await member('viewer')]
  const { id: gateway } = await world.stranger.fetchJson<{ id: string }>('GET /api/services/by-slug/platform-gateway')
  await world.database.sql`
    INSERT INTO identity.service_access (organization_id, service_id, granted_at)
    VALUES (${organization}, ${gateway}, now()) ON CONFLICT DO NOTHING`
  await world.database.sql`
    INSERT INTO identity.service_permissions (service_id, permission, description)
    VALUES (${world.theirAppId}, 'org:admin', 'Not ours')`
  await world.database.sql`
    INSERT INTO identity.service_access (organization_id, service_id, granted_at)
    VALUES (${organization}, ${world.theirAppId}, now()) ON CONFLICT DO NOTHING`
  const grant = (service: string) => world.database.sql`
    INSERT INTO identity.user_permission_overrides
      (id, organization_id, user_id, service_id, permission, effect, created_at)
    VALUES (${newId()}, ${organization}, ${editor.id}, ${service}, 'org:admin', 'grant', now())`
  await grant(world.theirAppId)
  expect(await statusOf(editor, viewer)).toBe(403)
  await grant(gateway)
  expect(await statusOf(editor, viewer)).toBe(200)
  expect(await statusOf(editor, world.mallory)).toBe(404)
})

test('PLT-10 error of an operation that requires the owner role tells the caller to ask an owner', async () => {
  const admin = await member('admin')
  const refused = await admin.fetch(`PUT /api/organizations/${organization}`, { name: 'Mine' })
  expect(await refused.json()).toMatchObject({
    permission: 'role:owner',
    detail: 'You need the owner role to do this. Ask an owner of your organization for access.',
  })
})

test('IDN-13 inspected permissions match those from /validate for random roles, overrides and services', async () => {
  const who = await member('viewer')
  const { entries } = await inspect(world.ada, who)
  const any = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item
  const slugs = [...new Set(entries.map(({ service }) => service))]
  const { sql } = world.database
  for (let round = 0; round < 25; round++) {
    const reported: string[] = [any(roles)]
    await world.ada.fetchJson(`PATCH /api/organizations/${organization}/members/${who.id}`, { role: reported[0] })
    for (let each = 0; each < 4; each++) {
      const [permission, effect] = [any(entries).permission, any(['grant', 'deny'])]
      reported.push(`${effect} ${permission}`)
      await sql`
        INSERT INTO identity.user_permission_overrides
        VALUES (gen_random_uuid(), ${organization}, ${who.id}, ${permission.slice(0, 36)}, ${permission.slice(37)},
          ${effect}, NULL, NULL, now()) ON CONFLICT DO NOTHING`
    }
    const without = any(slugs)
    await sql`
      WITH gone AS (SELECT id FROM identity.services WHERE slug = ${without})
      DELETE FROM identity.service_access USING gone WHERE service_id = id AND organization_id = ${organization}`
    await world.provided.events.publish(world.database.db, 'identity.revoked', { id: who.id })
    const validated = await who.fetchJson<{ permissions: string[] }>('GET /validate')
    const inspected = await inspect(who, who)
    expect(inspected.effectivePermissions, reported.join()).toEqual(validated.permissions)
    const granted = inspected.entries.filter((entry) => entry.granted).map(({ permission }) => permission)
    expect(granted.toSorted(), reported.join()).toEqual(validated.permissions.toSorted())
    for (const { granted: isGranted, explanation, permission } of inspected.entries)
      expect(isGranted, `${permission}: ${explanation}`).toBe(/ carries it\.$|^Granted /.test(explanation))
    await sql`
      INSERT INTO identity.service_access SELECT ${organization}, id, now() FROM identity.services
      WHERE slug = ${without} ON CONFLICT DO NOTHING`
    if (round % 5 === 4) await sql`DELETE FROM identity.user_permission_overrides WHERE user_id = ${who.id}`
  }
})

test('IDN-05 IDN-13 override and its removal take effect on the next request', async () => {
  const who = await member('viewer')
  const draft = { name: 'Side' }
  expect((await who.fetch('POST /api/brands', draft)).status).toBe(403)
  const granted = await idIn(await override(world.ada, who, { permission: social('brands:write'), effect: 'grant' }))
  expect((await who.fetch('POST /api/brands', draft)).status).toBe(201)
  expect((await withdraw(who, granted)).status).toBe(204)
  expect((await who.fetch('POST /api/brands', draft)).status).toBe(403)
  expect((await who.fetch('GET /api/posts')).status).toBe(200)
  const denied = await idIn(await override(world.ada, who, { permission: social('posts:read'), effect: 'deny' }))
  expect((await who.fetch('GET /api/posts')).status).toBe(403)
  expect((await withdraw(who, denied)).status).toBe(204)
  expect((await who.fetch('GET /api/posts')).status).toBe(200)
})

test('IDN-13 IDN-30 key loses a permission that is denied to its creator on the next request', async () => {
  const maker = await member('admin')
  const key = await maker.createKey({ scopes: ['posts.read', 'accounts.read'] })
  expect((await key.fetch('GET /api/posts')).status).toBe(200)
  await override(world.ada, maker, { permission: social('posts:read'), effect: 'deny' })
  expect((await key.fetch('GET /api/posts')).status).toBe(403)
  expect((await key.fetch('GET /api/accounts')).status).toBe(200)
  const draft = { name: 'CI', service: 'platform-socialize', scopes: ['posts.read'] }
  expect(await code(await maker.fetch('POST /api/api-keys', draft))).toEqual([403, 'posts:read'])
})

test('IDN-13 override is rejected for permissions that the admin lacks, for the admin’s own denials, and when an admin overrides an owner', async () => {
  const [admin, viewer, owner] = [await member('admin'), await member('viewer'), await member('owner')]
  const brands = { permission: social('brands:write') }
  const denied = await idIn(await override(world.ada, admin, { ...brands, effect: 'deny' }))
  expect(await code(await override(admin, viewer, { ...brands, effect: 'grant' }))).toEqual([403, 'brands:write'])
  expect(await code(await withdraw(admin, denied, admin))).toEqual([403, 'brands:write'])
  expect(await code(await override(admin, admin, { ...brands, effect: 'grant' }))).toEqual([403, 'brands:write'])
  expect(await code(await override(admin, owner, { ...brands, effect: 'deny' }))).toEqual([403, 'role:owner'])
  expect(await code(await override(viewer, viewer, { ...brands, effect: 'grant' }))).toEqual([403, 'role:admin'])
  expect((await override(admin, viewer, { ...brands, effect: 'deny' })).status).toBe(201)
})

test('IDN-13 invalid override is rejected and changes nothing', async () => {
  const who = await member('viewer')
  const fine = { permission: social('posts:write'), effect: 'grant' }
  for (const wrong of [
    {},
    { ...fine, effect: 'maybe' },
    { ...fine, permission: 'posts:write' },
    { ...fine, permission: `${'-'.repeat(36)}.posts:write` },
    { ...fine, permission: social('nothing:read') },
    { ...fine, permission: `${organization}.posts:write` },
    { ...fine, reason: 'x'.repeat(501) },
  ])
    expect((await override(world.ada, who, wrong)).status, JSON.stringify(wrong)).toBe(422)
  expect((await override(world.ada, world.nora, fine)).status).toBe(404)
  expect((await override(world.mallory, who, fine)).status).toBe(404)
  expect((await override(world.ada, who, { ...fine, reason: '  ' })).status).toBe(201)
  expect(await code(await override(world.ada, who, fine))).toEqual([409, 'override_exists'])
  const listed = await world.ada.fetchJson<{ items: { reason: string | null }[] }>(`GET ${overrides(who)}`)
  expect(listed.items).toMatchObject([{ ...fine, reason: null }])
})

test('IDN-13 permissions are searched by name and description', async () => {
  const viewer = await member('viewer')
  const { entries } = await inspect(world.ada, viewer, '?q=Transfer%20brands')
  expect(entries.map(({ permission }) => permission)).toEqual([social('brands:write')])
  expect((await inspect(world.ada, viewer, '?q=brands:wr')).entries).toHaveLength(1)
  expect((await inspect(world.ada, viewer, '?q=nothing-like-this')).entries).toEqual([])
  expect((await inspect(world.ada, viewer, '?q=')).entries.length).toBeGreaterThan(10)
})
