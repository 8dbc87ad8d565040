import { afterAll, beforeAll, expect, test } from 'bun:test'
import { remindOfKeys } from '#identity'
import { endNotices } from '#lib/raised-actions/end-notices.ts'
import { openWorld, tokenIn, type World } from '../../support/world.ts'
import { openActions, press } from './acting.ts'

let world: World
let organizationId: string

beforeAll(async () => {
  world = await openWorld()
  organizationId = world.ada.things.organizations
})
afterAll(() => world.close())

const day = 24 * 60 * 60 * 1000

test('DSH-20 more people than paid seats is an action for admins, until seats are added or people leave', async () => {
  const pay = world.services['platform-pay'] ?? world.stranger
  const setSeats = (seats?: number) =>
    pay.fetchJson(`PUT /api/internal/organizations/${organizationId}/entitlement`, { mode: 'all', seats })
  const open = () => openActions(world, `identity.seats:${organizationId}`)
  const [row] = await world.database.sql<{ used: number }[]>`
    SELECT count(*)::int AS used FROM identity.memberships WHERE organization_id = ${organizationId}`
  const used = row?.used ?? 0
  await setSeats(used)
  expect(await open()).toEqual([])
  await setSeats(used - 2)
  expect(await open()).toMatchObject([
    { kind: 'identity.seats', permission: 'role:admin', title: '2 seats more in use than paid' },
  ])
  await setSeats(used - 1)
  const [action] = await open()
  expect(action?.title).toBe('One seat more in use than paid')
  expect((await press(world.ada, action, 'Add seats')).status).toBe(200)
  expect((await press(world.ada, action, 'See members')).status).toBe(200)
  await setSeats()
  expect(await open()).toEqual([])
  const hana = await world.join(world.ada, { name: 'Hana', role: 'viewer' })
  await setSeats(used)
  expect(await open()).toHaveLength(1)
  await world.ada.fetchJson(`DELETE /api/organizations/${organizationId}/members/${hana.id}`, undefined, 204)
  expect(await open()).toEqual([])
  await setSeats()
})

test('DSH-20 accepted invitation is a notice to the person who invited', async () => {
  const gina = { email: 'gina.joins@example.com', name: 'Gina', password: 'correct horse battery staple' }
  await world.ada.fetchJson(
    `POST /api/organizations/${organizationId}/invitations`,
    { email: gina.email, role: 'editor' },
    201,
  )
  const [letter] = await world.letters(gina.email)
  const token = tokenIn(letter)
  await world.database.sql`DELETE FROM platform.raised_actions`
  await world.stranger.fetchJson(
    'POST /api/invitations/register',
    { token, name: gina.name, password: gina.password },
    201,
  )
  expect(await openActions(world, 'identity.invitation:')).toMatchObject([
    { surface: 'notice', person: world.ada.id, organization: organizationId, title: 'Your invitation was accepted' },
  ])
  const [notice] = await openActions(world, 'identity.invitation:')
  expect((await press(world.ada, notice, 'See who joined')).status).toBe(200)
  const after = (days: number) =>
    endNotices.run({
      ...world.provided,
      input: {},
      database: world.database,
      now: () => new Date(Date.now() + days * day),
    })
  await after(29)
  expect(await openActions(world, 'identity.invitation:')).toHaveLength(1)
  await after(31)
  expect(await openActions(world, 'identity.invitation:')).toEqual([])
})

test('DSH-20 API key that expires soon is an action, until it is revoked, rotated or has expired', async () => {
  const remind = (days: number) =>
    remindOfKeys.run({
      ...world.provided,
      input: {},
      database: world.database,
      now: () => new Date(Date.now() + days * day),
    })
  const titles = async () => (await openActions(world, 'identity.key-expires:')).map(({ title }) => title)
  const key = (name: string) => world.ada.createKey({ scopes: ['posts.read'], name, expiresInDays: 30 })
  await key('Nightly')
  const rotated = await key('Rotated')
  await key('Revoked')
  await remind(24)
  expect((await titles()).toSorted()).toEqual([
    'The API key Nightly expires soon',
    'The API key Revoked expires soon',
    'The API key Rotated expires soon',
  ])
  const all = await openActions(world, 'identity.key-expires:')
  const revoked = all.find(({ title }) => title.includes('Revoked'))
  expect(revoked).toMatchObject({ kind: 'identity.api_key', permission: 'role:admin', due: expect.anything() })
  expect((await press(world.vera, revoked, 'Revoke')).status).toBe(403)
  expect((await press(world.ada, revoked, 'Revoke')).status).toBe(200)
  await world.ada.fetchJson(`POST /api/api-keys/${rotated.id}/rotate`, { overlapHours: 0, expiresInDays: 60 }, 201)
  expect(await titles()).toEqual(['The API key Nightly expires soon'])
  await remind(31)
  expect(await titles()).toEqual([])
})
