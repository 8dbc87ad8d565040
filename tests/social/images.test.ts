import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { desc, eq } from 'drizzle-orm'
import sharp from 'sharp'
import type { ImageGeneration, ImageModels, Media } from '#social/types'
import { createLog } from '#lib/log.ts'
import { failInterruptedImages } from '../../src/social/images/jobs.ts'
import { imageGenerations } from '../../src/social/schema.ts'
import { lastUsageOf } from '../gateway/ai-clients.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
/** The log of the server. */
const lines: string[] = []

beforeAll(async () => {
  world = await openWorld({ log: createLog('debug', false, (line) => void lines.push(line)) })
})
afterAll(() => world.close())
afterEach(() => setBehavior({ mode: 'ok' }))

interface List {
  items: ImageGeneration[]
}

const setBehavior = (behavior: object) => world.stranger.fetchJson('PUT /dev/models/behavior', behavior)
/** The dashboard, with a token for social. */
const operator = () => world.socialServices['platform-dashboard-api'] ?? world.stranger
const order = (fields: object = {}) => ({
  brandId: world.ada.things.brands,
  prompt: 'A bottle of maple syrup on a wooden counter, warm evening light',
  ...fields,
})
const generate = (fields?: object) => world.ada.fetchJson<ImageGeneration>('POST /api/images', order(fields), 201)
const saved = async (): Promise<ImageGeneration[]> =>
  (await world.ada.fetchJson<List>(`GET /api/images?brandId=${world.ada.things.brands}`)).items
const received = async (): Promise<number> =>
  (await world.stranger.fetchJson<{ items: unknown[] }>('GET /dev/models/api/requests')).items.length
const preferences = (image: string[] | null) =>
  world.ada.fetchJson(`PUT /api/organizations/${world.ada.things.organizations}/model-preferences`, {
    routes: { image },
  })

test('SOC-31 image is generated, metered, and stored in the library with its name and alt text', async () => {
  const generation = await generate({ size: '1024x1536' })
  expect(generation).toMatchObject({
    status: 'completed',
    model: 'practice/practice-image',
    requestedModel: null,
    createdBy: world.ada.id,
    service: null,
    failure: null,
  })
  const [image] = generation.images
  expect(image).toMatchObject({
    name: 'a-bottle-of-maple-syrup-on-a.png',
    alt: order().prompt,
    contentType: 'image/png',
    width: 1024,
    height: 1536,
    createdBy: world.ada.id,
  })
  const media = await world.ada.fetchJson<Media>(`GET /api/media/${image?.id}`)
  const file = await world.ada.fetch(`GET /api/media/${media.id}/file`)
  expect(await sharp(await file.arrayBuffer()).metadata()).toMatchObject({ format: 'png', width: 1024 })
  const usage = await lastUsageOf(world)
  expect(usage).toMatchObject({
    organizationId: world.ada.things.organizations,
    applicationId: world.serviceId,
    userId: world.ada.id,
    model: 'practice-image',
    unit: 'image',
  })
  expect(generation.costNanoUsd).toBe(Number(usage?.costNanoUsd))
  expect((await saved())[0]).toEqual(generation)
  expect(await world.ada.fetchJson<ImageGeneration>(`GET /api/images/${generation.id}`)).toEqual(generation)
})

test('SOC-31 several images of one request are one call, and each is in the library', async () => {
  const before = await received()
  const { images } = await generate({ count: 3 })
  expect(await received()).toBe(before + 1)
  expect(images.map(({ name }) => name)).toEqual(
    [1, 2, 3].map((number) => `a-bottle-of-maple-syrup-on-a-${number}.png`),
  )
})

test('SOC-31 naming a model needs images:override, applies to one request, and has to be in the catalog', async () => {
  const editor = await world.join(world.ada, { name: 'Enno', role: 'editor' })
  const before = (await saved()).length
  const refused = await editor.fetch('POST /api/images', order({ model: 'practice/practice-image' }))
  expect([refused.status, (await refused.json()).permission]).toEqual([403, 'images:override'])
  expect((await saved()).length).toBe(before)
  expect((await editor.fetch('POST /api/images', order())).status).toBe(201)
  const outside = await world.ada.fetch('POST /api/images', order({ model: 'practice/practice-small' }))
  expect([outside.status, (await outside.json()).errors[0].path]).toEqual([422, 'model'])
  await preferences(['openai/gpt-image-1'])
  const overridden = await generate({ model: 'practice/practice-image' })
  expect(overridden).toMatchObject({ model: 'practice/practice-image', requestedModel: 'practice/practice-image' })
  const stored = await world.ada.fetchJson<{ routes: { useCase: string; models: string[] }[] }>(
    `GET /api/organizations/${world.ada.things.organizations}/model-preferences`,
  )
  expect(stored.routes.find(({ useCase }) => useCase === 'image')?.models).toEqual(['openai/gpt-image-1'])
  await preferences(null)
})

