import { afterAll, beforeAll, expect, test } from 'bun:test'
import { deliverSlowWebhook, retryDelays } from '#lib/outgoing-webhooks/deliver.ts'
import { openWorld, type World } from '../../support/world.ts'
import { openActions, press } from './acting.ts'

let world: World
let status = 200
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('Hello', { status }) })

beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  await server.stop(true)
  await world.close()
})

const createWebhook = async (): Promise<string> => {
  const draft = { name: 'Shop', url: `http://127.0.0.1:${server.port}/hook`, events: ['post.published'] }
  return (await world.ada.fetchJson<{ id: string }>('POST /api/webhooks', draft, 201)).id
}

const open = (id: string) => openActions(world, `platform.webhook:${id}`)
const stateOf = async (id: string) => (await world.ada.fetchJson<{ state: string }>(`GET /api/webhooks/${id}`)).state

/** Runs the attempts that wait. */
async function attempt(id: string, times = 1): Promise<void> {
  for (let done = 0; done < times; done += 1) {
    const rows = await world.database.sql<{ id: string; round: number }[]>`
      SELECT id, round FROM platform.webhook_deliveries WHERE endpoint_id = ${id} AND state = 'waiting'`
    for (const row of rows)
      await deliverSlowWebhook.run({
        ...world.provided,
        input: { ...row, organizationId: world.ada.things.organizations },
        database: world.database,
        now: () => new Date(),
      })
  }
}

test('DSH-20 webhook that fails four times is an action, until it is paused or delivers again', async () => {
  const id = await createWebhook()
  status = 503
  await world.ada.fetchJson(`POST /api/webhooks/${id}/test`, {}, 201)
  await attempt(id, 3)
  expect(await open(id)).toEqual([])
  await attempt(id)
  const [action] = await open(id)
  expect(action).toMatchObject({
    kind: 'identity.webhook',
    permission: 'role:admin',
    title: 'The webhook Shop is failing',
    reason: expect.stringContaining('Its URL responded with 503.'),
  })
  expect((await press(world.vera, action, 'Pause')).status).toBe(403)
  expect((await press(world.ada, action, 'See deliveries')).status).toBe(200)
  expect((await press(world.ada, action, 'Pause')).status).toBe(200)
  expect([await stateOf(id), await open(id)]).toEqual(['paused', []])
  await world.ada.fetchJson(`PATCH /api/webhooks/${id}`, { state: 'enabled' })
  await attempt(id)
  expect(await open(id)).toHaveLength(1)
  status = 200
  await attempt(id)
  expect(await open(id)).toEqual([])
  await world.ada.fetchJson(`DELETE /api/webhooks/${id}`, undefined, 204)
})

test('DSH-20 webhook whose event failed in all attempts replays it in place', async () => {
  const id = await createWebhook()
  status = 500
  await world.ada.fetchJson(`POST /api/webhooks/${id}/test`, {}, 201)
  await attempt(id, retryDelays.length + 1)
  const [action] = await open(id)
  expect(action?.reason).toContain('All attempts to deliver an event failed.')
  status = 200
  expect((await press(world.ada, action, 'Replay failed events')).status).toBe(200)
  await attempt(id)
  expect(await open(id)).toEqual([])
  await world.ada.fetchJson(`DELETE /api/webhooks/${id}`, undefined, 204)
})

test('DSH-20 webhook whose URL is gone is enabled again, or deleted, in place', async () => {
  const id = await createWebhook()
  const goes = async () => {
    status = 410
    await world.ada.fetchJson(`POST /api/webhooks/${id}/test`, {}, 201)
    await attempt(id)
    return (await open(id))[0]
  }
  const action = await goes()
  expect([await stateOf(id), action?.title]).toEqual(['disabled', 'The webhook Shop was disabled'])
  expect((await press(world.ada, action, 'Enable')).status).toBe(200)
  expect([await stateOf(id), await open(id)]).toEqual(['enabled', []])
  expect((await press(world.ada, await goes(), 'Delete')).status).toBe(204)
  expect(await open(id)).toEqual([])
})
