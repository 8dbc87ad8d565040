import { expect, spyOn, test } from 'bun:test'
import { z } from 'zod'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { job } from '#lib/job.ts'
import { createLog } from '#lib/log.ts'
import { openQueue } from '#lib/queue.ts'
import { freshDatabase } from '../support/database.ts'

/** The database, lost for the queue's own sessions from its `nth` statement on. */
const lostFrom = (database: DatabaseHandle, nth: number): DatabaseHandle => {
  let requested = 0
  return {
    ...database,
    openSessions: (count, limits) => {
      const sessions = database.openSessions(count, limits)
      if (count === 1) return sessions
      const use: typeof sessions.use = async (work) => {
        requested += 1
        if (requested >= nth) throw new Error('The database went away')
        return sessions.use(work)
      }
      return { ...sessions, use }
    },
  }
}

test('PLT-31 queue that fails to start leaves no timer, regardless of where it fails', async () => {
  const fresh = await freshDatabase()
  const database = openDatabase(fresh.url, 3)
  const log = createLog('info', false, () => {})
  await (await openQueue(database, log)).stop(1_000)
  const began = spyOn(globalThis, 'setInterval')
  const ended = spyOn(globalThis, 'clearInterval')
  let failures = 0
  for (let nth = 1; nth <= 12; nth++) {
    const opened = await openQueue(lostFrom(database, nth), log).catch(() => undefined)
    if (opened) await opened.stop(1_000)
    else failures += 1
    const cleared = new Set<unknown>(ended.mock.calls.map(([timer]) => timer))
    expect(began.mock.results.filter(({ value }) => !cleared.has(value))).toEqual([])
    began.mockClear()
    ended.mockClear()
  }
  // At each statement of startup, whether or not timers of its first parts run.
  expect(failures).toBeGreaterThanOrEqual(5)
  began.mockRestore()
  ended.mockRestore()
  await database.close()
  await fresh.drop()
})

test('PLT-30 renamed queues are deleted when servers start, with their jobs and failed jobs', async () => {
  const fresh = await freshDatabase()
  const database = openDatabase(fresh.url, 3)
  const log = createLog('info', false, () => {})
  const named = (name: string) => job({ name, input: z.object({}), run: async () => {} })
  const listQueues = async () =>
    (await database.sql<{ name: string }[]>`SELECT name FROM pgboss.queue ORDER BY name`).map(({ name }) => name)
  const earlier = await openQueue(database, log)
  for (const name of ['identity.forget-expired', 'platform.forget-spent', 'test.other'])
    await earlier.enqueue(database.db, named(name), {})
  await database.sql`
    INSERT INTO pgboss.job (name, data, source_name, source_id, source_created_on, source_retry_count)
    VALUES ('platform.forget-spent.dead', '{}', 'platform.forget-spent', gen_random_uuid(), now(), 2)`
  await earlier.stop(1_000)
  expect(await listQueues()).toContain('platform.forget-spent.dead')
  const servers = await Promise.all([openQueue(database, log), openQueue(database, log)])
  expect((await listQueues()).filter((name) => /forget|other/.test(name))).toEqual(['test.other', 'test.other.dead'])
  expect([...(await database.sql`SELECT DISTINCT name FROM pgboss.job WHERE name ~ 'forget|other'`)]).toEqual([
    { name: 'test.other' },
  ])
  await Promise.all(servers.map((each) => each.stop(1_000)))
  await database.close()
  await fresh.drop()
})
