import { afterAll, beforeAll, expect, test } from 'bun:test'
import { limits } from '../../src/gateway/schema.ts'
import { openWorld, type World } from '../support/world.ts'
import { lastUsageOf, openAiOf, serviceOf } from './ai-clients.ts'

let world: World
const hello = { model: 'practice-small', messages: [{ role: 'user' as const, content: 'Say hello' }] }

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const lastUsage = () => lastUsageOf(world)

test('GTW-11 the official OpenAI client gets a completion offline, with its cost, and the usage is metered', async () => {
  const { data, response } = await openAiOf(world, world.ada).chat.completions.create(hello).withResponse()
  expect(data.choices[0]?.message.content).toBeString()
  expect(data.usage?.prompt_tokens).toBeGreaterThan(0)
  expect(response.headers.get('x-atrium-model')).toBe('practice-small')
  expect(response.headers.get('x-atrium-fallbacks')).toBe('0')
  expect(response.headers.get('server-timing')).toMatch(/^auth;dur=.*, reserve;dur=.*, upstream;dur=.*, settle;dur=/)
  const row = await lastUsage()
  expect(row).toMatchObject({ provider: 'practice', model: 'practice-small', certainty: 'exact', userId: world.ada.id })
  expect(Number(row?.costNanoUsd) / 1e9).toBe(Reflect.get(data.usage ?? {}, 'cost'))
  expect(response.headers.get('x-atrium-cost-nano-usd')).toBe(String(row?.costNanoUsd))
})

test('GTW-31 a call is in the usage and the budgets that are read right after its response', async () => {
  const spent = async () => {
    const { items } = await world.ada.fetchJson<{ items: { costNanoUsd: number }[] }>('GET /api/usage?groupBy=provider')
    return items.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0)
  }
  for (let before = await spent(), round = 0; round < 3; round++) {
    const response = await world.ada.fetch('POST /api/ai/chat/completions', hello)
    before += Number(response.headers.get('x-atrium-cost-nano-usd'))
    expect(await spent()).toBe(before)
  }
})

test('GTW-11 the official OpenAI client streams, and shows the usage only when it asked for it', async () => {
  const client = openAiOf(world, world.ada)
  const plain = []
  for await (const chunk of await client.chat.completions.create({ ...hello, stream: true })) plain.push(chunk)
  expect(plain.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).not.toBe('')
  expect(plain.every((chunk) => !chunk.usage)).toBe(true)
  const shown = []
  const options = { ...hello, stream: true, stream_options: { include_usage: true } } as const
  for await (const chunk of await client.chat.completions.create(options)) shown.push(chunk)
  expect(shown.at(-1)?.choices).toEqual([])
  const row = await lastUsage()
  expect(Number(row?.costNanoUsd) / 1e9).toBe(Reflect.get(shown.at(-1)?.usage ?? {}, 'cost'))
})

test('GTW-33 a call that a hard limit doesn’t allow is refused with 402 that the client doesn’t retry', async () => {
  const { mallory } = world
  const organizationId = mallory.things.organizations
  const scope = { organizationId, scopeType: 'organization', scopeValue: organizationId, family: 'ai' } as const
  await world.database.db
    .insert(limits)
    .values({ ...scope, period: 'day', mode: 'hard', limitNanoUsd: 10n, createdBy: mallory.id })
  const refused = await openAiOf(world, mallory)
    .chat.completions.create(hello)
    .catch((error: unknown) => error)
  expect(refused).toMatchObject({ status: 402, code: 'budget_exceeded', type: 'insufficient_quota' })
  expect(Reflect.get(Object(refused), 'headers').get('x-should-retry')).toBe('false')
  const dry = await mallory.fetch('POST /api/ai/chat/completions?dryRun=true', hello)
  expect(dry.status).toBe(402)
})

test('GTW-33 a dry run says what a call can cost and what each limit has left, and spends nothing', async () => {
  const before = await lastUsage()
  const dry = await world.ada.fetchJson<{ estimateNanoUsd: number; limits: unknown[] }>(
    'POST /api/ai/chat/completions?dryRun=true',
    hello,
  )
  expect(dry).toMatchObject({ allowed: true, limits: expect.any(Array) })
  expect(dry.estimateNanoUsd).toBeGreaterThan(0)
  expect((await lastUsage())?.id).toBe(before?.id ?? '')
})

