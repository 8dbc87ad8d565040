import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { createJournal } from '../../src/gateway/budgets/journal.ts'
import type { Limit } from '../../src/gateway/budgets/limit.ts'
import type { HoldRequest } from '../../src/gateway/budgets/types.ts'
import { eventually } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { verifyBudgets } from '../../src/gateway/usage/verify.ts'
import { addLimit, holdOf, openReplica, requestOf, rowOf, writeRowsLater, type Replica } from './books.ts'

// Names say what must not happen: each was reported by users of other gateways.

let fresh: TestDatabase
let database: DatabaseHandle
let one: Replica
let two: Replica
let now = new Date()

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 6)
  const options = { now: () => now }
  one = await openReplica(fresh.url, options)
  two = await openReplica(fresh.url, options)
})
afterAll(async () => {
  await one.close()
  await two.close()
  await database.close()
  await fresh.drop()
})

/** An organization with one hard limit. */
async function limited(given: Partial<Limit> = {}): Promise<{ organizationId: string; limit: Limit }> {
  const organizationId = newId()
  const limit = await addLimit(database, {
    organizationId,
    scopeType: 'organization',
    scopeValue: organizationId,
    limitNanoUsd: 10_000n,
    ...given,
  })
  return { organizationId, limit }
}

const amountsOf = async (limitId: string) => {
  const [row] = await database.sql`
    SELECT coalesce(sum(spent_nano_usd), 0)::int AS spent, coalesce(sum(leased_nano_usd), 0)::int AS leased
    FROM gateway.budget_periods WHERE limit_id = ${limitId}`
  return { spent: row?.['spent'] as number, leased: row?.['leased'] as number }
}

const exactly = (nanoUsd: bigint): Pick<HoldRequest, 'maxNanoUsd' | 'minNanoUsd'> => ({
  maxNanoUsd: nanoUsd,
  minNanoUsd: nanoUsd,
})

const isHeld = async ({ book }: Replica, request: HoldRequest): Promise<boolean> => (await book.hold(request)).held

test('GTW-33 a hold counts at every scope, and settling counts its cost and releases the rest', async () => {
  const { organizationId, limit } = await limited()
  const application = await addLimit(database, { organizationId, scopeType: 'application', scopeValue: 'mail' })
  const apiKeyId = newId()
  const key = await addLimit(database, { organizationId, scopeType: 'application', scopeValue: apiKeyId })
  const facts = { organizationId, applicationId: 'mail', apiKeyId }
  const hold = await holdOf(one.book, requestOf({ ...facts, ...exactly(5_000n) }))
  await one.book.settle(hold, [rowOf(hold, 1_234n)])
  for (const { id } of [limit, application, key]) expect((await amountsOf(id)).spent).toBe(1_234)
  expect(await isHeld(two, requestOf({ organizationId, ...exactly(8_766n) }))).toBe(true)
})

test('GTW-33 one scope without budget takes nothing from the others', async () => {
  const { organizationId } = await limited()
  await addLimit(database, { organizationId, scopeType: 'application', scopeValue: 'mail', limitNanoUsd: 10n })
  expect(await isHeld(one, requestOf({ organizationId, applicationId: 'mail' }))).toBe(false)
  expect(await isHeld(two, requestOf({ organizationId, ...exactly(10_000n) }))).toBe(true)
})

test('GTW-33 a limit of an application counts only its own organization, unless the platform set it', async () => {
  const [ours, theirs] = [newId(), newId()]
  const applicationId = `app-${newId()}`
  await addLimit(database, {
    organizationId: ours,
    scopeType: 'application',
    scopeValue: applicationId,
    limitNanoUsd: 10n,
  })
  expect(await isHeld(one, requestOf({ organizationId: ours, applicationId }))).toBe(false)
  expect(await isHeld(one, requestOf({ organizationId: theirs, applicationId }))).toBe(true)
  await addLimit(database, { scopeType: 'application', scopeValue: applicationId, limitNanoUsd: 10n })
  expect(await isHeld(one, requestOf({ organizationId: theirs, applicationId }))).toBe(false)
})

