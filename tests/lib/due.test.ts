import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { claimDue, nextDue, renewLeases } from '#lib/due.ts'
import { newId } from '#lib/ids.ts'
import { emptyDatabase, type TestDatabase } from '../support/database.ts'

/** A report that each tenant gets by its own clock. */
const reports = pgTable('reports', {
  id: uuid().primaryKey(),
  tenant: text(),
  state: text(),
  due_at: timestamp(),
  lease_owner: uuid(),
})
const due = { table: reports, only: sql`state = 'active'` }

let own: TestDatabase
let database: DatabaseHandle
beforeAll(async () => {
  own = await emptyDatabase()
  database = openDatabase(own.url, 4)
  await database.sql`
    CREATE TABLE reports (id uuid PRIMARY KEY, tenant text, state text, due_at timestamptz NOT NULL, lease_owner uuid)`
})
afterAll(async () => {
  await database.close()
  await own.drop()
})
beforeEach(async () => void (await database.sql`TRUNCATE reports`))

async function add(inSeconds: number, state = 'active'): Promise<string> {
  const id = newId()
  await database.sql`
    INSERT INTO reports VALUES (${id}, 'acme', ${state}, now() + ${inSeconds} * interval '1 second', NULL)`
  return id
}

const claim = (owner: string, limit = 100, leaseMs = 60_000) => claimDue(database.db, { ...due, owner, limit, leaseMs })
const makeDue = () => database.sql`UPDATE reports SET due_at = now() - interval '1 second'`

test('PLT-31 due rows are claimed oldest first, without inactive rows and those due later', async () => {
  const [late, later, latest] = [await add(-1), await add(-60), await add(-30)]
  await add(60)
  await add(-60, 'paused')
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
  await add(5, 'paused')
  await add(30)
  const { dueAt, now } = await nextDue(database.db, due)
  expect((dueAt ?? 0) - now).toBeWithin(20_000, 30_001)
})
