import { afterAll, beforeAll, expect, test } from 'bun:test'
import { serviceTokens } from '#identity'
import { openWorld, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterAll(() => world.close())

const route = 'GET /api/developer-console/organization'
const outcome = async (response: Response) => {
  const { code } = (await response.json()) as { code?: string }
  return [response.status, code]
}
const speakingFor = (userId: string, organizationId: string) => ({
  ...world.console.credential,
  'on-behalf-of': userId,
  'on-behalf-of-organization': organizationId,
})

test('IDN-34 IDN-35 signed request from a service is accepted only for an admin of the organization that it names', async () => {
  const { organizations } = world.ada.things
  expect(await world.console.fetchJson(route)).toMatchObject({ id: organizations, name: 'Acme', status: 'active' })
  const send = (userId: string, organizationId: string) =>
    world.console.fetch(route, undefined, speakingFor(userId, organizationId)).then(outcome)
  expect(await send(world.vera.id, organizations)).toEqual([403, 'permission_missing'])
  expect(await send(world.mallory.id, organizations)).toEqual([404, 'not_found'])
  expect(await send(world.ada.id, world.mallory.things.organizations)).toEqual([404, 'not_found'])
  expect(await send('', organizations)).toEqual([401, 'invalid_token'])
  expect(await send(world.ada.id, 'acme')).toEqual([401, 'invalid_token'])
})

/** A new token of the developer console. */
const tokenOf = (caller: string) => {
  const store = { db: world.database.db, secrets: world.provided.secrets, now: () => new Date() }
  return serviceTokens(store, caller)('platform-developer-console')
}

const asService = async (slug: string) =>
  world.console.fetch(route, undefined, { authorization: `Bearer ${await tokenOf(slug)}` }).then(outcome)

test('IDN-35 signed requests for people are rejected from every service except the developer console', async () => {
  expect(await asService('platform-developer-console')).toEqual([200, undefined])
  for (const slug of ['platform-pay', 'platform-socialize', 'their-app'])
    expect(await asService(slug), slug).toEqual([403, 'permission_missing'])
})

test('IDN-35 signed request is rejected when repeated, and so is its token when used for another request', async () => {
  const headers = { authorization: `Bearer ${await tokenOf('platform-developer-console')}` }
  const apps = 'GET /api/developer-console/apps'
  expect((await world.console.fetch(route, undefined, headers)).status).toBe(200)
  for (const again of [route, apps])
    expect(await outcome(await world.console.fetch(again, undefined, headers))).toEqual([401, 'invalid_token'])
  const once = { authorization: `Bearer ${await tokenOf('platform-developer-console')}` }
  const both = await Promise.all([1, 2, 3].map(() => world.console.fetch(apps, undefined, once)))
  expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401, 401])
})

test('IDN-35 signed request for a super admin is rejected', async () => {
  expect(await outcome(await world.rootConsole.fetch(route))).toEqual([403, 'session_required'])
})

test('IDN-35 IDN-49 signed request is rejected when the person’s own sessions can’t use the organization', async () => {
  const { database, mallory } = world
  const { organizations } = mallory.things
  const send = () => world.console.fetch(route, undefined, speakingFor(mallory.id, organizations)).then(outcome)
  const require = (needed: boolean) =>
    database.sql`UPDATE identity.organizations SET requires_second_factor = ${needed} WHERE id = ${organizations}`
  expect(await send()).toEqual([200, undefined])
  await require(true)
  expect(await send()).toEqual([403, 'organization_requires_second_factor'])
  await database.sql`
    UPDATE identity.sessions SET second_factor = true
    WHERE id = (SELECT id FROM identity.sessions WHERE user_id = ${mallory.id} LIMIT 1)`
  expect(await send()).toEqual([200, undefined])
  await require(false)
  const sessions = await database.sql`DELETE FROM identity.sessions WHERE user_id = ${world.ada.id} RETURNING *`
  expect(await outcome(await world.console.fetch(route))).toEqual([403, 'session_required'])
  await database.sql`INSERT INTO identity.sessions ${database.sql(sessions)}`
  expect(await outcome(await world.console.fetch(route))).toEqual([200, undefined])
})

test('IDN-34 IDN-35 signed request for a suspended organization can read only the suspension', async () => {
  const admin = `/api/admin/organizations/${world.ada.things.organizations}`
  await world.root.fetchJson(`POST ${admin}/suspension`, { reason: 'Spam.' }, 201)
  expect(await world.console.fetchJson(route)).toMatchObject({ status: 'suspended' })
  const apps = await world.console.fetch('GET /api/developer-console/apps')
  expect(await outcome(apps)).toEqual([403, 'workspace_suspended'])
  await world.root.fetchJson(`DELETE ${admin}/suspension`, undefined, 204)
})

test('IDN-34 developer organization can be enabled by an owner but not by an admin', async () => {
  const options = {
    email: 'olga@example.com',
    password: 'correct horse battery',
    name: 'Olga',
    createOrganization: true,
  }
  const olga = await world.stranger.fetchJson<{
    accessToken: string
    user: { id: string }
    organization: { id: string }
  }>('POST /register', options, 201)
  const bearer = { authorization: `Bearer ${olga.accessToken}` }
  const { id } = olga.organization
  const workspace = () => world.console.fetch(route, undefined, speakingFor(olga.user.id, id))
  expect(await (await workspace()).json()).toMatchObject({ developerWorkspace: false })
  const path = `POST /api/organizations/${id}/developer-access`
  expect((await world.ada.fetch(path, {})).status).toBe(404)
  for (let time = 0; time < 2; time++) expect((await world.stranger.fetch(path, {}, bearer)).status).toBe(200)
  expect(await (await workspace()).json()).toMatchObject({ developerWorkspace: true, status: 'active' })
})

test('IDN-34 suspended developer organization can’t change API keys, and a revoked one permanently loses its keys', async () => {
  const { organizations, keys } = world.mallory.things
  const draft = { name: 'CI', service: 'platform-socialize', scopes: ['posts.read'] }
  const key = await world.mallory.createKey({ scopes: ['posts.read'] })
  const mutations = () =>
    Promise.all([
      world.mallory.fetch('POST /api/api-keys', draft).then(outcome),
      world.mallory.fetch(`POST /api/api-keys/${keys}/rotate`, {}).then(outcome),
      world.mallory.fetch(`DELETE /api/api-keys/${keys}`).then(outcome),
    ])
  const refusal = [403, 'workspace_suspended']
  const admin = `/api/admin/organizations/${organizations}`
  await world.root.fetchJson(`POST ${admin}/suspension`, { reason: 'Spam.' }, 201)
  expect(await mutations()).toEqual([refusal, refusal, refusal])
  await world.root.fetchJson(`DELETE ${admin}/suspension`, undefined, 204)
  expect((await key.fetch('GET /api/posts')).status).toBe(200)

  const revocation = { reason: 'It collected passwords.' }
  const revoked = await world.root.fetchJson(`POST ${admin}/developer-revocation`, revocation, 201)
  expect(revoked).toMatchObject({ status: 'revoked', reason: 'It collected passwords.' })
  expect((await key.fetch('GET /api/posts')).status).toBe(401)
  expect(await mutations()).toEqual([refusal, refusal, refusal])
  expect((await world.mallory.fetch('GET /api/posts')).status).toBe(200)
  expect((await world.root.fetch(`POST ${admin}/developer-revocation`, revocation)).status).toBe(409)
  const again = await world.mallory.fetch(`POST /api/organizations/${organizations}/developer-access`, {})
  expect(await outcome(again)).toEqual([403, 'workspace_suspended'])
})
