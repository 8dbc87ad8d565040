import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { newId } from '#lib/ids.ts'
import type { Feed } from '#social/types'
import { placesOf, waitingCountOf } from '../../src/social/review/feed.ts'
import { scaleTime } from '../support/time-scale.ts'
import { openSocialServer, type SocialServer } from './social-server.ts'
import { createWriter, type Writer } from './writer.ts'

const count = 20_000
let desk: SocialServer
let ada: Writer
beforeAll(async () => {
  desk = await openSocialServer()
  const permissions = ['posts:read', 'posts:write', 'posts:review', 'accounts:write', 'brands:write']
  ada = await createWriter(desk, desk.person({ permissions }))
  const { sql: query } = desk.database
  for (const state of ['requested', 'none'])
    await query`
      INSERT INTO social.posts (id, brand_id, author_id, provider, text, review_state, review_state_at)
      SELECT gen_random_uuid(), ${ada.brand.id}, ${newId()}, 'sandbox', 'Post ' || n, ${state},
        CASE WHEN ${state} = 'none' THEN NULL ELSE now() - n * interval '1 minute' END
      FROM generate_series(1, ${count}) n`
  await query`ANALYZE social.posts`
})
afterAll(() => desk.close())

const actor = (): Actor => ({
  tokenType: 'access',
  principal: { id: ada.person.id, principalType: 'user' },
  credential: { kind: 'access', id: newId() },
  organization: ada.person.organization,
  permissions: new Set(),
  bindings: [],
  suspension: null,
  unmetRequirement: null,
  app: null,
  isSuperAdmin: false,
  service: null,
})

test.each(['pending', 'approved', 'changes_requested', 'all'] as const)(
  'SOC-32 first page of 20,000 posts in review, %s, is read from an index in order',
  async (state) => {
    for (const mine of [false, true]) {
      const filter = { brandId: ada.brand.id, state, mine, limit: 20 }
      const plan = await desk.database.db.execute(sql`EXPLAIN (ANALYZE) ${placesOf(actor(), filter)}`)
      const text = JSON.stringify([...plan])
      expect(text).toMatch(/Index (Only )?Scan[^"]* using posts_(of_review_state|in_review)/)
      expect(text).not.toContain('Seq Scan on posts')
      expect(Number(/Execution Time: ([\d.]+)/.exec(text)?.[1])).toBeLessThan(scaleTime(50))
    }
  },
)

const planOf = async (query: SQL) =>
  JSON.stringify([...(await desk.database.db.execute(sql`EXPLAIN (ANALYZE) ${query}`))])

test('SOC-32 posts to review are counted in an index that has only them, for people and test keys', async () => {
  const key = { ...actor(), credential: { kind: 'api_key' as const, id: newId(), test: true } }
  for (const reader of [actor(), key])
    for (const brandId of [undefined, ada.brand.id])
      expect(await planOf(waitingCountOf(reader, brandId))).toMatch(/Index Only Scan using posts_to_review/)
})

test('SOC-32 first page of a feed of 20,000 posts is answered within 50 ms', async () => {
  const path = `GET /api/feed?brandId=${ada.brand.id}`
  await ada.person.fetch<Feed>(path)
  const times: number[] = []
  for (let turn = 0; turn < 5; turn++) {
    const began = performance.now()
    const { body } = await ada.person.fetch<Feed>(path)
    times.push(performance.now() - began)
    expect(body).toMatchObject({ items: { length: 20 }, waiting: 1001, nextCursor: expect.any(String) })
  }
  expect(Math.min(...times)).toBeLessThan(scaleTime(50))
})
