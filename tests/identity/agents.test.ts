import { afterAll, beforeAll, expect, test } from 'bun:test'
import { bearer, openWorld, password, type Caller, type World } from '../support/world.ts'

interface Agent {
  id: string
  name: string
  principalType: string
  role: string
}

let world: World
let agents: string

beforeAll(async () => {
  world = await openWorld()
  agents = `/api/organizations/${world.ada.things.organizations}/agents`
})

afterAll(() => world.close())

const make = (name: string, role: string) => world.ada.fetchJson<Agent>(`POST ${agents}`, { name, role }, 201)
const refusal = async (response: Response) => {
  const { code } = (await response.json()) as { code: string }
  return [response.status, code]
}

async function keyFor(agentId: string, scopes: string[]): Promise<Caller & { id: string }> {
  const draft = { name: 'Robot', service: 'platform-socialize', scopes, agentId }
  const { id, key } = await world.ada.fetchJson<{ id: string; key: string }>('POST /api/api-keys', draft, 201)
  const send: Caller['fetch'] = (route, body) => world.stranger.fetch(route, body, bearer(key))
  const report = async <Answer>(route: string) => (await (await send(route)).json()) as Answer
  return { credential: bearer(key), fetch: send, fetchJson: report, id }
}

test('IDN-47 agent created by an admin is a member that is neither a person nor an owner', async () => {
  const agent = await make('Release bot', 'editor')
  expect(agent).toMatchObject({ name: 'Release bot', principalType: 'agent', role: 'editor' })
  const members = `/api/organizations/${world.ada.things.organizations}/members`
  const { items } = await world.ada.fetchJson<{ items: Agent[] }>(`GET ${members}`)
  expect(items.find(({ id }) => id === agent.id)).toMatchObject({ principalType: 'agent' })
  expect((await world.ada.fetchJson<{ items: Agent[] }>(`GET ${agents}`)).items.map(({ id }) => id)).toContain(agent.id)
  expect(await world.vera.fetchJson<Agent>(`GET ${agents}/${agent.id}`)).toMatchObject({ id: agent.id })
  expect((await world.ada.fetch(`POST ${agents}`, { name: 'Boss', role: 'owner' })).status).toBe(422)
  expect(await refusal(await world.ada.fetch(`PATCH ${members}/${agent.id}`, { role: 'owner' }))).toEqual([
    409,
    'agent_cannot_be_owner',
  ])
  expect((await world.ada.fetch(`PATCH ${members}/${agent.id}`, { role: 'viewer' })).status).toBe(200)
})

test('IDN-47 agents can be created, listed and deleted only by the organization’s admins', async () => {
  const { id } = await make('Ours', 'viewer')
  expect((await world.vera.fetch(`POST ${agents}`, { name: 'Mine', role: 'viewer' })).status).toBe(403)
  expect((await world.vera.fetch(`DELETE ${agents}/${id}`)).status).toBe(403)
  for (const route of [`POST ${agents}`, `GET ${agents}`, `GET ${agents}/${id}`, `DELETE ${agents}/${id}`])
    expect(
      (await world.mallory.fetch(route, route.startsWith('POST') ? { name: 'x', role: 'viewer' } : undefined)).status,
    ).toBe(404)
  const own = `/api/organizations/${world.mallory.things.organizations}/agents`
  expect((await world.mallory.fetch(`DELETE ${own}/${id}`)).status).toBe(404)
  expect((await world.ada.fetch(`DELETE ${agents}/${world.vera.id}`)).status).toBe(404)
})

test('IDN-47 every way to sign in is rejected for an agent’s address', async () => {
  const { id } = await make('Locked', 'viewer')
  const [row] = await world.database.sql`SELECT email, password_hash FROM identity.users WHERE id = ${id}`
  expect(row?.['password_hash']).toBe(null)
  for (const attempt of ['', password, 'null'])
    expect(
      (await world.stranger.fetch('POST /api/auth/login', { email: row?.['email'], password: attempt })).status,
    ).toBe(401)
  expect((await world.stranger.fetch('POST /register', { email: row?.['email'], password, name: 'It' })).status).toBe(
    422,
  )
  const set = world.database.sql`UPDATE identity.users SET password_hash = 'x' WHERE id = ${id}`
  expect(
    await set.then(
      () => 'done',
      () => 'refused',
    ),
  ).toBe('refused')
})

