import { afterAll, beforeAll, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI, { APIConnectionError, APIError, toFile } from 'openai'
import sharp from 'sharp'
import { readConfig } from '#config'
import { newId } from '#lib/ids.ts'
import { chosenContexts } from '../../src/contexts.ts'
import { serveModels, type ModelsServer } from '../../src/gateway/practice-models/server.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'

// The official clients are the documentation that the practice models are held to. Most tests use them as a process of
// their own, without a database; those at the end as part of two servers.

let models: ModelsServer
let fresh: TestDatabase
let server: Server
let second: Server

beforeAll(async () => {
  models = serveModels({ port: 0 })
  fresh = await freshDatabase()
  server = await serveInProcess({ databaseUrl: fresh.url })
  second = await serveInProcess({ databaseUrl: fresh.url })
})

afterAll(async () => {
  await models.stop()
  await server.stop()
  await second.stop()
  await fresh.drop()
})

const newKey = () => `sk-test-${newId()}`
const openaiAt = (origin: string, apiKey = newKey()) =>
  new OpenAI({ apiKey, baseURL: `${origin}/dev/models/v1`, maxRetries: 0 })
const anthropicAt = (origin: string, apiKey = newKey()) =>
  new Anthropic({ apiKey, baseURL: `${origin}/dev/models`, maxRetries: 0 })

const openai = () => openaiAt(models.url)
const anthropic = () => anthropicAt(models.url)

const says = (content: string) => [{ role: 'user' as const, content }]
const hello = { model: 'practice-small', messages: says('Hello wörld') }

async function collect<Item>(stream: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of stream) items.push(item)
  return items
}

