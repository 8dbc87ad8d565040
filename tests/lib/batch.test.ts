import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createBatchWriter } from '#lib/batch.ts'
import { markTransaction, requireNoTransaction } from '#lib/outside-calls.ts'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { emptyDatabase, type TestDatabase } from '../support/database.ts'

let own: TestDatabase
let database: DatabaseHandle
beforeAll(async () => {
  own = await emptyDatabase()
  database = openDatabase(own.url, 2)
  await database.sql`CREATE TABLE seen (nth int PRIMARY KEY)`
})
afterAll(async () => {
  await database.close()
  await own.drop()
})

/** Number of rows of each statement. */
function openWriter(limits: { maxRows?: number; maxWaiting?: number; gatherMs?: number } = {}) {
  const statements: number[] = []
  const writer = createBatchWriter<number>({
    gatherMs: 5,
    maxRows: 500,
    maxWaiting: 10_000,
    ...limits,
    write: async (rows) => {
      statements.push(rows.length)
      await database.sql`INSERT INTO seen SELECT unnest(string_to_array(${rows.join()}, ',')::int[])`
    },
  })
  return { writer, statements }
}

const stored = async (from: number, count: number): Promise<number> =>
  (await database.sql`SELECT FROM seen WHERE nth >= ${from} AND nth < ${from + count}`).length

test('rows of concurrent callers are written in few statements, and each caller waits for its own row', async () => {
  const { writer, statements } = openWriter()
  await Promise.all(Array.from({ length: 2000 }, (_, nth) => writer.add(nth)))
  expect(await stored(0, 2000)).toBe(2000)
  expect(statements.length).toBeLessThanOrEqual(5)
  expect(Math.max(...statements)).toBeLessThanOrEqual(500)
})

test('a failed statement rejects only the callers of its rows, and later rows are written', async () => {
  const { writer } = openWriter({ maxRows: 2 })
  await writer.add(10_000)
  const outcomes = await Promise.allSettled([10_001, 10_000, 10_002, 10_003].map((nth) => writer.add(nth)))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled'])
  expect(await stored(10_000, 10)).toBe(3)
})

test('rows beyond the limit are rejected with 503, and accepted once there is room', async () => {
  const { writer } = openWriter({ maxWaiting: 3, gatherMs: 60_000 })
  const taken = [20_000, 20_001, 20_002].map((nth) => writer.add(nth))
  await expect(writer.add(20_003)).rejects.toMatchObject({ status: 503, code: 'busy' })
  await writer.flush()
  await Promise.all(taken)
  const next = writer.add(20_003)
  await writer.flush()
  await next
  expect(await stored(20_000, 10)).toBe(4)
})

test('rows of the running statement count as waiting', async () => {
  const first = Promise.withResolvers<void>()
  const writer = createBatchWriter<number>({ gatherMs: 0, maxRows: 2, maxWaiting: 3, write: () => first.promise })
  const taken = [1, 2, 3].map((row) => writer.add(row))
  const refused = writer.add(4).catch((error: unknown) => error)
  first.resolve()
  await Promise.all(taken)
  expect(await refused).toMatchObject({ status: 503, code: 'busy' })
})

test('rows added while a statement runs go into the next one, in order', async () => {
  const written: number[][] = []
  const first = Promise.withResolvers<void>()
  const writer = createBatchWriter<number>({
    gatherMs: 0,
    maxRows: 3,
    maxWaiting: 100,
    write: async (rows) => {
      written.push([...rows])
      if (written.length === 1) await first.promise
    },
  })
  const adding = [1, 2, 3, 4, 5].map((row) => writer.add(row))
  expect(written).toEqual([[1, 2, 3]])
  adding.push(writer.add(6), writer.add(7))
  first.resolve()
  await Promise.all(adding)
  expect(written).toEqual([[1, 2, 3], [4, 5, 6], [7]])
  await writer.flush()
  await writer.add(8)
  expect(written.at(-1)).toEqual([8])
})

test('a batch is written outside the transactions of the callers of add', async () => {
  const writer = (most: number) =>
    createBatchWriter<number>({
      gatherMs: 1,
      maxRows: most,
      maxWaiting: 10,
      write: async () => requireNoTransaction('A batch'),
    })
  // One by size, one by time, one by flush.
  for (const { add, flush } of [writer(1), writer(2)]) await markTransaction(() => Promise.all([add(1), flush()]))
  await markTransaction(() => writer(2).add(1))
})
