import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type World } from '../support/world.ts'
import { openAiOf } from './ai-clients.ts'
import { eventStream, openUpstream, type ScriptedUpstream } from './upstream.ts'

let world: World
let upstream: ScriptedUpstream

beforeAll(async () => {
  upstream = openUpstream()
  world = await openWorld()
  const credential = { label: 'main', secret: { apiKey: 'sk-practice' }, baseUrl: upstream.url }
  await world.mallory.fetchJson('PUT /api/credentials/openai', credential)
})
afterAll(async () => {
  await world.close()
  upstream.stop()
})

test('GTW-11 the official client gets a response with its text and cost, streamed or not', async () => {
  const client = openAiOf(world, world.ada)
  const whole = await client.responses.create({ model: 'practice-small', input: 'Say hello', instructions: 'Be brief' })
  expect(whole).toMatchObject({ object: 'response', status: 'completed', store: false })
  expect(whole.output_text).not.toBe('')
  expect(Reflect.get(whole.usage ?? {}, 'cost')).toBeNumber()
  const stream = client.responses.stream({ model: 'practice-small', input: 'Say hello' })
  const sequence: number[] = []
  for await (const event of stream) sequence.push(event.sequence_number)
  const final = await stream.finalResponse()
  expect(final.output_text).not.toBe('')
  expect(Reflect.get(final.usage ?? {}, 'cost')).toBeNumber()
  expect(sequence).toEqual(sequence.map((_, at) => at))
})

for (const [name, value] of Object.entries({ store: true, previous_response_id: 'resp_1', background: true }))
  test(`GTW-11 ${name} is not ignored: it is refused and named`, async () => {
    const refused = await openAiOf(world, world.ada)
      .responses.create({ model: 'practice-small', input: 'Hello', [name]: value })
      .catch((error: unknown) => error)
    expect(refused).toMatchObject({ status: 400, code: 'unsupported_parameter', param: name })
  })

test('GTW-11 tools of a response are called, streamed, and continued with their results', async () => {
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c1', model: 'gpt-test', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  const call = (fields: object) => ({ tool_calls: [{ index: 0, ...fields }] })
  upstream.answer(() =>
    eventStream([
      chunk(call({ id: 'call_1', function: { name: 'get_weather', arguments: '' } })),
      chunk(call({ function: { arguments: '{"city":"Oslo"}' } })),
      chunk({}, 'tool_calls'),
      'data: {"id":"c1","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":9}}\n\ndata: [DONE]\n\n',
    ]),
  )
  const parameters = { type: 'object', properties: { city: { type: 'string' } } }
  const final = await openAiOf(world, world.mallory)
    .responses.stream({
      model: 'openai/gpt-test',
      input: [
        { role: 'user', content: 'Weather?' },
        { type: 'function_call', call_id: 'call_0', name: 'get_weather', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_0', output: 'Where?' },
      ],
      tools: [{ type: 'function', name: 'get_weather', parameters, strict: false }],
    })
    .finalResponse()
  expect(final.output).toMatchObject([{ type: 'function_call', call_id: 'call_1', arguments: '{"city":"Oslo"}' }])
  expect(upstream.requests.at(-1)?.body).toMatchObject({
    messages: [
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', tool_calls: [{ id: 'call_0', function: { name: 'get_weather' } }] },
      { role: 'tool', tool_call_id: 'call_0', content: 'Where?' },
    ],
    tools: [{ type: 'function', function: { name: 'get_weather', parameters } }],
  })
})

test('GTW-11 models are listed and found by the official client', async () => {
  const client = openAiOf(world, world.ada)
  const { data } = await client.models.list()
  expect(data.map(({ id }) => id)).toContain('practice/practice-small')
  expect(await client.models.retrieve('practice-small')).toMatchObject({ owned_by: 'practice' })
  expect(await client.models.retrieve('practice/practice-small')).toMatchObject({ owned_by: 'practice' })
  expect(await client.models.retrieve('nothing').catch((error: unknown) => error)).toMatchObject({ status: 404 })
})