const send = (path: string, body: unknown, headers: Record<string, string> = {}, origin = models.url) =>
  fetch(`${origin}/dev/models${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-test', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const classic = { 'anthropic-version': '2023-06-01', 'x-api-key': 'sk-ant-test', authorization: '' }
const sendMessage = (body: unknown, headers: Record<string, string> = {}) =>
  send('/v1/messages', body, { ...classic, ...headers })

const setBehavior = (behavior: object, origin = models.url) =>
  fetch(`${origin}/dev/models/behavior`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(behavior),
  })

const city = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 3 },
    days: { type: 'integer', minimum: 2, maximum: 9 },
    unit: { enum: ['c', 'f'] },
  },
  required: ['city', 'days', 'unit'],
  additionalProperties: false,
}
const fitting = { city: 'practice', days: 2, unit: 'c' }
const weather = { type: 'function' as const, function: { name: 'get_weather', parameters: city, strict: true } }
const clock = {
  type: 'function' as const,
  function: { name: 'get_time', parameters: { type: 'object', properties: {} } },
}

test('GTW-11 chat completion echoes, and reports tokens, limits and request ID', async () => {
  const { data, response, request_id: requestId } = await openai().chat.completions.create(hello).withResponse()
  expect(data.choices).toMatchObject([{ message: { content: 'You said: Hello wörld' }, finish_reason: 'stop' }])
  expect(data.usage).toMatchObject({
    prompt_tokens: 3,
    completion_tokens: 6,
    total_tokens: 9,
    prompt_tokens_details: { cached_tokens: 0 },
  })
  expect(requestId).toBeString()
  expect(response.headers.get('x-ratelimit-remaining-requests')).toMatch(/^\d+$/)
  expect(response.headers.get('openai-processing-ms')).toMatch(/^\d+$/)
})

test('GTW-11 streamed chat equals the complete one, with usage only when it is asked for', async () => {
  const chunks = await collect(
    await openai().chat.completions.create({ ...hello, stream: true, stream_options: { include_usage: true } }),
  )
  expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('You said: Hello wörld')
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 6 } })
  expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop')
  const plain = await collect(await openai().chat.completions.create({ ...hello, stream: true }))
  expect(plain.some((chunk) => 'usage' in chunk)).toBe(false)
  const raw = await (await send('/v1/chat/completions', { ...hello, stream: true })).text()
  expect(raw).toEndWith('data: [DONE]\n\n')
})

test('GTW-11 limit of output tokens, stop text and number of choices are respected', async () => {
  const create = async (more: object) => openai().chat.completions.create({ ...hello, ...more })
  for (const limit of [{ max_tokens: 2 }, { max_completion_tokens: 2 }])
    expect(await create(limit)).toMatchObject({
      choices: [{ message: { content: 'You said' }, finish_reason: 'length' }],
      usage: { completion_tokens: 2 },
    })
  expect(await create({ stop: [':'], n: 2 })).toMatchObject({
    choices: [
      { index: 0, message: { content: 'You said' }, finish_reason: 'stop' },
      { index: 1, message: { content: 'You said' } },
    ],
    usage: { completion_tokens: 4 },
  })
})

test('GTW-11 tools are called when required or mentioned, in parallel unless disabled, and streamed in pieces', async () => {
  const ask = { model: 'practice-small', messages: says('What is the weather and the time?'), tools: [weather, clock] }
  const both = await openai().chat.completions.create(ask)
  expect(both.choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: { content: null, tool_calls: [{ function: { name: 'get_weather' } }, { function: { name: 'get_time' } }] },
  })
  const [call] = both.choices[0]?.message.tool_calls ?? []
  expect(call?.type === 'function' && JSON.parse(call.function.arguments)).toEqual(fitting)
  const one = await openai().chat.completions.create({ ...ask, parallel_tool_calls: false })
  expect(one.choices[0]?.message.tool_calls).toHaveLength(1)
  const none = await openai().chat.completions.create({ ...ask, tool_choice: 'none' })
  expect(none.choices[0]?.message.tool_calls).toBeUndefined()
  const named = {
    ...ask,
    messages: says('Hi'),
    tool_choice: { type: 'function', function: { name: 'get_time' } },
  } as const
  const streamed = await openai().chat.completions.stream(named).finalChatCompletion()
  expect(streamed.choices[0]?.message.tool_calls).toMatchObject([{ function: { name: 'get_time', arguments: '{}' } }])
  const answered = await openai().chat.completions.create({
    ...ask,
    messages: [
      ...ask.messages,
      {
        role: 'assistant',
        tool_calls: [{ type: 'function', id: 'a', function: { name: 'get_time', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'Noon' },
    ],
  })
  expect(answered.choices[0]?.message.content).toBe('The tool returned: Noon')
})

test('GTW-11 structured output fits its schema', async () => {
  const format = { type: 'json_schema', json_schema: { name: 'weather', schema: city, strict: true } } as const
  const { choices } = await openai().chat.completions.create({ ...hello, response_format: format })
  expect(JSON.parse(choices[0]?.message.content ?? '')).toEqual(fitting)
  const messages = says('Answer in JSON')
  const free = await openai().chat.completions.create({ ...hello, messages, response_format: { type: 'json_object' } })
  expect(JSON.parse(free.choices[0]?.message.content ?? '')).toEqual({ reply: 'Answer in JSON' })
})

test('GTW-11 image in a message costs 85 tokens and isn’t fetched', async () => {
  const image = (url: string) => [{ type: 'image_url' as const, image_url: { url } }]
  for (const url of ['https://nowhere.invalid/a.png', 'data:image/png;base64,AAAA']) {
    const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Look' }, ...image(url)] }]
    expect((await openai().chat.completions.create({ ...hello, messages })).usage?.prompt_tokens).toBe(86)
  }
  const messages = [{ role: 'user' as const, content: image('file:///etc/passwd') }]
  const refused = openai().chat.completions.create({ ...hello, messages })
  expect(await refused.catch((error: unknown) => error)).toMatchObject({
    status: 400,
    param: 'messages[0].content[0].image_url.url',
  })
})

test('GTW-11 response is written with the typed events of its stream, with text and tools', async () => {
  const whole = await openai().responses.create({ model: 'practice-small', input: 'Hi there', store: false })
  expect(whole).toMatchObject({
    output_text: 'You said: Hi there',
    status: 'completed',
    usage: { input_tokens: 2, output_tokens: 5, input_tokens_details: { cached_tokens: 0 } },
  })
  const events = await collect(
    await openai().responses.create({ model: 'practice-small', input: 'Hi there', stream: true }),
  )
  expect([...new Set(events.map(({ type }) => type))]).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ])
  expect(events.map(({ sequence_number: at }) => at)).toEqual(events.map((_, at) => at))
  const tool = { type: 'function' as const, name: 'get_weather', parameters: city, strict: true }
  const called = await openai()
    .responses.stream({ model: 'practice-small', input: 'Hi', tools: [tool], tool_choice: 'required' })
    .finalResponse()
  expect(called.output).toMatchObject([
    { type: 'function_call', name: 'get_weather', arguments: JSON.stringify(fitting) },
  ])
  const cut = await openai().responses.create({
    model: 'practice-small',
    input: 'a'.repeat(500),
    max_output_tokens: 16,
  })
  expect(cut).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } })
})

test('GTW-11 completions and embeddings answer, with vectors as floats and base64', async () => {
  const completion = await openai().completions.create({ model: 'practice-small', prompt: ['One', 'Two'] })
  expect(completion.choices.map(({ text }) => text)).toEqual(['You said: One', 'You said: Two'])
  const input = { model: 'practice-embedding', input: ['a', 'b'], dimensions: 8 }
  const [base64, floats] = await Promise.all([
    openai().embeddings.create(input),
    openai().embeddings.create({ ...input, encoding_format: 'float' }),
  ])
  expect(base64).toEqual(floats)
  expect(base64.data[0]?.embedding).toHaveLength(8)
  expect(base64.data[0]?.embedding).not.toEqual(base64.data[1]?.embedding)
  expect(base64.usage).toEqual({ prompt_tokens: 2, total_tokens: 2 })
})

test('GTW-11 images are drawn and edited as PNG of the wanted size', async () => {
  const drawn = await openai().images.generate({ model: 'practice-image', prompt: 'A cat', n: 2, size: '1536x1024' })
  expect(drawn.data).toHaveLength(2)
  const bytes = Buffer.from(drawn.data?.[0]?.b64_json ?? '', 'base64')
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 1536, height: 1024 })
  expect(drawn.usage).toMatchObject({ input_tokens: 2, output_tokens: 2 * 1584 })
  const image = await toFile(bytes, 'cat.png', { type: 'image/png' })
  const edited = await openai().images.edit({ model: 'practice-image', prompt: 'A dog', image: [image, image] })
  expect(edited.usage?.input_tokens_details).toEqual({ image_tokens: 170, text_tokens: 2 })
})

test('GTW-11 audio is transcribed as JSON, text and with details', async () => {
  const file = await toFile(new Uint8Array(40_000), 'talk.mp3')
  const create = openai().audio.transcriptions
  const text = 'Transcript of talk.mp3, 40000 bytes.'
  const whole = await create.create({ model: 'practice-audio', file })
  expect(whole).toMatchObject({ text, usage: { type: 'duration', seconds: 3 } })
  expect(await create.create({ model: 'practice-audio', file, response_format: 'text' })).toBe(`${text}\n`)
  const detailed = await create.create({
    model: 'practice-audio',
    file,
    response_format: 'verbose_json',
    timestamp_granularities: ['word'],
  })
  expect(detailed).toMatchObject({ text, duration: 3, words: [{ word: 'Transcript', start: 0 }, {}, {}, {}, {}] })
})

test('GTW-11 models are listed in the format of the client that asks', async () => {
  expect((await openai().models.list()).data.map(({ id }) => id)).toContain('practice-image')
  expect(await openai().models.retrieve('practice-small')).toMatchObject({ object: 'model' })
  const { data } = await anthropic().models.list()
  expect(data).toMatchObject([{ id: 'practice-small', type: 'model' }, { id: 'practice-large' }])
})

test('GTW-11 message of Anthropic is written, streamed and counted', async () => {
  const ask = { ...hello, max_tokens: 100 }
  const whole = await anthropic().messages.create(ask)
  expect(whole).toMatchObject({
    content: [{ type: 'text', text: 'You said: Hello wörld' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 3, output_tokens: 6, cache_read_input_tokens: 0 },
  })
  const raw = await (await sendMessage({ ...ask, stream: true })).text()
  const types = [...raw.matchAll(/^event: (\w+)$/gm)].map(([, type]) => type)
  expect([...new Set(types)]).toEqual([
    'message_start',
    'content_block_start',
    'ping',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ])
  const streamed = await anthropic().messages.stream(ask).finalMessage()
  expect(streamed.content).toMatchObject(whole.content)
  expect(await anthropic().messages.countTokens(hello)).toMatchObject({ input_tokens: 3 })
  expect(await anthropic().messages.create({ ...ask, max_tokens: 2 })).toMatchObject({ stop_reason: 'max_tokens' })
  expect(await anthropic().messages.create({ ...ask, stop_sequences: [' said'] })).toMatchObject({
    content: [{ text: 'You' }],
    stop_reason: 'stop_sequence',
    stop_sequence: ' said',
  })
})

test('GTW-11 tool of Anthropic is called with streamed input that fits its schema', async () => {
  const { type, properties, required } = city
  const tools = [{ name: 'get_weather', input_schema: { type: type as 'object', properties, required } }]
  const ask = { model: 'practice-large', max_tokens: 100, messages: says('The weather?'), tools }
  const message = await anthropic().messages.stream(ask).finalMessage()
  expect(message).toMatchObject({ stop_reason: 'tool_use', content: [{ type: 'tool_use', input: fitting }] })
  const [use] = message.content
  const result = { type: 'tool_result' as const, tool_use_id: use?.type === 'tool_use' ? use.id : '', content: 'Sunny' }
  const next = await anthropic().messages.create({
    ...ask,
    messages: [
      ...ask.messages,
      { role: 'assistant', content: [...message.content] },
      { role: 'user', content: [result] },
    ],
  })
  expect(next.content).toMatchObject([{ text: 'The tool returned: Sunny' }])
})

test('GTW-11 cached part of a prompt is reported by both providers', async () => {
  const long = 'word '.repeat(2000)
  const { usage } = await openai().chat.completions.create({ ...hello, messages: says(long), prompt_cache_key: 'a' })
  expect(usage).toMatchObject({ prompt_tokens: 2500, prompt_tokens_details: { cached_tokens: 2432 } })
  const system = [{ type: 'text' as const, text: long, cache_control: { type: 'ephemeral' as const } }]
  const message = await anthropic().messages.create({ ...hello, max_tokens: 10, system })
  expect(message.usage).toMatchObject({
    input_tokens: 3,
    cache_read_input_tokens: 2500,
    cache_creation_input_tokens: 0,
  })
})

const image = { type: 'image_url', image_url: { url: 'https://a.example/b.png', size: 1 } }
const callOnly = [
  { role: 'assistant', tool_calls: [{ type: 'function', id: 'a', function: { name: 'b', arguments: '' } }] },
]
const openaiRefusals: [string, string, unknown, object][] = [
  [
    'an unknown field',
    '/v1/chat/completions',
    { ...hello, usage: true },
    { message: 'Unrecognized request argument supplied: usage', param: 'usage', code: 'unknown_parameter' },
  ],
  [
    'an unknown nested field',
    '/v1/chat/completions',
    { ...hello, messages: [{ role: 'user', content: [image] }] },
    { param: 'messages[0].content[0].image_url.size', code: 'unknown_parameter' },
  ],
  [
    'a missing field',
    '/v1/chat/completions',
    { model: 'practice-small' },
    { message: "Missing required parameter: 'messages'.", code: 'missing_required_parameter' },
  ],
  [
    'a wrong type',
    '/v1/chat/completions',
    { ...hello, messages: says(1 as never) },
    {
      message:
        "Invalid type for 'messages[0].content': expected one of a string or an array, but got an integer instead.",
      code: 'invalid_type',
    },
  ],
  [
    'too large a value',
    '/v1/chat/completions',
    { ...hello, temperature: 2.5 },
    { code: 'decimal_above_max_value', param: 'temperature' },
  ],
  [
    'an unknown role',
    '/v1/chat/completions',
    { ...hello, messages: [{ role: 'bot', content: '' }] },
    { param: 'messages[0].role', code: 'invalid_value' },
  ],
  [
    'both limits',
    '/v1/chat/completions',
    { ...hello, max_tokens: 1, max_completion_tokens: 1 },
    { code: 'invalid_parameter_combination' },
  ],
  ['too high a limit', '/v1/chat/completions', { ...hello, max_tokens: 20_000 }, { param: 'max_tokens' }],
  [
    'stream options without a stream',
    '/v1/chat/completions',
    { ...hello, stream_options: {} },
    { param: 'stream_options' },
  ],
  [
    'tool calls without results',
    '/v1/chat/completions',
    { ...hello, messages: callOnly },
    { param: 'messages.[1].role' },
  ],
  [
    'a loose strict schema',
    '/v1/chat/completions',
    {
      ...hello,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'a', strict: true, schema: { type: 'object', properties: {} } },
      },
    },
    { code: 'invalid_json_schema' },
  ],
  ['malformed JSON', '/v1/chat/completions', '{', { type: 'invalid_request_error' }],
  [
    'an unknown field of a response',
    '/v1/responses',
    { model: 'practice-small', input: 'a', messages: [] },
    { code: 'unknown_parameter' },
  ],
  [
    'an unknown previous response',
    '/v1/responses',
    { model: 'practice-small', input: 'a', previous_response_id: 'resp_1' },
    { code: 'previous_response_not_found' },
  ],
  ['an empty embedding', '/v1/embeddings', { model: 'practice-embedding', input: '' }, { param: 'input' }],
  [
    'the response format of an image',
    '/v1/images/generations',
    { model: 'practice-image', prompt: 'a', response_format: 'b64_json' },
    { code: 'unknown_parameter' },
  ],
]
test.each(openaiRefusals)('GTW-11 %s is refused as OpenAI does', async (_, path, body, error) => {
  const response = await send(path, body)
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error: { type: 'invalid_request_error', ...error } },
  ])
})

test('GTW-11 OpenAI’s endpoints refuse other media types, missing and invalid keys and unknown models', async () => {
  const plain = await send('/v1/chat/completions', hello, { 'content-type': 'text/plain' })
  expect([plain.status, await plain.json()]).toMatchObject([400, { error: { code: 'unsupported_content_type' } }])
  const form = await send('/v1/audio/transcriptions', { model: 'practice-audio' })
  expect(form.status).toBe(400)
  const missing = await send('/v1/chat/completions', hello, { authorization: '' })
  expect([missing.status, await missing.json()]).toMatchObject([401, { error: { code: null } }])
  const invalid = openaiAt(models.url, 'sk-invalid-1').models.list()
  expect(await invalid.catch((error: unknown) => error)).toMatchObject({ status: 401, code: 'invalid_api_key' })
  for (const model of ['gpt-5', 'practice-embedding']) {
    const unknown = openai().chat.completions.create({ ...hello, model })
    expect(await unknown.catch((error: unknown) => error)).toMatchObject({ status: 404, code: 'model_not_found' })
  }
})

const say = { ...hello, max_tokens: 10 }
const strayResult = [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }] }]
const anthropicRefusals: [string, unknown, Record<string, string>, number, string][] = [
  ['an unknown field', { ...say, n: 1 }, {}, 400, 'n: Extra inputs are not permitted'],
  ['a missing limit', hello, {}, 400, 'max_tokens: Field required'],
  ['a wrong type', { ...say, max_tokens: '1' }, {}, 400, 'max_tokens: Input should be a valid number'],
  [
    'a first message of the assistant',
    { ...say, messages: [{ role: 'assistant', content: 'a' }] },
    {},
    400,
    'messages: first message must use the "user" role',
  ],
  [
    'a result without a call',
    { ...say, messages: strayResult },
    {},
    400,
    'messages.0.content.0: unexpected `tool_use_id`',
  ],
  [
    'a cached empty text',
    { ...say, messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
    {},
    400,
    'messages.0.content.0.text: ',
  ],
  [
    'sampling of the old version',
    { ...say, temperature: 1 },
    { 'anthropic-version': '2026-10-21' },
    400,
    'temperature: Extra inputs are not permitted',
  ],
  ['an unknown model', { ...say, model: 'claude' }, {}, 404, 'model: claude'],
  ['a missing version', say, { 'anthropic-version': '' }, 400, 'anthropic-version: '],
  ['a missing key', say, { 'x-api-key': '' }, 401, 'x-api-key header is required'],
  ['an invalid key', say, { 'x-api-key': 'sk-ant-invalid-1' }, 401, 'invalid x-api-key'],
  ['another media type', say, { 'content-type': 'text/plain' }, 400, 'content-type: '],
]
test.each(anthropicRefusals)('GTW-11 %s is refused as Anthropic does', async (_, body, headers, status, message) => {
  const response = await sendMessage(body, headers)
  expect(await response.json()).toMatchObject({
    type: 'error',
    error: { message: expect.stringContaining(message) },
    request_id: response.headers.get('request-id'),
  })
  expect(response.status).toBe(status)
})

test('GTW-11 behavior gives replies of a wanted length, up to the limit of a request', async () => {
  const apiKey = newKey()
  await setBehavior({ mode: 'ok', tokens: 500, apiKey })
  const client = openaiAt(models.url, apiKey)
  expect((await client.chat.completions.create(hello)).usage?.completion_tokens).toBe(500)
  const limited = await client.chat.completions.create({ ...hello, max_tokens: 300 })
  expect(limited).toMatchObject({ usage: { completion_tokens: 300 }, choices: [{ finish_reason: 'length' }] })
  const message = await anthropicAt(models.url, apiKey).messages.create({ ...hello, max_tokens: 1000 })
  expect(message.usage.output_tokens).toBe(500)
  const format = { type: 'json_schema', json_schema: { name: 'weather', schema: city } } as const
  const json = await client.chat.completions.create({ ...hello, response_format: format })
  expect([json.usage?.completion_tokens, JSON.parse(json.choices[0]?.message.content ?? '')]).toEqual([500, fitting])
})

test('GTW-11 failures and rate limits happen as often as demanded, in the format of the provider', async () => {
  const apiKey = newKey()
  const client = openaiAt(models.url, apiKey)
  const fails = (call: Promise<unknown>) =>
    call.then(
      () => null,
      (error: unknown) => error,
    )
  await setBehavior({ mode: 'fail', status: 503, times: 2, apiKey })
  expect(await fails(client.chat.completions.create(hello))).toMatchObject({ status: 503, type: 'server_error' })
  expect(await fails(openai().chat.completions.create(hello))).toBeNull()
  const overloaded = await fails(anthropicAt(models.url, apiKey).messages.create({ ...hello, max_tokens: 1 }))
  expect(overloaded).toMatchObject({ status: 503, error: { error: { type: 'api_error' } } })
  expect(await fails(client.chat.completions.create(hello))).toBeNull()
  await setBehavior({ mode: 'rate_limit', retryAfter: 7, model: 'practice-large', apiKey })
  expect(await fails(client.chat.completions.create(hello))).toBeNull()
  const limited = await fails(client.chat.completions.create({ ...hello, model: 'practice-large' }))
  expect(limited).toMatchObject({ status: 429, code: 'rate_limit_exceeded' })
  expect(limited instanceof APIError && limited.headers?.get('retry-after')).toBe('7')
})

test('GTW-11 cut breaks the connection after a part of the stream or body', async () => {
  const apiKey = newKey()
  await setBehavior({ mode: 'cut', apiKey })
  const received: string[] = []
  const read = async () => {
    const stream = await openaiAt(models.url, apiKey).chat.completions.create({ ...hello, stream: true })
    for await (const { choices } of stream) received.push(choices[0]?.delta.content ?? '')
  }
  expect(await read().then(() => null, String)).toMatch(/closed|ECONNRESET|terminated/i)
  expect(received.join('')).toStartWith('You ')
  expect('You said: Hello wörld').toStartWith(received.join(''))
  expect(received.join('')).not.toBe('You said: Hello wörld')
  const body = send('/v1/chat/completions', hello, { authorization: `Bearer ${apiKey}` }).then((whole) => whole.text())
  expect(await body.then(() => null, String)).toMatch(/closed|ECONNRESET|terminated/i)
})

test('GTW-11 timeout never responds', async () => {
  const apiKey = newKey()
  await setBehavior({ mode: 'timeout', apiKey })
  const client = new OpenAI({ apiKey, baseURL: `${models.url}/dev/models/v1`, maxRetries: 0, timeout: 150 })
  const failed = await client.chat.completions.create(hello).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(APIConnectionError)
})

test('GTW-11 received requests are listed by API key, without the key', async () => {
  const apiKey = newKey()
  await openaiAt(models.url, apiKey).chat.completions.create(hello)
  const text = await (await fetch(`${models.url}/dev/models/api/requests?apiKey=${apiKey}`)).text()
  expect(text).not.toContain(apiKey)
  expect(JSON.parse(text).items).toMatchObject([
    { method: 'POST', path: '/dev/models/v1/chat/completions', model: 'practice-small', body: hello, status: 200 },
  ])
})

test('GTW-11 first chat completion on a server answers offline, streamed or not, without problem documents', async () => {
  const origin = server.url
  expect((await openaiAt(origin).chat.completions.create(hello)).choices[0]?.message.content).toBe(
    'You said: Hello wörld',
  )
  const chunks = await collect(await openaiAt(origin).chat.completions.create({ ...hello, stream: true }))
  expect(chunks.length).toBeGreaterThan(4)
  const message = await anthropicAt(origin)
    .messages.stream({ ...hello, max_tokens: 20 })
    .finalMessage()
  expect(message.content).toMatchObject([{ text: 'You said: Hello wörld' }])
  const refused = await send('/v1/chat/completions', {}, {}, origin)
  expect([refused.headers.get('content-type'), await refused.json()]).toMatchObject([
    'application/json',
    { error: { type: 'invalid_request_error' } },
  ])
})

test('GTW-11 behavior of a server applies on every server of the database, as often as demanded together', async () => {
  const apiKey = newKey()
  const clients = [openaiAt(server.url, apiKey), openaiAt(second.url, apiKey)]
  const isRefused = (client: OpenAI) =>
    client.chat.completions.create(hello).then(
      () => false,
      () => true,
    )
  // The second server has just read the behaviors, and reads them again within 100 ms.
  expect(await Promise.all(clients.map(isRefused))).toEqual([false, false])
  await setBehavior({ mode: 'fail', times: 3, apiKey }, server.url)
  const other = openaiAt(second.url, apiKey)
  while (!(await isRefused(other))) await Bun.sleep(10)
  const refused = await Promise.all([...clients, ...clients, ...clients].map(isRefused))
  expect(refused.filter(Boolean)).toHaveLength(2)
  const left = await fetch(`${second.url}/dev/models/behavior?apiKey=${apiKey}`)
  expect(await left.json()).toEqual({ mode: 'fail', times: 0 })
})

test('GTW-11 cut breaks the connection of a server too', async () => {
  const apiKey = newKey()
  await setBehavior({ mode: 'cut', apiKey }, server.url)
  const client = openaiAt(server.url, apiKey)
  const read = async () => collect(await client.chat.completions.create({ ...hello, stream: true }))
  expect(await read().then(() => null, String)).toMatch(/closed|ECONNRESET|terminated/i)
})

test('GTW-11 page shows received requests and a form for the behavior', async () => {
  await openaiAt(server.url).chat.completions.create(hello)
  const html = await (await fetch(`${server.url}/dev/models`, { headers: { accept: 'text/html' } })).text()
  expect(html).toContain('POST /dev/models/v1/chat/completions')
  expect(html).toContain('hx-put="/dev/models/behavior"')
})

test('GTW-11 practice models are absent in staging and production', () => {
  const config = { ...readConfig({ ATRIUM_ENV: 'test' }), offlineHelps: false }
  const contexts = chosenContexts(config)
  const paths = contexts.flatMap(({ endpoints = [], operations, pages }) => [
    ...endpoints.map(({ path }) => path),
    ...Object.values(operations).map(({ route }) => route),
    ...pages.map(({ path }) => path),
  ])
  expect(paths.filter((path) => path.includes('/dev/models'))).toEqual([])
})
