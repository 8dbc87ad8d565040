import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, password, tokenIn, type Caller, type Person, type World } from '../support/world.ts'

let world: World
let organization: string
let nth = 0

beforeAll(async () => {
  world = await openWorld()
  organization = world.ada.things.organizations
})

afterAll(() => world.close())

/** A new member of Ada's organization. */
const member = (role: string): Promise<Person> => world.join(world.ada, { name: `Member${nth++}`, role })

const put = (who: Caller, recipient: { id: string }, role: string, body = {}) =>
  who.fetch(`PATCH /api/organizations/${organization}/members/${recipient.id}`, { role, ...body })
const remove = (who: Caller, recipient: { id: string }) =>
  who.fetch(`DELETE /api/organizations/${organization}/members/${recipient.id}`)
const invite = (who: Caller, role: string) =>
  who.fetch(`POST /api/organizations/${organization}/invitations`, {
    email: `${crypto.randomUUID()}@example.com`,
    role,
  })
const code = async (response: Response) => {
  const { code: name, permission } = (await response.json()) as { code: string; permission?: string }
  return [response.status, permission ?? name]
}
const roleOf = async ({ id }: { id: string }) => {
  const rows = await world.database.sql<{ role: string }[]>`
    SELECT role FROM identity.memberships WHERE user_id = ${id} AND organization_id = ${organization}`
  return rows[0]?.role ?? null
}
const owners = async (id = organization) => {
  const [row] = await world.database.sql<{ count: number }[]>`
    SELECT count(*)::int FROM identity.memberships WHERE organization_id = ${id} AND role = 'owner'`
  return row?.count
}

test('IDN-10 admin can assign roles up to admin, and an owner every role', async () => {
  const [admin, someone] = [await member('admin'), await member('viewer')]
  expect((await put(admin, someone, 'editor')).status).toBe(200)
  expect((await put(admin, someone, 'admin')).status).toBe(200)
  expect(await code(await put(admin, someone, 'owner'))).toEqual([403, 'role:owner'])
  expect(await roleOf(someone)).toBe('admin')
  expect((await put(world.ada, someone, 'owner')).status).toBe(200)
  expect(await roleOf(someone)).toBe('owner')
})

test('IDN-10 list of members returns the caller’s actions for each, and a change returns the member’s row to htmx', async () => {
  const [admin, viewer] = [await member('admin'), await member('viewer')]
  interface Listed {
    items: { id: string; assignableRoles: string[]; can: Record<string, boolean> }[]
    can: Record<string, boolean>
  }
  const listed = (by: Caller) => by.fetchJson<Listed>(`GET /api/organizations/${organization}/members?limit=100`)
  const seen = async (by: Caller, whom: { id: string }) => {
    const { items } = await listed(by)
    const { assignableRoles = [], can = {} } = items.find(({ id }) => id === whom.id) ?? {}
    return [assignableRoles.length, ...Object.values(can)]
  }
  // Roles to assign, then update, remove, transfer ownership and inspect permissions.
  expect(await seen(world.ada, viewer)).toEqual([5, true, true, true, true])
  expect(await seen(world.ada, world.ada)).toEqual([5, true, true, false, true])
  expect(await seen(admin, viewer)).toEqual([4, true, true, false, true])
  expect(await seen(admin, world.ada)).toEqual([0, false, false, false, true])
  expect(await seen(viewer, viewer)).toEqual([0, false, true, false, true])
  expect(await seen(viewer, admin)).toEqual([0, false, false, false, false])
  expect([(await listed(admin)).can, (await listed(viewer)).can]).toEqual([
    { createInvitation: true, createAgent: true },
    { createInvitation: false, createAgent: false },
  ])
  const htmx = { 'hx-request': 'true' }
  const route = `/api/organizations/${organization}/members`
  const row = await world.ada.fetch(`PATCH ${route}/${viewer.id}`, { role: 'editor' }, htmx)
  expect(await row.text()).toMatch(new RegExp(`^<tr id="member-${viewer.id}">.*Editor`, 's'))
  const own = await admin.fetch(`PATCH ${route}/${admin.id}`, { role: 'editor' }, htmx)
  expect(own.headers.get('hx-redirect')).toBe('/settings/members')
  const removed = await world.ada.fetch(`DELETE ${route}/${viewer.id}`, undefined, htmx)
  expect([removed.status, removed.headers.get('hx-redirect'), await removed.text()]).toEqual([
    200,
    null,
    expect.stringMatching(/^<hx-partial hx-target="#pending-invitations"/),
  ])
  const agents = `POST /api/organizations/${organization}/agents`
  const withAgent = await world.ada.fetch(agents, { name: 'Release bot', role: 'editor' }, htmx)
  expect(await withAgent.text()).toMatch(/^<tbody id="member-rows".*Release bot/s)
  const invited = await world.ada.fetch(`POST /api/organizations/${organization}/invitations`, invitee, htmx)
  expect(await invited.text()).toMatch(new RegExp(`^<tbody id="pending-invitations".*${invitee.email}`, 's'))
})

