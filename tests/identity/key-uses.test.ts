import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createKeyUses } from '../../src/identity/api-keys/validation/uses.ts'
import { openWorld, type KeyCaller, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

interface Key {
  scopes: string[]
  lastUsedAt: string | null
  scopeUse: { scope: string; lastUsedAt: string | null; watchedSince: string }[]
  suggestion: { removable: string[]; unusedForDays: number; act: string } | null
}

const scopes = ['accounts.read', 'posts.read', 'posts.write']
const find = (id: string) => world.ada.fetchJson<Key>(`GET /api/api-keys/${id}`)
const usesOf = async ({ id }: KeyCaller) =>
  Object.fromEntries((await find(id)).scopeUse.map(({ scope, lastUsedAt }) => [scope, lastUsedAt]))
/** Moves the recorded use of a key into the past. */
const age = ({ id }: KeyCaller, by: string) =>
  world.database.sql`UPDATE identity.api_key_scopes SET last_used_at = last_used_at - ${by}::interval,
    watched_since = watched_since - ${by}::interval WHERE api_key_id = ${id}`

test('IDN-30 use of a scope is recorded only for the permission of the called operation', async () => {
  const key = await world.ada.createKey({ scopes })
  expect(await usesOf(key)).toEqual({ 'accounts.read': null, 'posts.read': null, 'posts.write': null })
  const began = Date.now()
  await key.fetchJson('GET /api/posts')
  await key.fetchJson('GET /api/brands')
  await key.fetchJson('GET /api/actions/catalog')
  expect((await key.fetch('POST /api/brands', { name: 'Beyond' })).status).toBe(403)
  const used = await usesOf(key)
  expect(used).toEqual({ 'accounts.read': null, 'posts.read': expect.any(String), 'posts.write': null })
  expect(Date.parse(used['posts.read'] ?? '')).toBeWithin(began - 1, Date.now() + 1)
  await key.fetchJson('POST /api/posts', { brandId: world.ada.things.brands, provider: 'sandbox', text: 'x' }, 201)
  expect((await usesOf(key))['posts.write']).toBeString()
})

test('IDN-30 use of a scope is recorded when another service names the permission in /validate, if the key holds it', async () => {
  const key = await world.ada.createKey({ scopes })
  const asFor = (permission: string) => encodeURIComponent(`${world.serviceId}.${permission}`)
  await key.fetchJson(`GET /validate?permission=${asFor('accounts:read')}`)
  for (const permission of ['brands:write', 'posts:fly', 'posts.read', ''])
    await key.fetchJson(`GET /validate?permission=${asFor(permission)}`)
  await key.fetchJson(`GET /validate?permission=posts:read`)
  await world.stranger.fetchJson('POST /api/api-keys/validate', {
    key: key.text,
    permission: `${world.serviceId}.posts:write`,
  })
  expect(await usesOf(key)).toEqual({
    'accounts.read': expect.any(String),
    'posts.read': null,
    'posts.write': expect.any(String),
  })
})

test('IDN-30 scope use is recorded at most once a minute across all servers, and many uses in one statement', async () => {
  const key = await world.ada.createKey({ scopes })
  const [apiKey, permissions] = [
    { id: key.id, mode: 'live' as const, bindings: [] },
    scopes.map((scope) => `${world.serviceId}.${scope.replace('.', ':')}`),
  ]
  const answer = { ...(await key.fetchJson<Parameters<typeof uses.note>[0]>('GET /validate')), apiKey, permissions }
  let statements = 0
  const { db } = world.database
  const counting = new Proxy(db, {
    get: (target, name) => {
      if (name === 'execute') statements += 1
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  let now = new Date()
  const open = () =>
    createKeyUses(
      counting,
      () => now,
      (error) => expect(error).toBeUndefined(),
    )
  const [uses, elsewhere] = [open(), open()]
  const everything = async (by: typeof uses) => {
    for (let nth = 0; nth < 100; nth++) for (const permission of permissions) by.note(answer, permission)
    await by.flush()
  }
  await everything(uses)
  expect(statements).toBe(1)
  const first = await usesOf(key)
  expect(Object.values(first)).toEqual([now.toISOString(), now.toISOString(), now.toISOString()])
  now = new Date(now.getTime() + 59_000)
  await everything(uses)
  expect(statements).toBe(1)
  await everything(elsewhere)
  expect(await usesOf(key)).toEqual(first)
  now = new Date(now.getTime() + 1_001)
  await Promise.all([everything(uses), everything(elsewhere)])
  expect((await usesOf(key))['posts.read']).toBe(now.toISOString())
})

test('IDN-30 scopes unused for 30 days are suggested for removal, and one rotation removes them', async () => {
  const key = await world.ada.createKey({ scopes })
  await key.fetchJson('GET /api/posts')
  await find(key.id)
  await age(key, '29 days')
  expect((await find(key.id)).suggestion).toBeNull()
  await age(key, '2 days')
  await key.fetchJson('GET /validate')
  await world.database.sql`UPDATE identity.api_key_scopes SET last_used_at = now()
    WHERE api_key_id = ${key.id} AND scope = 'posts.read'`
  const suggestion = { removable: ['accounts.read', 'posts.write'], unusedForDays: 30, act: 'rotate' }
  expect((await find(key.id)).suggestion).toEqual(suggestion)
  const { items } = await world.ada.fetchJson<{ items: (Key & { id: string })[] }>('GET /api/api-keys?limit=100')
  expect(items.find(({ id }) => id === key.id)?.suggestion).toEqual(suggestion)
  const route = `POST /api/api-keys/${key.id}/rotate`
  for (const wrong of [['posts.read', 'calendar.read'], ['posts:read'], []]) {
    const answer = await world.ada.fetch(route, { scopes: wrong })
    expect(answer.status, wrong.join()).toBe(422)
  }
  const next = await world.ada.fetchJson<Key & { id: string }>(route, { scopes: ['posts.read'], overlapHours: 24 }, 201)
  expect(next).toMatchObject({ scopes: ['posts.read'], permissions: ['posts:read'] })
  expect(next.scopeUse).toMatchObject([{ scope: 'posts.read', lastUsedAt: null }])
  expect((await find(next.id)).suggestion).toBeNull()
  expect((await find(key.id)).suggestion).toBeNull()
})

test('IDN-30 revocation is suggested for a key with no used scopes, and nothing for a revoked key', async () => {
  const key = await world.ada.createKey({ scopes })
  await age(key, '31 days')
  expect((await find(key.id)).suggestion).toMatchObject({ removable: scopes, act: 'revoke' })
  await world.ada.fetchJson(`DELETE /api/api-keys/${key.id}`)
  expect((await find(key.id)).suggestion).toBeNull()
})

test('IDN-30 PLT-41 list of keys counts unused scopes, and the page of the key offers to rotate the key without them', async () => {
  const { cookie } = await world.ada.signIn()
  const key = await world.ada.createKey({ scopes, name: 'Seldom' })
  await age(key, '31 days')
  await key.fetchJson('GET /api/posts')
  const html = { accept: 'text/html', cookie }
  const list = await (await world.stranger.fetch('GET /settings/keys', undefined, html)).text()
  expect(list).toContain('2 of 3 scopes unused')
  const page = await (await world.stranger.fetch(`GET /settings/keys/${key.id}`, undefined, html)).text()
  expect(page).toContain('2 of its 3 scopes haven’t been used for 30 days: accounts.read, posts.write.')
  expect(page).toContain('Rotate Seldom with fewer scopes?')
  expect(page).toContain('<input type="hidden" name="scopes[]" value="posts.read"')
})
