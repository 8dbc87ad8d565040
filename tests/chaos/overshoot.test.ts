import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { eventually, killRest } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { addLimit } from '../gateway/books.ts'
import { newPublisher, type Publisher } from '../support/publisher.ts'
import { serve, type Served } from '../support/served.ts'
import { scaleTime } from '../support/time-scale.ts'
import { bearer } from '../support/world.ts'

// Hundreds of callers use up hard limits at every scope through three servers, of which some are killed.

const long = process.env['TEST_LONG'] === 'true'
/** `size` multiplies the budgets, and with them the number of requests. */
const { callers, size, kills } = long ? { callers: 300, size: 20n, kills: 4 } : { callers: 300, size: 1n, kills: 1 }

const million = 1_000_000n
/** Less than the three others together, but each of those can be used up to 95 %. */
const amounts = { platform: 295n * million * size, other: 100n * million * size }

let fresh: TestDatabase
let database: DatabaseHandle
let servers: Served[]
let people: Publisher[]

/** Short, so that a killed server is recovered soon, and long enough for a busy machine: a late heartbeat stops a server. */
const env = { BUDGET_HEARTBEAT_MS: String(scaleTime(500)), BUDGET_STALE_MS: String(scaleTime(5_000)) }
const newServer = () => serve({ databaseUrl: fresh.url, env })

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 2)
  servers = [await newServer()]
  servers.push(...(await Promise.all([newServer(), newServer()])))
  const [{ url } = { url: '' }] = servers
  await setLatency(usualMs)
  people = [await newPublisher(url), await newPublisher(url), await newPublisher(url)]
  await addLimit(database, { limitNanoUsd: amounts.platform, period: 'month' })
  for (const [kind, { organizationId }] of people.entries())
    await addLimit(database, {
      organizationId,
      ...(kind === 0
        ? ({ scopeType: 'application', scopeValue: 'chat' } as const)
        : ({ scopeType: 'organization', scopeValue: organizationId, period: 'week' } as const)),
      limitNanoUsd: amounts.other,
    })
})
afterAll(async () => {
  await killRest()
  await database.close()
  await fresh.drop()
})

const usualMs = 200
/** All callers together use up the budgets in a second, so the requests of which one is killed wait for that. */
const waitingMs = scaleTime(2_000)

/** Of the models, whose requests cost up to their bound. */
async function setLatency(latencyMs: number): Promise<void> {
  const changed = await fetch(`${servers[0]?.url}/dev/models/behavior`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mode: 'ok', tokens: 150, latencyMs }),
  })
  expect(changed.status).toBe(200)
}

const Usage = z.object({ usage: z.object({ cost: z.number() }) })
const Refusal = z.object({ code: z.string() })

/** What callers were told that their requests cost, in dollars. */
let paid = 0
let served = 0

type Outcome = 'served' | 'refused' | 'failed'

/** A third are streams, of which some are abandoned. */
async function ask(server: Served, kind: number, maxTokens: number): Promise<Outcome> {
  const { token } = people[kind] ?? { token: '' }
  const isStream = maxTokens % 3 === 0
  const response = await fetch(`${server.url}/api/ai/chat/completions`, {
    method: 'POST',
    headers: {
      ...bearer(token),
      'content-type': 'application/json',
      ...(kind === 0 && { 'x-application-id': 'chat' }),
    },
    body: JSON.stringify({
      model: 'practice-large',
      messages: [{ role: 'user', content: 'Say something.' }],
      max_tokens: maxTokens,
      ...(isStream && { stream: true, stream_options: { include_usage: true } }),
    }),
    signal: AbortSignal.timeout(scaleTime(20_000)),
  })
  if (response.status === 402) {
    expect(Refusal.parse(await response.json()).code).toBe('budget_exceeded')
    return 'refused'
  }
  if (response.status !== 200) return 'failed'
  if (isStream && maxTokens % 4 === 0) {
    await response.body?.cancel()
    return 'served'
  }
  const text = await response.text()
  const json = isStream
    ? text
        .split('\n')
        .findLast((line) => line.includes('"cost"'))
        ?.replace(/^data: /, '')
    : text
  paid += Usage.parse(JSON.parse(json ?? '')).usage.cost
  served += 1
  return 'served'
}

/** Until its budget is used up: then another bound isn't granted either. */
async function spend(number: number): Promise<void> {
  const kind = number % 3
  for (let turn = 0, refusals = 0; refusals < 3; turn++) {
    const server = servers[(number + turn) % servers.length]
    const maxTokens = 1 + Math.floor(Math.random() * 200)
    const outcome = server ? await ask(server, kind, maxTokens).catch(() => 'failed' as const) : 'failed'
    if (outcome === 'refused') refusals += 1
    else if (outcome === 'served') refusals = 0
    if (outcome !== 'served') await Bun.sleep(100)
  }
}

/** What others still held when they were refused. A failed request says nothing about what is left. */
async function useUp(kind: number): Promise<void> {
  let failures = 0
  for (const maxTokens of [200, 50, 10])
    for (let refusals = 0; refusals < 3;) {
      const outcome = servers[0] ? await ask(servers[0], kind, maxTokens) : 'failed'
      if (outcome === 'served') refusals = 0
      else if (outcome === 'refused') refusals += 1
      else if (++failures > 20) throw new Error('Requests fail for other reasons than a budget')
      if (outcome !== 'served') await Bun.sleep(scaleTime(200))
    }
}