test.each(['role change', 'removal'])(
  'PLT-06 invitations that a %s cancels disappear from the list of pending invitations',
  async (how) => {
    const admin = await member('admin')
    const email = `${crypto.randomUUID()}@example.com`
    const pending = `POST /api/organizations/${organization}/invitations`
    const htmx = { 'hx-request': 'true' }
    expect(await (await admin.fetch(pending, { email, role: 'admin' }, htmx)).text()).toContain(email)
    const route = `/api/organizations/${organization}/members/${admin.id}`
    const answer =
      how === 'removal'
        ? await world.ada.fetch(`DELETE ${route}`, undefined, htmx)
        : await world.ada.fetch(`PATCH ${route}`, { role: 'viewer' }, htmx)
    const fragment = await answer.text()
    expect(fragment).toMatch(/<hx-partial hx-target="#pending-invitations" [^>]*><tbody/)
    expect(fragment).not.toContain(email)
  },
)

test('PLT-06 member search returns the matching rows, and a transfer reloads the list', async () => {
  const [heir, other] = [await member('admin'), await member('viewer')]
  const htmx = { 'hx-request': 'true' }
  const list = `GET /api/organizations/${organization}/members`
  const rows = await (await world.ada.fetch(`${list}?q=${heir.email}`, undefined, htmx)).text()
  expect(rows).toMatch(new RegExp(`^<tbody id="member-rows">.*id="member-${heir.id}"`, 's'))
  expect(rows).not.toContain(other.id)
  expect(await (await world.ada.fetch(`${list}?q=no-one-at-all`, undefined, htmx)).text()).toContain('No member has')
  const page = await world.ada.fetch(`GET /settings/members?q=${heir.email}`, undefined, { accept: 'text/html' })
  expect(await page.text()).toContain(rows.slice(0, 40))
  const { mallory } = world
  const next = await world.join(mallory, { name: 'Next', role: 'admin' })
  const route = `/api/organizations/${mallory.things.organizations}/owner`
  const answer = await mallory.fetch(`POST ${route}`, { userId: next.id }, htmx)
  expect([answer.status, answer.headers.get('hx-redirect')]).toEqual([200, null])
  expect(await answer.text()).toMatch(/^<span id="members-refresh" hidden hx-get="\/settings\/members"/)
  await next.fetchJson(`POST ${route}`, { userId: mallory.id })
})

test('PLT-06 member’s row loads its menu with the role’s choices and dialogs when the menu opens', async () => {
  const viewer = await member('viewer')
  const route = `GET /api/organizations/${organization}/members/${viewer.id}`
  const htmx = { 'hx-request': 'true' }
  const list = await (await world.ada.fetch(`GET /settings/members`, undefined, { accept: 'text/html' })).text()
  expect(list).toContain(`id="member-menu-${viewer.id}" popover hx-get="${route.slice(4)}" hx-trigger="open"`)
  expect(list).not.toContain(`id="remove-${viewer.id}"`)
  const opened = { ...htmx, 'hx-target': `div#member-menu-${viewer.id}` }
  const menu = await (await world.ada.fetch(route, undefined, opened)).text()
  expect(menu).toContain('hx-vals="{&#34;role&#34;:&#34;editor&#34;}"')
  expect(menu).toContain(`<hx-partial hx-target="#member-dialogs-${viewer.id}"`)
  expect(menu).toContain(`id="remove-${viewer.id}"`)
})