test('GTW-33 released reservations are not counted as spend (LiteLLM 27639, 40050, 30522, 36926)', async () => {
  const { organizationId, limit } = await limited()
  for (let round = 0; round < 30; round++) {
    const hold = await holdOf(one.book, requestOf({ organizationId, ...exactly(6_000n) }))
    await one.book.settle(hold, [])
  }
  expect((await amountsOf(limit.id)).spent).toBe(0)
  expect(await isHeld(two, requestOf({ organizationId, ...exactly(10_000n) }))).toBe(true)
})

test('GTW-33 a request is not refused for what the one before it releases while its cost is being stored', async () => {
  const { organizationId } = await limited()
  const waiting: Promise<void>[] = []
  for (let round = 0; round < 3; round++) {
    const hold = await holdOf(one.book, requestOf({ organizationId, ...exactly(9_000n) }))
    waiting.push(one.book.settle(hold, [rowOf(hold, 100n)]))
  }
  await Promise.all(waiting)
})

test('GTW-33 a settlement that is repeated is not counted twice (LiteLLM 28283, 35569)', async () => {
  const { organizationId, limit } = await limited()
  const hold = await holdOf(one.book, requestOf({ organizationId, ...exactly(4_000n) }))
  const { id, request, grantedNanoUsd, heldAt } = hold
  const parts = [{ limitId: limit.id, periodStart: new Date(0), platformOnly: false }]
  const open = { id, organizationId, grantedNanoUsd, parts, requestId: request.requestId, isJournaled: true }
  const row = rowOf({ request, heldAt }, 3_000n)
  const serverId = one.book.serverId ?? ''
  // As after a commit whose answer was lost.
  await one.ledger.settle({ ...open, serverId }, [row])
  await one.book.settle(hold, [row])
  await one.book.settle(hold, [row])
  expect((await amountsOf(limit.id)).spent).toBe(3_000)
  expect(await isHeld(two, requestOf({ organizationId, ...exactly(7_000n) }))).toBe(true)
})

test('GTW-33 a request ID that is used again does not make a request free', async () => {
  const { organizationId, limit } = await limited()
  for (let round = 0; round < 3; round++) {
    const hold = await holdOf(one.book, requestOf({ organizationId, requestId: 'same', ...exactly(1_000n) }))
    await one.book.settle(hold, [rowOf(hold, 1_000n)])
  }
  expect((await amountsOf(limit.id)).spent).toBe(3_000)
})

test('GTW-33 parallel first calls do not all pass (LiteLLM 34732, 40095; Bifrost 3547)', async () => {
  const { organizationId, limit } = await limited()
  const calls = Array.from({ length: 60 }, (_, at) =>
    isHeld(at % 2 ? one : two, requestOf({ organizationId, ...exactly(1_000n) })),
  )
  const held = (await Promise.all(calls)).filter(Boolean)
  expect(held.length).toBeLessThanOrEqual(10)
  expect(held.length).toBeGreaterThanOrEqual(9)
  expect((await amountsOf(limit.id)).leased).toBeLessThanOrEqual(10_000)
})

test('GTW-33 calls that each cost more than the whole limit do not pass (LiteLLM 31842, sub2api 3384, membrane 3210)', async () => {
  const { organizationId } = await limited()
  for (let round = 0; round < 10; round++)
    expect(await isHeld(one, requestOf({ organizationId, ...exactly(176_800n) }))).toBe(false)
  expect(await isHeld(one, requestOf({ organizationId, ...exactly(10_000n) }))).toBe(true)
})

test('GTW-33 a model without a price is not free where a hard limit applies (open-bank-oss 3298)', async () => {
  const { organizationId, limit } = await limited()
  const unpriced = { priced: false, ...exactly(0n) }
  expect(await one.book.hold(requestOf({ organizationId, ...unpriced }))).toMatchObject({
    held: false,
    refusal: { code: 'model_unpriced', limit: { id: limit.id } },
  })
  expect(await isHeld(one, requestOf(unpriced))).toBe(true)
})

test('GTW-33 a request is granted what is left, when that is useful', async () => {
  const { organizationId } = await limited()
  const first = await holdOf(one.book, requestOf({ organizationId, ...exactly(7_000n) }))
  const clamped = await holdOf(one.book, requestOf({ organizationId, maxNanoUsd: 9_000n, minNanoUsd: 500n }))
  expect([first.grantedNanoUsd, clamped.grantedNanoUsd]).toEqual([7_000n, 3_000n])
  expect(await isHeld(one, requestOf({ organizationId, ...exactly(1n) }))).toBe(false)
})

