import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { killRest } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { newPublisher } from '../support/publisher.ts'
import { serve, type Served } from '../support/served.ts'
import { bearer } from '../support/world.ts'

// Usage events from eight senders, with retries and repetitions, while servers are killed.

const long = process.env['TEST_LONG'] === 'true'
const [total, batchSize, kills, senders] = long ? [200_000, 250, 12, 8] : [6_000, 60, 1, 8]
const repeatedInBatch = Math.floor(batchSize / 3)
const dayMs = 24 * 60 * 60 * 1000

let fresh: TestDatabase
let database: DatabaseHandle
let servers: Served[]
let headers: Record<string, string>

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 2)
  servers = await Promise.all([1, 2].map(() => serve({ databaseUrl: fresh.url })))
  const { token } = await newPublisher(servers[0]?.url ?? '')
  headers = { ...bearer(token), 'content-type': 'application/json' }
})
afterAll(async () => {
  await killRest()
  await database.close()
  await fresh.drop()
})

/** Of several days, so that partitions are created meanwhile, and with a third repeated within the batch. */
function createBatch(number: number) {
  const events = Array.from({ length: batchSize }, (_, at) => ({
    requestId: `${number}-${at}-${newId()}`,
    applicationId: `app-${at % 3}`,
    userId: `user-${number % 10}`,
    family: 'requests',
    provider: `provider-${at % 4}`,
    unit: 'request',
    quantity: 1,
    costNanoUsd: 1000 + at,
    occurredAt: new Date(Date.now() - (number % 5) * dayMs).toISOString(),
    metadata: {},
  }))
  return { number, events, body: JSON.stringify([...events, ...events.slice(0, repeatedInBatch)]) }
}

const Receipt = z.object({ accepted: z.number(), duplicates: z.number(), rejected: z.array(z.unknown()) })

const answers = new Map<number, number[]>()
let failures = 0

/** Until a server confirms it. */
async function deliver({ number, body }: ReturnType<typeof createBatch>, first: number): Promise<void> {
  for (let attempt = first; ; attempt++) {
    const url = `${servers[attempt % servers.length]?.url}/platform/usage/events`
    const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(30_000) })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => null)
    if (answer?.status === 202) {
      const { accepted, duplicates, rejected } = Receipt.parse(JSON.parse(answer.text))
      expect([rejected, accepted + duplicates]).toEqual([[], batchSize + repeatedInBatch])
      answers.set(number, [...(answers.get(number) ?? []), accepted])
      return
    }
    failures += 1
    await Bun.sleep(50)
  }
}

test('GTW-30 GTW-31 events are neither lost nor counted twice while servers are killed and senders retry', async () => {
  const { sql } = database
  const [organization] = await sql<
    { id: string }[]
  >`SELECT id FROM identity.organizations WHERE slug <> 'admin' LIMIT 1`
  const limitId = newId()
  await sql`
    INSERT INTO gateway.limits (id, organization_id, scope_type, scope_value, period, mode, limit_nano_usd, created_by, counts_from)
    VALUES (${limitId}, ${organization?.id ?? ''}, 'application', 'app-1', 'total', 'observe', 1, ${newId()}, to_timestamp(0))`
  const batches = Array.from({ length: total / batchSize }, (_, number) => createBatch(number))
  const waiting = batches.values()
  let confirmed = 0
  const send = async (_: unknown, sender: number) => {
    for (const batch of waiting) {
      // Every third batch is sent by two senders at once, or again.
      const repeated = batch.number % 3 === 0 ? [deliver(batch, sender + 1)] : []
      await Promise.all([deliver(batch, sender), ...repeated])
      if (batch.number % 7 === 0) await deliver(batch, sender)
      confirmed += 1
    }
  }
  const sending = Promise.all(Array.from({ length: senders }, send))
  for (let kill = 0; kill < kills; kill++) {
    const after = ((kill + 1) * batches.length) / (kills + 2)
    while (confirmed < after) await Bun.sleep(5)
    const at = kill % servers.length
    servers[at]?.kill('SIGKILL')
    await servers[at]?.exited
    servers[at] = await serve({ databaseUrl: fresh.url })
  }
  await sending

  const stored = await sql<Record<string, string>[]>`
    SELECT (SELECT count(*) FROM gateway.usage_logs) AS rows, (SELECT count(*) FROM gateway.usage_dedupe) AS ids,
      (SELECT count(DISTINCT request_id) FROM gateway.usage_logs) AS distinct,
      (SELECT sum(count) FROM gateway.usage_daily) AS daily, (SELECT sum(cost_nano_usd) FROM gateway.usage_logs) AS cost,
      (SELECT sum(cost_nano_usd) FROM gateway.usage_daily) AS "dailyCost",
      (SELECT sum(cost_nano_usd) FROM gateway.usage_logs WHERE application_id = 'app-1') AS "applicationCost",
      (SELECT spent_nano_usd FROM gateway.budget_periods WHERE limit_id = ${limitId}) AS spent`
  const [{ cost, dailyCost, applicationCost, spent, ...counts } = {}] = stored
  const all = String(total)
  expect(counts).toEqual({ rows: all, ids: all, distinct: all, daily: all })
  expect([dailyCost, spent]).toEqual([cost, applicationCost])
  // A batch is stored as a whole, so it is new at most once: not at all when the server died before its answer.
  const twice = [...answers.values()].filter((accepted) => accepted.filter((count) => count > 0).length > 1)
  expect(twice).toEqual([])
  const accepted = [...answers.values()].flat().reduce((sum, count) => sum + count, 0)
  expect(accepted).toBeLessThanOrEqual(total)
  expect(failures).toBeGreaterThan(0)
  if (long)
    console.log(`${total} events, ${kills} kills, ${failures} failed requests, ${accepted} answered as accepted`)
})