test('SOC-31 operator automation generates on the same path, for a member only', async () => {
  const made = await operator().fetchJson<ImageGeneration>(
    'POST /api/internal/images',
    order({ userId: world.vera.id }),
    201,
  )
  expect(made).toMatchObject({ createdBy: world.vera.id, service: 'platform-dashboard-api', status: 'completed' })
  const file = await world.ada.fetch(`GET /api/media/${made.images[0]?.id}/file/preview`)
  expect(file.status).toBe(200)
  expect(await lastUsageOf(world)).toMatchObject({ userId: world.vera.id, applicationId: world.serviceId })
  const foreign = await operator().fetch('POST /api/internal/images', order({ userId: world.mallory.id }))
  expect([foreign.status, (await foreign.json()).errors[0].path]).toEqual([422, 'userId'])
  expect((await world.ada.fetch('POST /api/internal/images', order())).status).toBe(403)
  expect((await world.vera.fetch('POST /api/images', order())).status).toBe(403)
})

test('SOC-39 rate limit of the provider reaches the caller as 429 with Retry-After, after one call of gateway and provider', async () => {
  await setBehavior({ mode: 'rate_limit', retryAfter: 2 })
  const [requests, calls] = [await received(), gatewayCalls()]
  const response = await world.ada.fetch('POST /api/images', order())
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '2'])
  expect(await response.json()).toMatchObject({ code: 'provider_limited' })
  expect(await received()).toBe(requests + 1)
  expect(gatewayCalls()).toBe(calls + 1)
  expect((await saved())[0]).toMatchObject({
    status: 'failed',
    costNanoUsd: null,
    images: [],
    failure: { code: 'provider_limited' },
  })
  // While it lasts the provider isn't called again, and service tokens get the same response.
  const again = await operator().fetch('POST /api/internal/images', order())
  expect([again.status, Number(again.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect(await received()).toBe(requests + 1)
  await Bun.sleep(2_100)
})

/** Requests that the gateway got for images. */
const gatewayCalls = (): number => lines.filter((line) => line.includes('/api/ai/images/generations')).length

test('SOC-31 repeated request with the same Idempotency-Key is one call and one generation', async () => {
  const before = await received()
  const key = { 'Idempotency-Key': 'maple-1' }
  const [first, second] = [
    await world.ada.fetch('POST /api/images', order(), key),
    await world.ada.fetch('POST /api/images', order(), key),
  ]
  expect([first.status, second.status, second.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true'])
  expect((await second.json()).id).toBe((await first.json()).id)
  expect(await received()).toBe(before + 1)
})

test('SOC-31 request beyond the budget is refused before the provider is called, and saved with its reason', async () => {
  const limit = await world.ada.fetchJson<{ id: string }>(
    'POST /api/limits',
    {
      scope_type: 'organization',
      scope_value: world.ada.things.organizations,
      family: 'ai',
      period: 'day',
      limitNanoUsd: 1,
      mode: 'hard',
    },
    201,
  )
  const before = await received()
  const response = await world.ada.fetch('POST /api/images', order())
  expect([response.status, (await response.json()).code]).toEqual([402, 'budget_exceeded'])
  expect(await received()).toBe(before)
  expect((await saved())[0]?.failure?.code).toBe('budget_exceeded')
  const models = await world.ada.fetchJson<ImageModels>(`GET /api/image-models?brandId=${world.ada.things.brands}`)
  expect(models.unavailable?.code).toBe('budget_exceeded')
  await world.ada.fetchJson(`DELETE /api/limits/${limit.id}`, {}, 204)
})

test('SOC-31 budget of the organization is hidden from callers who are limited to a brand', async () => {
  const { organizations, brands } = world.ada.things
  const scope = { scope_type: 'organization', scope_value: organizations, family: 'ai', period: 'month', mode: 'hard' }
  const limitNanoUsd = 500_000_000_000
  const limit = await world.ada.fetchJson<{ id: string }>('POST /api/limits', { ...scope, limitNanoUsd }, 201)
  const scopes = ['posts.read', 'posts.write']
  const limited = await world.ada.createKey({ scopes, bindings: [{ kind: 'brand', id: brands }] })
  const read = (caller: Pick<typeof limited, 'fetchJson'>) =>
    caller.fetchJson<ImageModels>(`GET /api/image-models?brandId=${brands}`)
  expect((await read(world.ada)).budget).toMatchObject({ limitNanoUsd })
  expect((await read(limited)).budget).toBeNull()
  await world.ada.fetchJson(`DELETE /api/limits/${limit.id}`, {}, 204)
  const used = await world.ada.fetchJson<{ id: string }>('POST /api/limits', { ...scope, limitNanoUsd: 1 }, 201)
  const refused = await (await limited.fetch('POST /api/images', order())).json()
  expect(refused).toMatchObject({ code: 'budget_exceeded', resetsAt: expect.stringContaining('T00:00') })
  const { unavailable } = await read(limited)
  for (const shown of [refused, unavailable, (await saved())[0]?.failure])
    expect(JSON.stringify(shown)).not.toMatch(/\$|NanoUsd/)
  expect((await read(world.ada)).unavailable?.message).toContain('$')
  await world.ada.fetchJson(`DELETE /api/limits/${used.id}`, {}, 204)
})

test('SOC-31 generation of a killed server fails after its lease', async () => {
  const [row] = await world.database.db
    .insert(imageGenerations)
    .values({
      brandId: world.ada.things.brands,
      createdBy: world.ada.id,
      prompt: 'A cup',
      size: '1024x1024',
      count: 1,
      leaseUntil: new Date(Date.now() + 60_000),
    })
    .returning()
  const run = (ahead: number) =>
    failInterruptedImages.run({
      ...world.provided,
      database: world.database,
      input: {},
      now: () => new Date(Date.now() + ahead),
    })
  const read = () => world.ada.fetchJson<ImageGeneration>(`GET /api/images/${row?.id}`)
  await run(0)
  expect((await read()).status).toBe('generating')
  expect((await world.ada.fetch(`DELETE /api/images/${row?.id}`)).status).toBe(409)
  await run(61_000)
  expect(await read()).toMatchObject({ status: 'failed', failure: { code: 'interrupted' } })
})

test('SOC-31 deleted generation leaves its image in the library, and a deleted image leaves its generation', async () => {
  const [first, second] = [await generate(), await generate()]
  await world.ada.fetchJson(`DELETE /api/images/${first.id}`, {}, 204)
  expect((await world.ada.fetch(`GET /api/images/${first.id}`)).status).toBe(404)
  await world.ada.fetchJson(`GET /api/media/${first.images[0]?.id}`)
  await world.ada.fetchJson(`DELETE /api/media/${second.images[0]?.id}`, {}, 204)
  expect(await world.ada.fetchJson<ImageGeneration>(`GET /api/images/${second.id}`)).toMatchObject({
    status: 'completed',
    images: [],
  })
})

test('SOC-31 test key generates nothing', async () => {
  const key = await world.ada.createKey({ scopes: ['posts.read', 'posts.write'], mode: 'test' })
  const response = await key.fetch('POST /api/images', order())
  expect([response.status, (await response.json()).code]).toEqual([403, 'test_key_not_allowed'])
})

test('SOC-31 page without an image model says what to set up, and has no form', async () => {
  const page = async () => {
    const response = await world.ada.fetch(`GET /workspace/images?brandId=${world.ada.things.brands}`, undefined, {
      accept: 'text/html',
      cookie: (await world.ada.signIn()).cookie,
    })
    return response.text()
  }
  expect(await page()).toContain('id="prompt"')
  await preferences(['openai/gpt-image-1'])
  const html = await page()
  expect(html).toContain('Set up an image model')
  expect(html).toContain('/gateway/credentials')
  expect(html).not.toContain('id="prompt"')
  await preferences(null)
})

test('SOC-31 newest generations of the API are listed first, by status', async () => {
  const { items } = await world.ada.fetchJson<List>('GET /api/images?status=failed&limit=2')
  expect(items.every(({ status }) => status === 'failed')).toBe(true)
  const ids = await world.database.db
    .select({ id: imageGenerations.id })
    .from(imageGenerations)
    .where(eq(imageGenerations.status, 'failed'))
    .orderBy(desc(imageGenerations.id))
    .limit(2)
  expect(items.map(({ id }) => id)).toEqual(ids.map(({ id }) => id))
})