test('IDN-10 member’s page offers a role change and removal, and tells when the person joined', async () => {
  const viewer = await member('viewer')
  const path = `/settings/members/${viewer.id}`
  const html = { accept: 'text/html' }
  const page = await (await world.ada.fetch(`GET ${path}`, undefined, html)).text()
  expect(page).toMatch(/<header class="page-header" id="member-header">.*Change role.*Remove .*<\/header>/s)
  expect(page).toMatch(/<dt>Joined<\/dt><dd><time/)
  expect(page).toContain('<dt>Second factor</dt>')
  const own = await (await viewer.fetch(`GET ${path}`, undefined, html)).text()
  expect(own).toMatch(/<dt>Joined<\/dt><dd><time/)
  expect(own).not.toContain('<dt>Second factor</dt>')
  expect(own).not.toContain('Change role')
  const route = `/api/organizations/${organization}/members/${viewer.id}`
  const { secondFactor } = await world.ada.fetchJson<{ secondFactor: boolean | null }>(`GET ${route}`)
  expect([secondFactor, await viewer.fetchJson(`GET ${route}`)]).toMatchObject([false, { secondFactor: null }])
  for (const who of [world.mallory, world.nora]) expect((await who.fetch(`GET ${route}`)).status).toBe(404)
  const fromPage = { 'hx-request': 'true', 'hx-target': 'div#access', 'hx-current-url': `http://localhost${path}` }
  const changed = await (await world.ada.fetch(`PATCH ${route}`, { role: 'editor' }, fromPage)).text()
  expect(changed).toMatch(/^<div class="page split" id="access">.*<hx-partial hx-target="#member-header".*Editor/s)
  const removed = await world.ada.fetch(`DELETE ${route}`, undefined, fromPage)
  expect(removed.headers.get('hx-redirect')).toBe('/settings/members')
})

test('PLT-04 places at the bottom of narrow settings pages are profile, security, members and API keys', async () => {
  const page = await (await world.ada.fetch('GET /settings/members', undefined, { accept: 'text/html' })).text()
  const [, tabbar = ''] = /<nav class="tabbar"[^>]*>(.*?)<\/nav>/s.exec(page) ?? []
  expect([...tabbar.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
    '/settings/profile',
    '/settings/security',
    '/settings/members',
    '/settings/keys',
  ])
})

const invitee = { email: 'invited.by.htmx@example.com', role: 'editor' }

test('IDN-10 admin can’t create, become, change or remove an owner', async () => {
  const [admin, owner] = [await member('admin'), await member('owner')]
  for (const response of [
    await put(admin, owner, 'viewer'),
    await remove(admin, owner),
    await put(admin, admin, 'owner'),
    await put(admin, admin, 'admin', { role: 'owner' }),
    await invite(admin, 'owner'),
  ])
    expect(await code(response)).toEqual([403, 'role:owner'])
  expect([await roleOf(admin), await roleOf(owner)]).toEqual(['admin', 'owner'])
  const offer = await world.ada.fetchJson<{ id: string }>(
    `POST /api/organizations/${organization}/invitations`,
    { email: 'boss@example.com', role: 'owner' },
    201,
  )
  const path = `/api/organizations/${organization}/invitations/${offer.id}`
  expect(await code(await admin.fetch(`DELETE ${path}`))).toEqual([403, 'role:owner'])
  expect(await code(await admin.fetch(`POST ${path}/resend`))).toEqual([403, 'role:owner'])
})

