import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { openWorld, type Caller, type World } from '../support/world.ts'
import { bearer, callerOf } from '../support/world/callers.ts'
import { holdOf, openReplica, requestOf, rowOf, type Replica } from './books.ts'
import { eventStream, openUpstream, type ScriptedUpstream } from './upstream.ts'

// Complaints about other gateways (research/gateway.md, 4): each test is named after what must not happen.

let world: World
let other: Replica
let upstream: ScriptedUpstream
let organizationId: string
const model = 'openai/gpt-4o-mini'
const messages = [{ role: 'user', content: 'Hello' }]
/** $0.15 per million of input, half of that from the cache, $0.60 of output. */
const cost = (input: number, output: number, cached = 0) => (input - cached) * 150 + cached * 75 + output * 600

beforeAll(async () => {
  upstream = openUpstream()
  world = await openWorld({ env: { AI_RESPONSE_MS: '500' } })
  other = await openReplica(world.provided.config.DATABASE_URL ?? '')
  organizationId = world.ada.things.organizations
  for (const provider of ['openai', 'groq'])
    await world.ada.fetchJson(`PUT /api/credentials/${provider}`, {
      label: 'main',
      secret: { apiKey: 'sk-secret' },
      baseUrl: upstream.url,
    })
  await world.ada.fetchJson(`PUT /api/organizations/${organizationId}/model-preferences`, {
    routes: { text: [model, 'groq/llama-3.1-8b-instant'] },
  })
})
afterAll(async () => {
  await other.close()
  await world.close()
  upstream.stop()
})
beforeEach(async () => {
  const { sql } = world.database
  await world.provided.ledger.settled()
  await sql`DELETE FROM gateway.limits`
  await sql`UPDATE gateway.limits_version SET version = version + 1`
  upstream.requests.length = 0
})

const limit = (fields: object, caller: Caller = world.ada) =>
  caller.fetchJson<{ id: string }>(
    'POST /api/limits',
    { scope_type: 'organization', scope_value: organizationId, period: 'total', mode: 'hard', ...fields },
    201,
  )
const completion = (usage: object) =>
  Response.json({
    id: 'c1',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    usage,
  })
const ask = (body: object = {}, caller: Caller = world.ada) =>
  caller.fetch('POST /api/ai/chat/completions', { model, messages, max_tokens: 100, ...body })

async function recorded(response: Response) {
  await response.text()
  await world.provided.ledger.settled()
  const id = response.headers.get('x-request-id') ?? ''
  const [row] = await world.database.sql<{ cost: string; certainty: string }[]>`
    SELECT cost_nano_usd::text AS cost, certainty FROM gateway.usage_logs WHERE request_id = ${id}`
  return { cost: Number(row?.cost), certainty: row?.certainty }
}

test('complaint 3: a budget never shows another amount than its records, whichever server spent it', async () => {
  const { id } = await limit({ limitNanoUsd: 1e12, family: 'email' })
  const replicas = [world.provided, other].map((server) => ('book' in server ? server.book : server.budgets))
  await Promise.all(
    Array.from({ length: 60 }, async (_, at) => {
      const book = replicas[at % 2]
      if (!book) return
      const hold = await holdOf(book, requestOf({ organizationId, family: 'email', maxNanoUsd: 900n }))
      await book.settle(hold, at % 5 === 0 ? [] : [rowOf(hold, BigInt(100 + at))])
    }),
  )
  const expected = Array.from({ length: 60 }, (_, at) => (at % 5 === 0 ? 0 : 100 + at)).reduce((sum, one) => sum + one)
  const { spentNanoUsd, reservedNanoUsd } = await world.ada.fetchJson<Record<string, number>>(`GET /api/limits/${id}`)
  expect([spentNanoUsd, reservedNanoUsd]).toEqual([expected, 0])
  const { limits } = await other.book.dryRun(requestOf({ organizationId, family: 'email' }))
  expect(limits.map((one) => Number(one.spentNanoUsd))).toEqual([expected])
  const { items } = await world.ada.fetchJson<{ items: object[] }>('GET /api/usage/daily?family=email')
  expect(items).toMatchObject([{ costNanoUsd: expected }])
  expect(await world.ada.fetchJson<object>('GET /api/usage/verify')).toMatchObject({ agrees: true })
})

test('complaint 11: no limit is ignored, whatever its scope, family and period', async () => {
  const key = await world.ada.fetchJson<{ id: string; key: string }>(
    'POST /api/api-keys',
    { name: 'AI', service: 'platform-gateway', scopes: ['ai.invoke'] },
    201,
  )
  const caller = callerOf(world.handle, { ...bearer(key.key), 'x-application-id': 'mail' })
  const scopes = {
    platform: { scope_type: 'platform', scope_value: 'platform' },
    organization: { scope_type: 'organization', scope_value: organizationId },
    application: { scope_type: 'application', scope_value: 'mail' },
    key: { scope_type: 'application', scope_value: key.id },
  }
  upstream.answer(() => completion({ prompt_tokens: 1, completion_tokens: 1 }))
  for (const [name, scope] of Object.entries(scopes))
    for (const [at, period] of ['hour', 'day', 'week', 'month', 'total'].entries()) {
      const owner = name === 'platform' ? world.root : world.ada
      const { id } = await limit({ ...scope, period, limitNanoUsd: 0, family: at % 2 ? 'ai' : null }, owner)
      const response = await ask({ model: name === 'platform' ? 'practice/practice-small' : model }, caller)
      const body = (await response.json()) as { limitId?: string }
      expect([name, period, response.status, body.limitId]).toEqual([name, period, 402, id])
      await owner.fetchJson(`DELETE /api/limits/${id}`, {}, 204)
    }
  expect(upstream.requests).toHaveLength(0)
})

