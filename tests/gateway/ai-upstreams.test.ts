import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { limits, providerCredentials, usageLogs } from '../../src/gateway/schema.ts'
import { openWorld, type World } from '../support/world.ts'
import { lastUsageOf, openAiOf } from './ai-clients.ts'
import { eventStream, openUpstream, type ScriptedUpstream } from './upstream.ts'

// GTW-12, and the complaints about other gateways: each test is named after what must not happen.

let world: World
let first: ScriptedUpstream
let second: ScriptedUpstream
/** Mallory’s organization has hard limits, Ada’s has none. */
const small = 'openai/gpt-4o-mini'
const ask = { model: small, messages: [{ role: 'user' as const, content: 'Hello' }] }

beforeAll(async () => {
  first = openUpstream()
  second = openUpstream()
  world = await openWorld({ env: { AI_RESPONSE_MS: '400' } })
  for (const caller of [world.ada, world.mallory]) {
    const connect = (provider: string, baseUrl: string) =>
      caller.fetchJson(`PUT /api/credentials/${provider}`, { label: 'main', secret: { apiKey: 'sk-secret' }, baseUrl })
    await connect('openai', first.url)
    await connect('groq', second.url)
    await caller.fetchJson(`PUT /api/organizations/${caller.things.organizations}/model-preferences`, {
      routes: {
        text: [small, 'groq/llama-3.1-8b-instant'],
        'short-text': ['groq/llama-3.1-8b-instant', 'openai/gpt-4o'],
        image: ['openai/gpt-image-1', 'practice/practice-image'],
      },
    })
  }
})
afterAll(async () => {
  await world.close()
  first.stop()
  second.stop()
})
/** New credentials have new circuits. */
beforeEach(async () => {
  for (const caller of [world.ada, world.mallory])
    for (const [provider, { url }] of [
      ['openai', first],
      ['groq', second],
    ] as const)
      await caller.fetchJson(`PUT /api/credentials/${provider}`, {
        label: 'main',
        secret: { apiKey: 'sk-secret' },
        baseUrl: url,
      })
  first.requests.length = 0
  second.requests.length = 0
  second.answer(() => completion('From the second'))
})

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
const completion = (content: string, counted: object | null = usage) =>
  Response.json({
    id: 'c1',
    object: 'chat.completion',
    model: 'upstream-model',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    ...(counted && { usage: counted }),
  })
const chunk = (content: string, fields: object = {}) =>
  `data: ${JSON.stringify({ id: 'c1', choices: [{ index: 0, delta: { content }, finish_reason: null }], ...fields })}\n\n`
const usageChunk = `data: ${JSON.stringify({ id: 'c1', choices: [], usage })}\n\n`
const done = 'data: [DONE]\n\n'

const send = (caller = world.ada, body: object = ask) => caller.fetch('POST /api/ai/chat/completions', body)
const rowsOf = async (response: Response) => {
  const id = response.headers.get('x-request-id') ?? ''
  await world.provided.ledger.settled()
  const rows = await world.database.db.select().from(usageLogs)
  return rows.filter(({ requestId }) => requestId.startsWith(id))
}
/** $0.15 per million of input, $0.60 of output. */
const exact = 10n * 150n + 5n * 600n

for (const status of [408, 409, 429, 500, 503])
  test(`GTW-12 a ${status} of the first model is not the caller’s: the next one responds`, async () => {
    first.answer(() => new Response('{}', { status }))
    const response = await send()
    expect(response.status).toBe(200)
    expect(response.headers.get('x-atrium-model')).toBe('llama-3.1-8b-instant')
    expect(response.headers.get('x-atrium-fallbacks')).toBe('1')
  })

test('GTW-12 a model that hangs or resets the connection does not fail the call', async () => {
  first.answer(async () => {
    await Bun.sleep(2_000)
    return completion('Late')
  })
  expect((await send()).headers.get('x-atrium-fallbacks')).toBe('1')
  await world.ada.fetchJson('PUT /api/credentials/openai', {
    label: 'main',
    secret: { apiKey: 'sk-secret' },
    baseUrl: 'http://127.0.0.1:9/v1',
  })
  expect((await send()).headers.get('x-atrium-fallbacks')).toBe('1')
})

test('GTW-12 a refused request is not sent to another model, and the client gets the provider’s error', async () => {
  const error = { message: 'Invalid temperature', type: 'invalid_request_error', code: 'bad', param: 'temperature' }
  first.answer(() => Response.json({ error }, { status: 400 }))
  const refused = await openAiOf(world, world.ada)
    .chat.completions.create(ask)
    .catch((thrown: unknown) => thrown)
  expect(refused).toMatchObject({ status: 400, code: 'bad', param: 'temperature' })
  expect(second.requests).toHaveLength(0)
})

