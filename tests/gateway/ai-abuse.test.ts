import { afterAll, beforeAll, beforeEach, expect, setSystemTime, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { budgetHolds, budgetPeriods, usageLogs } from '../../src/gateway/schema.ts'
import { readEvents } from '../../src/gateway/providers/sse-events.ts'
import { openWorld, type World } from '../support/world.ts'
import { serviceOf } from './ai-clients.ts'
import { eventStream, openUpstream, type ScriptedUpstream } from './upstream.ts'

// Requests and providers that try to cost nothing, to cost others something, or to stop the gateway for others.

let world: World
let upstream: ScriptedUpstream
/** Mallory’s organization has a hard limit, Ada’s has none. */
const model = 'openai/gpt-4o-mini'
const messages = [{ role: 'user', content: 'Hello' }]
/** $0.15 per million of input, $0.60 of output. */
const cost = (input: number, output: number) => BigInt(input) * 150n + BigInt(output) * 600n

beforeAll(async () => {
  upstream = openUpstream()
  world = await openWorld()
  for (const caller of [world.ada, world.mallory])
    for (const provider of ['openai', 'anthropic', 'deepseek', 'own'])
      await caller.fetchJson(`PUT /api/credentials/${provider}`, {
        label: 'main',
        secret: { apiKey: 'sk-secret' },
        baseUrl: upstream.url,
      })
  const organizationId = world.mallory.things.organizations
  const scope = { scope_type: 'organization', scope_value: organizationId, family: 'ai' }
  const hard = { period: 'month', limitNanoUsd: 10 ** 12, mode: 'hard' }
  await world.mallory.fetchJson('POST /api/limits', { ...scope, ...hard }, 201)
})
afterAll(async () => {
  await world.close()
  upstream.stop()
})
beforeEach(() => {
  upstream.requests.length = 0
  upstream.answer(() => completion({ prompt_tokens: 10, completion_tokens: 5 }))
})

const completion = (usage: object | null, content = 'Hi') =>
  Response.json({
    id: 'c1',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    ...(usage && { usage }),
  })
const send = (body: object, caller = world.ada, path = 'chat/completions') =>
  caller.fetch(`POST /api/ai/${path}`, { model, messages, ...body })

async function rowOf(response: Response) {
  await world.provided.ledger.settled()
  const rows = await world.database.db.select().from(usageLogs)
  return rows.find(({ requestId }) => requestId === response.headers.get('x-request-id'))
}

for (const [what, usage, expected] of [
  ['fractions', { prompt_tokens: 10.5, completion_tokens: 4.2 }, cost(11, 5)],
  ['more tokens than a column holds', { prompt_tokens: 10, completion_tokens: 9e15 }, cost(10, 2_000_000_000)],
] as const)
  test(`a provider that reports ${what} doesn’t keep its usage from being stored`, async () => {
    upstream.answer(() => completion(usage))
    const row = await rowOf(await send({}))
    expect(row?.costNanoUsd).toBe(expected)
    expect(await world.database.db.$count(budgetHolds)).toBe(0)
  })

for (const [what, body] of [
  ['metadata', { metadata: { 'a\0': 'b' } }],
  ['metadata with half a character', { metadata: { '\ud800': 'b' } }],
  ['a model', { model: 'own/a\0b' }],
  ['a model that becomes a header', { model: 'own/a\r\nb: c' }],
] as const)
  test(`${what} that the database can’t store is refused before the call`, async () => {
    const response = await send(body)
    expect(response.status).toBe(422)
    expect(upstream.requests).toHaveLength(0)
  })

test('a request for any number of tokens doesn’t keep others from being reserved', async () => {
  const responses = await Promise.all([send({ max_tokens: Number.MAX_SAFE_INTEGER, n: 128 }), send({})])
  expect(responses.map(({ status }) => status)).toEqual([200, 200])
})

const claude = { model: 'anthropic/claude-haiku-4-5', messages }
const failing = () => new Response('{}', { status: 500 })
const replied = () =>
  Response.json({ id: 'm1', content: [{ type: 'text', text: 'Hi' }], usage: { input_tokens: 1, output_tokens: 1 } })

test('requests that a model can’t take are refused, and don’t stop the model for others', async () => {
  upstream.answer(replied)
  for (let call = 0; call < 6; call++) expect((await send({ ...claude, n: 2 })).status).toBe(400)
  expect((await send(claude)).status).toBe(200)
})

test('a refused request at the moment of a circuit’s probe doesn’t leave the circuit open', async () => {
  upstream.answer(failing)
  for (let failure = 0; failure < 5; failure++) await send(claude)
  expect((await send(claude)).status).toBe(503)
  setSystemTime(new Date(Date.now() + 20_000))
  upstream.answer(replied)
  expect((await send({ ...claude, input: 'Hello' }, world.ada, 'embeddings')).status).toBe(400)
  expect((await send(claude)).status).toBe(200)
  setSystemTime()
})

test('a request that names both bounds of its output is bounded by the one that is sent', async () => {
  await send({ max_tokens: 100_000, max_completion_tokens: 20 }, world.mallory)
  expect(upstream.requests[0]?.body).toMatchObject({ max_completion_tokens: 20 })
  expect(Object(upstream.requests[0]?.body)).not.toHaveProperty('max_tokens')
  await send({ model: 'deepseek/deepseek-chat', max_completion_tokens: 20 }, world.mallory)
  expect(upstream.requests[1]?.body).toMatchObject({ max_tokens: 20 })
  expect(Object(upstream.requests[1]?.body)).not.toHaveProperty('max_completion_tokens')
})

const estimateOf = async (body: object) => {
  const response = await world.mallory.fetch('POST /api/ai/chat/completions?dryRun=true', { model, messages, ...body })
  const { estimateNanoUsd, remainingNanoUsd } = await response.json()
  return Number(estimateNanoUsd ?? remainingNanoUsd)
}

test('text that a provider reads counts for the bound, in whatever field it is', async () => {
  const text = 'word '.repeat(20_000)
  const parameters = { type: 'image', description: text }
  const plain = await estimateOf({})
  for (const body of [
    { tools: [{ type: 'function', function: { name: 'f', parameters } }] },
    { functions: [{ name: 'f', parameters }] },
    { anything: text },
    {
      messages: [
        ...messages,
        { role: 'user', content: [{ type: 'video_url', video_url: { url: 'https://a.example' } }] },
      ],
    },
  ])
    expect((await estimateOf(body)) - plain).toBeGreaterThanOrEqual(100_000 * 150)
})

test('deeply nested input is refused as the client’s mistake', async () => {
  let nested: unknown = 'text'
  for (let level = 0; level < 1_000; level++) nested = [nested]
  expect((await send({ anything: nested })).status).toBe(400)
  expect(upstream.requests).toHaveLength(0)
})

for (const [name, value] of Object.entries({
  models: ['o1-pro'],
  plugins: [{ id: 'web' }],
  search_parameters: { mode: 'on' },
}))
  test(`${name}, whose cost has no bound, is refused`, async () => {
    expect((await send({ [name]: value })).status).toBe(400)
    expect(upstream.requests).toHaveLength(0)
  })

test('reasoning that a provider counts only in its total is not free', async () => {
  upstream.answer(() => completion({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 115 }))
  expect((await rowOf(await send({})))?.costNanoUsd).toBe(cost(10, 105))
})

test('several choices without usage are estimated as several', async () => {
  const content = 'x'.repeat(100)
  const choice = { index: 0, delta: { content } }
  const chunk = `data: ${JSON.stringify({ choices: [choice, { ...choice, index: 1 }] })}\n\n`
  upstream.answer(() => eventStream([chunk, 'data: [DONE]\n\n']))
  const response = await send({ n: 2, max_tokens: 120, stream: true }, world.mallory)
  await response.text()
  expect((await rowOf(response))?.outputTokens).toBe(200)
})

for (const [path, query, body] of [
  ['chat/completions', 'model=gpt-4o-mini', { messages }],
  ['embeddings', 'input=Hello', { model: 'practice-embedding' }],
  ['images/generations', 'prompt=A', {}],
] as const)
  test(`a field of ${path} in the query is no server error`, async () => {
    expect((await world.ada.fetch(`POST /api/ai/${path}?${query}`, body)).status).toBeLessThan(500)
  })

test('GTW-01 a provider that repeats the key in its error doesn’t show it to callers', async () => {
  const error = { message: 'Bad header Authorization: Bearer sk-secret', code: 'sk-secret' }
  upstream.answer(() => Response.json({ error }, { status: 400 }))
  const response = await send({})
  expect(await response.text()).not.toContain('sk-secret')
  upstream.answer(() =>
    eventStream(['data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n', `data: ${JSON.stringify({ error })}\n\n`]),
  )
  expect(await (await send({ stream: true })).text()).not.toContain('sk-secret')
})

test('a provider’s endless pause is no invalid header', async () => {
  upstream.answer(() => new Response('{}', { status: 429, headers: { 'retry-after': '1e308' } }))
  const response = await send({ model: 'own/limited' })
  expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(86_400)
})

test('server-sent events are read as well when they arrive byte by byte', async () => {
  const bytes = new TextEncoder().encode(`data: ${'a'.repeat(2_000)}\r\n\r\ndata: b\n\nevent: c\r\ndata: d`)
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1)
  }
  const events = await Array.fromAsync(readEvents(chunks()))
  expect(events.map(({ event, data }) => [event, data.length])).toEqual([
    ['message', 2_000],
    ['message', 1],
    ['c', 1],
  ])
})

