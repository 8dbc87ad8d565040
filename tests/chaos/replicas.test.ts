import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { createLog } from '#lib/log.ts'
import { openQueue } from '#lib/queue.ts'
import { eventually, killRest, run } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { newPublisher } from '../support/publisher.ts'
import { serve } from '../support/served.ts'
import { bearer, password } from '../support/world.ts'
import { short, slowly } from './queue-worker.ts'
import { scaleTime } from '../support/time-scale.ts'

// Three servers on one database, one of which is killed while it works. For posts see kill.test.ts.

let fresh: TestDatabase
let database: DatabaseHandle

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 3)
})
afterAll(async () => {
  await killRest()
  await database.close()
  await fresh.drop()
})

test('PLT-31 jobs of a killed server are each run once by the other two', async () => {
  await database.sql`CREATE TABLE done (number integer NOT NULL, pid integer NOT NULL)`
  const queue = await openQueue(database, createLog('error'), short)
  const numbers = Array.from({ length: 30 }, (_, at) => at)
  await database.transaction(async (db) => {
    for (const number of numbers) await queue.enqueue(db, slowly, { number })
  })
  const env = { DATABASE_URL: fresh.url, TEST_PATIENCE: process.env['TEST_PATIENCE'] }
  const worker = () => run([process.execPath, 'tests/chaos/queue-worker.ts'], { env })
  const workers = [worker(), worker(), worker()] as const
  const doneBy = async (pid: number) =>
    (await database.sql`SELECT number FROM done WHERE pid = ${pid}`).map(({ number }) => number as number)
  expect(await eventually(async () => (await doneBy(workers[0].pid)).length > 0, 30_000)).toBe(true)
  // In the middle of its next job: it runs one at a time.
  await eventually(async () => {
    const [row] = await database.sql`SELECT count(*)::int AS count FROM pgboss.job WHERE state = 'active'`
    return row?.['count'] >= 3
  })
  workers[0].kill('SIGKILL')
  const all = async () => (await database.sql`SELECT number FROM done ORDER BY number`).map(({ number }) => number)
  expect(await eventually(async () => (await all()).length >= numbers.length, 60_000)).toBe(true)
  expect(await all()).toEqual(numbers)
  expect(await eventually(async () => (await unfinished()) === 0, 20_000)).toBe(true)
  for (const { kill } of workers) kill('SIGKILL')
  await queue.stop(1_000)
})

const unfinished = async (): Promise<number> => {
  const rows = await database.sql`SELECT 1 FROM pgboss.job WHERE name = ${slowly.name} AND state <> 'completed'`
  return rows.length
}

test('PLT-31 retries of requests to a killed server create each object once on the others', async () => {
  const env = { RATE_LIMIT_WRITES: '0' }
  const servers = await Promise.all([1, 2, 3].map(() => serve({ databaseUrl: fresh.url, env })))
  const urls = servers.map(({ url }) => url)
  const ada = await newPublisher(urls[0] ?? '')
  const [row] = await database.sql`SELECT email FROM identity.users WHERE id = ${ada.userId}`
  const signIn = await send(urls[1] ?? '', '/api/auth/login', { email: row?.['email'], password })
  const { accessToken } = (await signIn.json()) as { accessToken: string }
  const names = Array.from({ length: 60 }, (_, at) => `Brand ${at}`)
  let requested = 0
  const make = async (name: string, at: number): Promise<number> => {
    if (++requested === 25) servers[2]?.kill('SIGKILL')
    const end = performance.now() + scaleTime(10_000)
    for (let attempt = 0; performance.now() < end; attempt++) {
      const url = urls[(at + attempt) % urls.length] ?? ''
      const headers = { ...bearer(accessToken), 'idempotency-key': `brand-${at}` }
      const answer = await send(url, '/api/brands', { name }, headers).catch(() => null)
      if (answer && answer.status !== 409) return answer.status
      await Bun.sleep(200)
    }
    return 0
  }
  const statuses: number[] = []
  for (let from = 0; from < names.length; from += 6)
    statuses.push(...(await Promise.all(names.slice(from, from + 6).map((name, at) => make(name, from + at)))))
  expect(statuses).toEqual(names.map(() => 201))
  const made = await database.sql`SELECT name FROM social.brands WHERE platform_org_id = ${ada.organizationId}
    AND name LIKE 'Brand %'`
  expect(made.map(({ name }) => name as string).sort()).toEqual(names.toSorted())
  for (const { kill } of servers) kill('SIGKILL')
})

const send = (url: string, path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