test('GTW-12 when all models are limited, the caller gets 429 with the soonest Retry-After and never a 500', async () => {
  first.answer(() => new Response('{}', { status: 429, headers: { 'retry-after': '40' } }))
  second.answer(() => new Response('{}', { status: 429, headers: { 'retry-after': '7' } }))
  const response = await send()
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7'])
  const again = await send()
  expect(again.status).toBe(429)
  expect(Number(again.headers.get('retry-after'))).toBeLessThanOrEqual(7)
  expect(first.requests).toHaveLength(1)
})

test('GTW-12 a raw 429 of image generation is not terminal: the next model makes the image', async () => {
  first.answer(() => new Response('Too many', { status: 429 }))
  const response = await world.ada.fetch('POST /api/ai/images/generations', { prompt: 'A cup' })
  expect(response.status).toBe(200)
  expect(response.headers.get('x-atrium-model')).toBe('practice-image')
})

test('GTW-12 a model that keeps failing is not called on every request: its circuit opens', async () => {
  first.answer(() => new Response('{}', { status: 500 }))
  for (let call = 0; call < 8; call++) expect((await send()).headers.get('x-atrium-fallbacks')).toBe('1')
  expect(first.requests).toHaveLength(5)
})

test('GTW-03 a rejected key is shown as an unhealthy credential, and the caller is not told to sign in', async () => {
  first.answer(() => Response.json({ error: { message: 'Incorrect API key sk-secret' } }, { status: 401 }))
  const response = await send()
  const text = await response.text()
  expect([response.status, JSON.parse(text).code]).toEqual([502, 'provider_key_rejected'])
  expect(text).not.toContain('sk-secret')
  const deadline = Date.now() + 5_000
  for (;;) {
    const [row] = await world.database.db
      .select()
      .from(providerCredentials)
      .where(eq(providerCredentials.health, 'unhealthy'))
    if (row || Date.now() > deadline) {
      expect(row?.provider).toBe('openai')
      break
    }
    await Bun.sleep(10)
  }
})

test('complaint 14: a streamed call is not metered at zero', async () => {
  first.answer(() => eventStream([chunk('Hel'), chunk('lo'), usageChunk, done]))
  const response = await send(world.ada, { ...ask, stream: true })
  const text = await response.text()
  expect(first.requests[0]?.body).toMatchObject({ stream_options: { include_usage: true } })
  expect(text).not.toContain('"usage"')
  expect(text).toContain(`: x-atrium-cost-nano-usd ${exact}\n\n`)
  expect(text).toEndWith('data: [DONE]\n\n')
  expect(await rowsOf(response)).toMatchObject([{ costNanoUsd: exact, certainty: 'exact', streamed: true }])
})

test('complaint 17: usage that a provider repeats on its chunks is not added up', async () => {
  const partial = { prompt_tokens: 10, completion_tokens: 2 }
  first.answer(() => eventStream([chunk('Hel', { usage: partial }), chunk('lo', { usage }), usageChunk, done]))
  const response = await send(world.ada, { ...ask, stream: true, stream_options: { include_usage: true } })
  const text = await response.text()
  expect(text.match(/"cost"/g)).toHaveLength(1)
  expect(await rowsOf(response)).toMatchObject([{ costNanoUsd: exact }])
})

test('complaint 18: a usage of zero is not replaced by an estimate', async () => {
  first.answer(() => completion('Cached', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }))
  const response = await send()
  expect((await response.json()).usage.cost).toBe(0)
  expect(await rowsOf(response)).toMatchObject([{ costNanoUsd: 0n, certainty: 'exact' }])
})

test('complaint 18: a caller who hangs up in the middle of a stream is not served for free', async () => {
  first.answer(() =>
    eventStream([chunk('One '), ...Array.from({ length: 20 }, () => chunk('more ')), usageChunk, done]),
  )
  const response = await send(world.ada, { ...ask, stream: true })
  const reader = response.body?.getReader()
  await reader?.read()
  await reader?.cancel()
  const deadline = Date.now() + 10_000
  while ((await rowsOf(response)).length === 0 && Date.now() < deadline) await Bun.sleep(10)
  expect(await rowsOf(response)).toMatchObject([{ costNanoUsd: exact, certainty: 'exact' }])
})

test('a response without usage is metered as an estimate, not as exact', async () => {
  first.answer(() => completion('Hello', null))
  const response = await send()
  const [row] = await rowsOf(response)
  expect(row).toMatchObject({ certainty: 'estimated' })
  expect(Number(row?.costNanoUsd)).toBeGreaterThan(0)
})

