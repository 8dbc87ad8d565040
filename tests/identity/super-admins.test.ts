import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createSuperAdminLink } from '#identity'
import { openWorld, password, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterAll(() => world.close())

const tokenFor = async (email: string, now = new Date()) =>
  (await createSuperAdminLink(world.database.db, email, now)).split('/').at(-1) ?? ''
const follow = (token: string, more: Record<string, unknown> = {}) =>
  world.stranger.fetch('POST /api/super-admins', { token, name: 'Grace', password, ...more })
const typeOf = async (email: string) => {
  const rows = await world.database.sql<{ type: string }[]>`
    SELECT principal_type AS type FROM identity.users WHERE email = ${email}`
  return rows[0]?.type
}
const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code]
const broken = (constraint: string) => ({ constraint_name: constraint })
const userId = (email: string) => world.database.sql`SELECT id FROM identity.users WHERE email = ${email}`

test('PLT-38 link creates one super admin, who belongs only to the super admins’ organization', async () => {
  const token = await tokenFor('Grace@Example.com')
  const page = await world.stranger.fetch(`GET /super-admin/${token}`, undefined, { accept: 'text/html' })
  expect(page.status).toBe(200)
  expect(await typeOf('grace@example.com')).toBeUndefined()
  const read = await world.stranger.fetch(`GET /api/super-admins/invitations/${token}`)
  expect(await read.json()).toEqual({ email: 'grace@example.com', hasAccount: false })
  expect(read.headers.get('referrer-policy')).toBe('no-referrer')
  const made = await follow(token)
  expect(made.status).toBe(201)
  expect(await made.json()).toMatchObject({
    user: { email: 'grace@example.com', principalType: 'platform_super_admin' },
    organization: { slug: 'admin', role: 'owner' },
  })
  expect((await follow(token)).status).toBe(404)
  expect((await world.stranger.fetch(`GET /api/super-admins/invitations/${token}`)).status).toBe(404)
  expect((await world.stranger.fetch(`GET /super-admin/${token}`, undefined, { accept: 'text/html' })).status).toBe(404)
})

test('PLT-38 link works for only one of two concurrent uses, and expires when a newer link is created or after a day', async () => {
  const token = await tokenFor('twice@example.com')
  const both = await Promise.all([follow(token), follow(token)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 404])
  const old = await tokenFor('later@example.com')
  const newer = await tokenFor('later@example.com')
  expect((await follow(old)).status).toBe(404)
  const stale = await tokenFor('stale@example.com', new Date(Date.now() - 24 * 60 * 60 * 1000 - 1))
  expect((await follow(stale)).status).toBe(404)
  expect((await follow(newer, { password: 'short' })).status).toBe(422)
  expect((await follow(newer)).status).toBe(201)
})

test('PLT-38 link for an existing account requires its password', async () => {
  const token = await tokenFor(world.nora.email)
  expect(await codeOf(await follow(token, { password: 'not the password' }))).toEqual([422, 'validation_failed'])
  expect(await typeOf(world.nora.email)).toBe('user')
  expect((await follow(token)).status).toBe(201)
  expect(await typeOf(world.nora.email)).toBe('platform_super_admin')
})

test('IDN-16 member of an organization can’t become a super admin', async () => {
  await expect(tokenFor(world.vera.email)).rejects.toThrow('belongs to Acme')
})

test('IDN-16 database refuses other memberships for super admins', async () => {
  const { sql } = world.database
  const acme = world.ada.things.organizations
  const promote = sql`UPDATE identity.users SET principal_type = 'platform_super_admin' WHERE id = ${world.ada.id}`
  await expect(Promise.resolve(promote)).rejects.toMatchObject(broken('users_super_admin'))
  const join = sql`
    INSERT INTO identity.memberships VALUES (${acme}, ${world.root.id}, 'viewer', now())`
  await expect(Promise.resolve(join)).rejects.toMatchObject(broken('memberships_super_admin'))
  const move = sql`UPDATE identity.memberships SET organization_id = ${acme} WHERE user_id = ${world.root.id}`
  await expect(Promise.resolve(move)).rejects.toMatchObject({ code: '23514' })
  const slug = sql`UPDATE identity.organizations SET slug = 'mine' WHERE slug = 'admin'`
  await expect(Promise.resolve(slug)).rejects.toMatchObject(broken('organizations_admin_slug'))
})

