import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { UsageRow } from '../../src/gateway/usage/insert.ts'
import { openWorld, type Caller, type World } from '../support/world.ts'
import { usageRow } from './usage-row.ts'

let world: World
let organizationId: string
let limitId: string

beforeAll(async () => {
  world = await openWorld()
  organizationId = world.ada.things.organizations
  const scope = { scope_type: 'organization', scope_value: organizationId }
  const hard = { period: 'total', limitNanoUsd: 1_000_000, mode: 'hard' }
  limitId = (await world.ada.fetchJson<{ id: string }>('POST /api/limits', { ...scope, ...hard }, 201)).id
})
afterAll(() => world.close())

/** A response that was lost ten minutes ago. */
async function lose(more: Partial<UsageRow> = {}): Promise<UsageRow> {
  const occurredAt = new Date(Date.now() - 600_000)
  const lost = { certainty: 'suspect', paidBy: 'organization', costNanoUsd: 9_000n, occurredAt } as const
  const row = usageRow({ organizationId, ...lost, ...more })
  await world.provided.ledger.commit([row], { durable: false })
  return row
}

const correct = async ({ id }: { id: string }, costNanoUsd: number, caller: Caller = world.ada, more: object = {}) => {
  const response = await caller.fetch(`PATCH /api/usage/${id}`, { costNanoUsd, ...more })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const spent = async () =>
  (await world.ada.fetchJson<{ spentNanoUsd: number }>(`GET /api/limits/${limitId}`)).spentNanoUsd

test('complaint 18: a suspect record is corrected in totals and budgets, once, and that is in the audit log', async () => {
  const before = await spent()
  const row = await lose()
  const twin = await lose()
  expect(await spent()).toBe(before + 18_000)
  expect(await correct(row, 2_500)).toMatchObject({
    status: 200,
    body: { id: row.id, costNanoUsd: 2_500, certainty: 'exact' },
  })
  expect(await spent()).toBe(before + 11_500)
  expect(await correct(row, 0)).toMatchObject({ status: 409, body: { code: 'not_suspect' } })
  expect((await correct(twin, 9_001)).body).toMatchObject({ errors: [{ path: 'costNanoUsd' }] })
  const verified = await world.ada.fetchJson<object>('GET /api/usage/verify')
  expect(verified).toMatchObject({ agrees: true, differences: [] })
  const { items } = await world.ada.fetchJson<{ items: object[] }>('GET /api/audit?limit=5')
  expect(JSON.stringify(items)).toContain(row.id)
})

test('an organization can’t lower what the platform paid, or see records of others', async () => {
  const row = await lose({ paidBy: 'platform' })
  expect((await correct(row, 0)).status).toBe(403)
  expect((await correct(row, 0, world.mallory)).status).toBe(404)
  expect((await correct(row, 0, world.mallory, { organizationId })).status).toBe(404)
  expect((await correct(row, 100, world.root, { organizationId })).status).toBe(200)
})

test('a record that a recovery stored long after its request is found', async () => {
  const row = await lose({ occurredAt: new Date(Date.now() - 3 * 24 * 60 * 60_000) })
  expect((await correct(row, 1)).status).toBe(200)
})