test('GTW-16 a service can’t call for an organization that doesn’t exist, which has no budget', async () => {
  const service = await serviceOf(world, 'platform-socialize')
  const body = { model: 'practice-small', messages }
  const call = (organization: string) =>
    service.fetch('POST /api/ai/chat/completions', body, { 'X-Organization-Id': organization })
  expect((await call(crypto.randomUUID())).status).toBe(404)
  expect((await call(world.ada.things.organizations)).status).toBe(200)
})

test('reported costs that add up to more than JSON holds exactly don’t make pages and reports fail', async () => {
  const { fetch, fetchJson } = world.ada
  const event = { family: 'email', provider: 'mailer', unit: 'email', quantity: 1, costNanoUsd: 1e13 }
  const events = Array.from({ length: 1_000 }, (_, at) => ({ ...event, requestId: `large ${at}` }))
  await fetchJson('POST /platform/usage/events', events, 202)
  const { items } = await fetchJson<{ items: { costNanoUsd: number }[] }>('GET /api/usage?groupBy=family&family=email')
  expect(items[0]?.costNanoUsd).toBe(Number.MAX_SAFE_INTEGER)
  for (const path of [
    'usage/daily',
    'budgets',
    'limits',
    'usage/verify',
    'gateway/spending',
    'gateway/usage',
    'widget',
  ])
    expect((await fetch(`GET /api/${path}${path === 'widget' ? '?app=platform-gateway' : ''}`)).status, path).toBe(200)
})

