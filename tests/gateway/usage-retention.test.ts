import { afterAll, beforeAll, expect, test } from 'bun:test'
import { maintainUsage } from '../../src/gateway/usage/jobs.ts'
import { openWorld, type World } from '../support/world.ts'
import { usageRow } from './usage-row.ts'

let world: World
let organizationId: string
const dayMs = 24 * 60 * 60 * 1000

beforeAll(async () => {
  world = await openWorld({ env: { USAGE_RAW_DAYS: '7' } })
  organizationId = world.ada.things.organizations
})
afterAll(() => world.close())

const partitions = async () => {
  const rows = await world.database.sql<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'gateway.usage_logs'::regclass ORDER BY 1`
  return rows.map(({ name }) => name)
}
const partitionOf = (at: Date) => `usage_logs_${at.toISOString().slice(0, 10).replaceAll('-', '')}`
const maintain = (at: Date) =>
  maintainUsage.run({ ...world.provided, input: {}, database: world.database, now: () => at })

test('GTW-31 records and request IDs don’t grow without bound: a day is dropped as a whole, its total stays', async () => {
  const today = new Date()
  const rows = [0, 1, 2].flatMap((daysAgo) =>
    [1, 2].map((at) =>
      usageRow({
        organizationId,
        requestId: `${daysAgo}-${at}`,
        occurredAt: new Date(today.getTime() - daysAgo * dayMs),
      }),
    ),
  )
  await world.provided.ledger.commit(rows, { durable: false })
  await maintain(today)
  const days = [-2, -1, 0, 1, 2, 3].map((offset) => partitionOf(new Date(today.getTime() + offset * dayMs)))
  expect(await partitions()).toEqual(days)
  // Seven days are kept, and the one before, whose last events are just as old.
  await maintain(new Date(today.getTime() + 7 * dayMs))
  const left = (await partitions()).filter((name) => days.includes(name))
  expect(left).toEqual(days.slice(1))
  await maintain(new Date(today.getTime() + 10 * dayMs))
  const { sql } = world.database
  const [counts] = await sql`
    SELECT (SELECT count(*)::int FROM gateway.usage_logs) AS rows, (SELECT count(*)::int FROM gateway.usage_dedupe) AS ids,
      (SELECT sum(count)::int FROM gateway.usage_daily WHERE day > CURRENT_DATE - 30) AS daily`
  expect(counts).toMatchObject({ rows: 0, ids: 0, daily: 6 })
  expect((await partitions()).includes(days[2] ?? '')).toBe(false)
})

test('GTW-30 an event of a day that is dropped can’t be counted again', async () => {
  const event = { requestId: '2-1', family: 'requests', provider: 'localization-api', unit: 'request', quantity: 1 }
  const occurredAt = new Date(Date.now() - 7 * dayMs - 60_000).toISOString()
  const receipt = await world.ada.fetchJson('POST /platform/usage/events', { ...event, occurredAt }, 202)
  expect(receipt).toMatchObject({ accepted: 0, rejected: [{ code: 'too_old' }] })
  const inTime = new Date(Date.now() - 7 * dayMs + 60_000).toISOString()
  expect(await world.ada.fetchJson('POST /platform/usage/events', { ...event, occurredAt: inTime }, 202)).toMatchObject(
    {
      accepted: 1,
    },
  )
})

test('GTW-31 a record takes less than 600 bytes with its indexes', async () => {
  const count = 5_000
  const occurredAt = new Date()
  const rows = Array.from({ length: count }, (_, at) =>
    usageRow({
      organizationId,
      occurredAt,
      family: 'ai',
      provider: 'openai',
      model: 'gpt-4o',
      metadata: { brand: `b${at % 9}` },
    }),
  )
  await world.provided.ledger.commit(rows, { durable: false })
  const [size] = await world.database.sql<{ bytes: number }[]>`
    SELECT (pg_total_relation_size(${`gateway.${partitionOf(occurredAt)}`}::regclass)
      + pg_total_relation_size('gateway.usage_dedupe'))::int AS bytes`
  expect(Number(size?.bytes) / count).toBeLessThan(600)
})