test('GTW-33 unused budget of one server is not lost to another', async () => {
  const { organizationId } = await limited({ limitNanoUsd: 1_000_000n })
  const hold = await holdOf(one.book, requestOf({ organizationId, ...exactly(900_000n) }))
  await one.book.settle(hold, [])
  expect(await isHeld(two, requestOf({ organizationId, ...exactly(1_000_000n) }))).toBe(true)
})

test('GTW-33 the counter of a period resets, also in a running server (LiteLLM 40020)', async () => {
  const { organizationId } = await limited({ period: 'hour' })
  const request = () => requestOf({ organizationId, ...exactly(10_000n) })
  const hold = await holdOf(one.book, request())
  await one.book.settle(hold, [rowOf(hold, 10_000n)])
  expect(await isHeld(one, request())).toBe(false)
  const before = now
  now = new Date(now.getTime() + 60 * 60_000)
  expect(await isHeld(one, request())).toBe(true)
  now = before
})

test('GTW-33 what a killed server held is not free, and its real cost corrects that later', async () => {
  const { organizationId, limit } = await limited()
  const third = await openReplica(fresh.url)
  const lost = await holdOf(third.book, requestOf({ organizationId, ...exactly(6_000n) }))
  const late = await holdOf(third.book, requestOf({ organizationId, ...exactly(1_000n) }))
  await database.sql`UPDATE gateway.gateway_servers SET last_seen_at = 'epoch' WHERE id = ${third.book.serverId}`
  await one.book.recoverStale()
  expect(await amountsOf(limit.id)).toMatchObject({ spent: 7_000 })
  expect(await isHeld(one, requestOf({ organizationId, ...exactly(4_000n) }))).toBe(false)
  const certainties = async () =>
    (
      await database.sql`
        SELECT certainty, cost_nano_usd::int AS cost FROM gateway.usage_logs WHERE organization_id = ${organizationId}
        ORDER BY cost_nano_usd`
    ).map(({ certainty, cost }) => [certainty, cost])
  expect(await certainties()).toEqual([
    ['suspect', 1_000],
    ['suspect', 6_000],
  ])
  // It was only slow: it still reports what its requests cost.
  await third.book.settle(late, [rowOf(late, 250n)])
  await third.book.settle(lost, [])
  expect(await certainties()).toEqual([
    ['exact', 0],
    ['exact', 250],
  ])
  const [daily] = await database.sql`
    SELECT sum(cost_nano_usd)::int AS cost FROM gateway.usage_daily WHERE organization_id = ${organizationId}`
  expect(daily?.['cost']).toBe(250)
  expect((await amountsOf(limit.id)).spent).toBe(250)
  await third.close()
})

const holdsOf = async (organizationId: string): Promise<number> => {
  const [row] = await database.sql`
    SELECT count(*)::int AS count FROM gateway.budget_holds WHERE organization_id = ${organizationId}`
  return row?.['count'] as number
}

test('GTW-33 what a killed server can have spent without a record counts as spent, until it reports', async () => {
  const { organizationId, limit } = await limited({ period: 'day' })
  const third = await openReplica(fresh.url, { rowAfterMs: 60_000 })
  await writeRowsLater(third, requestOf({ organizationId, ...exactly(1n) }))
  const hold = await holdOf(third.book, requestOf({ organizationId, ...exactly(6_000n) }))
  await database.sql`UPDATE gateway.gateway_servers SET last_seen_at = 'epoch' WHERE id = ${third.book.serverId}`
  await one.book.recoverStale()
  expect(await amountsOf(limit.id)).toEqual({ spent: 6_000, leased: 0 })
  expect(await isHeld(one, requestOf({ organizationId, ...exactly(5_000n) }))).toBe(false)
  const today = new Date().toISOString().slice(0, 10)
  const verified = () => verifyBudgets(database.db, { organizationId, from: today, to: today })
  expect(await verified()).toMatchObject({ differences: [], writtenOff: 6_000n })
  // It was only slow.
  await third.book.settle(hold, [rowOf(hold, 1_500n)])
  expect(await amountsOf(limit.id)).toMatchObject({ spent: 1_500 })
  expect(await verified()).toMatchObject({ differences: [], writtenOff: 0n })
  await third.close()
})