test('a budget that JSON can’t hold exactly is refused', async () => {
  const draft = { scope_type: 'application', scope_value: 'large', period: 'day', mode: 'hard', limitUsd: '999999999' }
  expect((await world.ada.fetch('POST /api/limits', draft)).status).toBe(422)
  expect((await world.ada.fetch(`GET /api/limits/dry-run?${new URLSearchParams(draft)}`)).status).toBe(422)
})

test('usage of an organization can’t make the counter of a limit overflow, which would stop it for all', async () => {
  const scope = { scope_type: 'application', scope_value: 'overflow', period: 'total', mode: 'observe' }
  const { id } = await world.root.fetchJson<{ id: string }>(
    'POST /api/limits',
    { ...scope, limitNanoUsd: 1, everyOrganization: true },
    201,
  )
  await world.database.db
    .update(budgetPeriods)
    .set({ spentNanoUsd: 2n ** 63n - 10n })
    .where(eq(budgetPeriods.limitId, id))
  const event = { family: 'email', provider: 'mailer', unit: 'email', quantity: 1, costNanoUsd: 1e13 }
  const report = { ...event, applicationId: 'overflow', requestId: 'overflow' }
  await world.ada.fetchJson('POST /platform/usage/events', report, 202)
  const [period] = await world.database.db.select().from(budgetPeriods).where(eq(budgetPeriods.limitId, id))
  expect(period?.spentNanoUsd).toBe(9n * 10n ** 18n)
})
