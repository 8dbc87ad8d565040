import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { SocialDashboard } from '#social/types'
import { newId } from '#lib/ids.ts'
import type { WidgetPayload } from '#lib/widget.ts'
import { countByDay } from '../../src/social/home/results.ts'
import { posts } from '../../src/social/schema.ts'
import { decide } from './review-team.ts'
import { openSocialServer, type Person, type SocialServer } from './social-server.ts'
import { createWriter, type Writer } from './writer.ts'

let desk: SocialServer
beforeAll(async () => {
  desk = await openSocialServer()
})
afterAll(() => desk.close())

const permissions = ['posts:read', 'posts:write', 'posts:review', 'accounts:write', 'brands:write', 'dashboard:read']
const createReader = () => createWriter(desk, desk.person({ permissions }))
const read = async ({ brand }: Writer, person: Person) =>
  (await person.fetch<SocialDashboard>(`GET /api/dashboard?brandId=${brand.id}`)).body
const reader = (
  { person: { organization } }: Writer,
  more: string[] = [],
  limits?: { brandId: string; permissions: string[] }[],
) => desk.person({ organization, permissions: ['posts:read', 'dashboard:read', ...more], limits })

async function sendBack(ada: Writer, text: string, comment?: string) {
  const post = await ada.draft(text)
  await ada.person.fetch(`POST /api/posts/${post.id}/review-requests`, {})
  const ben = reader(ada, ['posts:review'])
  expect((await decide(ben, post, 'request_changes', { comment })).status).toBe(201)
  return post
}

test('SOC-36 SOC-32 posts that were sent back need attention, with the reason, until they are changed', async () => {
  const ada = await createReader()
  expect((await read(ada, ada.person)).attention.requestedChanges).toEqual([])
  await sendBack(ada, 'Without a price', 'The price is missing')
  const second = await sendBack(ada, 'Too long')
  const { requestedChanges } = (await read(ada, ada.person)).attention
  expect(requestedChanges?.map(({ post, by, comment }) => [post.text, by.kind, comment])).toEqual([
    ['Too long', 'user', null],
    ['Without a price', 'user', 'The price is missing'],
  ])
  const fragment = await ada.person.draw(`GET /api/dashboard?brandId=${ada.brand.id}`)
  expect(fragment).toContain('Changes requested by')
  expect(fragment).toContain(': The price is missing')
  await ada.change(second.id, { text: 'Short' })
  expect((await read(ada, ada.person)).attention.requestedChanges).toMatchObject([
    { post: { text: 'Without a price' } },
  ])
})

test('SOC-36 SOC-40 posts that were sent back are shown to who can change posts of the brand', async () => {
  const ada = await createReader()
  await sendBack(ada, 'Sent back')
  const other = (await ada.person.fetch<{ id: string }>('POST /api/brands', { name: 'Bakery' })).body.id
  const all = ['posts:read', 'dashboard:read', 'posts:write']
  const limited = (brandId: string, rights: string[]) => ({ brandId, permissions: rights })
  const editor = reader(ada, ['posts:write'], [limited(ada.brand.id, all)])
  const elsewhere = reader(
    ada,
    ['posts:write'],
    [limited(ada.brand.id, ['posts:read', 'dashboard:read']), limited(other, all)],
  )
  const shown = async (person: Person) => (await read(ada, person)).attention.requestedChanges?.length ?? null
  expect([await shown(editor), await shown(elsewhere), await shown(reader(ada))]).toEqual([1, null, null])

  const metric = async (person: Person) => {
    const { metrics } = (await person.fetch<WidgetPayload>('GET /api/widget')).body
    return metrics.find(({ label }) => label === 'Changes requested')?.value
  }
  expect([await metric(editor), await metric(elsewhere), await metric(reader(ada))]).toEqual([
    '1',
    undefined,
    undefined,
  ])
})

const dayMs = 86_400_000

/** Posts that were published or failed so long ago. */
async function addPosts({ brand, person }: Writer, status: string, agoMs: number[], provider = 'sandbox') {
  for (const at of agoMs.map((ago) => new Date(Date.now() - ago).toISOString()))
    await desk.database.sql`
      INSERT INTO social.posts (id, brand_id, author_id, provider, text, status, scheduled_at, published_at, permalink,
        failure_code, failure_message, failed_at)
      SELECT gen_random_uuid(), ${brand.id}, ${person.id}, ${provider}, 'Result', ${status}, ${at},
        CASE WHEN published THEN ${at}::timestamptz END, CASE WHEN published THEN 'https://sandbox.example/1' END,
        CASE WHEN NOT published THEN 'provider_refused' END, CASE WHEN NOT published THEN 'No.' END,
        CASE WHEN NOT published THEN now() END
      FROM (SELECT ${status} = 'published' AS published) AS outcome`
}

