import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { addLimit, openReplica, requestOf, rowOf, writeRowsLater, type Replica } from './books.ts'

// Three servers on one database take from random limits; one is killed while it holds budget.

let fresh: TestDatabase
let database: DatabaseHandle

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 3)
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

type Random = () => number

/** Mulberry32: the same numbers for the same seed. */
function randomOf(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Tenant {
  organizationId: string
  applicationId: string
}

const upTo = (random: Random, most: bigint): bigint => BigInt(Math.floor(random() * Number(most + 1n)))

async function addLimits(random: Random, { organizationId, applicationId }: Tenant): Promise<void> {
  const amount = () => 50_000n + upTo(random, 50_000n)
  const period = random() < 0.5 ? 'day' : 'month'
  const own = { organizationId, period } as const
  const scope = { ...own, scopeType: 'organization', scopeValue: organizationId } as const
  const application = { ...own, scopeType: 'application', scopeValue: applicationId } as const
  await addLimit(database, { ...scope, limitNanoUsd: amount() })
  await addLimit(database, { ...application, limitNanoUsd: amount() })
  await addLimit(database, { ...scope, family: 'ai', limitNanoUsd: amount(), mode: 'soft' })
}

interface Seen {
  exceeded: unknown[]
  done: boolean
}

/** Compares committed amounts with the limits until `seen.done`. */
async function watch(seen: Seen): Promise<void> {
  while (!seen.done) {
    const rows = await database.sql`
      SELECT limit_nano_usd, spent_nano_usd, leased_nano_usd, mode FROM gateway.budget_periods
      JOIN gateway.limits ON limits.id = limit_id
      WHERE mode = 'hard' AND spent_nano_usd + leased_nano_usd > limit_nano_usd`
    seen.exceeded.push(...rows)
    await Bun.sleep(5)
  }
}

/** What providers were paid by organization, whether or not the server lived to record it. */
const paid = new Map<string, bigint>()

/** One request: it costs anything up to its bound, nothing, or is lost with its server. */
async function spend(random: Random, { book }: Replica, tenant: Tenant, isKilled: () => boolean): Promise<boolean> {
  const maxNanoUsd = 1n + upTo(random, 1_500n)
  const minNanoUsd = random() < 0.5 ? maxNanoUsd : 1n + maxNanoUsd / 4n
  const result = await book.hold(requestOf({ ...tenant, maxNanoUsd, minNanoUsd }))
  if (!result.held) return false
  const { hold } = result
  if (random() < 0.3) await Bun.sleep(random() * 20)
  const cost = random() < 0.1 ? 0n : upTo(random, hold.grantedNanoUsd)
  paid.set(tenant.organizationId, (paid.get(tenant.organizationId) ?? 0n) + cost)
  if (isKilled()) return false
  const settled = book.settle(hold, cost === 0n ? [] : [rowOf(hold, cost)])
  await settled.catch((error: unknown) => {
    if (!isKilled()) throw error
  })
  return true
}

/** Many callers of a replica, until each was refused `patience` times in a row. */
async function load(random: Random, replica: Replica, tenants: readonly Tenant[], isKilled: () => boolean) {
  const caller = async () => {
    for (let refusals = 0; refusals < 3 && !isKilled();) {
      const tenant = tenants[Math.floor(random() * tenants.length)]
      if (!tenant) return
      const isHeld = await spend(random, replica, tenant, isKilled).catch((error: unknown) => {
        if (!isKilled()) throw error
        return false
      })
      refusals = isHeld ? 0 : refusals + 1
    }
  }
  await Promise.all(Array.from({ length: 20 }, caller))
}

const tenantCount = 2
const seeds = [1, 20261122]

test.each(seeds)(
  'GTW-33 no hard limit is ever exceeded by concurrent servers, one of which is killed (seed %d)',
  async (seed) => {
    const random = randomOf(seed)
    const tenants = Array.from({ length: tenantCount }, () => ({
      organizationId: newId(),
      applicationId: `app-${newId()}`,
    }))
    for (const tenant of tenants) await addLimits(random, tenant)
    const [one, two, three] = await Promise.all([
      openReplica(fresh.url),
      openReplica(fresh.url),
      openReplica(fresh.url),
    ])
    for (const replica of [one, three])
      await writeRowsLater(replica, requestOf({ ...tenants[0], maxNanoUsd: 1n, minNanoUsd: 1n }))
    const seen: Seen = { exceeded: [], done: false }
    const watching = watch(seen)
    let isKilled = false
    const loads = [one, two].map((replica) => load(random, replica, tenants, () => false))
    const dying = load(random, three, tenants, () => isKilled)
    await expectHolds(three)
    isKilled = true
    await three.kill()
    await one.book.recoverStale()
    await Promise.all([...loads, dying])
    // What the killed server had is free again, so the rest of the budgets can be used up.
    await Promise.all([one, two].map((replica) => load(random, replica, tenants, () => false)))
    seen.done = true
    await watching
    expect(seen.exceeded).toEqual([])
    await Promise.all([one.close(), two.close()])
    await expectBooksToBalance(tenants)
  },
)

/** Waits until it holds budget of every tenant. */
async function expectHolds({ book }: Replica): Promise<void> {
  for (;;) {
    const [row] = await database.sql`
      SELECT count(DISTINCT organization_id)::int AS tenants
      FROM gateway.budget_leases JOIN gateway.limits ON limits.id = limit_id
      WHERE server_id = ${book.serverId} AND amount_nano_usd > 0`
    if (row?.['tenants'] >= tenantCount) return
    await Bun.sleep(1)
  }
}

async function expectBooksToBalance(tenants: readonly Tenant[]): Promise<void> {
  const organizations = tenants.map(({ organizationId }) => organizationId)
  const periods = await database.sql`
    SELECT scope_type, scope_value, mode, limits.organization_id, limit_nano_usd AS most, spent_nano_usd AS spent,
      leased_nano_usd AS leased,
      (SELECT coalesce(-sum(amount_nano_usd), 0)::bigint FROM gateway.budget_differences AS difference
        WHERE difference.limit_id = limits.id AND difference.period_start = budget_periods.period_start) AS lost
    FROM gateway.limits JOIN gateway.budget_periods ON limit_id = limits.id
    WHERE limits.organization_id = ANY(${organizations})`
  expect(periods).toHaveLength(3 * tenants.length)
  const [left] = await database.sql`
    SELECT (SELECT count(*)::int FROM gateway.budget_holds) AS holds, (SELECT count(*)::int FROM gateway.budget_leases) AS leases,
      (SELECT count(*)::int FROM gateway.gateway_servers) AS servers`
  expect({ ...left }).toEqual({ holds: 0, leases: 0, servers: 0 })
  let [suspects, writeOffs] = [0, 0]
  for (const organizationId of organizations) {
    const [raw] = await database.sql`
      SELECT sum(cost_nano_usd)::bigint AS spent, count(*) FILTER (WHERE certainty = 'suspect')::int AS suspect
      FROM gateway.usage_logs WHERE organization_id = ${organizationId}`
    suspects += raw?.['suspect'] as number
    const own = periods.filter((period) => period['organization_id'] === organizationId)
    const hard = own.filter(({ mode }) => mode === 'hard')
    for (const { spent, leased, lost } of own) {
      expect(BigInt(spent)).toBe(BigInt(raw?.['spent']) + BigInt(lost))
      expect(leased).toBe('0')
    }
    // What the killed server paid is a record or was written off: no hard limit has room for it again.
    for (const { spent } of hard) expect(paid.get(organizationId)).toBeLessThanOrEqual(BigInt(spent))
    writeOffs += hard.filter(({ lost }) => BigInt(lost) > 0n).length
    const used = Math.max(...hard.map(({ spent, most }) => Number(spent) / Number(most)))
    expect(used).toBeLessThanOrEqual(1)
    expect(used).toBeGreaterThanOrEqual(0.95)
  }
  expect(suspects + writeOffs).toBeGreaterThan(0)
}
