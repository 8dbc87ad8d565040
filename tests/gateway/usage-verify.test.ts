import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { openWorld, type World } from '../support/world.ts'
import { usageRow } from './usage-row.ts'

let world: World
let organizationId: string
const dayMs = 24 * 60 * 60 * 1000
const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10)

beforeAll(async () => {
  world = await openWorld()
  organizationId = world.ada.things.organizations
})
afterAll(() => world.close())

test('GTW-31 a dedupe key without a row, a changed daily total and a changed counter don’t go unnoticed', async () => {
  const { sql } = world.database
  const limitId = newId()
  await sql`
    INSERT INTO gateway.limits (id, organization_id, scope_type, scope_value, period, mode, limit_nano_usd, created_by, counts_from)
    VALUES (${limitId}, ${organizationId}, 'application', 'mail', 'day', 'observe', 1000, ${world.ada.id}, to_timestamp(0))`
  const rows = [1, 2, 3].map((daysAgo) =>
    usageRow({
      organizationId,
      costNanoUsd: 7n,
      occurredAt: new Date(Date.now() - daysAgo * dayMs),
      requestId: `v-${daysAgo}`,
    }),
  )
  await world.provided.ledger.commit([...rows, usageRow({ costNanoUsd: 1n })], { durable: true })
  const three = { count: 3, costNanoUsd: 21 }
  const whole = { agrees: true, rows: 3, raw: three, daily: three, differences: [] }
  // The test world has a limit, too.
  const budgets = { count: expect.any(Number), costNanoUsd: 21 }
  expect(await world.vera.fetchJson('GET /api/usage/verify')).toEqual({
    ...whole,
    budgets,
    writtenOffNanoUsd: 0,
    from: dayOf(29),
    to: dayOf(0),
  })
  expect(await world.root.fetchJson('GET /api/usage/verify?organizationId=all')).toMatchObject({
    agrees: true,
    rows: 4,
  })

  await sql`UPDATE gateway.usage_daily SET cost_nano_usd = 8 WHERE day = ${dayOf(1)} AND organization_id = ${organizationId}`
  await sql`DELETE FROM gateway.usage_logs WHERE request_id = 'v-2'`
  await sql`UPDATE gateway.budget_periods SET spent_nano_usd = 70 WHERE limit_id = ${limitId} AND period_start = ${dayOf(3)}::date`
  const { agrees, differences } = await world.ada.fetchJson<{
    agrees: boolean
    differences: Record<string, unknown>[]
  }>('GET /api/usage/verify')
  expect(agrees).toBe(false)
  const found = differences.map(({ kind, day, provider, limitId: id, expected, stored }) => ({
    kind,
    day,
    provider,
    id,
    expected,
    stored,
  }))
  const sum = (count: number, costNanoUsd: number) => ({ count, costNanoUsd })
  const provider = 'localization-api'
  expect(found).toContainEqual({
    kind: 'daily',
    day: dayOf(1),
    provider,
    id: null,
    expected: sum(1, 7),
    stored: sum(1, 8),
  })
  expect(found).toContainEqual({
    kind: 'daily',
    day: dayOf(2),
    provider,
    id: null,
    expected: sum(0, 0),
    stored: sum(1, 7),
  })
  expect(found).toContainEqual({
    kind: 'request_ids',
    day: dayOf(2),
    provider: null,
    id: null,
    expected: sum(0, 0),
    stored: sum(1, 0),
  })
  expect(found).toContainEqual({
    kind: 'budget',
    day: null,
    provider: null,
    id: limitId,
    expected: sum(1, 7),
    stored: sum(1, 70),
  })
  expect(found).toHaveLength(5)
})

test('GTW-36 telemetry shows latency, errors, fallbacks and cost by provider, model and hour', async () => {
  const occurredAt = new Date()
  const call = (latencyMs: number, more: object = {}) =>
    usageRow({
      organizationId,
      family: 'ai',
      provider: 'openai',
      model: 'gpt-x',
      costNanoUsd: 10n,
      occurredAt,
      details: { latencyMs, status: 200, inputTokens: 5, outputTokens: 2, streamed: true, ...more },
    })
  const failed = call(400, { status: 503, errorCode: 'overloaded', inputTokens: 0, outputTokens: 0, streamed: false })
  const rows = [call(100), call(200, { fallbacks: 1 }), call(300), { ...failed, costNanoUsd: 0n }]
  await world.provided.ledger.commit([...rows, usageRow({ organizationId })], { durable: false })
  const counts = { calls: 4, errors: 1, errorRate: 0.25, fallbacks: 1, fallbackRate: 0.25, streamed: 3 }
  const totals = { ...counts, inputTokens: 15, outputTokens: 6, costNanoUsd: 30, firstByteMs: null }
  const latencyMs = { p50: 250, p95: expect.closeTo(385, 0), p99: expect.closeTo(397, 0) }
  expect(await world.vera.fetchJson('GET /api/telemetry')).toEqual({
    items: [{ provider: 'openai', model: 'gpt-x', ...totals, latencyMs }],
    nextCursor: null,
  })
  const { items } = await world.ada.fetchJson<{ items: object[] }>(
    'GET /api/telemetry?groupBy=hour,status&provider=openai',
  )
  const hour = `${occurredAt.toISOString().slice(0, 13)}:00:00Z`
  expect(items).toMatchObject([
    { hour, status: '200', calls: 3, errors: 0 },
    { hour, status: '503', calls: 1, errors: 1 },
  ])
  expect(await world.mallory.fetchJson('GET /api/telemetry')).toEqual({ items: [], nextCursor: null })
})

test('GTW-35 days far off their weekday’s history are listed as anomalies', async () => {
  const { sql } = world.database
  for (let daysAgo = 1; daysAgo <= 50; daysAgo++)
    await sql`
      INSERT INTO gateway.usage_daily (organization_id, day, family, provider, unit, count, quantity, cost_nano_usd)
      VALUES (${organizationId}, ${dayOf(daysAgo)}, 'email', 'smtp', 'message', 1, 1, ${daysAgo === 4 ? 9_000_000_000 : 1_000_000_000})`
  const { items } = await world.ada.fetchJson<{ items: object[] }>('GET /api/usage/anomalies?family=email')
  const [expectedNanoUsd, costNanoUsd] = [1_000_000_000, 9_000_000_000]
  expect(items).toEqual([{ day: dayOf(4), costNanoUsd, expectedNanoUsd, direction: 'above' }])
})
