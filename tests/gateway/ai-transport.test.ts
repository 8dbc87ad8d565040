import { afterAll, expect, test } from 'bun:test'
import { openWorld } from '../support/world.ts'
import { openAiOf, serviceOf } from './ai-clients.ts'
import { eventStream, openUpstream } from './upstream.ts'

const upstream = openUpstream()
afterAll(() => upstream.stop())

const hello = { model: 'practice-small', messages: [{ role: 'user' as const, content: 'Say hello' }] }
const chunk = (content: string) =>
  `data: ${JSON.stringify({ id: 'c1', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`
const usage = { prompt_tokens: 4, completion_tokens: 2 }
const whole = () =>
  Response.json({
    id: 'c1',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    usage,
  })
const pieces = () => eventStream([chunk('H'), chunk('i'), `data: ${JSON.stringify({ choices: [], usage })}\n\n`])

test('GTW-13 responses through the edge gateway are the same byte for byte, and only it gets the token', async () => {
  const origin = new URL(upstream.url).origin
  const direct = await openWorld({ env: { MODELS_URL: `${origin}/v1` } })
  const edge = await openWorld({
    env: {
      MODELS_URL: `${origin}/v1`,
      EDGE_AI_GATEWAY_URL: `${origin}/edge/acme`,
      EDGE_AI_GATEWAY_TOKEN: 'edge-token',
      EDGE_AI_GATEWAY_ROUTES: 'practice=models/v1',
    },
  })
  try {
    for (const [answer, stream] of [
      [whole, false],
      [pieces, true],
    ] as const) {
      upstream.answer(answer)
      const read = async (world: typeof edge) => {
        const response = await world.ada.fetch('POST /api/ai/chat/completions', { ...hello, stream })
        const names = [...response.headers.keys()]
        return { status: response.status, names, text: await response.text() }
      }
      expect(await read(edge)).toEqual(await read(direct))
    }
    const [first, second] = upstream.requests
    expect(first?.path).toBe('/edge/acme/models/v1/chat/completions')
    expect(first?.headers.get('cf-aig-authorization')).toBe('Bearer edge-token')
    expect(second?.path).toBe('/v1/chat/completions')
    expect(second?.headers.has('cf-aig-authorization')).toBe(false)
  } finally {
    await edge.close()
    await direct.close()
  }
})

test('IDN-36 a test key reaches the practice provider and credentials marked test, and no others', async () => {
  const world = await openWorld()
  try {
    const { ada } = world
    const connect = (mode: string) =>
      ada.fetchJson('PUT /api/credentials/openai', {
        label: mode,
        mode,
        secret: { apiKey: `sk-${mode}-credential` },
        baseUrl: upstream.url,
      })
    await connect('live')
    const key = await ada.createKey({
      name: 'Test',
      mode: 'test',
      service: 'platform-gateway',
      scopes: ['ai.invoke'],
    })
    const client = openAiOf(world, key)
    upstream.answer(whole)
    expect((await client.chat.completions.create(hello)).choices).toHaveLength(1)
    const ask = () => client.chat.completions.create({ ...hello, model: 'openai/gpt-4o-mini' })
    expect(await ask().catch((error: unknown) => error)).toMatchObject({ status: 404 })
    const before = upstream.requests.length
    await connect('test')
    expect((await ask()).choices).toHaveLength(1)
    expect(upstream.requests).toHaveLength(before + 1)
    expect(upstream.requests.at(-1)?.headers.get('authorization')).toBe('Bearer sk-test-credential')
  } finally {
    await world.close()
  }
})

test('GTW-46 while identity can’t say whether an organization is suspended, a delegated call is refused', async () => {
  const world = await openWorld()
  try {
    const service = await serviceOf(world, 'platform-socialize')
    const headers = { 'X-Organization-Id': world.ada.things.organizations, 'X-Delegated-User-Id': world.vera.id }
    await world.database.sql`ALTER TABLE identity.memberships RENAME TO memberships_away`
    const response = await service.fetch('POST /api/ai/chat/completions', hello, headers)
    expect(response.status).toBe(503)
    await world.database.sql`ALTER TABLE identity.memberships_away RENAME TO memberships`
    expect(await response.json()).toMatchObject({ error: { type: 'server_error' } })
  } finally {
    await world.close()
  }
})
