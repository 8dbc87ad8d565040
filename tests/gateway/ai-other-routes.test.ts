import { afterAll, beforeAll, expect, test } from 'bun:test'
import { toFile } from 'openai'
import { openWorld, type World } from '../support/world.ts'
import { lastUsageOf, openAiOf } from './ai-clients.ts'
import { flacOfSilence, flacSeconds } from './compressed-silence.ts'
import { silence } from './silence.ts'

let world: World
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const costOf = (usage: unknown): unknown => Reflect.get(Object(usage), 'cost')

test('GTW-11 embeddings are not coerced: the official client gets the vectors that it asked for', async () => {
  const client = openAiOf(world, world.ada)
  const decoded = await client.embeddings.create({ model: 'practice-embedding', input: ['one', 'two'] })
  expect(decoded.data).toHaveLength(2)
  expect(decoded.data[0]?.embedding[0]).toBeNumber()
  const raw = await world.ada.fetchJson<{ data: { embedding: unknown }[] }>('POST /api/ai/embeddings', {
    model: 'practice-embedding',
    input: 'one',
    encoding_format: 'base64',
  })
  expect(raw.data[0]?.embedding).toBeString()
  expect(await lastUsageOf(world)).toMatchObject({ model: 'practice-embedding', certainty: 'exact' })
})

test('GTW-11 images are generated and edited by the official client', async () => {
  const client = openAiOf(world, world.ada)
  const made = await client.images.generate({ model: 'practice-image', prompt: 'A cup', n: 2 })
  expect(made.data).toHaveLength(2)
  expect(costOf(made.usage)).toBeNumber()
  expect(await lastUsageOf(world)).toMatchObject({ model: 'practice-image', unit: 'image', quantity: 2 })
  const image = await toFile(dot, 'dot.png', { type: 'image/png' })
  const edited = await client.images.edit({ model: 'practice-image', image, prompt: 'Bluer' })
  expect(edited.data).toHaveLength(1)
})

test('GTW-11 audio is transcribed by the official client, as JSON and as text', async () => {
  const client = openAiOf(world, world.ada)
  const file = () => toFile(silence(8_000), 'silence.wav', { type: 'audio/wav' })
  const { data, response } = await client.audio.transcriptions
    .create({ model: 'practice-audio', file: await file() })
    .withResponse()
  expect(data.text).toBeString()
  expect(Number(response.headers.get('x-atrium-cost-nano-usd'))).toBeGreaterThan(0)
  const text = await client.audio.transcriptions.create({
    model: 'practice-audio',
    file: await file(),
    response_format: 'text',
  })
  expect(text).toBeString()
})

test('GTW-33 a transcription holds what its file can last when it is decoded, however small it is', async () => {
  const estimate = async (bytes: Uint8Array) => {
    const body = { model: 'practice-audio', file: Buffer.from(bytes).toString('base64') }
    const answer = await world.ada.fetchJson<{ estimateNanoUsd: number }>(
      'POST /api/ai/audio/transcriptions?dryRun=true',
      body,
    )
    return answer.estimateNanoUsd
  }
  const oneSecond = await estimate(silence(8_000))
  // Fewer bytes than that second.
  expect(flacSeconds(1_000)).toBeGreaterThan(8_000)
  expect(await estimate(flacOfSilence(1_000))).toBeGreaterThan(8_000 * oneSecond)
})

test('GTW-11 completions take a prompt or messages, streamed or not, with their cost', async () => {
  const client = openAiOf(world, world.ada)
  const text = await client.completions.create({ model: 'practice-small', prompt: 'Say hello' })
  expect(text).toMatchObject({ object: 'text_completion', choices: [{ index: 0 }] })
  expect(text.choices[0]?.text).toBeString()
  expect(costOf(text.usage)).toBeNumber()
  const pieces = []
  for await (const chunk of await client.completions.create({ model: 'practice-small', prompt: 'Hi', stream: true }))
    pieces.push(chunk.choices[0]?.text ?? '')
  expect(pieces.join('')).not.toBe('')
  const messages = [{ role: 'user', content: 'Hello' }]
  const chat = await world.ada.fetchJson('POST /api/ai/completions', { model: 'practice-small', messages })
  expect(chat).toMatchObject({ object: 'chat.completion' })
})

test('GTW-14 an image model outside the catalog is refused, and naming another needs images:override', async () => {
  const other = { model: 'practice/practice-small', prompt: 'A cup' }
  const outside = await world.ada.fetch('POST /api/ai/images/generations', other)
  expect(outside.status).toBe(422)
  expect(await outside.json()).toMatchObject({ errors: [{ path: 'model' }], error: { param: 'model' } })
  const editor = await world.join(world.ada, { name: 'Edgar', role: 'editor' })
  expect((await editor.fetch('POST /api/ai/images/generations', { prompt: 'A cup' })).status).toBe(200)
  const refused = await editor.fetch('POST /api/ai/images/generations', { ...other, model: 'gpt-image-1' })
  expect([refused.status, (await refused.json()).permission]).toEqual([403, 'images:override'])
})