test.each(['viewer', 'reviewer', 'editor'])('IDN-10 %s can list members but not change them', async (role) => {
  const [who, other] = [await member(role), await member('viewer')]
  expect((await who.fetch(`GET /api/organizations/${organization}/members`)).status).toBe(200)
  for (const response of [
    await put(who, other, 'editor'),
    await put(who, who, 'admin'),
    await remove(who, other),
    await invite(who, 'viewer'),
    await who.fetch(`GET /api/organizations/${organization}/invitations`),
  ])
    expect(await code(response)).toEqual([403, 'role:admin'])
  expect([await roleOf(who), await roleOf(other)]).toEqual([role, 'viewer'])
})

test('IDN-10 members and invitations of another organization return 404', async () => {
  const other = await member('viewer')
  const { mallory } = world
  expect((await put(mallory, other, 'viewer')).status).toBe(404)
  expect((await remove(mallory, other)).status).toBe(404)
  expect((await invite(mallory, 'viewer')).status).toBe(404)
  const own = `/api/organizations/${mallory.things.organizations}`
  expect((await mallory.fetch(`PATCH ${own}/members/${other.id}`, { role: 'viewer' })).status).toBe(404)
  expect((await mallory.fetch(`DELETE ${own}/members/${other.id}`)).status).toBe(404)
  const foreign = world.ada.things.invitations
  expect((await mallory.fetch(`DELETE ${own}/invitations/${foreign}`)).status).toBe(404)
  expect((await mallory.fetch(`POST ${own}/invitations/${foreign}/resend`)).status).toBe(404)
})

test('IDN-10 role in the current organization applies, not the one in another organization', async () => {
  const who = await member('viewer')
  const { organizations } = world.mallory.things
  const invitation = { email: who.email, role: 'owner' }
  await world.mallory.fetchJson(`POST /api/organizations/${organizations}/invitations`, invitation, 201)
  await who.fetchJson('POST /api/invitations/accept', { token: tokenIn((await world.letters(who.email))[0]) })
  const login = { email: who.email, password }
  const { accessToken } = await world.stranger.fetchJson<{ accessToken: string }>('POST /api/auth/login', login)
  const asOwner = { authorization: `Bearer ${accessToken}` }
  const switched = await world.stranger.fetch('POST /api/auth/context', { organizationId: organizations }, asOwner)
  const owner = { authorization: `Bearer ${((await switched.json()) as { accessToken: string }).accessToken}` }
  const change = (headers: Record<string, string>, id: string) =>
    world.stranger.fetch(`PUT /api/organizations/${id}`, { name: 'Mine' }, headers)
  expect((await change(owner, organization)).status).toBe(404)
  expect((await change(owner, organizations)).status).toBe(200)
  await world.mallory.fetch(`DELETE /api/organizations/${organizations}/members/${who.id}`)
})

test('IDN-05 IDN-10 removed permissions and memberships are rejected on the member’s next request', async () => {
  const who = await member('editor')
  expect((await who.fetch('GET /api/posts')).status).toBe(200)
  await put(world.ada, who, 'viewer')
  const brand = { name: 'Side' }
  expect((await who.fetch('POST /api/brands', brand)).status).toBe(403)
  const { cookie } = await who.signIn()
  expect((await world.stranger.fetch('GET /api/posts', undefined, { cookie })).status).toBe(200)
  expect((await remove(world.ada, who)).status).toBe(204)
  expect((await who.fetch('GET /api/posts')).status).toBe(401)
  expect((await world.stranger.fetch('GET /api/posts', undefined, { cookie })).status).toBe(403)
  expect((await world.stranger.fetch('GET /api/auth/me', undefined, { cookie })).status).toBe(200)
})

test('IDN-10 member can leave without any permission', async () => {
  const who = await member('viewer')
  expect((await remove(who, who)).status).toBe(204)
  expect(await roleOf(who)).toBeNull()
  expect((await remove(who, who)).status).toBe(401)
})

test('IDN-10 last owner can’t leave or change their role', async () => {
  const { mallory } = world
  const own = `/api/organizations/${mallory.things.organizations}/members/${mallory.id}`
  expect(await code(await mallory.fetch(`DELETE ${own}`))).toEqual([409, 'last_owner'])
  expect(await code(await mallory.fetch(`PATCH ${own}`, { role: 'admin' }))).toEqual([409, 'last_owner'])
  expect((await mallory.fetch(`PATCH ${own}`, { role: 'owner' })).status).toBe(200)
})