test('GTW-33 calls of a killed server that turn out to have cost nothing end its write-off, each once', async () => {
  const { organizationId, limit } = await limited({ period: 'day' })
  const third = await openReplica(fresh.url, { rowAfterMs: 60_000 })
  await writeRowsLater(third, requestOf({ organizationId, ...exactly(1n) }))
  const serverId = third.book.serverId ?? ''
  const free = await holdOf(third.book, requestOf({ organizationId, ...exactly(3_000n) }))
  const failed = await holdOf(third.book, requestOf({ organizationId, ...exactly(4_000n) }))
  await database.sql`UPDATE gateway.gateway_servers SET last_seen_at = 'epoch' WHERE id = ${serverId}`
  await one.book.recoverStale()
  expect((await amountsOf(limit.id)).spent).toBe(7_000)
  await third.book.settle(free, [rowOf(free, 0n)])
  expect((await amountsOf(limit.id)).spent).toBe(4_000)
  const [period] =
    await database.sql`SELECT period_start AS start FROM gateway.budget_periods WHERE limit_id = ${limit.id}`
  const parts = [{ limitId: limit.id, periodStart: period?.['start'] as Date, platformOnly: false }]
  const { id, grantedNanoUsd, request } = free
  // As after commits whose answers were lost.
  const repeated = { id, serverId, organizationId, requestId: request.requestId, parts, isJournaled: false }
  await third.ledger.settle({ ...repeated, grantedNanoUsd }, [])
  await third.ledger.settle({ ...repeated, grantedNanoUsd }, [])
  expect((await amountsOf(limit.id)).spent).toBe(4_000)
  await third.book.settle(failed, [])
  expect(await amountsOf(limit.id)).toMatchObject({ spent: 0 })
  const today = new Date().toISOString().slice(0, 10)
  expect(await verifyBudgets(database.db, { organizationId, from: today, to: today })).toMatchObject({
    differences: [],
    writtenOff: 0n,
  })
  await third.close()
})