test('IDN-47 IDN-30 key created for an agent acts as the agent within its role, regardless of which admin created it', async () => {
  const { id } = await make('Writer', 'viewer')
  const key = await keyFor(id, ['posts.read'])
  const answer = await key.fetchJson<{ principal: Agent; permissions: string[] }>('GET /validate')
  expect(answer.principal).toMatchObject({ id, principalType: 'agent', launcherEligible: false })
  expect(answer.permissions).toEqual([`${world.serviceId}.posts:read`])
  const draft = { name: 'Robot', service: 'platform-socialize', scopes: ['posts.write'], agentId: id }
  const beyond = await world.ada.fetch('POST /api/api-keys', draft)
  expect(await beyond.json()).toMatchObject({ status: 422, errors: [{ path: 'scopes.0' }] })
  for (const agentId of [world.vera.id, world.mallory.id])
    expect((await world.ada.fetch('POST /api/api-keys', { ...draft, scopes: ['posts.read'], agentId })).status).toBe(
      404,
    )
  const rotated = await world.ada.fetchJson(`POST /api/api-keys/${key.id}/rotate`, {}, 201)
  expect(rotated).toMatchObject({ agentId: id, createdBy: world.ada.id })
})

test('IDN-47 keys of a removed agent are rejected on the next request', async () => {
  const members = `/api/organizations/${world.ada.things.organizations}/members`
  for (const place of [agents, members]) {
    const { id } = await make('Leaver', 'editor')
    const key = await keyFor(id, ['posts.read'])
    expect((await key.fetch('GET /api/posts')).status).toBe(200)
    expect((await world.ada.fetch(`DELETE ${place}/${id}`)).status).toBe(204)
    expect((await key.fetch('GET /api/posts')).status).toBe(401)
    expect(await world.ada.fetchJson(`GET /api/api-keys/${key.id}`)).toMatchObject({ revokedAt: expect.any(String) })
  }
})

test('IDN-06 IDN-47 body fields for role, principal type and organization outside the contract are rejected', async () => {
  const more = {
    principalType: 'platform_super_admin',
    organizationId: world.mallory.things.organizations,
    organizations: [world.mallory.things.organizations],
    createdBy: world.mallory.id,
    passwordHash: 'x',
  }
  const email = 'eve@example.com'
  const eve = await world.stranger.fetchJson<{ user: Agent; organization: unknown; accessToken: string }>(
    'POST /register',
    { email, password, name: 'Eve' },
    201,
  )
  expect([eve.user.principalType, eve.organization]).toEqual(['user', null])
  const { organizations, members } = { organizations: world.ada.things.organizations, members: world.vera.id }
  const sent = [
    [world.stranger, 'POST /register', { email: 'else@example.com', password, name: 'Else' }],
    [world.nora, 'PUT /api/auth/me', { name: 'Nora' }],
    [world.ada, `POST ${agents}`, { name: 'Sly', role: 'viewer' }],
    [world.ada, 'POST /api/api-keys', { name: 'CI', service: 'platform-socialize', scopes: ['posts.read'] }],
    [world.ada, `PATCH /api/organizations/${organizations}/members/${members}`, { role: 'viewer' }],
  ] as const
  for (const [who, route, body] of sent)
    for (const [field, value] of Object.entries(more)) {
      const answer = await who.fetch(route, { ...body, [field]: value })
      expect([route, answer.status, await answer.json()]).toMatchObject([route, 422, { errors: [{ path: field }] }])
    }
  const member = await world.ada.fetchJson(`PATCH /api/organizations/${organizations}/members/${members}`, {
    role: 'viewer',
    // The organization id in the path takes precedence over the one in the body.
    id: world.mallory.things.organizations,
    userId: world.ada.id,
  })
  expect(member).toMatchObject({ id: members, role: 'viewer', principalType: 'user' })
})
