import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { PostComment } from '#social/types'
import { openWorld, type Caller, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

interface Suggested {
  items: { userId: string; name: string; text: string }[]
}

test('SOC-32 only members who can read the post are suggested, each with a text that mentions no one else', async () => {
  const carter = await world.join(world.ada, { name: 'Carter', role: 'reviewer' })
  const stone = await world.join(world.ada, { name: 'Stone', role: 'viewer' })
  for (const { id, name } of [
    { id: carter.id, name: 'Ben Carter' },
    { id: stone.id, name: 'Ben Stone' },
  ])
    await world.database.sql`UPDATE identity.users SET name = ${name} WHERE id = ${id}`
  const limit = (kind: string, id: string) =>
    world.ada.fetchJson(`PUT /api/organizations/${world.ada.things.organizations}/members/${stone.id}/resources`, {
      resources: [{ service: 'platform-socialize', kind, id, role: 'viewer' }],
    })
  const addBrand = (name: string) =>
    world.ada.fetchJson<{ id: string }>('POST /api/brands', { name, timeZone: 'UTC' }, 201)
  const [brand, other] = [await addBrand('Discussed'), await addBrand('Elsewhere')]
  await limit('brand', other.id)
  const draft = { brandId: brand.id, provider: 'sandbox', text: 'Discussed' }
  const { id } = await world.ada.fetchJson<{ id: string }>('POST /api/posts', draft, 201)
  const path = `/api/posts/${id}/mention-suggestions`
  const suggest = async (caller: Caller, prefix: string) =>
    (await caller.fetchJson<Suggested>(`GET ${path}?prefix=${encodeURIComponent(prefix)}`)).items
  const ben = { userId: carter.id, name: 'Ben Carter', text: '@Ben.Carter' }
  expect(await suggest(world.ada, '@ben')).toEqual([ben])
  expect(await suggest(carter, '@Ben.C')).toEqual([ben])
  expect(await suggest(carter, '@ben.s')).toEqual([])
  const everyone = (await suggest(world.ada, '@')).map(({ userId }) => userId)
  expect(everyone).toContain(world.ada.id)
  expect(everyone).not.toContain(stone.id)
  const comment = { text: `Please look ${ben.text}, thanks` }
  const { mentions } = await world.ada.fetchJson<PostComment>(`POST /api/posts/${id}/comments`, comment, 201)
  expect(mentions.map(({ userId }) => userId)).toEqual([carter.id])
  await limit('brand', brand.id)
  expect((await suggest(world.ada, '@ben')).map(({ text }) => text)).toEqual(['@Ben.Carter', '@Ben.Stone'])
  expect(await stone.fetchJson(`GET ${path}`)).toEqual({ items: [] })
  expect((await world.mallory.fetch(`GET ${path}`)).status).toBe(404)
})
