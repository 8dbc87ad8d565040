import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { ImageGeneration } from '#social/types'
import { openUpstream, type ScriptedUpstream } from '../gateway/upstream.ts'
import { dot, openWorld, type World } from '../support/world.ts'

// SOC-31 with a provider whose responses are scripted: each has its status, its sentence and its saved generation.

let world: World
let provider: ScriptedUpstream

const connect = () =>
  world.ada.fetchJson('PUT /api/credentials/openai', {
    label: 'main',
    secret: { apiKey: 'sk-secret' },
    baseUrl: provider.url,
  })

beforeAll(async () => {
  provider = openUpstream()
  world = await openWorld({ env: { AI_RESPONSE_MS: '1500' } })
  await connect()
  await world.ada.fetchJson(`PUT /api/organizations/${world.ada.things.organizations}/model-preferences`, {
    routes: { image: ['openai/gpt-image-1'] },
  })
})
afterAll(async () => {
  await world.close()
  provider.stop()
})
/** New credentials have new circuits. */
beforeEach(async () => {
  await connect()
  provider.requests.length = 0
})

const usage = { input_tokens: 10, output_tokens: 1056, input_tokens_details: { text_tokens: 10, image_tokens: 0 } }
const answers = (data: unknown[]) => () => Response.json({ created: 1, data, usage })
const refuses = (status: number, error: object) => () =>
  Response.json({ error: { message: 'No.', ...error } }, { status })

const generate = () =>
  world.ada.fetch('POST /api/images', { brandId: world.ada.things.brands, prompt: 'A lighthouse', count: 2 })
const lastSaved = async (): Promise<ImageGeneration | undefined> =>
  (await world.ada.fetchJson<{ items: ImageGeneration[] }>('GET /api/images?limit=1')).items[0]

const policy = { type: 'image_generation_user_error', code: 'moderation_blocked' }
const failures: [string, () => Response | Promise<Response>, number, string][] = [
  ['the provider’s policy blocks the prompt', refuses(400, policy), 422, 'prompt_refused'],
  [
    'the model was retired',
    refuses(404, { type: 'invalid_request_error', code: 'model_not_found' }),
    422,
    'model_unavailable',
  ],
  [
    'the provider refuses the request',
    refuses(400, { type: 'invalid_request_error', code: 'size' }),
    422,
    'provider_refused',
  ],
  ['the provider rejects the key', refuses(401, { code: 'invalid_api_key' }), 502, 'provider_key_rejected'],
  ['the provider fails', refuses(500, {}), 502, 'provider_failed'],
  ['the response isn’t JSON', () => new Response('<h1>Hello</h1>'), 502, 'provider_failed'],
  ['the response has no image', answers([]), 502, 'no_image'],
  ['the image isn’t one', answers([{ b64_json: Buffer.from('<svg/>').toString('base64') }]), 502, 'no_image'],
  ['the image’s URL is a private address', answers([{ url: 'http://127.0.0.1:9/secret.png' }]), 502, 'no_image'],
  ['the provider doesn’t respond in time', () => new Promise(() => {}), 504, 'provider_timed_out'],
]

test.each(failures)('SOC-31 generation fails for good when %s', async (_, answer, status, code) => {
  provider.answer(answer)
  const response = await generate()
  const problem = await response.json()
  expect([response.status, problem.code]).toEqual([status, code])
  expect(provider.requests.length).toBe(1)
  expect(await lastSaved()).toMatchObject({
    status: 'failed',
    prompt: 'A lighthouse',
    images: [],
    failure: { code, message: problem.detail },
  })
})

test('SOC-31 blocked prompt names its field', async () => {
  provider.answer(refuses(400, policy))
  expect(await (await generate()).json()).toMatchObject({ errors: [{ path: 'prompt' }] })
})

test('SOC-31 images of a response that can be read are kept when others can’t, with the cost of all', async () => {
  provider.answer(answers([{ b64_json: dot }, { b64_json: 'AAAA' }]))
  const generation: ImageGeneration = await (await generate()).json()
  expect(generation).toMatchObject({ status: 'completed', count: 2, model: 'openai/gpt-image-1' })
  expect(generation.images).toHaveLength(1)
  expect(generation.costNanoUsd).toBeGreaterThan(0)
})

test('SOC-31 prompt has the brand’s colors when asked for, and the saved one doesn’t', async () => {
  const brandId = world.ada.things.brands
  await world.ada.fetchJson(`PUT /api/brands/${brandId}`, { colors: ['#b5523b'] })
  provider.answer(answers([{ b64_json: dot }]))
  const body = { brandId, prompt: 'A lighthouse', useBrandColors: true }
  const { prompt } = await world.ada.fetchJson<ImageGeneration>('POST /api/images', body, 201)
  expect(prompt).toBe('A lighthouse')
  expect(provider.requests[0]?.body).toMatchObject({ prompt: expect.stringContaining('#b5523b'), n: 1 })
})
