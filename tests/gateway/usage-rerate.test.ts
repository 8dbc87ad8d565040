import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { openWorld, type World } from '../support/world.ts'
import { usageRow } from './usage-row.ts'

let world: World
let organizationId: string
const dayMs = 24 * 60 * 60 * 1000
const ago = (days: number) => new Date(Date.now() - days * dayMs)
const dayOf = (daysAgo: number) => ago(daysAgo).toISOString().slice(0, 10)
const limits = { open: newId(), closed: newId(), hard: newId() }

beforeAll(async () => {
  world = await openWorld()
  organizationId = world.ada.things.organizations
  const { sql } = world.database
  for (const [id, period, mode, scope] of [
    [limits.open, 'total', 'soft', 'open'],
    [limits.closed, 'day', 'soft', 'closed'],
    [limits.hard, 'total', 'hard', 'hard'],
  ] as const)
    await sql`
      INSERT INTO gateway.limits (id, organization_id, scope_type, scope_value, period, mode, limit_nano_usd, created_by, counts_from)
      VALUES (${id}, ${organizationId}, 'application', ${scope}, ${period}, ${mode}, 1000, ${world.ada.id}, to_timestamp(0))`
})
afterAll(() => world.close())

const call = (applicationId: string, occurredAt: Date, costNanoUsd: bigint, inputTokens = 1_000) =>
  usageRow({
    organizationId,
    applicationId,
    occurredAt,
    costNanoUsd,
    family: 'ai',
    provider: 'our-models',
    model: 'writer-1',
    unit: 'token',
    quantity: inputTokens + 100,
    details: { inputTokens, outputTokens: 100, latencyMs: 1, status: 200 },
  })

const price = (inputPerMillion: string) =>
  world.root.fetchJson('PUT /api/models/prices', {
    provider: 'our-models',
    model: 'writer-1',
    level: 'platform',
    rates: { inputPerMillion, outputPerMillion: '2' },
    since: dayOf(200),
  })

const request = (more: object = {}) => ({
  provider: 'our-models',
  model: 'writer-1',
  from: dayOf(100),
  to: dayOf(0),
  ...more,
})
const rerate = (more?: object) => world.root.fetchJson<Record<string, unknown>>('POST /api/usage/rerate', request(more))

const spent = async (id: string) => {
  const rows = await world.database.sql<{ spent: string }[]>`
    SELECT sum(spent_nano_usd)::text AS spent FROM gateway.budget_periods WHERE limit_id = ${id}`
  return rows[0]?.spent
}

test('GTW-31 a corrected price re-rates records, then daily totals; closed periods get a difference, a hard limit isn’t reopened', async () => {
  const { sql } = world.database
  const rows = [call('open', ago(1), 700n), call('closed', ago(2), 700n), call('hard', ago(1), 700n)]
  await world.provided.ledger.commit(rows, { durable: false })
  await sql`
    INSERT INTO gateway.usage_daily (organization_id, day, application_id, family, provider, model, unit, count, quantity, cost_nano_usd)
    VALUES (${organizationId}, ${dayOf(60)}, 'open', 'ai', 'our-models', 'writer-1', 'token', 1, 1100, 1400)`
  // 1,000 input tokens at $0.15 and 100 output tokens at $2 per million: 350,000 nano-USD.
  await price('0.15')
  const raised = { records: 3, changed: 3, unpriced: 0, days: 1, nextCursor: null }
  const closed = { limitId: limits.closed, periodStart: `${dayOf(2)}T00:00:00.000Z`, amountNanoUsd: 349_300 }
  expect(await rerate({ dryRun: true })).toMatchObject({ ...raised, budgetDifferences: [closed] })
  expect(await spent(limits.open)).toBe('700')
  expect(await rerate()).toEqual({ ...raised, differenceNanoUsd: 3 * 349_300 + 698_600, budgetDifferences: [closed] })
  expect(await Promise.all([limits.open, limits.closed, limits.hard].map(spent))).toEqual([
    String(350_000 + 698_600),
    '700',
    '350000',
  ])
  const daily = await world.ada.fetchJson(`GET /api/usage/daily?from=${dayOf(60)}&family=ai`)
  const costs = [700_000, 350_000, 700_000]
  expect(daily).toMatchObject({ items: costs.map((costNanoUsd) => ({ costNanoUsd })) })
  expect(await world.ada.fetchJson('GET /api/usage?family=ai')).toMatchObject({
    items: [{ costNanoUsd: 350_000, priceDate: dayOf(200) }, { costNanoUsd: 350_000 }, { costNanoUsd: 350_000 }],
  })
  // Nothing is left to change.
  expect(await rerate()).toMatchObject({ records: 3, changed: 0, days: 0, differenceNanoUsd: 0, budgetDifferences: [] })

  await price('0.05')
  const lowered = await rerate({ from: dayOf(10) })
  expect(lowered['budgetDifferences']).toContainEqual(
    expect.objectContaining({ limitId: limits.hard, amountNanoUsd: -100_000 }),
  )
  expect([await spent(limits.hard), await spent(limits.open)]).toEqual(['350000', String(250_000 + 698_600)])
  expect(await world.ada.fetchJson('GET /api/usage/verify?from=' + dayOf(10))).toMatchObject({ agrees: true })
})

test('GTW-31 re-rating leaves reported costs, suspect rows and other organizations’ usage alone', async () => {
  const suspect = { ...call('other', ago(1), 5n), certainty: 'suspect' as const }
  const { details: _, ...reported } = call('other', ago(1), 6n)
  const theirs = { ...call('other', ago(1), 7n), organizationId: world.mallory.things.organizations }
  await world.provided.ledger.commit([suspect, reported, theirs], { durable: false })
  await rerate({ organizationId })
  const left = await world.database.sql`
    SELECT cost_nano_usd::int AS cost FROM gateway.usage_logs WHERE application_id = 'other' ORDER BY 1`
  expect(left.map(({ cost }) => cost as number)).toEqual([5, 6, 7])
  expect((await world.ada.fetch('POST /api/usage/rerate', request())).status).toBe(403)
})