test('IDN-10 one of two owners who change their role at the same time stays an owner, in ten rounds', async () => {
  const { mallory } = world
  const { organizations } = mallory.things
  const both = [mallory, await world.join(mallory, { name: 'Olga', role: 'owner' })]
  const give = (who: Person, recipient: Person, role: string) =>
    who.fetch(`PATCH /api/organizations/${organizations}/members/${recipient.id}`, { role })
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(both.map((who) => give(who, who, 'admin')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect(await owners(organizations)).toBe(1)
    const [stayed, gone] = answers[0]?.status === 409 ? both : both.toReversed()
    if (stayed && gone) expect((await give(stayed, gone, 'owner')).status).toBe(200)
  }
})

test('IDN-10 database refuses to remove the last owner', async () => {
  const drop = world.database.sql`DELETE FROM identity.memberships WHERE organization_id = ${organization}`
  await expect(Promise.resolve(drop)).rejects.toMatchObject({ constraint_name: 'memberships_last_owner' })
  expect(await owners()).toBeGreaterThan(0)
})

test('IDN-10 invitations sent by a member are canceled when the member is removed or demoted below the invited role', async () => {
  const [admin, owner] = [await member('admin'), await member('owner')]
  const open = async () => {
    const rows = await world.database.sql<{ role: string }[]>`
      SELECT role FROM identity.invitations WHERE invited_by IN (${admin.id}, ${owner.id}) ORDER BY role`
    return rows.map((row) => row.role)
  }
  for (const [who, role] of [
    [admin, 'admin'],
    [owner, 'owner'],
    [owner, 'viewer'],
  ] as const)
    expect((await invite(who, role)).status).toBe(201)
  expect(await open()).toEqual(['admin', 'owner', 'viewer'])
  await put(world.ada, owner, 'admin')
  expect(await open()).toEqual(['admin', 'viewer'])
  await remove(world.ada, admin)
  expect(await open()).toEqual(['viewer'])
  await put(world.ada, owner, 'editor')
  expect(await open()).toEqual([])
})

test('IDN-30 member removal lists the API keys that it revokes', async () => {
  const { ada } = world
  const { organizations } = ada.things
  const kim = await world.join(ada, { name: 'Kim', role: 'admin' })
  const agent = await ada.fetchJson<{ id: string }>(
    `POST /api/organizations/${organizations}/agents`,
    { name: 'Robot', role: 'editor' },
    201,
  )
  const own = await kim.createKey({ name: 'Nightly', scopes: ['posts.read'] })
  await kim.fetchJson(`DELETE /api/api-keys/${(await kim.createKey({ scopes: ['posts.read'] })).id}`)
  const forAgent = await kim.createKey({ name: 'Of the robot', scopes: ['posts.read'], agentId: agent.id })
  const keysOf = (userId: string) => `GET /api/organizations/${organizations}/members/${userId}/api-keys`
  const namesOf = async (userId: string, by: Caller = ada) =>
    (await by.fetchJson<{ items: { name: string }[] }>(keysOf(userId))).items.map(({ name }) => name)
  expect(await namesOf(kim.id)).toEqual(['Nightly'])
  expect(await namesOf(agent.id)).toEqual(['Of the robot'])
  expect(await namesOf(world.vera.id, world.vera)).toEqual([])
  expect(await code(await world.vera.fetch(keysOf(kim.id)))).toEqual([403, 'role:admin'])
  expect((await ada.fetch(keysOf(world.nora.id))).status).toBe(404)
  const fragment = await ada.fetch(keysOf(kim.id), undefined, { 'hx-request': 'true' })
  expect(await fragment.text()).toContain('Nightly')
  await ada.fetchJson(`DELETE /api/organizations/${organizations}/members/${kim.id}`, undefined, 204)
  expect([(await own.fetch('GET /api/posts')).status, (await forAgent.fetch('GET /api/posts')).status]).toEqual([
    401, 200,
  ])
})