test('GTW-33 a request ID that is used again is not free when the row of its hold fails while its cost waits', async () => {
  const { organizationId, limit } = await limited()
  const third = await openReplica(fresh.url, { rowAfterMs: 50 })
  await writeRowsLater(third, requestOf({ organizationId, ...exactly(1n) }))
  const first = await holdOf(third.book, requestOf({ organizationId, requestId: 'again', ...exactly(1_000n) }))
  await third.book.settle(first, [rowOf(first, 300n)])
  await database.sql.unsafe(`
    CREATE FUNCTION gateway.refuse_hold() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_advisory_xact_lock(4711); RAISE EXCEPTION ''disk full''; END';
    CREATE TRIGGER refuse_hold BEFORE INSERT ON gateway.budget_holds FOR EACH ROW
      WHEN (NEW.organization_id = '${organizationId}') EXECUTE FUNCTION gateway.refuse_hold()`)
  const blocked = Promise.withResolvers<void>()
  const isWriting = async () => {
    const rows = await database.sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted`
    return rows.length > 0
  }
  const blocking = database.transaction(async (tx) => {
    await tx.execute('SELECT pg_advisory_xact_lock(4711)')
    await blocked.promise
  })
  const second = await holdOf(third.book, requestOf({ organizationId, requestId: 'again', ...exactly(1_000n) }))
  expect(await eventually(isWriting)).toBe(true)
  const settled = third.book.settle(second, [rowOf(second, 500n)])
  blocked.resolve()
  await blocking
  await database.sql.unsafe(`DROP TRIGGER refuse_hold ON gateway.budget_holds; DROP FUNCTION gateway.refuse_hold()`)
  await settled
  expect((await amountsOf(limit.id)).spent).toBe(800)
  expect(await holdsOf(organizationId)).toBe(0)
  await third.close()
})

test('GTW-33 a call that ends at once has no row, and a longer one gets one', async () => {
  const { organizationId, limit } = await limited()
  const third = await openReplica(fresh.url)
  await writeRowsLater(third, requestOf({ organizationId, ...exactly(1n) }))
  const short = await holdOf(third.book, requestOf({ organizationId, ...exactly(1_000n) }))
  await third.book.settle(short, [rowOf(short, 400n)])
  expect(await holdsOf(organizationId)).toBe(0)
  const long = await holdOf(third.book, requestOf({ organizationId, ...exactly(2_000n) }))
  expect(await eventually(async () => (await holdsOf(organizationId)) === 1)).toBe(true)
  await third.book.settle(long, [rowOf(long, 700n)])
  expect(await holdsOf(organizationId)).toBe(0)
  expect((await amountsOf(limit.id)).spent).toBe(1_100)
  // A server that stops properly has stored what it spent.
  await third.close()
  expect(await amountsOf(limit.id)).toEqual({ spent: 1_100, leased: 0 })
})

test('GTW-33 a cost that can’t be stored when a server stops counts as spent', async () => {
  const { organizationId, limit } = await limited()
  const third = await openReplica(fresh.url, { rowAfterMs: 60_000 })
  await writeRowsLater(third, requestOf({ organizationId, ...exactly(1n) }))
  const hold = await holdOf(third.book, requestOf({ organizationId, ...exactly(6_000n) }))
  await database.sql.unsafe(`
    CREATE FUNCTION gateway.refuse_usage() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''disk full''; END';
    CREATE TRIGGER refuse_usage BEFORE INSERT ON gateway.usage_dedupe FOR EACH ROW
      WHEN (NEW.organization_id = '${organizationId}') EXECUTE FUNCTION gateway.refuse_usage()`)
  const settled = third.book.settle(hold, [rowOf(hold, 5_000n)]).catch((error: unknown) => error)
  await third.close().catch(() => {})
  await database.sql.unsafe(`DROP TRIGGER refuse_usage ON gateway.usage_dedupe; DROP FUNCTION gateway.refuse_usage()`)
  await settled
  expect(await amountsOf(limit.id)).toMatchObject({ leased: 0 })
  expect((await amountsOf(limit.id)).spent).toBeGreaterThanOrEqual(5_000)
})

test('GTW-33 row of an unknown server doesn’t keep the row of another from being written', async () => {
  const { organizationId, limit } = await limited()
  const hold = await holdOf(one.book, requestOf({ organizationId, ...exactly(10n) }))
  const journal = createJournal(database.db)
  const parts = [{ limitId: limit.id, periodStart: new Date(0) }]
  const write = (serverId: string) =>
    journal.write({
      id: newId(),
      serverId,
      request: requestOf({ organizationId }),
      amountNanoUsd: 1n,
      parts,
      heldAt: new Date(),
      version: null,
    })
  const outcomes = await Promise.all([write(newId()), write(one.book.serverId ?? '')])
  expect(outcomes).toEqual(['server_unknown', 'written'])
  await one.book.settle(hold, [])
})

test('GTW-33 every running call has its row before a limit changes', async () => {
  const { organizationId } = await limited()
  const third = await openReplica(fresh.url, { rowAfterMs: 60_000 })
  await writeRowsLater(third, requestOf({ organizationId, ...exactly(1n) }))
  const holds = []
  for (let call = 0; call < 5; call++)
    holds.push(await holdOf(third.book, requestOf({ organizationId, ...exactly(100n) })))
  await one.book.prepareChange()
  await database.transaction(async (tx) => {
    await one.book.lockLimits(tx)
    expect(await holdsOf(organizationId)).toBe(5)
  })
  holds.push(await holdOf(third.book, requestOf({ organizationId, ...exactly(100n) })))
  expect(await holdsOf(organizationId)).toBe(6)
  await Promise.all(holds.map((hold) => third.book.settle(hold, [])))
  await third.close()
})

test('GTW-33 a server that others have recovered does not hold with its old leases', async () => {
  const { organizationId, limit } = await limited()
  const third = await openReplica(fresh.url)
  const hold = await holdOf(third.book, requestOf({ organizationId, ...exactly(9_000n) }))
  await third.book.settle(hold, [])
  const id = third.book.serverId
  await database.sql`UPDATE gateway.gateway_servers SET last_seen_at = 'epoch' WHERE id = ${id}`
  await one.book.recoverStale()
  expect(await isHeld(one, requestOf({ organizationId, ...exactly(8_000n) }))).toBe(true)
  // It still has 9,000 in memory.
  expect(await isHeld(third, requestOf({ organizationId, ...exactly(9_000n) }))).toBe(false)
  expect(third.book.serverId).not.toBe(id)
  const { spent, leased } = await amountsOf(limit.id)
  expect(spent + leased).toBeLessThanOrEqual(10_000)
  await third.close()
})

test('GTW-38 soft limits warn when they are used up, and observing ones do nothing', async () => {
  const { organizationId, limit } = await limited({ mode: 'soft', limitNanoUsd: 1_000n })
  const observing = await addLimit(database, {
    organizationId,
    scopeType: 'organization',
    scopeValue: organizationId,
    family: 'ai',
    mode: 'observe',
    limitNanoUsd: 1n,
  })
  const first = await holdOf(one.book, requestOf({ organizationId, ...exactly(5_000n) }))
  expect(first).toMatchObject({ enforced: false, warnings: [] })
  await one.book.settle(first, [rowOf(first, 5_000n)])
  const second = await holdOf(two.book, requestOf({ organizationId, ...exactly(5_000n) }))
  expect(second.warnings).toMatchObject([{ limitId: limit.id, spentNanoUsd: 5_000n, limitNanoUsd: 1_000n }])
  expect((await amountsOf(observing.id)).spent).toBe(5_000)
})

test('GTW-37 ingested usage counts, and closes the scope', async () => {
  const { organizationId, limit } = await limited()
  const request = requestOf({ organizationId, family: 'email' })
  const rows = Array.from({ length: 3 }, () => ({ ...rowOf({ request, heldAt: now }, 4_000n), requestId: newId() }))
  const { inserted } = await one.ledger.commit(rows, { durable: true })
  expect(inserted).toHaveLength(3)
  expect((await amountsOf(limit.id)).spent).toBe(12_000)
  expect(await isHeld(one, requestOf({ organizationId, ...exactly(1n) }))).toBe(false)
})

test('GTW-33 a dry run answers like the request, and holds nothing', async () => {
  const { organizationId, limit } = await limited()
  const request = requestOf({ organizationId, ...exactly(8_000n) })
  expect(await one.book.dryRun(request)).toMatchObject({
    allowed: true,
    estimateNanoUsd: 8_000n,
    limits: [{ id: limit.id, remainingNanoUsd: 10_000n }],
  })
  await holdOf(one.book, request)
  await eventually(async () => !(await two.book.dryRun(request)).allowed)
  expect(await two.book.dryRun(request)).toMatchObject({
    allowed: false,
    refusal: { code: 'budget_exceeded', limit: { id: limit.id, reservedNanoUsd: 8_000n, remainingNanoUsd: 2_000n } },
  })
})

test('GTW-31 what a crash of the database forgets is committed again, once', async () => {
  const { organizationId, limit } = await limited()
  const hold = await holdOf(one.book, requestOf({ organizationId, ...exactly(4_000n) }))
  const before = await database.sql`SELECT * FROM gateway.budget_periods WHERE limit_id = ${limit.id}`
  await one.book.settle(hold, [rowOf(hold, 3_000n)])
  // As before that commit.
  for (const table of ['usage_dedupe', 'usage_logs', 'usage_daily'])
    await database.sql`DELETE FROM gateway.${database.sql(table)} WHERE organization_id = ${organizationId}`
  await database.sql`
    UPDATE gateway.budget_periods SET spent_nano_usd = 0, leased_nano_usd = ${before[0]?.['leased_nano_usd']}
    WHERE limit_id = ${limit.id}`
  await database.sql`
    UPDATE gateway.budget_leases SET amount_nano_usd = ${before[0]?.['leased_nano_usd']} WHERE limit_id = ${limit.id}`
  await one.ledger.recommit()
  await one.ledger.recommit()
  expect((await amountsOf(limit.id)).spent).toBe(3_000)
  expect(await isHeld(two, requestOf({ organizationId, ...exactly(7_000n) }))).toBe(true)
})
