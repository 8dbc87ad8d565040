import { afterAll, beforeAll, expect, test } from 'bun:test'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { password, tokenIn } from '../support/world.ts'
import { bearer, json, startIdentity, type IdentityServer } from './server.tsx'

let database: TestDatabase
let server: IdentityServer
let other: IdentityServer

beforeAll(async () => {
  database = await freshDatabase()
  ;[server, other] = await Promise.all([startIdentity(database.url), startIdentity(database.url)])
})

afterAll(async () => {
  await Promise.all([server.stop(), other.stop()])
  await database.drop()
})

test('IDN-05 IDN-10 role changes and removals take effect on the next request, on every server', async () => {
  const owner = { email: 'ada@example.com', password, name: 'Ada', createOrganization: true }
  const ada = await json(await server.fetch('POST /register', owner))
  const place = `/api/organizations/${ada.organization.id}`
  const asAda = bearer(ada.accessToken)
  await server.fetch(`POST ${place}/invitations`, { email: 'grace@example.com', role: 'editor' }, asAda)
  const { mail } = server.provided
  const [head] = await mail.kept(server.database.db)
  const token = tokenIn(await mail.open(server.database.db, head?.id ?? ''))
  const grace = await json(await other.fetch('POST /api/invitations/register', { token, name: 'Grace', password }))
  const presented = bearer(grace.accessToken)
  const roles = () =>
    Promise.all([server, other].map(async ({ client }) => (await client.validate(presented)).organization?.role))
  expect(await roles()).toEqual(['editor', 'editor'])

  await server.fetch(`PATCH ${place}/members/${grace.user.id}`, { role: 'viewer' }, asAda)
  await Bun.sleep(50)
  expect(await roles()).toEqual(['viewer', 'viewer'])

  expect((await server.fetch(`DELETE ${place}/members/${grace.user.id}`, undefined, asAda)).status).toBe(204)
  await Bun.sleep(50)
  for (const { client } of [server, other])
    await expect(client.validate(presented)).rejects.toMatchObject({ status: 401 })
})

test('IDN-05 IDN-44 removed app is rejected and an installed one is allowed on the next request, on every server', async () => {
  const grace = { email: 'hopper@example.com', password, name: 'Grace', createOrganization: true }
  const { accessToken, organization } = await json(await server.fetch('POST /register', grace))
  const headers = bearer(accessToken)
  const { id } = await json(await server.fetch('GET /api/services/by-slug/platform-socialize'))
  const place = `/api/organizations/${organization.id}/apps`
  const mayPost = () =>
    Promise.all(
      [server, other].map(async ({ client }) => (await client.validate(headers)).permissions.has(`${id}.posts:write`)),
    )
  expect(await mayPost()).toEqual([true, true])
  expect((await server.fetch(`DELETE ${place}/${id}`, undefined, headers)).status).toBe(204)
  expect(await mayPost()).toEqual([false, false])
  expect((await other.fetch(`POST ${place}`, { serviceId: id }, headers)).status).toBe(201)
  expect(await mayPost()).toEqual([true, true])
})