test('a stream that breaks off counts what it can have cost, and ends with an error that the client reads', async () => {
  first.answer(() => eventStream([chunk('Hel'), 'data: {"error":{"message":"Overloaded","code":"busy"}}\n\n']))
  const stream = await openAiOf(world, world.ada).chat.completions.create({ ...ask, stream: true })
  const read = async () => {
    for await (const _ of stream);
  }
  expect(await read().catch((error: unknown) => error)).toMatchObject({ code: 'stream_failed' })
  expect(await lastUsageOf(world)).toMatchObject({ certainty: 'suspect', errorCode: 'stream_failed' })
})

test('after the first streamed byte no other model is asked', async () => {
  first.answer(() => eventStream([chunk('Hel'), 'data: {"error":{"message":"Overloaded"}}\n\n']))
  await (await send(world.ada, { ...ask, stream: true })).text()
  expect(second.requests).toHaveLength(0)
  first.answer(() => eventStream(['data: {"error":{"message":"Overloaded"}}\n\n']))
  second.answer(() => eventStream([chunk('Hi'), usageChunk, done]))
  const before = await send(world.ada, { ...ask, stream: true })
  expect(before.headers.get('x-atrium-fallbacks')).toBe('1')
  await before.text()
})

const setLimit = async (nanoUsd: bigint) => {
  const organizationId = world.mallory.things.organizations
  const scope = { organizationId, scopeType: 'organization', scopeValue: organizationId, family: 'ai' } as const
  const { id } = await world.mallory.fetchJson<{ id: string }>(
    'POST /api/limits',
    {
      scope_type: scope.scopeType,
      scope_value: organizationId,
      family: 'ai',
      period: 'day',
      limitNanoUsd: Number(nanoUsd),
      mode: 'hard',
    },
    201,
  )
  // Retried after a deadlock with a server that returns its leases.
  return () => world.database.transaction(async (tx) => void (await tx.delete(limits).where(eq(limits.id, id))))
}

test('complaint 19: a model without a price is not free under a hard limit: it is refused before the call', async () => {
  const remove = await setLimit(10n ** 12n)
  const response = await send(world.mallory, { ...ask, model: 'openai/unknown-model' })
  expect(response.status).toBe(402)
  expect(await response.json()).toMatchObject({
    code: 'model_unpriced',
    provider: 'openai',
    model: 'unknown-model',
    level: 'organization',
  })
  const shown = await world.mallory.fetch(
    'POST /api/ai/chat/completions',
    { ...ask, model: 'openai/unknown-model' },
    { accept: 'text/html' },
  )
  const html = await shown.text()
  for (const text of ['unknown-model has no price', 'Owners and admins of your organization', '/gateway/models'])
    expect(html).toContain(text)
  expect(first.requests).toHaveLength(0)
  await remove()
})

test('GTW-33 max_tokens is clamped to what the budget pays for, and a provider that ignores it is stopped', async () => {
  const remove = await setLimit(200_000n)
  first.answer(() => eventStream([...Array.from({ length: 2_000 }, () => chunk('more ')), usageChunk, done]))
  const response = await send(world.mallory, { ...ask, model: small, stream: true })
  const text = await response.text()
  const { max_completion_tokens: max } = Object(first.requests[0]?.body)
  expect(max).toBeGreaterThan(16)
  expect(max).toBeLessThan(400)
  expect(text.match(/more /g)).toHaveLength(max)
  expect(text).toContain('"finish_reason":"length"')
  const [row] = await rowsOf(response)
  expect(row?.costNanoUsd).toBeLessThanOrEqual(200_000n)
  expect(row?.certainty).toBe('estimated')
  await remove()
})

/** $0.05 and $0.08 per million tokens. */
const llama = (input: number, output: number) => BigInt(input) * 50n + BigInt(output) * 80n
const short = { ...ask, model: 'short-text', max_tokens: 100 }

for (const [what, lose] of [
  ['breaks off', () => new Response('{"id":', { headers: { 'content-type': 'application/json' } })],
  ['never comes', () => Bun.sleep(3_000).then(() => completion('Too late'))],
  ['is lost by a proxy', () => new Response('Gateway Timeout', { status: 504 })],
  ['ends before its first piece', () => eventStream([])],
] as const)
  test(`GTW-33 a response that ${what} counts what it can have cost, until a person corrects it`, async () => {
    second.answer(lose)
    first.answer(() => (what.includes('piece') ? eventStream([chunk('Hi'), usageChunk, done]) : completion('Hi')))
    const served = await send(world.ada, { ...short, stream: what.includes('piece') })
    await served.text()
    expect(served.headers.get('x-atrium-fallbacks')).toBe('1')
    const lost = (await rowsOf(served)).find(({ certainty }) => certainty === 'suspect')
    expect(lost).toMatchObject({ model: 'llama-3.1-8b-instant', errorCode: 'response_lost', outputTokens: 100 })
    expect(lost?.costNanoUsd).toBe(llama(lost?.inputTokens ?? 0, 100))
    expect(lost?.inputTokens).toBeGreaterThan(0)
  })