test('IDN-16 person removed from the super admins’ organization is no longer a super admin on the next request', async () => {
  const token = await tokenFor('gone@example.com')
  expect((await follow(token)).status).toBe(201)
  const organizations = await world.root.fetchJson<{ items: { id: string }[] }>('GET /api/organizations')
  const [gone] = await userId('gone@example.com')
  const route = `DELETE /api/organizations/${organizations.items[0]?.id}/members/${gone?.['id']}`
  await world.root.fetchJson(route, undefined, 204)
  expect(await typeOf('gone@example.com')).toBe('user')
})

test('IDN-16 admin slug is rejected at sign-up and when renaming', async () => {
  const registration = { email: 'x@example.com', password, name: 'X', createOrganization: true }
  const taken = await world.stranger.fetch('POST /register', { ...registration, organizationSlug: 'admin' })
  expect(await codeOf(taken)).toEqual([422, 'validation_failed'])
  const renamed = await world.ada.fetch(`PUT /api/organizations/${world.ada.things.organizations}`, { slug: 'admin' })
  expect(renamed.status).toBe(422)
})

test('IDN-16 super admin who accepts an invitation elsewhere is told to use another account', async () => {
  const { organizations } = world.ada.things
  await world.ada.fetchJson(
    `POST /api/organizations/${organizations}/invitations`,
    { email: world.root.email, role: 'viewer' },
    201,
  )
  const [letter] = await world.letters(world.root.email)
  const token = /invitations\/([\w-]+)/.exec(letter?.text ?? '')?.[1]
  expect(await codeOf(await world.root.fetch('POST /api/invitations/accept', { token }))).toEqual([409, 'super_admin'])
})

test('IDN-16 body fields or an invitation to the super admins’ organization can’t make a person a super admin', async () => {
  const mass = { principalType: 'platform_super_admin', role: 'owner' }
  const registration = {
    email: 'mass@example.com',
    password,
    name: 'Mass',
    createOrganization: true,
    organizationSlug: 'own-place',
  }
  expect((await world.stranger.fetch('POST /register', { ...registration, ...mass })).status).toBe(422)
  const made = await world.stranger.fetch('POST /register', registration)
  expect(made.status).toBe(201)
  const { accessToken } = (await made.json()) as { accessToken: string }
  const bearer = { authorization: `Bearer ${accessToken}` }
  expect((await world.stranger.fetch('PUT /api/auth/me', { name: 'Mass', ...mass }, bearer)).status).toBe(422)
  expect(await typeOf('mass@example.com')).toBe('user')
  const { items } = await world.root.fetchJson<{ items: { id: string }[] }>('GET /api/organizations')
  const [home] = items
  const invitation = { email: 'mass@example.com', role: 'owner' }
  await world.root.fetchJson(`POST /api/organizations/${home?.id}/invitations`, invitation, 201)
  const [letter] = await world.letters('mass@example.com')
  const token = /invitations\/([\w-]+)/.exec(letter?.text ?? '')?.[1]
  expect((await world.stranger.fetch('POST /api/invitations/accept', { token }, bearer)).status).toBe(200)
  const switched = await world.stranger.fetch('POST /api/auth/context', { organizationId: home?.id }, bearer)
  const inside = { authorization: `Bearer ${((await switched.json()) as { accessToken: string }).accessToken}` }
  for (const route of ['GET /api/admin/organizations', 'POST /api/services'])
    expect((await world.stranger.fetch(route, undefined, inside)).status).toBe(403)
  expect(await typeOf('mass@example.com')).toBe('user')
})