test('GTW-16 only services call for others, and only for members', async () => {
  const { ada, vera, mallory } = world
  const send = (caller: typeof ada.fetch, headers: Record<string, string>) =>
    caller('POST /api/ai/chat/completions', hello, headers)
  const codeOf = async (response: Response) => [response.status, Reflect.get(Object(await response.json()), 'code')]
  const theirs = { 'X-Organization-Id': mallory.things.organizations }
  expect(await codeOf(await send(ada.fetch, theirs))).toEqual([403, 'delegation_refused'])
  expect(await codeOf(await send(ada.fetch, { 'X-Delegated-User-Id': vera.id }))).toEqual([403, 'delegation_refused'])
  const service = await serviceOf(world, 'platform-socialize')
  const own = { 'X-Organization-Id': ada.things.organizations }
  expect(await codeOf(await send(service.fetch, {}))).toEqual([400, 'organization_required'])
  expect(await codeOf(await send(service.fetch, { ...own, 'X-Delegated-User-Id': mallory.id }))).toEqual([
    403,
    'delegation_refused',
  ])
  const delegated = { ...own, 'X-Delegated-User-Id': vera.id, 'X-Application-Id': 'mail' }
  expect((await send(service.fetch, delegated)).status).toBe(200)
  expect(await lastUsage()).toMatchObject({
    organizationId: ada.things.organizations,
    userId: vera.id,
    applicationId: 'mail',
  })
})

test('GTW-47 the peer-to-peer service is refused on every route of the gateway', async () => {
  await world.database.sql`INSERT INTO identity.services (slug, name, description)
    VALUES ('platform-p2p', 'Peer to peer', 'Settlements') ON CONFLICT DO NOTHING`
  const service = await serviceOf(world, 'platform-p2p')
  const headers = { 'X-Organization-Id': world.ada.things.organizations }
  const context = world.contexts.find(({ slug }) => slug === 'platform-gateway')
  const routes = Object.values(context?.operations ?? {})
  const guarded = routes.filter(({ permission }) => permission !== 'public')
  expect(guarded.length).toBeGreaterThan(5)
  for (const { route } of guarded) {
    const path = route.replaceAll(/:\w+/g, 'openai')
    const response = await service.fetch(path, path.startsWith('GET') ? undefined : {}, headers)
    expect([401, 403], route).toContain(response.status)
  }
  expect((await service.fetch('POST /api/ai/chat/completions', hello, headers)).status).toBe(403)
})

test('GTW-11 an API key is accepted as x-api-key on AI routes only', async () => {
  const { token } = { token: world.ada.credential['authorization']?.slice('Bearer '.length) ?? '' }
  const headers = { 'x-api-key': token }
  const accepted = await world.stranger.fetch('POST /api/ai/v1/chat/completions', hello, headers)
  expect(accepted.status).toBe(200)
  expect((await world.stranger.fetch('GET /api/credentials', undefined, headers)).status).toBe(401)
})

test('GTW-11 a refusal is a problem document with the `error` member of the OpenAI API', async () => {
  const response = await world.ada.fetch('POST /api/ai/chat/completions', { model: 'nowhere/none', messages: [] })
  expect(response.headers.get('content-type')).toStartWith('application/problem+json')
  expect(await response.json()).toMatchObject({
    status: 422,
    code: 'validation_failed',
    error: { type: 'invalid_request_error', code: 'validation_failed', param: 'messages' },
  })
  const unknown = await openAiOf(world, world.root)
    .chat.completions.create({ ...hello, model: 'nowhere/none' })
    .catch((error: unknown) => error)
  expect(unknown).toMatchObject({ status: 404, code: 'model_not_found' })
})

test('GTW-15 a forwarded user’s token gets a structured answer', async () => {
  const schema = {
    type: 'object',
    properties: { title: { type: 'string' } },
    required: ['title'],
    additionalProperties: false,
  }
  const { choices } = await openAiOf(world, world.ada).chat.completions.create({
    ...hello,
    response_format: { type: 'json_schema', json_schema: { name: 'plan', strict: true, schema } },
  })
  expect(JSON.parse(choices[0]?.message.content ?? '')).toMatchObject({ title: expect.any(String) })
})
