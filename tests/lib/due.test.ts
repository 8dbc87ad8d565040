import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { pgSchema, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { claimDue, nextDue, renewLeases } from '#lib/db/due.ts'
import { newId } from '#lib/ids.ts'
import { eventually } from '../boot/program.ts'
import { emptyDatabase, type TestDatabase } from '../support/database.ts'

/** A report that each tenant gets on its own schedule. */
const reports = pgSchema('later').table('reports', {
  id: uuid().primaryKey(),
  tenant: text(),
  state: text(),
  due_at: timestamp(),
  lease_owner: uuid(),
})
const due = { table: reports, only: sql`${reports.state} = 'active'` }
const Report = z.object({ id: z.string(), tenant: z.string() })

let own: TestDatabase
let database: DatabaseHandle
beforeAll(async () => {
  own = await emptyDatabase()
  database = openDatabase(own.url, 4)
  await database.sql`CREATE SCHEMA later`
  await database.sql`
    CREATE TABLE later.reports (id uuid PRIMARY KEY, tenant text, state text, due_at timestamptz NOT NULL, lease_owner uuid)`
})
afterAll(async () => {
  await database.close()
  await own.drop()
})
beforeEach(async () => void (await database.sql`TRUNCATE later.reports`))

async function add(inSeconds: number, { state = 'active', tenant = 'acme' } = {}): Promise<string> {
  const id = newId()
  await database.sql`
    INSERT INTO later.reports VALUES (${id}, ${tenant}, ${state}, now() + ${inSeconds} * interval '1 second', NULL)`
  return id
}

const terms = { ...due, row: Report, leaseMs: 60_000, limit: 100 }
const claim = async (owner: string, limit = 100) =>
  (await claimDue(database.db, { ...terms, owner, limit })).map(({ id }) => id)
const makeDue = () => database.sql`UPDATE later.reports SET due_at = now() - interval '1 second'`

test('PLT-31 due rows are claimed oldest first, excluding inactive rows and rows due later', async () => {
  const [late, later, latest] = [await add(-1), await add(-60), await add(-30)]
  await add(60)
  await add(-60, { state: 'paused' })
  expect((await claim(newId(), 2)).toSorted()).toEqual([later, latest].toSorted())
  expect(await claim(newId())).toEqual([late])
  expect(await claim(newId())).toEqual([])
})

test('PLT-31 servers that claim at the same time get different rows', async () => {
  const ids = await Promise.all(Array.from({ length: 60 }, () => add(-5)))
  const claims: string[] = []
  while (claims.length < ids.length)
    claims.push(...(await Promise.all(Array.from({ length: 4 }, () => claim(newId(), 7)))).flat())
  expect(claims.toSorted()).toEqual(ids.toSorted())
})

/** The oldest due report of each tenant, and how many are due there. */
const Turn = z.object({ id: z.string(), tenant: z.string(), waiting: z.number() })
const firstOfTenants = sql`
  SELECT DISTINCT ON (tenant) id, tenant, state, due_at, count(*) OVER (PARTITION BY tenant)::int AS waiting
  FROM ${reports} WHERE due_at <= now() ORDER BY tenant, due_at`
const claimTurns = (owner: string, limit = 100) =>
  claimDue(database.db, { ...terms, row: Turn, candidates: firstOfTenants, owner, limit })

test('PLT-31 with candidates, only due rows among them are claimed, oldest first, and their columns are returned', async () => {
  const [first] = [await add(-60), await add(-30)]
  const other = await add(-90, { tenant: 'globex' })
  await add(-120, { tenant: 'initech', state: 'paused' })
  expect(await claimTurns(newId(), 1)).toEqual([{ id: other, tenant: 'globex', waiting: 1 }])
  expect(await claimTurns(newId())).toEqual([{ id: first, tenant: 'acme', waiting: 2 }])
})

test('PLT-31 a row that another server claims while a claim selects its candidates is claimed once', async () => {
  const [taken, left] = [await add(-60), await add(-40)]
  const candidates = sql`SELECT id, tenant FROM ${reports}, (SELECT pg_advisory_xact_lock(31)) AS wait WHERE due_at <= now()`
  const selecting = () => database.sql`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  const second = await database.transaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(31)`)
    const claiming = claimDue(database.db, { ...terms, candidates, owner: newId() })
    expect(await eventually(async () => (await selecting()).length > 0)).toBe(true)
    expect(await claim(newId(), 1)).toEqual([taken])
    return { claiming }
  })
  expect(await second.claiming).toEqual([{ id: left, tenant: 'acme' }])
})

test('PLT-31 rows of a dead server come due again, and its lease can’t be renewed', async () => {
  const id = await add(-5)
  const [dead, living] = [newId(), newId()]
  expect(await claim(dead)).toEqual([id])
  const renew = (owner: string) => renewLeases(database.db, { ...due, owner, leaseMs: 60_000, ids: [id] })
  expect(await renew(dead)).toEqual(new Set([id]))
  expect(await claim(living)).toEqual([])
  await makeDue()
  expect(await claim(living)).toEqual([id])
  expect(await renew(dead)).toEqual(new Set())
  expect(await renew(living)).toEqual(new Set([id]))
})

test('PLT-31 the next due time is exact, by the database’s clock', async () => {
  expect((await nextDue(database.db, due)).dueAt).toBeNull()
  await add(-10)
  await add(5, { state: 'paused' })
  await add(30)
  const { dueAt, now } = await nextDue(database.db, due)
  expect((dueAt ?? 0) - now).toBeWithin(20_000, 30_001)
})
