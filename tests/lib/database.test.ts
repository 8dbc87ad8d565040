import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { integer, pgTable } from 'drizzle-orm/pg-core'
import postgres from 'postgres'
import { afterCommit, openDatabase, prepared, transact, type Database, type DatabaseHandle } from '#lib/db.ts'
import { refuseOutsideCall, reportOutsideCalls } from '#lib/outside-calls.ts'
import { createOutbound } from '#lib/outbound.ts'
import { databaseAway, transactionConflict } from '#lib/postgres/faults.ts'
import { directAddress, endpointsOf, noLimits, openPool, requestLimits } from '#lib/postgres/pool.ts'
import { warnWithoutLimits } from '#lib/postgres/pooler-limits.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { scaleTime } from '../support/time-scale.ts'
import { openFaultProxy, type FaultProxy } from '../support/fault-proxy.ts'

let fresh: TestDatabase
let proxy: FaultProxy
let database: DatabaseHandle

beforeAll(async () => {
  fresh = await freshDatabase()
  proxy = await openFaultProxy(fresh.url)
  database = openDatabase(fresh.url, 4)
  await database.sql`CREATE TABLE counters (name text PRIMARY KEY, value int NOT NULL)`
  await database.sql`INSERT INTO counters VALUES ('a', 0), ('b', 0)`
})
afterAll(async () => {
  await database.close()
  await proxy.stop()
  await fresh.drop()
})

const add = (db: Database, name: string) => db.execute(sql`UPDATE counters SET value = value + 1 WHERE name = ${name}`)
const values = async () => [...(await database.sql`SELECT value FROM counters ORDER BY name`.values())].flat()
const seconds = async (act: Promise<unknown>) => {
  const began = performance.now()
  await act
  return (performance.now() - began) / 1000
}

test('PLT-31 transaction is retried after a deadlock, and its hooks run once', async () => {
  const before = await values()
  const bothHold = Promise.withResolvers<void>()
  let holding = 0
  let runs = 0
  let lost = 0
  let hooks = 0
  const take = (first: string, second: string) =>
    database.transaction(async (tx) => {
      runs += 1
      afterCommit(tx, async () => void hooks++)
      await add(tx, first)
      if (++holding === 2) bothHold.resolve()
      await bothHold.promise
      await add(tx, second).catch((error: unknown) => {
        if (transactionConflict(error)) lost += 1
        throw error
      })
    })
  await Promise.all([take('a', 'b'), take('b', 'a')])
  expect(await values()).toEqual(before.map((value) => value + 2))
  expect(lost).toBeGreaterThan(0)
  expect([runs, hooks]).toEqual([2 + lost, 2])
})

test('PLT-31 serialization failure is retried twice and then thrown', async () => {
  let runs = 0
  const failing = database.transaction(async (tx) => {
    runs += 1
    await tx.execute(sql`DO $$ BEGIN RAISE EXCEPTION 'concurrent' USING ERRCODE = '40001'; END $$`)
  })
  await expect(failing).rejects.toThrow()
  expect(runs).toBe(3)
})

test('PLT-31 hooks of a nested step run after the outer commit', async () => {
  const order: string[] = []
  await database.transaction(async (tx) => {
    await transact(tx, async (step) => {
      afterCommit(step, async () => void order.push('hook'))
      await add(step, 'a')
    })
    order.push('inside')
  })
  expect(order).toEqual(['inside', 'hook'])
})

test('PLT-23 handle of a finished transaction is rejected, and can’t read data of another transaction', async () => {
  const kept: Database[] = []
  await database.transaction(async (tx) => void kept.push(tx))
  await database.transaction(async () => Promise.reject(new Error('undone'))).catch(() => {})
  await database
    .transaction(async (tx) => {
      kept.push(tx)
      await transact(tx, async (step) => void kept.push(step))
      throw new Error('undone')
    })
    .catch(() => {})
  expect(kept).toHaveLength(3)
  for (const tx of kept) {
    const read = tx.execute(sql`SELECT 1`).catch((error: Error) => String(error.cause))
    expect(await read).toContain('this transaction is over')
  }
})

test('outside call is rejected in an open transaction and allowed after its commit', async () => {
  // A server of another file can have replaced it.
  reportOutsideCalls(refuseOutsideCall)
  const outbound = createOutbound({ allowPrivate: true })
  const server = Bun.serve({ port: 0, fetch: () => new Response('here') })
  const call = () => outbound.fetch(server.url)
  await expect(database.transaction(call)).rejects.toThrow('while a transaction was open')
  const answers: string[] = []
  await database.transaction(async (tx) => {
    afterCommit(tx, async () => void answers.push(await (await call()).text()))
  })
  expect(answers).toEqual(['here'])
  await server.stop(true)
})