for (const [what, usage, expected, body] of [
  [
    'that all come from the cache',
    { prompt_tokens: 9e6, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 9e6 } },
    cost(9e6, 0, 9e6),
    {},
  ],
  [
    'of reasoning only',
    { prompt_tokens: 0, completion_tokens: 1e6, completion_tokens_details: { reasoning_tokens: 1e6 } },
    cost(0, 1e6),
    {},
  ],
  ['that only the total counts', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 1e6 }, cost(0, 1e6), {}],
  [
    'of a model with a date',
    { prompt_tokens: 1e6, completion_tokens: 1e6 },
    cost(1e6, 1e6),
    { model: `${model}-2024-07-18` },
  ],
] as const)
  test(`complaint 15: tokens ${what} are never counted at $0`, async () => {
    upstream.answer(() => completion(usage))
    expect(await recorded(await ask(body))).toEqual({ cost: expected, certainty: 'exact' })
  })

test('complaint 16: records never sum up to less than what the providers billed', async () => {
  const { sql } = world.database
  const { id } = await limit({ limitNanoUsd: 9e15, family: 'ai' })
  const totals = async () => {
    await world.provided.ledger.settled()
    const [row] = await sql<Record<'exact' | 'all' | 'daily' | 'spent', string>[]>`
      SELECT (SELECT sum(cost_nano_usd) FROM gateway.usage_logs WHERE organization_id = ${organizationId} AND family = 'ai'
          AND certainty = 'exact') AS exact,
        (SELECT sum(cost_nano_usd) FROM gateway.usage_logs WHERE organization_id = ${organizationId} AND family = 'ai') AS all,
        (SELECT sum(cost_nano_usd) FROM gateway.usage_daily WHERE organization_id = ${organizationId} AND family = 'ai') AS daily,
        (SELECT sum(spent_nano_usd) FROM gateway.budget_periods WHERE limit_id = ${id}) AS spent`
    return { exact: Number(row?.exact), all: Number(row?.all), daily: Number(row?.daily), spent: Number(row?.spent) }
  }
  const before = await totals()
  const billed = { received: 0, lost: 0 }
  const rates = { 'gpt-4o-mini': [150, 600], 'llama-3.1-8b-instant': [50, 80] }
  const bill = (kind: keyof typeof billed, body: unknown) => {
    const [input, output] = rates[Object(body).model as keyof typeof rates]
    const usage = { prompt_tokens: 40, completion_tokens: 90 }
    billed[kind] += 40 * Number(input) + 90 * Number(output)
    return usage
  }
  const stream = (usage: object) => {
    const chunk = { choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] }
    const events = [chunk, { choices: [], usage }].map((event) => `data: ${JSON.stringify(event)}\n\n`)
    return eventStream([...events, 'data: [DONE]\n\n'])
  }
  const answers = [
    (_: Request, body: unknown) => completion(bill('received', body)),
    (_: Request, body: unknown) => stream(bill('received', body)),
    () => new Response(null, { status: 500 }),
    // Billed, and not received: cut off, late, and ended in the middle.
    (_: Request, body: unknown) => (
      bill('lost', body),
      new Response('{"id":', { headers: { 'content-type': 'application/json' } })
    ),
    (_: Request, body: unknown) => (bill('lost', body), Bun.sleep(2_000).then(() => new Response())),
    (_: Request, body: unknown) => (
      bill('lost', body),
      eventStream(['data: {"choices":[{"index":0,"delta":{"content":"H"}}]}\n\n'])
    ),
  ] as const
  for (const kind of [0, 1, 0, 2, 3, 0, 4, 1, 5]) {
    const streams = kind === 1 || kind === 5
    const [first, second] = [answers[kind], answers[streams ? 1 : 0]]
    if (first && second) upstream.answer(first, second)
    await (await ask({ stream: streams, ...(streams && { stream_options: { include_usage: true } }) })).text()
  }
  const after = await totals()
  expect(billed.lost).toBeGreaterThan(0)
  expect(after.exact - before.exact).toBe(billed.received)
  expect(after.all - before.all).toBeGreaterThanOrEqual(billed.received + billed.lost)
  expect([after.daily - before.daily, after.spent - before.spent]).toEqual(Array(2).fill(after.all - before.all))
})

test('complaint 27: a field of a limit that isn’t known is refused, never ignored', async () => {
  const scope = { scope_type: 'organization', scope_value: organizationId, period: 'day', mode: 'hard' }
  for (const fields of [
    { budget: 5 },
    { max_budget: 5 },
    { limitNanoUsd: 5, budget: 5 },
    { limitNanoUsd: 5, periods: 'day' },
  ]) {
    const response = await world.ada.fetch('POST /api/limits', { ...scope, ...fields })
    const { errors = [] } = (await response.json()) as { errors?: { path: string }[] }
    expect([response.status, errors.length > 0]).toEqual([422, true])
  }
  const { id } = await limit({ limitNanoUsd: 5 })
  expect((await world.ada.fetch(`PATCH /api/limits/${id}`, { limitNanoUsd: 6, budget: 9 })).status).toBe(422)
  const { items } = await world.ada.fetchJson<{ items: object[] }>('GET /api/limits')
  expect(items).toMatchObject([{ id, limitNanoUsd: 5 }])
})