const heldBy = async (): Promise<Map<string, number>> => {
  const rows = await database.sql`
    SELECT id, (SELECT count(*)::int FROM gateway.budget_holds WHERE server_id = gateway_servers.id) AS holds
    FROM gateway.gateway_servers`
  return new Map(rows.map(({ id, holds }) => [id as string, holds as number]))
}

/** While all servers have requests of which they don't know yet what they cost. */
async function killOne(at: number, before: number): Promise<void> {
  const isBusy = async () => [...(await heldBy()).values()].filter((holds) => holds > 2).length >= 3
  expect(await eventually(async () => served > before + 20 && (await isBusy()), 60_000)).toBe(true)
  servers[at % servers.length]?.kill('SIGKILL')
  if (long) servers[at % servers.length] = await newServer()
}

const exceeded: unknown[] = []

async function watch(isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    exceeded.push(
      ...(await database.sql`
        SELECT scope_type, limit_nano_usd, spent_nano_usd, leased_nano_usd FROM gateway.budget_periods
        JOIN gateway.limits ON limits.id = limit_id WHERE spent_nano_usd + leased_nano_usd > limit_nano_usd`),
    )
    await Bun.sleep(50)
  }
}

test(
  'GTW-33 hard limits of every scope are never exceeded by 300 callers of three servers, of which some are killed',
  async () => {
    let isDone = false
    const watching = watch(() => isDone)
    // With the others at once, nothing would be left before a server is killed.
    for (const server of servers) await Promise.all([0, 1, 2, 0, 1, 2, 0, 1, 2].map((kind) => ask(server, kind, 10)))
    await setLatency(waitingMs)
    // One after another: requests of all servers are under way when the first ones end.
    const spending = Array.from({ length: callers }, async (_, number) => {
      await Bun.sleep(scaleTime(number * 10))
      await spend(number)
    })
    let before = 0
    for (let kill = 0; kill < kills; kill++) {
      await killOne(kill + 2, before)
      before = served
    }
    await setLatency(usualMs)
    await Promise.all(spending)
    // The killed servers' requests count as spent, and the rest of their leases is free again.
    const isSettled = async () => [...(await heldBy()).values()].every((holds) => holds === 0)
    expect(
      await eventually(
        async () => (await isSettled()) && (await heldBy()).size <= 3 - (long ? 0 : 1),
        scaleTime(30_000),
      ),
    ).toBe(true)
    // What a server doesn't use goes back after a second.
    await Bun.sleep(scaleTime(1_500))
    for (const kind of [0, 1, 2]) await useUp(kind)
    isDone = true
    await watching
    expect(exceeded).toEqual([])
    await expectAllAccounted()
  },
  scaleTime(long ? 600_000 : 90_000),
)

async function expectAllAccounted(): Promise<void> {
  const isReturned = async () => {
    const [row] = await database.sql`
      SELECT (SELECT count(*)::int FROM gateway.budget_holds) AS holds,
        (SELECT coalesce(sum(amount_nano_usd), 0)::int FROM gateway.budget_leases) AS leased`
    return row?.['holds'] === 0 && row['leased'] === 0
  }
  expect(await eventually(isReturned, 15_000)).toBe(true)
  const periods = await database.sql`
    SELECT scope_type, limit_nano_usd AS most, spent_nano_usd AS spent, leased_nano_usd AS leased,
      (SELECT coalesce(-sum(amount_nano_usd), 0)::bigint FROM gateway.budget_differences AS difference
        WHERE difference.limit_id = limits.id AND difference.period_start = budget_periods.period_start) AS lost,
      (SELECT sum(cost_nano_usd) FROM gateway.usage_logs
        WHERE scope_type = 'platform' OR (scope_type = 'organization' AND usage_logs.organization_id = limits.organization_id)
          OR (scope_type = 'application' AND application_id = scope_value)) AS raw
    FROM gateway.limits JOIN gateway.budget_periods ON limit_id = limits.id ORDER BY scope_type`
  expect(periods.map(({ scope_type: type }) => type as string)).toEqual([
    'application',
    'organization',
    'organization',
    'platform',
  ])
  for (const { most, spent, leased, raw, lost } of periods) {
    expect(leased).toBe('0')
    // What a killed server can have spent without a record was written off.
    expect(BigInt(raw) + BigInt(lost)).toBe(BigInt(spent))
    expect(Number(spent)).toBeLessThanOrEqual(Number(most))
    expect(Number(spent)).toBeGreaterThanOrEqual(0.95 * Number(most))
  }
  const [total] = await database.sql`
    SELECT count(*) FILTER (WHERE certainty = 'suspect')::int AS suspect FROM gateway.usage_logs`
  const platform = periods.find(({ scope_type: type }) => type === 'platform')
  expect(paid * 1e9).toBeLessThanOrEqual(Number(platform?.['spent']) + 1)
  expect(total?.['suspect']).toBeGreaterThan(0)
}