test('PLT-31 statement over its time limit is canceled, and counts as an unavailable database', async () => {
  const quick = openPool(endpointsOf(directAddress(fresh.url)).direct, {
    connections: 1,
    limits: { ...requestLimits, statementMs: 200 },
  })
  const error = await quick.sql`SELECT pg_sleep(20)`.catch((cause: unknown) => cause)
  expect(databaseAway(error)).toBe(true)
  await quick.close()
  const slow = openPool(endpointsOf(directAddress(fresh.url)).direct, { connections: 1, limits: noLimits })
  expect([...(await slow.sql`SHOW statement_timeout`)]).toEqual([{ statement_timeout: '0' }])
  await slow.close()
})

test('PLT-31 request is rejected when no connection becomes free within the limit', async () => {
  const small = openDatabase(fresh.url, 1)
  const release = Promise.withResolvers<void>()
  const holding = small.transaction(() => release.promise)
  const waiting = small.db.execute(sql`SELECT 1`).catch((error: unknown) => error)
  const error = await waiting
  expect([databaseAway(error), String(error)]).toEqual([true, expect.stringContaining('Failed query')])
  release.resolve()
  await holding
  expect([...(await small.db.execute(sql`SELECT 1 AS one`))]).toEqual([{ one: 1 }])
  await small.close()
})

test('PLT-31 silently lost connections are detected and all replaced at the same time', async () => {
  const through = openDatabase(proxy.url, 4)
  const read = () => through.db.execute(sql`SELECT 1`)
  await Promise.all([1, 2, 3, 4].map(() => through.db.execute(sql`SELECT pg_sleep(0.1)`)))
  proxy.blackholeOpen()
  const lost = Promise.all([1, 2].map(() => read().catch((error: unknown) => error)))
  const took = await seconds(lost)
  expect((await lost).map(databaseAway)).toEqual([true, true])
  expect(took).toBeLessThan(scaleTime(20))
  // The two unused ones were replaced as well: none of these statements gets a dead connection.
  expect(await seconds(Promise.all([1, 2, 3, 4].map(read)))).toBeLessThan(scaleTime(3))
  await through.close()
})

test('PLT-31 locks of a transaction with a silently lost connection are released', async () => {
  const limits = { ...requestLimits, idleInTransactionMs: 0 }
  const through = openDatabase(proxy.url, 2, limits)
  await through.db.execute(sql`CREATE TABLE held (id int)`)
  await through.db.execute(sql`INSERT INTO held VALUES (1)`)
  const lost = through.transaction(async (tx) => {
    await tx.execute(sql`UPDATE held SET id = 2`)
    proxy.blackholeOpen()
    await tx.execute(sql`UPDATE held SET id = 3`)
  })
  const other = openDatabase(fresh.url, 1, { ...limits, lockMs: scaleTime(20_000) })
  const waiting = other.db.execute(sql`UPDATE held SET id = 4`)
  expect(databaseAway(await lost.catch((error: unknown) => error))).toBe(true)
  await waiting
  await Promise.all([through.close(), other.close()])
})

test('PLT-31 silent statement is not canceled while the database is executing it', async () => {
  const through = openDatabase(proxy.url, 2)
  await through.db.execute(sql`SELECT pg_sleep(7)`)
  await through.close()
})

test('PLT-37 missing limits of a pooled connection are logged with instructions, and nothing is logged when all are set', async () => {
  const reported: unknown[] = []
  const log = {
    warn: (message: string, facts?: Record<string, unknown>) => void reported.push([message, facts?.['missing']]),
  }
  const bare = postgres(fresh.url, { max: 1, connection: { lock_timeout: 5_000 } })
  const limited = openPool({ url: fresh.url, prepare: true, pooled: false }, { connections: 1, limits: requestLimits })
  await warnWithoutLimits(bare, log)
  await warnWithoutLimits(limited.sql, log)
  await Promise.all([bare.end(), limited.close()])
  expect(reported).toEqual([
    ['database role has no time limits', 'idle_in_transaction_session_timeout, statement_timeout'],
  ])
})

test('only so many statements are prepared, and further ones give the same result', async () => {
  const own = openDatabase(fresh.url, 1)
  const counters = pgTable('counters', { value: integer() })
  const read = (nth: number) =>
    prepared(own.db, `nth_${nth}`, () =>
      own.db
        .select()
        .from(counters)
        .orderBy(sql.raw(`value + ${nth}`))
        .limit(2),
    )
  for (let nth = 0; nth < 300; nth++) expect(await read(nth).execute()).toHaveLength(2)
  const [row] = await own.db.execute(sql`SELECT count(*)::int AS count FROM pg_prepared_statements`)
  expect(Number(row?.['count'])).toBeWithin(200, 270)
  await own.close()
})
