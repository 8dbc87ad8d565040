import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { createLog } from '#lib/log.ts'
import { openQueue, type Queue } from '#lib/queue.ts'
import { enqueueReviewActions, updateReviewActions } from '../../src/social/review/actions.ts'
import { enqueueRecheck, recheckReviews } from '../../src/social/review/recheck.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'

let fresh: TestDatabase
let database: DatabaseHandle
let queue: Queue

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 4)
  queue = await openQueue(database, createLog('silent'))
})

afterAll(async () => {
  await queue.stop(1_000)
  await database.close()
  await fresh.drop()
})

const listWaiting = async (name: string) => {
  const rows = await database.sql<{ brand: string; group: string }[]>`
    SELECT data ->> 'brandId' AS brand, group_id AS group FROM pgboss.job WHERE name = ${name} AND state = 'created'`
  return rows.map(({ brand, group }) => ({ brand, group }))
}

test('SOC-32 one job per brand waits after several changes of reviews and policies, in a group of the brand', async () => {
  const [one, two] = [newId(), newId()]
  for (const brandId of [one, one, two, one]) {
    await database.transaction((tx) => enqueueReviewActions(tx, { queue }, brandId))
    await database.transaction((tx) => enqueueRecheck(tx, { queue }, brandId))
  }
  const each = [one, two].map((brand) => ({ brand, group: brand }))
  for (const { name } of [updateReviewActions, recheckReviews])
    expect((await listWaiting(name)).toSorted((a, b) => a.brand.localeCompare(b.brand))).toEqual(
      each.toSorted((a, b) => a.brand.localeCompare(b.brand)),
    )
})

test('SOC-32 change of a review doesn’t wait for the transaction of another one', async () => {
  const brandId = newId()
  await database.transaction(async (tx) => {
    await enqueueReviewActions(tx, { queue }, brandId)
    await database.transaction((other) => enqueueReviewActions(other, { queue }, brandId))
  })
  expect((await listWaiting(updateReviewActions.name)).filter(({ brand }) => brand === brandId)).toHaveLength(2)
})
