import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase, transact, type DatabaseHandle } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { insertUsage, type UsageRow } from '../../src/gateway/usage/insert.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { usageRow } from './usage-row.ts'

let fresh: TestDatabase
let database: DatabaseHandle
const organizationId = newId()

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 6)
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

const row = (requestId: string, more: Partial<UsageRow> = {}) => usageRow({ organizationId, requestId, ...more })
const insert = (rows: UsageRow[]) => transact(database.db, (tx) => insertUsage(tx, rows))
const ids = (rows: UsageRow[]) => rows.map(({ requestId }) => requestId)

async function totals() {
  const [raw] = await database.sql`
    SELECT count(*)::int AS count, sum(cost_nano_usd)::text AS cost, sum(quantity)::text AS quantity FROM gateway.usage_logs`
  const [daily] = await database.sql`
    SELECT sum(count)::int AS count, sum(cost_nano_usd)::text AS cost, sum(quantity)::text AS quantity FROM gateway.usage_daily`
  return { raw: { ...raw }, daily: { ...daily } }
}

test('GTW-30 a request ID counts once, whatever the day, within a batch and across batches; another payload is a conflict', async () => {
  const occurredAt = new Date()
  const first = await insert([row('a', { occurredAt }), row('b', { occurredAt }), row('a', { occurredAt })])
  expect([ids(first.inserted), ids(first.duplicates), ids(first.conflicts)]).toEqual([['a', 'b'], ['a'], []])
  const again = await insert([
    row('b', { occurredAt, apiKeyId: newId() }),
    row('a', { occurredAt, costNanoUsd: 1n }),
    row('a', { occurredAt: new Date(occurredAt.getTime() - 86_400_000) }),
    row('c', { occurredAt, family: 'ai', quantity: 0.25, costNanoUsd: 5n, details: { latencyMs: 12, streamed: true } }),
  ])
  expect([ids(again.inserted), ids(again.duplicates), ids(again.conflicts)]).toEqual([['c'], ['b'], ['a', 'a']])
  const other = await insert([row('a', { occurredAt, organizationId: newId() })])
  expect(ids(other.inserted)).toEqual(['a'])
  const { raw, daily } = await totals()
  expect(raw).toEqual({ count: 4, cost: '3605', quantity: '3.25' })
  expect(daily).toEqual(raw)
})

test('GTW-31 concurrent batches with the same keys in any order neither deadlock nor lose or repeat rows', async () => {
  const before = (await totals()).raw
  const occurredAt = new Date(Date.now() - 3 * 86_400_000)
  const rows = Array.from({ length: 60 }, (_, at) => row(`same-${at}`, { occurredAt, provider: `provider-${at % 7}` }))
  const shuffled = Array.from({ length: 8 }, (_, at) => (at % 2 ? rows : rows.toReversed()))
  const results = await Promise.all(shuffled.map((each) => insert(each.map((one) => ({ ...one, id: newId() })))))
  expect(results.flatMap(({ inserted }) => ids(inserted)).toSorted()).toEqual(ids(rows).toSorted())
  expect(results.flatMap(({ conflicts }) => conflicts)).toEqual([])
  const { raw, daily } = await totals()
  expect(Number(raw['count'])).toBe(Number(before['count']) + 60)
  expect(daily).toEqual(raw)
})