for (const [what, fail] of [
  ['refuses the request', () => Response.json({ error: { message: 'No' } }, { status: 400 })],
  ['fails', () => new Response(null, { status: 500 })],
  ['reports an error instead of a stream', () => eventStream(['data: {"error":{"message":"Overloaded"}}\n\n'])],
] as const)
  test(`complaint 30: a provider that ${what} bills nothing`, async () => {
    second.answer(fail)
    const response = await send(world.ada, { ...short, stream: what.includes('stream') })
    await response.text()
    const rows = await rowsOf(response)
    expect(rows.find(({ provider }) => provider === 'groq')).toMatchObject({ costNanoUsd: 0n, certainty: 'exact' })
  })

test('complaint 30: a provider that can’t be reached bills nothing', async () => {
  const closed = openUpstream()
  closed.stop()
  const secret = { apiKey: 'sk-secret' }
  await world.ada.fetchJson('PUT /api/credentials/groq', { label: 'main', secret, baseUrl: closed.url })
  first.answer(() => completion('Hi'))
  const response = await send(world.ada, short)
  expect(response.headers.get('x-atrium-fallbacks')).toBe('1')
  const rows = await rowsOf(response)
  expect(rows.find(({ provider }) => provider === 'groq')).toMatchObject({ costNanoUsd: 0n, certainty: 'exact' })
})

test('GTW-12 after a lost response, another model is asked only if the budget is enough for both', async () => {
  second.answer(() => new Response('{"id":', { headers: { 'content-type': 'application/json' } }))
  const long = { ...short, messages: [{ role: 'user', content: 'x'.repeat(60) }], max_tokens: 16 }
  first.answer(() => completion('From the first'))
  const ample = await setLimit(10n ** 9n)
  const served = await send(world.mallory, long)
  expect(served.status).toBe(200)
  const rows = await rowsOf(served)
  expect(rows.map(({ certainty }) => certainty).toSorted()).toEqual(['exact', 'suspect'])
  await ample()
  first.requests.length = 0
  const none = await setLimit(1n)
  const { spentNanoUsd, neededNanoUsd } = (await (await send(world.mallory, long)).json()) as Record<string, number>
  await none()
  const tight = await setLimit(BigInt(Number(spentNanoUsd) + Number(neededNanoUsd)))
  const response = await send(world.mallory, long)
  expect(response.status).toBe(502)
  expect(first.requests).toHaveLength(0)
  expect(await rowsOf(response)).toMatchObject([{ certainty: 'suspect' }])
  await tight()
})

test('complaint 26: no route skips the budget', async () => {
  const remove = await setLimit(5n)
  const text = { model: 'practice-small', max_tokens: 20 }
  const messages = [{ role: 'user', content: 'Hello' }]
  const calls: Record<string, object> = {
    'chat/completions': { ...text, messages },
    'v1/chat/completions': { ...text, messages },
    completions: { ...text, prompt: 'Hello' },
    responses: { model: 'practice-small', input: 'Hello' },
    messages: { ...text, messages },
    embeddings: { model: 'practice-embedding', input: 'Hello' },
    'images/generations': { prompt: 'A cup', model: 'practice-image' },
  }
  for (const [path, body] of Object.entries(calls))
    expect((await world.mallory.fetch(`POST /api/ai/${path}`, body)).status, path).toBe(402)
  await remove()
})

test('complaint 30: a caller whose models fail before their first token is not billed the whole hold', async () => {
  const remove = await setLimit(10n ** 9n)
  const budget = async () => {
    const { items } = await world.mallory.fetchJson<{ items: { family: string; mode: string }[] }>('GET /api/budgets')
    const found = items.find(({ family, mode }) => family === 'ai' && mode === 'hard')
    return found && { ...found, forecastNanoUsd: 0 }
  }
  const before = await budget()
  expect(before).toMatchObject({ reservedNanoUsd: 0 })
  first.answer(() => new Response('{}', { status: 500 }))
  second.answer(() => new Response('{}', { status: 500 }))
  const response = await send(world.mallory)
  expect(response.status).toBe(502)
  const rows = await rowsOf(response)
  expect(rows).toHaveLength(2)
  expect(rows.every(({ costNanoUsd, errorCode }) => costNanoUsd === 0n && errorCode === 'provider_failed')).toBe(true)
  expect(await budget()).toEqual(before)
  await remove()
})
