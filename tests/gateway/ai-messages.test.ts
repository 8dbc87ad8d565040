import type Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type World } from '../support/world.ts'
import { anthropicOf, lastUsageOf, openAiOf } from './ai-clients.ts'
import { eventStream, openUpstream, type ScriptedUpstream } from './upstream.ts'

let world: World
let upstream: ScriptedUpstream
/** The practice models behind a real address, as a provider of Anthropic's API. */
let practice: ReturnType<typeof Bun.serve>

const weather = {
  name: 'get_weather',
  description: 'Get the weather',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' } } },
}

beforeAll(async () => {
  upstream = openUpstream()
  world = await openWorld()
  practice = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => world.handle(request) })
  const connect = (caller: World['ada'], provider: string, baseUrl: string) =>
    caller.fetchJson(`PUT /api/credentials/${provider}`, { label: 'main', secret: { apiKey: 'sk-practice' }, baseUrl })
  await connect(world.ada, 'anthropic', `http://127.0.0.1:${practice.port}/dev/models/v1`)
  await connect(world.mallory, 'anthropic', upstream.url)
  await connect(world.mallory, 'openai', upstream.url)
})
afterAll(async () => {
  await practice.stop(true)
  await world.close()
  upstream.stop()
})

const ask = (model: string): Anthropic.MessageCreateParamsNonStreaming => ({
  model,
  max_tokens: 50,
  messages: [{ role: 'user', content: 'Say hello' }],
})

for (const [name, model] of [
  ['a provider of Anthropic’s API', 'anthropic/practice-small'],
  ['a provider of the OpenAI API', 'practice/practice-small'],
] as const)
  test(`GTW-11 the official Anthropic client gets messages from ${name}, streamed or not`, async () => {
    const client = anthropicOf(world, world.ada)
    const { data, response } = await client.messages.create(ask(model)).withResponse()
    expect(data).toMatchObject({ type: 'message', role: 'assistant', stop_sequence: null })
    expect(data.content[0]).toMatchObject({ type: 'text' })
    expect(data.usage.output_tokens).toBeGreaterThan(0)
    expect(response.headers.get('x-atrium-model')).toBe('practice-small')
    expect(Reflect.get(data.usage, 'cost')).toBeNumber()
    const events: string[] = []
    const stream = client.messages.stream(ask(model)).on('streamEvent', ({ type }) => void events.push(type))
    const streamed = await stream.finalMessage()
    expect(events[0]).toBe('message_start')
    expect(events.slice(-2)).toEqual(['message_delta', 'message_stop'])
    expect(streamed.content[0]).toMatchObject({ type: 'text' })
    expect(streamed.usage.output_tokens).toBeGreaterThan(0)
    expect(await lastUsageOf(world)).toMatchObject({ streamed: true })
  })

test('GTW-11 the official OpenAI client uses a model of Anthropic’s API, streamed or not', async () => {
  const client = openAiOf(world, world.ada)
  const hello = { model: 'anthropic/practice-small', messages: [{ role: 'user' as const, content: 'Say hello' }] }
  const whole = await client.chat.completions.create(hello)
  expect(whole.choices[0]).toMatchObject({ finish_reason: 'stop', message: { role: 'assistant' } })
  expect(whole.choices[0]?.message.content).toBeString()
  const stream = client.chat.completions.stream({ ...hello, stream_options: { include_usage: true } })
  const final = await stream.finalChatCompletion()
  expect(final.choices[0]?.message.content).toBeString()
  expect(final.usage?.completion_tokens).toBeGreaterThan(0)
})

test('GTW-11 an error of the Messages API has Anthropic’s shape and is a problem document', async () => {
  const refused = await anthropicOf(world, world.mallory)
    .messages.create(ask('nowhere/none'))
    .catch((error: unknown) => error)
  expect(refused).toMatchObject({
    status: 404,
    error: { type: 'error', code: 'model_not_found', error: { type: 'not_found_error' } },
  })
})

