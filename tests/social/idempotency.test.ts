import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { openWorld, password, type Caller, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const withKey = (key: string) => ({ 'idempotency-key': key })
const threadOf = (brandId: string, text: string) => ({
  brandId,
  provider: 'sandbox',
  thread: [{ text }, { text: 'Two' }],
})
const postsWith = async (caller: Caller, q: string) =>
  (await caller.fetchJson<{ items: unknown[] }>(`GET /api/posts?q=${encodeURIComponent(q)}`)).items

test('PLT-13 twenty submissions of one thread with the same key create one thread', async () => {
  const body = threadOf(world.ada.things.brands, 'Only once')
  const key = newId()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => world.ada.fetch('POST /api/posts', body, withKey(key))),
  )
  expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([])
  const later = await world.ada.fetch('POST /api/posts', body, withKey(key))
  expect([later.status, later.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
  expect(await postsWith(world.ada, 'Only once')).toHaveLength(1)
  const { items } = await world.ada.fetchJson<{ items: unknown[] }>('GET /api/audit?operation=createPost&limit=100')
  expect(items.filter((item) => JSON.stringify(item).includes('Only once'))).toHaveLength(1)
})

test('PLT-13 PLT-23 same key from another tenant is a different key', async () => {
  const key = newId()
  const first = await world.ada.fetch('POST /api/brands', { name: 'Shared Name' }, withKey(key))
  const other = await world.mallory.fetch('POST /api/brands', { name: 'Shared Name' }, withKey(key))
  expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([201, null])
  expect(((await other.json()) as { id: string }).id).not.toBe(((await first.json()) as { id: string }).id)
})

test('PLT-13 repeated sign-up with the same key creates one person and doesn’t return tokens again', async () => {
  const body = { email: 'grace@example.com', name: 'Grace', password, createOrganization: true }
  const [first, again] = [
    await world.stranger.fetch('POST /register', body, withKey('grace')),
    await world.stranger.fetch('POST /register', body, withKey('grace')),
  ]
  const { accessToken, refreshToken, ...person } = (await first.json()) as Record<string, unknown>
  expect([typeof accessToken, typeof refreshToken]).toEqual(['string', 'string'])
  expect([again.status, await again.json()]).toEqual([201, person])
  const guess = await world.stranger.fetch('POST /register', { ...body, password: `${password}!` }, withKey('grace'))
  expect(guess.status).toBe(422)
})