test('SOC-36 results count published and failed posts of 7 days by day and network, beside the 7 days before until the same time', async () => {
  const ada = await createReader()
  expect((await read(ada, ada.person)).results).toMatchObject({ published: 0, failed: 0, networks: [] })
  await addPosts(ada, 'published', [0, dayMs, dayMs])
  // Later in the day than now, a week ago: not in the same part of the days before. And longer ago than both.
  await addPosts(ada, 'published', [7 * dayMs - 60_000, 7 * dayMs + 60_000, 15 * dayMs])
  await addPosts(ada, 'failed', [2 * dayMs], 'bluesky')
  await addPosts(ada, 'failed', [9 * dayMs, 10 * dayMs], 'bluesky')
  const { results, day } = await read(ada, ada.person)
  const now = Temporal.Now.zonedDateTimeISO('Europe/Berlin')
  // Close to midnight, a minute is another day.
  const isLate = now.hour === 23 && now.minute === 59
  expect({ published: results.published, failed: results.failed, before: results.before }).toEqual({
    published: isLate ? 4 : 3,
    failed: 1,
    before: { published: 1, failed: 2 },
  })
  const dayBefore = (days: number) => Temporal.PlainDate.from(day).subtract({ days }).toString()
  expect(results.days.map((each) => each.day)).toEqual([6, 5, 4, 3, 2, 1, 0].map(dayBefore))
  expect(results.days.slice(-3)).toEqual([
    { day: dayBefore(2), published: 0, failed: 1 },
    { day: dayBefore(1), published: 2, failed: 0 },
    { day, published: 1, failed: 0 },
  ])
  expect(results.networks).toMatchObject([
    { provider: 'bluesky', published: 0, failed: 1, before: { published: 0, failed: 2 } },
    { provider: 'sandbox', failed: 0, before: { published: 1, failed: 0 } },
  ])
  const fragment = await ada.person.draw(`GET /api/dashboard?brandId=${ada.brand.id}`)
  for (const words of ['Last 7 days', '0 published, 1 failed · 0 published, 2 failed before'])
    expect(fragment).toContain(words)
})

test('SOC-36 results of 20,000 posts are counted in indexes, only in the two weeks', async () => {
  const ada = await createReader()
  await desk.database.sql`
    INSERT INTO social.posts (id, brand_id, author_id, provider, text, status, scheduled_at, published_at, permalink,
      failure_code, failure_message, failed_at)
    SELECT gen_random_uuid(), ${ada.brand.id}, ${ada.person.id}, 'sandbox', 'Post', status, at,
      CASE WHEN status = 'published' THEN at END, CASE WHEN status = 'published' THEN 'https://sandbox.example/' || n END,
      CASE WHEN status = 'failed' THEN 'provider_refused' END, CASE WHEN status = 'failed' THEN 'No.' END,
      CASE WHEN status = 'failed' THEN at END
    FROM (SELECT n, (ARRAY['published', 'failed'])[n % 2 + 1] AS status, now() - n * interval '1 hour' AS at
      FROM generate_series(1, 20000) n) AS made`
  await desk.database.sql`ANALYZE social.posts`
  const now = new Date()
  const starts = Array.from({ length: 14 }, (_, at) => new Date(now.getTime() - (14 - at) * dayMs))
  const range = { starts, now, aWeekAgo: new Date(now.getTime() - 7 * dayMs) }
  const reading = { credential: { kind: 'access' as const, id: newId() } }
  const planOf = async (status: 'published' | 'failed', at: typeof posts.publishedAt | typeof posts.sortAt) => {
    const query = countByDay(desk.database.db, reading, { ...ada.brand }, { ...range, status, at })
    return JSON.stringify([...(await desk.database.db.execute(sql`EXPLAIN ${query}`))])
  }
  expect(await planOf('published', posts.publishedAt)).toContain('posts_published')
  expect(await planOf('failed', posts.sortAt)).toContain('posts_newest_of_status')
})
