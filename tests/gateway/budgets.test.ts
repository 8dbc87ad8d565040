import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { addLimit, holdOf, openReplica, requestOf, rowOf, type Replica } from './books.ts'

let fresh: TestDatabase
let database: DatabaseHandle
let one: Replica
let two: Replica

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 6)
  one = await openReplica(fresh.url)
  two = await openReplica(fresh.url)
})
afterAll(async () => {
  await one.close()
  await two.close()
  await database.close()
  await fresh.drop()
})

const periodOf = async (limitId: string) => {
  const [row] = await database.sql`
    SELECT spent_nano_usd AS spent, leased_nano_usd AS leased FROM gateway.budget_periods WHERE limit_id = ${limitId}`
  return { spent: Number(row?.['spent'] ?? 0), leased: Number(row?.['leased'] ?? 0) }
}

test('GTW-33 a hold counts at every scope, and settling counts its cost and releases the rest', async () => {
  const organizationId = newId()
  const organization = await addLimit(database, {
    organizationId,
    scopeType: 'organization',
    scopeValue: organizationId,
  })
  const application = await addLimit(database, { organizationId, scopeType: 'application', scopeValue: 'mail' })
  const hold = await holdOf(one.book, requestOf({ organizationId, applicationId: 'mail', mostNanoUsd: 5_000n }))
  expect(hold.grantedNanoUsd).toBe(5_000n)
  await one.book.settle(hold, [rowOf(hold, 1_234n)])
  expect((await periodOf(organization.id)).spent).toBe(1_234)
  expect((await periodOf(application.id)).spent).toBe(1_234)
})

test('GTW-33 one scope without budget takes nothing from the others', async () => {
  const organizationId = newId()
  const wide = await addLimit(database, { organizationId, scopeType: 'organization', scopeValue: organizationId })
  await addLimit(database, { organizationId, scopeType: 'application', scopeValue: 'mail', limitNanoUsd: 10n })
  const result = await one.book.hold(requestOf({ organizationId, applicationId: 'mail' }))
  expect(result.held).toBe(false)
  const next = await holdOf(two.book, requestOf({ organizationId, mostNanoUsd: 1_000_000n, leastNanoUsd: 1_000_000n }))
  expect(next.grantedNanoUsd).toBe(1_000_000n)
  await two.book.settle(next, [])
  expect((await periodOf(wide.id)).spent).toBe(0)
})
