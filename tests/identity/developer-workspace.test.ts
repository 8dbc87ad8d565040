import { afterAll, beforeAll, expect, test } from 'bun:test'
import { serviceTokens } from '#identity'
import { openWorld, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterAll(() => world.close())

const route = 'GET /api/developer-console/workspace'
const outcome = async (response: Response) => {
  const { code } = (await response.json()) as { code?: string }
  return [response.status, code]
}
const speakingFor = (userId: string, organizationId: string) => ({
  ...world.console.credential,
  'on-behalf-of': userId,
  'on-behalf-of-organization': organizationId,
})

test('IDN-34 IDN-35 a service’s signed request speaks for an admin of the workspace that it names, and for nobody else', async () => {
  const { organizations } = world.ada.things
  expect(await world.console.tell(route)).toMatchObject({ id: organizations, name: 'Acme', status: 'active' })
  const ask = (userId: string, organizationId: string) =>
    world.console.ask(route, undefined, speakingFor(userId, organizationId)).then(outcome)
  expect(await ask(world.vera.id, organizations)).toEqual([403, 'permission_missing'])
  expect(await ask(world.mallory.id, organizations)).toEqual([404, 'not_found'])
  expect(await ask(world.ada.id, world.mallory.things.organizations)).toEqual([404, 'not_found'])
  expect(await ask('', organizations)).toEqual([401, 'invalid_token'])
  expect(await ask(world.ada.id, 'acme')).toEqual([401, 'invalid_token'])
})

test('IDN-35 a service that developers registered speaks for nobody', async () => {
  const { database, provided } = world
  const store = { db: database.db, secrets: provided.secrets, now: () => new Date() }
  const token = await serviceTokens(store, 'their-app')('platform-developer-console')
  const headers = { ...speakingFor(world.ada.id, world.ada.things.organizations), authorization: `Bearer ${token}` }
  expect(await outcome(await world.console.ask(route, undefined, headers))).toEqual([401, 'invalid_token'])
})

test('IDN-34 an owner makes an organization a developer workspace; an admin doesn’t', async () => {
  const wish = { email: 'olga@example.com', password: 'correct horse battery', name: 'Olga', createOrganization: true }
  const olga = await world.stranger.tell<{ accessToken: string; user: { id: string }; organization: { id: string } }>(
    'POST /register',
    wish,
    201,
  )
  const bearer = { authorization: `Bearer ${olga.accessToken}` }
  const { id } = olga.organization
  const workspace = () => world.console.ask(route, undefined, speakingFor(olga.user.id, id))
  expect(await (await workspace()).json()).toMatchObject({ developerWorkspace: false })
  const path = `POST /api/organizations/${id}/developer-workspace`
  expect((await world.ada.ask(path, {})).status).toBe(404)
  for (let time = 0; time < 2; time++) expect((await world.stranger.ask(path, {}, bearer)).status).toBe(200)
  expect(await (await workspace()).json()).toMatchObject({ developerWorkspace: true, status: 'active' })
})

test('IDN-34 a suspended developer workspace can’t mutate API keys; a revoked one never again, and its keys end', async () => {
  const { organizations, keys } = world.mallory.things
  const draft = { name: 'CI', service: 'platform-socialize', scopes: ['posts.read'] }
  const key = await world.mallory.makeKey({ scopes: ['posts.read'] })
  const mutations = () =>
    Promise.all([
      world.mallory.ask('POST /api/api-keys', draft).then(outcome),
      world.mallory.ask(`POST /api/api-keys/${keys}/rotate`, {}).then(outcome),
      world.mallory.ask(`DELETE /api/api-keys/${keys}`).then(outcome),
    ])
  const refusal = [403, 'workspace_suspended']
  const admin = `/api/admin/organizations/${organizations}`
  await world.root.tell(`POST ${admin}/suspension`, { reason: 'Spam.' }, 201)
  expect(await mutations()).toEqual([refusal, refusal, refusal])
  await world.root.tell(`DELETE ${admin}/suspension`, undefined, 204)
  expect((await key.ask('GET /api/posts')).status).toBe(200)

  const revocation = { reason: 'It collected passwords.' }
  const revoked = await world.root.tell(`POST ${admin}/developer-revocation`, revocation, 201)
  expect(revoked).toMatchObject({ status: 'revoked', reason: 'It collected passwords.' })
  expect((await key.ask('GET /api/posts')).status).toBe(401)
  expect(await mutations()).toEqual([refusal, refusal, refusal])
  expect((await world.mallory.ask('GET /api/posts')).status).toBe(200)
  expect((await world.root.ask(`POST ${admin}/developer-revocation`, revocation)).status).toBe(409)
  const again = await world.mallory.ask(`POST /api/organizations/${organizations}/developer-workspace`, {})
  expect(await outcome(again)).toEqual([403, 'workspace_suspended'])
})
