import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import type { Governance, ModelPreferences } from '#gateway/types'
import { chooseModels, effectivePrice, type ModelRequest } from '../../src/gateway/models/choose.ts'
import { readModelList } from '../../src/gateway/models/listed-model.ts'
import { costOf } from '../../src/gateway/models/prices.ts'
import { raiseModelActions } from '../../src/gateway/models/actions.ts'
import { forgetSettings } from '../../src/gateway/models/settings.ts'
import { syncSources, type CatalogSource } from '../../src/gateway/models/sync.ts'
import { openWorld, type Caller, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterAll(() => world.close())

const at = new Date('2026-11-22T12:00:00Z')
const organizationOf = (who: 'ada' | 'mallory') => world[who].things.organizations
const preferences = (who: 'ada' | 'mallory' = 'ada') => `/api/organizations/${organizationOf(who)}/model-preferences`
const save = (body: object) => world.ada.fetchJson<ModelPreferences>(`PUT ${preferences()}`, body)
const governance = () => world.ada.fetchJson<Governance>('GET /api/models/governance')

const choose = async (requested: string, options: Partial<ModelRequest> = {}) => {
  const steps = await chooseModels(world.database.db, {
    organizationId: organizationOf('ada'),
    kinds: ['text', 'short-text'],
    requested,
    providers: [],
    offlineHelps: true,
    at,
    ...options,
  })
  return steps.map(({ provider, model }) => `${provider}/${model}`)
}

test('GTW-14 a new installation uses the practice models, until an organization or the platform sets others', async () => {
  expect((await world.ada.fetchJson<ModelPreferences>(`GET ${preferences()}`)).routes).toContainEqual(
    expect.objectContaining({
      useCase: 'text',
      setBy: 'default',
      models: ['practice/practice-large', 'practice/practice-small'],
    }),
  )
  await world.root.fetchJson('PUT /api/models/defaults', { routes: { text: ['openai/gpt-4o'] } })
  const saved = await save({ routes: { text: ['openai/gpt-5', 'openai/gpt-4o'] } })
  expect(saved.routes.find(({ useCase }) => useCase === 'text')).toMatchObject({
    setBy: 'organization',
    updatedBy: world.ada.id,
    models: ['openai/gpt-5', 'openai/gpt-4o'],
  })
  const theirs = await world.mallory.fetchJson<ModelPreferences>(`GET ${preferences('mallory')}`)
  expect(theirs.routes.find(({ useCase }) => useCase === 'text')).toMatchObject({
    setBy: 'platform',
    models: ['openai/gpt-4o'],
  })
  expect((await save({ routes: { text: null } })).routes.find(({ useCase }) => useCase === 'text')?.setBy).toBe(
    'platform',
  )
  await world.root.fetchJson('PUT /api/models/defaults', { routes: { text: null } })
})

test('GTW-14 preferences of another organization are not found, and only its admins change them', async () => {
  expect((await world.ada.fetch(`GET ${preferences('mallory')}`)).status).toBe(404)
  expect((await world.ada.fetch(`PUT ${preferences('mallory')}`, { routes: {} })).status).toBe(404)
  expect((await world.vera.fetch(`PUT ${preferences()}`, { routes: {} })).status).toBe(403)
  expect((await world.ada.fetch('PUT /api/models/defaults', { routes: {} })).status).toBe(403)
})

test('GTW-14 invalid chain is refused with the field that is wrong', async () => {
  const refused = async (body: object) => {
    const { errors } = await world.ada.fetchJson<{ errors: { path: string }[] }>(`PUT ${preferences()}`, body, 422)
    return errors.map(({ path }) => path)
  }
  expect(await refused({ routes: { text: [] } })).toEqual(['routes.text'])
  expect(await refused({ routes: { text: ['gpt-4o'] } })).toEqual(['routes.text.0'])
  expect(await refused({ routes: { text: ['openai/gpt-4o', 'openai/gpt-4o'] } })).toEqual(['routes.text'])
  expect(await refused({ routes: { image: ['openai/gpt-image-1'] }, allowedModels: ['openai/gpt-4o'] })).toEqual([
    'routes.image',
  ])
  expect((await world.ada.fetchJson<ModelPreferences>(`GET ${preferences()}`)).allowedModels).toBeNull()
})

test('GTW-17 catalog of image models includes those of a general-purpose provider', async () => {
  const { imageModels } = await world.ada.fetchJson<ModelPreferences>(`GET ${preferences()}`)
  expect(imageModels).toContain('openai/gpt-image-1')
  expect(imageModels).toContain('practice/practice-image')
  expect(imageModels).not.toContain('openai/gpt-4o')
})

test('GTW-12 requested model comes first, then those that follow it in the chain of its use case', async () => {
  expect(await choose('text')).toEqual(['practice/practice-large', 'practice/practice-small'])
  expect(await choose('practice-large')).toEqual(['practice/practice-large', 'practice/practice-small'])
  expect(await choose('practice-small')).toEqual(['practice/practice-small'])
  expect(await choose('gpt-4o', { providers: ['anthropic', 'openai'] })).toEqual(['openai/gpt-4o'])
  expect(await choose('our-models/writer', { providers: ['our-models'] })).toEqual(['our-models/writer'])
  expect(await choose('writer', { providers: ['our-models'] })).toEqual(['our-models/writer'])
  expect(choose('writer', { providers: ['openai', 'anthropic'] })).rejects.toMatchObject({ code: 'model_not_found' })
  forgetSettings()
  await expect(choose('practice-small', { offlineHelps: false })).rejects.toMatchObject({ code: 'model_not_found' })
  forgetSettings()
  expect(choose('unknown/writer')).rejects.toMatchObject({ status: 404 })
})

test('GTW-12 model of two chains has the fallbacks of the longer one', async () => {
  await save({ routes: { text: ['lab/a', 'lab/b', 'lab/c'], 'short-text': ['lab/a'] } })
  expect(await choose('a')).toEqual(['lab/a', 'lab/b', 'lab/c'])
  await save({ routes: { text: null, 'short-text': null } })
})

test('GTW-12 model that the organization doesn’t allow is refused, and never used as a fallback', async () => {
  await save({ allowedModels: ['practice/practice-large'] })
  expect(await choose('text')).toEqual(['practice/practice-large'])
  expect(choose('practice-small')).rejects.toMatchObject({ status: 403, code: 'model_not_allowed' })
  await save({ allowedModels: null })
  expect(await choose('practice-small')).toEqual(['practice/practice-small'])
})

test('GTW-20 entered price applies from its day on: an organization’s to its own credential only', async () => {
  const price = { provider: 'our-models', model: 'writer' }
  const draft = { ...price, rates: { inputPerMillion: '0.50', outputPerMillion: '1.50' }, since: '2026-11-01' }
  const { db } = world.database
  const found = (level: 'organization' | 'platform', when = at) =>
    effectivePrice(db, { ...price, organizationId: organizationOf('ada'), offlineHelps: true, level }, when)
  expect(await found('organization')).toBeNull()
  await world.ada.fetchJson('PUT /api/models/prices', draft)
  expect(costOf((await found('organization'))!, { inputTokens: 1_000, outputTokens: 100 })).toBe(650_000n)
  expect(await found('platform')).toBeNull()
  expect(await found('organization', new Date('2026-10-31T23:59:59Z'))).toBeNull()
  expect((await world.ada.fetch('PUT /api/models/prices', { ...draft, level: 'platform' })).status).toBe(403)
  await world.root.fetchJson('PUT /api/models/prices', {
    ...draft,
    level: 'platform',
    rates: { requestsPerThousand: '2' },
  })
  expect(costOf((await found('platform'))!, { inputTokens: 9, outputTokens: 9, requests: 1 })).toBe(2_000_000n)
  const { items } = await world.ada.fetchJson<{ items: object[] }>(
    'GET /api/models/prices?provider=our-models&model=writer',
  )
  expect(items).toMatchObject([{ level: 'platform' }, { level: 'organization', since: '2026-11-01' }])
})

test('GTW-20 price with too many decimal places, or of nothing, is refused', async () => {
  const put = (rates: object) => world.ada.fetch('PUT /api/models/prices', { provider: 'our', model: 'writer', rates })
  for (const rates of [
    {},
    { inputPerMillion: 0.5 },
    { inputPerMillion: '-1' },
    { inputPerMillion: '1e3' },
    { inputPerMillion: '0.0000000001' },
    { other: '1' },
  ])
    expect((await put(rates)).status).toBe(422)
})

test('GTW-20 configured model without a price is listed as unpriced', async () => {
  await save({ routes: { text: ['our-models/unpriced', 'openai/gpt-4o'] } })
  expect((await governance()).unpricedModels).toEqual([{ provider: 'our-models', model: 'unpriced' }])
  await world.ada.fetchJson('PUT /api/models/prices', {
    provider: 'our-models',
    model: 'unpriced',
    rates: { inputPerMillion: '0' },
  })
  expect((await governance()).unpricedModels).toEqual([])
  await save({ routes: { text: null } })
})

const source = (read: CatalogSource['read'], provider = 'lab'): CatalogSource => ({
  name: `${provider} models`,
  provider,
  read,
})
const listed = (...data: object[]) => source(async () => readModelList({ object: 'list', data }, at))

test('GTW-21 failing source keeps its last good data and turns unhealthy', async () => {
  const { db } = world.database
  await syncSources(
    db,
    [
      listed(
        { id: 'new-model' },
        { id: 'old-model', deprecation: '2027-01-15T00:00:00Z', deprecation_replacement_model: 'new-model' },
      ),
    ],
    at,
  )
  const known = await governance()
  expect(known.candidates.map(({ model }) => model)).toContain('new-model')
  expect(known.candidates.map(({ model }) => model)).not.toContain('old-model')
  expect(known.sources).toMatchObject([{ name: 'lab models', healthy: true, models: 2, error: null }])
  const broken: CatalogSource['read'][] = [
    async () => Promise.reject(new Error('503 from lab')),
    async () => readModelList({ error: 'x' }, at),
    async () => readModelList({ data: [] }, at),
  ]
  for (const read of broken) {
    await syncSources(db, [source(read)], new Date(at.getTime() + 86_400_000))
    const { sources, candidates } = await governance()
    expect(sources).toMatchObject([{ healthy: false, models: 2, succeededAt: at.toISOString() }])
    expect(candidates).toEqual(known.candidates)
  }
})

test('GTW-20 lifecycle of a configured model names its end and replacement; a model that is no longer listed is retired', async () => {
  const { db } = world.database
  await save({ routes: { text: ['lab/old-model', 'lab/new-model'] } })
  const stateOf = async (model: string) => (await governance()).lifecycle.find((each) => each.model === model)
  expect(await stateOf('old-model')).toMatchObject({
    status: 'deprecated',
    retiresOn: '2027-01-15',
    replacement: 'new-model',
  })
  await syncSources(db, [listed({ id: 'new-model' })], at)
  expect(await stateOf('old-model')).toMatchObject({ status: 'retired' })
  await world.root.fetchJson('PUT /api/models/lifecycle', {
    provider: 'lab',
    model: 'new-model',
    status: 'preview',
    retiresOn: '2028-01-01',
  })
  await syncSources(db, [listed({ id: 'new-model' })], at)
  expect(await stateOf('new-model')).toMatchObject({ status: 'preview', retiresOn: '2028-01-01' })
  await save({ routes: { text: null } })
})

test('GTW-21 sync reads the lists of the platform’s providers, which only super admins start', async () => {
  const lists: string[] = []
  const provider = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      lists.push(`${new URL(request.url).pathname} ${request.headers.get('authorization')}`)
      const list = JSON.stringify({ object: 'list', data: [{ id: 'listed-model', object: 'model' }] })
      return new Response(Bun.gzipSync(list), { headers: { 'content-encoding': 'gzip' } })
    },
  })
  const draft = {
    level: 'platform',
    label: 'main',
    secret: { apiKey: 'sk-of-platform' },
    baseUrl: `${provider.url.origin}/v1`,
  }
  await world.root.fetchJson('PUT /api/credentials/some-lab', draft)
  expect((await world.ada.fetch('POST /api/models/sync', {})).status).toBe(403)
  const { sources } = await world.root.fetchJson<{ sources: object[] }>('POST /api/models/sync', {})
  expect(sources).toContainEqual(expect.objectContaining({ name: 'some-lab models', healthy: true, models: 1 }))
  expect(lists.at(-1)).toBe('/v1/models Bearer sk-of-platform')
  await provider.stop(true)
  const failed = await world.root.fetchJson<{ sources: object[] }>('POST /api/models/sync', {})
  expect(failed.sources).toContainEqual(expect.objectContaining({ name: 'some-lab models', healthy: false, models: 1 }))
  expect(JSON.stringify(failed)).not.toContain('sk-of-platform')
})

