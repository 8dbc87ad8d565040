import { afterAll, beforeAll, expect, test } from 'bun:test'
import Ajv from 'ajv/dist/2020'
import { syncActions } from '../../src/services.ts'
import { operations } from '../operations/every.ts'
import { samplesOf } from '../operations/samples.ts'
import { openWorld, type Caller, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

interface Action {
  id: string
  service: string
  name: string
  permission: string
  inputSchema: Record<string, unknown>
  [field: string]: unknown
}
interface Page {
  items: Action[]
  nextCursor: string | null
}

const action = {
  name: 'lookAtPosts',
  summary: 'Look at posts',
  method: 'GET',
  path: '/api/looked-at/:id',
  permission: 'posts:read',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
}
/** A page of the catalog, or all of it. */
async function catalogOf(caller: Caller, query?: string): Promise<Page> {
  if (query !== undefined) return caller.fetchJson<Page>(`GET /api/actions/catalog${query}`)
  const all: Page = { items: [], nextCursor: '' }
  while (all.nextCursor !== null) {
    const cursor = all.nextCursor && `&cursor=${all.nextCursor}`
    const page = await caller.fetchJson<Page>(`GET /api/actions/catalog?limit=100${cursor}`)
    all.items.push(...page.items)
    all.nextCursor = page.nextCursor
  }
  return all
}
const namesFor = async (caller: Caller) => (await catalogOf(caller)).items.map(({ name }) => name)
const sync = async (body: unknown, by = world.services['platform-developer-console']) => {
  const response = await (by ?? world.stranger).fetch('POST /api/internal/service-actions/sync', body)
  return { status: response.status, ...((await response.json()) as { code?: string; errors?: { path: string }[] }) }
}
const set = (actions: object[], more: object = {}) => ({
  service: 'platform-socialize',
  app: 'tests',
  actions,
  ...more,
})
const machine = operations.filter((each) => each.machine)

test('PLT-17 IDN-32 actions catalog lists exactly the actions that a key’s scopes allow, with their schemas', async () => {
  const { items, nextCursor } = await catalogOf(world.key)
  expect(nextCursor).toBeNull()
  const permitted = machine.filter(({ permission }) => ['posts:read', 'accounts:read'].includes(permission))
  expect(items.map(({ name }) => name)).toEqual(permitted.map(({ name }) => name).sort())
  expect(items.find(({ name }) => name === 'getPost')).toMatchObject({
    service: 'platform-socialize',
    origin: null,
    summary: 'Get a post',
    method: 'GET',
    path: '/api/posts/:id',
    permission: 'posts:read',
    inputSchema: { type: 'object', properties: { id: { type: 'string', format: 'uuid' } }, required: ['id'] },
  })
  const writer = await world.ada.createKey({ scopes: ['posts.write'] })
  expect(await namesFor(writer)).toContain('createPost')
  expect(await namesFor(writer)).not.toContain('listPosts')
})

test('IDN-32 actions catalog lists what the caller’s role allows, for sessions and access tokens, and is empty without permissions', async () => {
  const { cookie } = await world.vera.signIn()
  const bySession = await world.stranger.fetch('GET /api/actions/catalog?limit=100', undefined, { cookie })
  expect((await bySession.json()) as Page).toEqual(await catalogOf(world.vera))
  expect(await namesFor(world.vera)).toContain('listPosts')
  expect(await namesFor(world.vera)).not.toContain('createPost')
  expect(await namesFor(world.ada)).toEqual(expect.arrayContaining(['createPost', 'createBrand', 'listPosts']))
  for (const caller of [world.nora, world.service]) expect(await namesFor(caller)).toEqual([])
  expect((await world.stranger.fetch('GET /api/actions/catalog')).status).toBe(401)
})

test('IDN-32 PLT-12 actions catalog is paged by name and filtered by service', async () => {
  const all = await namesFor(world.ada)
  const first = await catalogOf(world.ada, '?limit=4&service=platform-socialize')
  const rest = await catalogOf(world.ada, `?limit=100&service=platform-socialize&cursor=${first.nextCursor}`)
  const isOfSocial = (name: string) =>
    machine.some((each) => each.name === name && each.service === 'platform-socialize')
  expect([...first.items, ...rest.items].map(({ name }) => name)).toEqual(all.filter(isOfSocial))
  expect(all).toEqual(all.toSorted())
  expect((await catalogOf(world.ada, '?service=platform-identity')).items).toEqual([])
  expect((await world.ada.fetch('GET /api/actions/catalog?cursor=eyJhIjoxfQ')).status).toBe(422)
})

test('IDN-32 action schema describes an object and accepts the action’s sample', async () => {
  const { items } = await catalogOf(world.ada)
  const ajv = new Ajv({ strict: false, validateFormats: false })
  for (const declared of machine) {
    const { inputSchema } = items.find(({ name }) => name === declared.name) ?? {}
    expect(inputSchema, declared.name).toMatchObject({ type: 'object' })
    const takes = ajv.compile(inputSchema ?? false)
    for (const sample of samplesOf(declared, world)) expect(takes(sample), declared.name).toBe(true)
  }
})

test('PLT-17 each scope lists the actions that it allows', async () => {
  const { items } = await world.ada.fetchJson<{ items: { scope: string; actions: string[] }[] }>(
    `GET /api/services/${world.serviceId}/scopes`,
  )
  const opened = machine.filter(({ permission }) => permission === 'posts:read').map(({ name }) => name)
  expect(items.find(({ scope }) => scope === 'posts.read')?.actions).toEqual(opened.sort())
  expect(items.find(({ scope }) => scope === 'analytics.read')?.actions).toEqual([])
})

test('PLT-17 every machine-callable operation requires a permission of its service and returns data', () => {
  expect(machine.length).toBeGreaterThan(20)
  const wrong = machine.filter(({ permission, streams }) => !/^(?!role:)[a-z_]+:[a-z]+$/.test(permission) || streams)
  expect(wrong.map(({ name }) => name)).toEqual([])
})

test('IDN-33 action sync replaces the previous set and keeps the ids of unchanged actions', async () => {
  const other = { ...action, name: 'likePosts', method: 'POST', permission: 'posts:write' }
  const made = await sync(set([action, other]))
  expect(made).toMatchObject({ status: 200, serviceId: world.serviceId, app: 'tests', count: 2, changed: true })
  const find = async (name: string) => (await catalogOf(world.ada)).items.find((each) => each.name === name)
  const before = await find('lookAtPosts')
  expect(await find('likePosts')).toBeDefined()
  expect(await namesFor(world.key)).not.toContain('likePosts')
  const again = await sync(
    set([{ ...action, summary: 'Look again' }], { service: undefined, serviceId: world.serviceId }),
  )
  expect(again).toMatchObject({ status: 200, count: 1, changed: true })
  expect(before).toMatchObject(action)
  expect(await find('lookAtPosts')).toMatchObject({ ...before, summary: 'Look again' })
  expect(await find('likePosts')).toBeUndefined()
  expect(await namesFor(world.key)).toContain('listPosts')
  await sync(set([]))
  expect(await find('lookAtPosts')).toBeUndefined()
})

test('IDN-33 syncing the same actions in a different order changes nothing, and a changed set is logged by name', async () => {
  const other = { ...action, name: 'moreOfThem', path: '/api/more' }
  await sync(set([action, other]))
  expect(await sync(set([other, action]))).toMatchObject({ status: 200, changed: false })
  const rows = await world.database.sql`SELECT * FROM platform.audit_log WHERE object_kind = 'service_actions'
    AND principal_type = 'service' ORDER BY id DESC LIMIT 1`
  expect(JSON.stringify(rows[0])).toContain('moreOfThem')
  await sync(set([]))
})

test('IDN-33 action sync with undeclared permissions is rejected, lists each of them and writes nothing', async () => {
  const wrong = ['posts:fly', 'payments:read', 'posts:read', 'images:paint'].map((permission, at) => {
    return { ...action, name: `action${at}`, path: `/api/at/${at}`, permission }
  })
  const before = await catalogOf(world.ada)
  const answer = await sync(set(wrong))
  expect(answer).toMatchObject({ status: 422, code: 'undeclared_permission' })
  expect(answer.errors?.map(({ path }) => path)).toEqual([0, 1, 3].map((at) => `actions.${at}.permission`))
  for (const name of ['posts:fly', 'payments:read', 'images:paint']) expect(JSON.stringify(answer)).toContain(name)
  expect(await catalogOf(world.ada)).toEqual(before)
  expect(await sync(set([action], { service: 'platform-pay' }))).toMatchObject({ status: 422 })
})

test('IDN-33 action sync with malformed definitions is rejected and lists each invalid field', async () => {
  const broken: [object, string][] = [
    [{ name: 'no spaces' }, 'name'],
    [{ name: '' }, 'name'],
    [{ summary: ' ' }, 'summary'],
    [{ method: 'TRACE' }, 'method'],
    [{ method: 'get' }, 'method'],
    [{ permission: 'posts' }, 'permission'],
    [{ permission: 'role:owner' }, 'permission'],
    [{ inputSchema: [] }, 'inputSchema'],
    [{ inputSchema: { type: 'string' } }, 'inputSchema'],
    [{ inputSchema: { type: 'object', properties: [] } }, 'inputSchema'],
    [{ inputSchema: { type: 'object', properties: { id: { type: 'thing' } } } }, 'inputSchema'],
    [{ inputSchema: { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' } }, 'inputSchema'],
    ...[
      'api/posts',
      '/',
      '/api/../x',
      '/api/./x',
      '/api//x',
      '//evil.example',
      '/api?x=1',
      '/api/:',
      '/a b',
      '/api#x',
    ].map((path): [object, string] => [{ path }, 'path']),
  ]
  for (const [wrong, field] of broken) {
    const answer = await sync(
      set([
        { ...action, name: 'fine', path: '/api/fine' },
        { ...action, ...wrong },
      ]),
    )
    if (field === 'permission') expect(answer.status, JSON.stringify(wrong)).toBe(422)
    expect(answer, JSON.stringify(wrong)).toMatchObject({ status: 422, errors: [{ path: `actions.1.${field}` }] })
  }
  expect(await namesFor(world.ada)).not.toContain('fine')
})

test('IDN-33 action sync with a duplicate name or route returns 422, and with one from another set 409', async () => {
  const sameName = await sync(set([action, { ...action, path: '/api/else' }]))
  expect(sameName).toMatchObject({ status: 422, errors: [{ path: 'actions.1.name' }] })
  const sameRoute = await sync(set([action, { ...action, name: 'other', path: '/api/looked-at/:postId' }]))
  expect(sameRoute).toMatchObject({ status: 422, errors: [{ path: 'actions.1.path' }] })
  const taken = await sync(set([{ ...action, name: 'listPosts' }]))
  expect(taken).toMatchObject({ status: 409, code: 'action_name_taken' })
})

test('IDN-33 action sync for an unknown service returns 404, and sending both or neither of service and serviceId is rejected', async () => {
  expect(await sync(set([], { service: 'platform-none' }))).toMatchObject({ status: 404 })
  expect(await sync(set([], { service: undefined, serviceId: crypto.randomUUID() }))).toMatchObject({ status: 404 })
  expect(await sync(set([], { serviceId: world.serviceId }))).toMatchObject({ status: 422 })
  expect(await sync(set([], { service: undefined }))).toMatchObject({ status: 422 })
})

test('IDN-33 action sync is rejected for every caller except the developer console', async () => {
  for (const caller of [world.services['platform-gateway'], world.service, world.ada, world.root, world.key])
    expect(await sync(set([action]), caller)).toMatchObject({ status: 403, code: 'permission_missing' })
  expect(await namesFor(world.ada)).not.toContain('lookAtPosts')
})

test('IDN-33 concurrent syncs of the same action set leave one complete set', async () => {
  const sets = [1, 2, 3, 4].map((nth) =>
    set([1, 2, 3].map((at) => ({ ...action, name: `s${nth}a${at}`, path: `/p/${at}` }))),
  )
  const answers = await Promise.all(sets.map((body) => sync(body)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const left = (await namesFor(world.ada)).filter((name) => /^s\da\d$/.test(name))
  expect(left.length).toBe(3)
  expect(new Set(left.map((name) => name.slice(0, 2))).size).toBe(1)
  await sync(set([]))
})

test('PLT-17 servers that start at the same time sync the built-in actions once, and again after a change', async () => {
  const counts = async () => {
    const [row] = await world.database.sql`SELECT count(*)::int AS n FROM platform.audit_log
      WHERE object_kind = 'service_actions' AND object_id = ${world.serviceId}`
    return Number(row?.['n'])
  }
  const start = () => syncActions({ ...world.provided, now: () => new Date() }, world.database, world.handle)
  const before = await counts()
  const all = await namesFor(world.ada)
  await Promise.all([start(), start(), start()])
  expect(await counts()).toBe(before)
  for (const service of ['platform-socialize', 'platform-gateway', 'platform-pay', 'platform-dashboard-api'])
    await sync({ service, actions: [] })
  expect(await namesFor(world.ada)).toEqual([])
  await Promise.all([start(), start(), start()])
  expect(await namesFor(world.ada)).toEqual(all)
  expect(await counts()).toBe(before + 2)
})
