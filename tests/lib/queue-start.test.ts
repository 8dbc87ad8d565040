import { expect, spyOn, test } from 'bun:test'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
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