test('GTW-11 tools, images and results of tools reach Anthropic as its API has them', async () => {
  upstream.answer(() =>
    Response.json({
      id: 'msg_1',
      model: 'claude-test',
      content: [{ type: 'tool_use', id: 'call_2', name: 'get_weather', input: { city: 'Rome' } }],
      stop_reason: 'tool_use',
      usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 7 },
    }),
  )
  const called = {
    id: 'call_1',
    type: 'function' as const,
    function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
  }
  const completion = await openAiOf(world, world.mallory).chat.completions.create({
    model: 'anthropic/claude-test',
    max_completion_tokens: 99,
    messages: [
      { role: 'system', content: 'Be brief' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
      { role: 'assistant', content: null, tool_calls: [called] },
      { role: 'tool', tool_call_id: 'call_1', content: 'Rain' },
    ],
    tools: [{ type: 'function', function: { name: 'get_weather', parameters: weather.input_schema } }],
    tool_choice: 'required',
    stop: 'END',
  })
  expect(upstream.requests.at(-1)?.headers.get('x-api-key')).toBe('sk-practice')
  expect(upstream.requests.at(-1)?.body).toEqual({
    model: 'claude-test',
    max_tokens: 99,
    system: 'Be brief',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'call_1', name: 'get_weather', input: { city: 'Oslo' } }],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'Rain' }] }],
      },
    ],
    stop_sequences: ['END'],
    tools: [{ name: 'get_weather', input_schema: weather.input_schema }],
    tool_choice: { type: 'any' },
  })
  expect(completion.choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: { tool_calls: [{ id: 'call_2', function: { name: 'get_weather', arguments: '{"city":"Rome"}' } }] },
  })
  expect(completion.usage).toMatchObject({
    prompt_tokens: 15,
    completion_tokens: 7,
    prompt_tokens_details: { cached_tokens: 5 },
  })
})

test('GTW-11 a streamed tool call of the OpenAI API becomes blocks of the Messages API', async () => {
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c1', model: 'gpt-test', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  const call = (fields: object) => ({ tool_calls: [{ index: 0, ...fields }] })
  upstream.answer(() =>
    eventStream([
      chunk({ role: 'assistant', content: 'Let me see' }),
      chunk(call({ id: 'call_9', function: { name: 'get_weather', arguments: '' } })),
      chunk(call({ function: { arguments: '{"city":' } })),
      chunk(call({ function: { arguments: '"Oslo"}' } })),
      chunk({}, 'tool_calls'),
      'data: {"id":"c1","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":9}}\n\ndata: [DONE]\n\n',
    ]),
  )
  const message = await anthropicOf(world, world.mallory)
    .messages.stream({ ...ask('openai/gpt-test'), tools: [weather], tool_choice: { type: 'any' } })
    .finalMessage()
  expect(upstream.requests.at(-1)?.body).toMatchObject({
    stream: true,
    stream_options: { include_usage: true },
    tool_choice: 'required',
  })
  expect(message).toMatchObject({
    stop_reason: 'tool_use',
    content: [
      { type: 'text', text: 'Let me see' },
      { type: 'tool_use', id: 'call_9', name: 'get_weather', input: { city: 'Oslo' } },
    ],
    usage: { input_tokens: 3, output_tokens: 9 },
  })
})

test('GTW-11 tokens of a message are counted by its provider, and estimated where that has no count', async () => {
  const count = (model: string) =>
    anthropicOf(world, world.mallory)
      .messages.countTokens({ model, messages: [{ role: 'user', content: 'Say hello' }] })
      .withResponse()
  upstream.requests.length = 0
  upstream.answer(() => Response.json({ input_tokens: 4_321 }))
  const counted = await count('anthropic/claude-sonnet-4-5')
  expect(counted.data.input_tokens).toBe(4_321)
  expect(counted.response.headers.get('x-atrium-token-count')).toBe('provider')
  expect(upstream.requests).toMatchObject([
    { path: '/v1/messages/count_tokens', body: { model: 'claude-sonnet-4-5', messages: [{ content: 'Say hello' }] } },
  ])
  upstream.answer(() => new Response('Not found', { status: 404 }))
  const estimated = await count('anthropic/claude-sonnet-4-5')
  expect(estimated.data.input_tokens).toBeGreaterThan(0)
  expect(estimated.response.headers.get('x-atrium-token-count')).toBe('estimate')
  expect((await count('openai/gpt-4o-mini')).response.headers.get('x-atrium-token-count')).toBe('estimate')
  expect(upstream.requests).toHaveLength(2)
  upstream.answer(() => Response.json({ error: { message: 'messages: too many images' } }, { status: 400 }))
  const refused = await count('anthropic/claude-sonnet-4-5').catch((thrown: unknown) => thrown)
  expect(refused).toMatchObject({ status: 400 })
  expect(String(refused)).toContain('too many images')
})