test('GTW-22 configured model that retires soon or has no price raises an action, which ends with its cause', async () => {
  const { db, sql } = world.database
  const open = async () =>
    (
      await sql<
        { title: string }[]
      >`SELECT title FROM platform.raised_actions WHERE resolved_at IS NULL AND href = '/gateway/models' ORDER BY 1`
    ).map(({ title }) => title)
  await world.root.fetchJson('PUT /api/models/lifecycle', {
    provider: 'openai',
    model: 'gpt-4o',
    status: 'deprecated',
    retiresOn: '2026-12-24',
    replacement: 'openai/gpt-5',
  })
  await save({ routes: { text: ['openai/gpt-4o', 'our-models/new-writer'] } })
  await raiseModelActions(db, { offlineHelps: true }, at)
  await raiseModelActions(db, { offlineHelps: true }, at)
  expect(await open()).toEqual(['gpt-4o retires on 2026-12-24', 'new-writer has no price'])
  await save({ routes: { text: ['openai/gpt-4o'] } })
  await raiseModelActions(db, { offlineHelps: true }, at)
  expect(await open()).toEqual(['gpt-4o retires on 2026-12-24'])
  await save({ routes: { text: ['openai/gpt-4o', 'our-models/new-writer'] } })
  await raiseModelActions(db, { offlineHelps: true }, at)
  expect(await open()).toHaveLength(2)
  await world.ada.fetchJson('PUT /api/models/prices', {
    provider: 'our-models',
    model: 'new-writer',
    rates: { inputPerMillion: '1' },
    since: '2026-11-01',
  })
  await world.root.fetchJson('PUT /api/models/lifecycle', { provider: 'openai', model: 'gpt-4o', status: 'active' })
  await raiseModelActions(db, { offlineHelps: true }, at)
  expect(await open()).toEqual([])
  await save({ routes: { text: null } })
})

