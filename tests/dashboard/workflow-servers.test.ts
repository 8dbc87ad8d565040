import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { eventually, killRest } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { newPublisher } from '../support/publisher.ts'
import { serve } from '../support/served.ts'

let fresh: TestDatabase
let database: DatabaseHandle
const received: string[] = []
const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
/** It doesn't respond to the first request, whose server is killed meanwhile. */
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  fetch: async (request) => {
    received.push(request.headers.get('webhook-id') ?? '')
    if (received.length > 1) return new Response('Thanks')
    arrive()
    return new Promise<Response>(() => {})
  },
})

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 2)
})
afterAll(async () => {
  await killRest()
  await receiver.stop(true)
  await database.close()
  await fresh.drop()
})

test('DSH-38 run whose server is killed while it sends a request is finished by another server, with the same webhook-id', async () => {
  const killed = await serve({ databaseUrl: fresh.url })
  const owner = await newPublisher(killed.url)
  const words = { reason: 'It ran.', href: '/actions' }
  const workflow = {
    name: 'Announce',
    trigger: { type: 'schedule', cron: '0 9 1 1 *', timeZone: 'UTC' },
    steps: [
      { type: 'action', title: 'Before', ...words },
      { type: 'webhook', url: `http://127.0.0.1:${receiver.port}/hook` },
      { type: 'action', title: 'After', ...words },
    ],
  }
  const { id } = await owner.call<{ id: string }>('POST', '/api/workflows', workflow, 201)
  const { id: runId } = await owner.call<{ id: string }>('POST', `/api/workflows/${id}/run`, {}, 201)
  await arrived
  killed.kill('SIGKILL')
  await killed.exited
  const other = owner.through((await serve({ databaseUrl: fresh.url })).url)
  // As if the killed server's leases, of 45 and 30 seconds, had ended.
  await database.sql`UPDATE dashboard.workflow_runs SET leased_until = now() WHERE id = ${runId}`
  await database.sql`
    UPDATE pgboss.job SET heartbeat_on = heartbeat_on - interval '1 minute'
    WHERE name = 'dashboard.run-workflow' AND state = 'active'`
  const path = `/api/workflows/${id}/runs/${runId}`
  const read = () => other.call<{ state: string; done: number; log: unknown[] }>('GET', path, undefined, 200)
  expect(await eventually(async () => (await read()).state === 'succeeded', 60_000)).toBe(true)
  expect(received).toEqual([`${runId}.2`, `${runId}.2`])
  expect((await read()).log).toMatchObject([{ step: 1 }, { step: 2, attempt: 1, outcome: 'done' }, { step: 3 }])
  const raised = await database.sql<{ title: string }[]>`
    SELECT title FROM platform.raised_actions WHERE cause LIKE ${`dashboard.workflow:${runId}:%`} ORDER BY title`
  expect(raised.map(({ title }) => title)).toEqual(['After', 'Before'])
})
