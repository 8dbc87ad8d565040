import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, password, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterAll(() => world.close())

interface Me {
  context: string
  organizations: { id: string }[]
  selectedHouseholdId: string | null
  selectedHousehold: { id: string; name: string } | null
}
interface Household {
  id: string
  name: string
  selected: boolean
  members: { id: string; name: string }[]
}

test('IDN-15 selected household is part of the personal context, including at sign-in', async () => {
  const { vera } = world
  const home = await vera.fetchJson<Household>('POST /api/households', { name: 'The Coopers' }, 201)
  expect(home).toMatchObject({ selected: true, members: [{ id: vera.id, name: 'Vera' }] })
  expect(await vera.fetchJson<Me>('GET /api/auth/me')).toMatchObject({
    context: 'organization',
    selectedHouseholdId: null,
    selectedHousehold: null,
  })

  const second = await vera.signIn()
  const tokens = await second.fetchJson<{ accessToken: string }>('POST /api/auth/context', { context: 'personal' })
  const headers = { authorization: `Bearer ${tokens.accessToken}` }
  const send = async (): Promise<Me> =>
    (await (await world.stranger.fetch('GET /api/auth/me', undefined, headers)).json()) as Me
  const selected = { selectedHouseholdId: home.id, selectedHousehold: { id: home.id, name: 'The Coopers' } }
  expect(await send()).toMatchObject({ context: 'personal', ...selected })
  const signedIn = await world.stranger.fetchJson('POST /api/auth/login', { email: vera.email, password })
  expect(signedIn).toMatchObject(selected)

  const other = await vera.fetchJson<Household>('POST /api/households', { name: 'Cabin' }, 201)
  expect(other.selected).toBe(false)
  await vera.fetchJson('PUT /api/auth/me/household', { householdId: other.id })
  await vera.fetchJson(`PUT /api/households/${other.id}`, { name: 'The cabin' })
  expect((await send()).selectedHousehold).toEqual({ id: other.id, name: 'The cabin' })
  await vera.fetchJson('PUT /api/auth/me/household', { householdId: null })
  expect(await send()).toMatchObject({ selectedHouseholdId: null, selectedHousehold: null })
})

test('IDN-15 household can’t be used as an organization, a context or a resource owner', async () => {
  const { ada } = world
  const { households } = ada.things
  const { items } = await ada.fetchJson<{ items: { id: string }[] }>('GET /api/organizations')
  expect(items.map(({ id }) => id)).not.toContain(households)
  const { organizations } = await ada.fetchJson<Me>('GET /api/auth/me')
  expect(organizations.map(({ id }) => id)).not.toContain(households)
  const attempts: [string, object][] = [
    ['POST /api/auth/context', { organizationId: households }],
    [`PUT /api/organizations/${households}`, { name: 'Ours' }],
    [`POST /api/organizations/${households}/invitations`, { email: 'x@example.com', role: 'viewer' }],
    [`POST /api/brands/${ada.things.brands}/transfer-organization`, { targetOrganizationId: households }],
  ]
  for (const [route, body] of attempts) expect((await ada.fetch(route, body)).status, route).toBe(404)
})

test('IDN-15 person invited to a household by email joins, and the response doesn’t reveal whether an account exists', async () => {
  const { ada, nora } = world
  const invite = (email: string) => ada.fetch(`POST /api/households/${ada.things.households}/invitations`, { email })
  const [known, unknown, again] = [
    await invite(nora.email),
    await invite('unknown@example.com'),
    await invite(nora.email),
  ]
  expect([known.status, unknown.status, again.status]).toEqual([201, 201, 201])
  expect(Object.keys((await unknown.json()) as object)).toEqual(Object.keys((await known.json()) as object))
  const mails = await world.letters(nora.email)
  expect(mails.filter(({ subject }) => subject.includes('household'))).toHaveLength(1)

  const { items } = await nora.fetchJson<{ items: { id: string }[] }>('GET /api/household-invitations')
  expect(items).toMatchObject([{ household: { name: 'Acme home' }, invitedBy: { name: 'Ada' } }])
  const [{ id } = { id: '' }] = items
  expect((await world.mallory.fetch(`POST /api/household-invitations/${id}/accept`)).status).toBe(404)
  const joined = await nora.fetchJson<Household>(`POST /api/household-invitations/${id}/accept`)
  expect(joined.members.map(({ name }) => name)).toEqual(['Ada', 'Nora'])
  expect((await nora.fetch(`POST /api/household-invitations/${id}/accept`)).status).toBe(404)

  await ada.fetchJson(`DELETE /api/households/${joined.id}/membership`, undefined, 204)
  expect((await ada.fetch(`GET /api/households/${joined.id}`)).status).toBe(404)
  await nora.fetchJson(`DELETE /api/households/${joined.id}/membership`, undefined, 204)
  const [row] = await world.database.sql`SELECT count(*)::int FROM identity.households WHERE id = ${joined.id}`
  expect(row).toEqual({ count: 0 })
})

test('IDN-15 expired household invitation can be sent again and doesn’t count toward the member limit', async () => {
  const { vera, nora } = world
  const { id } = await vera.fetchJson<Household>('POST /api/households', { name: 'Lake house' }, 201)
  const invite = (email: string) => vera.fetch(`POST /api/households/${id}/invitations`, { email })
  for (let nth = 0; nth < 18; nth++) expect((await invite(`guest-${nth}@example.com`)).status).toBe(201)
  expect((await invite(nora.email)).status).toBe(201)
  expect((await invite('one-too-many@example.com')).status).toBe(409)
  await world.database.sql`UPDATE identity.household_invitations
    SET created_at = now() - interval '8 days', expires_at = now() - interval '1 day' WHERE household_id = ${id}`
  expect((await invite(nora.email)).status).toBe(201)
  const mails = await world.letters(nora.email)
  expect(mails.filter(({ text }) => text.includes('Lake house'))).toHaveLength(2)
  const { items } = await nora.fetchJson<{ items: object[] }>('GET /api/household-invitations')
  expect(items).toMatchObject([{ household: { name: 'Lake house' } }])
})

test('IDN-15 concurrent creation stops at ten households and leaves one selected', async () => {
  const { mallory } = world
  const make = (_: unknown, nth: number) => mallory.fetch('POST /api/households', { name: `Home ${nth}` })
  const statuses = (await Promise.all(Array.from({ length: 12 }, make))).map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(9)
  expect(statuses.filter((status) => status === 409)).toHaveLength(3)
  const { items } = await mallory.fetchJson<{ items: Household[] }>('GET /api/households')
  expect(items.filter(({ selected }) => selected)).toHaveLength(1)
})

test('PLT-06 household’s row loads its menu and dialogs when the menu opens', async () => {
  const { ada } = world
  const { id } = await ada.fetchJson<Household>('POST /api/households', { name: 'Barn' }, 201)
  const page = await (await ada.fetch('GET /settings/profile', undefined, { accept: 'text/html' })).text()
  expect(page).toContain(`id="household-menu-${id}" popover hx-get="/api/households/${id}" hx-trigger="open"`)
  expect(page).not.toContain(`id="rename-${id}"`)
  const opened = { 'hx-request': 'true', 'hx-target': `div#household-menu-${id}` }
  const menu = await (await ada.fetch(`GET /api/households/${id}`, undefined, opened)).text()
  expect(menu).toMatch(new RegExp(`Leave.*<hx-partial hx-target="#household-dialogs-${id}".*id="rename-${id}"`, 's'))
})