test('GTW-20 pages of models show use, price and lifecycle, and changes only to admins', async () => {
  const show = async (caller: Caller, path = '') =>
    (await caller.fetch(`GET /gateway/models${path}`, undefined, { accept: 'text/html' })).text()
  const ada = await show(world.ada)
  expect(ada).toContain('Change the models for Writing')
  expect(ada).not.toContain('/api/models/sync')
  expect(await show(world.root)).toContain('/api/models/sync')
  const vera = await world.vera.fetch('GET /gateway/models', undefined, { accept: 'text/html' })
  expect(await vera.text()).not.toContain('Change the models for Writing')
  const detail = await show(world.ada, '/practice/practice-small')
  for (const text of ['Price history', 'Fallback order', 'Set price']) expect(detail).toContain(text)
})

test('GTW-20 a chain is ordered by a plain form: empty places are left out, and none restores the default', async () => {
  const put = (body: string) =>
    world.handle(
      new Request(`http://localhost${preferences()}`, {
        method: 'PUT',
        headers: { ...world.ada.credential, 'content-type': 'application/x-www-form-urlencoded' },
        body,
      }),
    )
  await put('routes.embedding[]=practice%2Fpractice-embedding&routes.embedding[]=')
  const own = async () => (await governance()).overrides.find(({ useCase }) => useCase === 'embedding')
  expect(await own()).toMatchObject({ models: ['practice/practice-embedding'], updatedByName: expect.any(String) })
  await put('routes.embedding=')
  expect(await own()).toBeUndefined()
})

test('GTW-20 models that only reported usage names are shown, whatever their names', async () => {
  const event = {
    requestId: newId(),
    family: 'ai',
    provider: 'Überall AI',
    model: 'Größe 1',
    unit: 'token',
    quantity: 1,
  }
  await world.ada.fetchJson('POST /platform/usage/events', { ...event, costNanoUsd: 5 }, 202)
  expect((await governance()).lifecycle.at(-1)).toMatchObject({ provider: 'Überall AI', model: 'Größe 1', calls: 1 })
})
