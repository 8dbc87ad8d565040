import { afterAll, beforeAll, expect, test } from 'bun:test'
import { and } from 'drizzle-orm'
import { newId } from '#lib/ids.ts'
import type { Connection, Post, PostCounts, PostFilterOptions } from '#social/types'
import { conditionsOf } from '../../src/social/posts/conditions.ts'
import { posts } from '../../src/social/schema.ts'
import { openSocialServer, type SocialServer, type Person, type ProblemBody } from './social-server.ts'
import { inMinutes, createWriter, markPublished, type Writer } from './writer.ts'

interface Page {
  items: Post[]
  nextCursor: string | null
}

let desk: SocialServer
let ada: Writer
let second: Writer
beforeAll(async () => {
  desk = await openSocialServer()
  ada = await createWriter(desk)
  second = await createWriter(desk, ada.person)
  await ada.write({ text: 'draft 100%', tags: ['launch'] })
  await ada.scheduled('tomorrow', 24 * 60)
  await second.scheduled('in an hour', 60)
  await ada.thread('one', 'two', 'three')
  await markPublished(desk, (await second.scheduled('went out', 30)).id)
  await ada.write({ text: 'for bluesky_', provider: 'bluesky' })
})
afterAll(() => desk.close())

/** The texts of every page, in order. */
async function all(person: Person, query: string): Promise<string[]> {
  const texts: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body }: { body: Page } = await person.fetch<Page>(
      `GET /api/posts?limit=2&${query}${cursor && `&cursor=${cursor}`}`,
    )
    texts.push(...body.items.map(({ text }) => text))
    cursor = body.nextCursor
  }
  return texts
}

const newestFirst = ['tomorrow', 'three', 'two', 'one', 'in an hour', 'went out', 'for bluesky_', 'draft 100%']

test('SOC-11 PLT-12 posts of all brands are listed newest first, by scheduled or else creation time, page by page', async () => {
  expect(await all(ada.person, '')).toEqual(newestFirst)
})

test('SOC-11 post created between pages neither hides nor repeats another', async () => {
  const writer = await createWriter(desk)
  for (const text of ['a', 'b', 'c']) await writer.draft(text)
  const first = await writer.person.fetch<Page>('GET /api/posts?limit=2')
  await writer.scheduled('newer')
  const rest = await writer.person.fetch<Page>(`GET /api/posts?limit=2&cursor=${first.body.nextCursor}`)
  expect([...first.body.items, ...rest.body.items].map(({ text }) => text)).toEqual(['c', 'b', 'a'])
  expect(rest.body.nextCursor).toBeNull()
})

test('SOC-11 PLT-12 page of very long posts ends early, and the next pages contain the rest', async () => {
  const writer = await createWriter(desk)
  const made: string[] = []
  for (let nth = 0; nth < 12; nth++) made.unshift((await writer.draft('漢'.repeat(70_000))).id)
  const first = await writer.person.fetch<Page>('GET /api/posts?limit=100')
  expect(first.body.items.length).toBe(9)
  const rest = await writer.person.fetch<Page>(`GET /api/posts?limit=100&cursor=${first.body.nextCursor}`)
  expect([...first.body.items, ...rest.body.items].map(({ id }) => id)).toEqual(made)
  expect(rest.body.nextCursor).toBeNull()
})

test('SOC-11 one request searches 2,000 posts, and the next ones continue from there', async () => {
  const writer = await createWriter(desk)
  const { id } = await writer.draft('needle')
  await desk.database.sql`
    INSERT INTO social.posts (id, brand_id, provider, author_id, text, status, created_at)
    SELECT gen_random_uuid(), brand_id, provider, author_id, 'hay', 'draft', created_at + n * interval '1 ms'
    FROM social.posts, generate_series(1, 4000) n WHERE id = ${id}`
  const found: number[] = []
  for (const scope of ['', `brandId=${writer.brand.id}&`]) {
    let cursor: string | null = ''
    for (; cursor !== null;) {
      const { body }: { body: Page } = await writer.person.fetch<Page>(
        `GET /api/posts?${scope}q=needle${cursor && `&cursor=${cursor}`}`,
      )
      found.push(body.items.length)
      cursor = body.nextCursor
    }
  }
  expect(found).toEqual([0, 0, 1, 0, 0, 1])
})

test('SOC-11 one request with a filter looks at 2,000 posts, and the next ones continue from there without a gap', async () => {
  const writer = await createWriter(desk)
  const { id } = (await writer.write({ text: 'needle', tags: ['rare'] })).body
  const [common, rare] = [newId(), newId()]
  await desk.database.sql`
    INSERT INTO social.posts (id, brand_id, provider, author_id, text, status, created_at, tags)
    SELECT gen_random_uuid(), brand_id, provider, ${common}, 'hay ' || n, 'draft', created_at + n * interval '1 ms',
      CASE WHEN n % 1000 = 0 THEN ARRAY['rare'] ELSE '{}' END
    FROM social.posts, generate_series(1, 4000) n WHERE id = ${id}`
  const pagesOf = async (query: string) => {
    const pages: string[][] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: { body: Page } = await writer.person.fetch<Page>(
        `GET /api/posts?${query}${cursor && `&cursor=${cursor}`}`,
      )
      pages.push(body.items.map(({ text }) => text))
      cursor = body.nextCursor
    }
    return pages
  }
  for (const scope of ['', `brandId=${writer.brand.id}&`]) {
    expect(await pagesOf(`${scope}authorId=${writer.person.id}`)).toEqual([[], [], ['needle']])
    expect(await pagesOf(`${scope}authorId=${rare}&order=soonest&status=draft`)).toEqual([[], [], []])
    const tagged = await pagesOf(`${scope}tag=rare&limit=1`)
    expect(tagged.flat()).toEqual(['hay 4000', 'hay 3000', 'hay 2000', 'hay 1000', 'needle'])
    expect(await pagesOf(`${scope}tag=none&q=hay`)).toEqual([[], [], []])
  }
})

test('SOC-11 searches of one organization run one after another, and those of others run in between', async () => {
  const [many, other] = [await createWriter(desk), await createWriter(desk)]
  await Promise.all([many.draft('needle'), other.draft('needle')])
  const asking = Array.from({ length: 60 }, () => many.person.fetch<ProblemBody>('GET /api/posts?q=needle'))
  expect((await other.person.fetch('GET /api/posts?q=needle')).status).toBe(200)
  const answers = await Promise.all(asking)
  const refused = answers.filter(({ status }) => status !== 200)
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(21)
  expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
    new Set(['429 too_many_searches']),
  )
})

test('SOC-11 thread is listed by position', async () => {
  const [part] = (await ada.person.fetch<Page>('GET /api/posts?q=two')).body.items
  expect(await all(ada.person, `threadId=${part?.threadId}`)).toEqual(['one', 'two', 'three'])
})

const filters = [
  ['status=draft', ['for bluesky_', 'draft 100%']],
  ['status=published', ['went out']],
  ['provider=bluesky', ['for bluesky_']],
  ['tag=launch', ['draft 100%']],
  ['q=TOMO', ['tomorrow']],
  ['q=100%25', ['draft 100%']],
  ['q=bluesky_', ['for bluesky_']],
  ['q=_n', []],
  ['status=scheduled&q=o', ['tomorrow', 'two', 'one', 'in an hour']],
  ['', newestFirst],
] as const
test.each(filters)('SOC-11 %p', async (query, texts) => {
  expect(await all(ada.person, query)).toEqual([...texts])
})

test('SOC-11 `from` is inclusive and `to` is exclusive', async () => {
  const [post] = (await ada.person.fetch<Page>('GET /api/posts?q=tomorrow')).body.items
  const at = encodeURIComponent(post?.scheduledAt ?? '')
  expect(await all(ada.person, `from=${at}`)).toEqual(['tomorrow'])
  expect(await all(ada.person, `from=${encodeURIComponent(inMinutes(61))}&to=${at}`)).toEqual([])
})

test('SOC-11 posts are filtered by author and by brand', async () => {
  expect(await all(ada.person, `authorId=${ada.person.id}`)).toEqual(newestFirst)
  expect(await all(ada.person, `authorId=${crypto.randomUUID()}`)).toEqual([])
  expect(await all(ada.person, `brandId=${second.brand.id}`)).toEqual(['in an hour', 'went out'])
})

test('PLT-23 posts are not listed for another organization', async () => {
  const eve = desk.person()
  const [post] = (await ada.person.fetch<Page>('GET /api/posts?q=two')).body.items
  expect(await all(eve, '')).toEqual([])
  expect(await all(eve, `threadId=${post?.threadId}`)).toEqual([])
  expect((await eve.fetch(`GET /api/posts?brandId=${ada.brand.id}`)).status).toBe(404)
  expect((await eve.fetch(`GET /api/posts/${post?.id}`)).status).toBe(404)
  for (const act of ['publish-now', 'duplicate', 'retry', 'detach'])
    expect((await eve.fetch(`POST /api/posts/${post?.id}/${act}`)).status).toBe(404)
  expect((await eve.fetch(`PUT /api/posts/${post?.id}`, { text: 'Mine' })).status).toBe(404)
  expect((await eve.fetch(`DELETE /api/posts/${post?.id}`)).status).toBe(404)
})

const junk = Buffer.from('{"at":"0000-01-01T00:00:00Z","id":"x"}').toString('base64url')
const malformed = [
  ['cursor=abc', 'cursor'],
  [`cursor=${junk}`, 'cursor'],
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=many', 'limit'],
  ['status=gone', 'status'],
  ['from=yesterday', 'from'],
  ['to=0000-01-01T00:00:00Z', 'to'],
  ['threadId=7', 'threadId'],
  ['q=%00', 'q'],
] as const
test.each(malformed)('PLT-12 %s returns 422 and names the field', async (query, path) => {
  const reported = await ada.person.fetch<ProblemBody>(`GET /api/posts?${query}`)
  expect([reported.status, reported.body.errors?.[0]?.path]).toEqual([422, path])
})

test('PLT-12 cursor of the year 0 is rejected before it reaches the database', async () => {
  const cursor = Buffer.from(JSON.stringify({ at: '0000-01-01T00:00:00Z', id: crypto.randomUUID() })).toString(
    'base64url',
  )
  expect((await ada.person.fetch(`GET /api/posts?cursor=${cursor}`)).status).toBe(422)
})

test('SOC-11 posts are filtered by the account that publishes them, and counted under the same filters', async () => {
  const writer = await createWriter(desk)
  const { person, brand, connection } = writer
  const { body } = await person.fetch<{ connection: Connection }>('POST /api/integrations/sandbox/connect', {
    brandId: brand.id,
    handle: `other.${Date.now() % 1e6}`,
  })
  const other = body.connection.id
  await writer.write({ text: 'any account', tags: ['x'] })
  await writer.write({ text: 'the other account', target: { connectionId: other } })
  await markPublished(desk, (await writer.scheduled('published', 30)).id)
  await desk.database.sql`UPDATE social.posts SET external_account = (
    SELECT external_id FROM social.connections WHERE id = ${other}) WHERE brand_id = ${brand.id} AND status = 'published'`
  expect(await all(person, `accountId=${connection.id}`)).toEqual(['any account'])
  expect(await all(person, `accountId=${other}&brandId=${brand.id}`)).toEqual(['published', 'the other account'])
  expect(await all(ada.person, `accountId=${other}`)).toEqual([])
  const count = async (query: string) =>
    (await person.fetch<PostCounts>(`GET /api/posts/counts?brandId=${brand.id}${query}`)).body
  const none = { draft: 0, scheduled: 0, published: 0, failed: 0 }
  expect(await count('')).toEqual({ ...none, draft: 2, published: 1 })
  expect(await count(`&accountId=${other}`)).toEqual({ ...none, draft: 1, published: 1 })
  expect(await count('&tag=x')).toEqual({ ...none, draft: 1 })
  expect(await count('&q=ACCOUNT')).toEqual({ ...none, draft: 2 })
  expect(await count(`&authorId=${person.id}&from=2001-01-01T00:00:00Z`)).toEqual({ ...none, draft: 2, published: 1 })
  expect(await count('&to=2001-01-01T00:00:00Z')).toEqual(none)
  const options = await person.fetch<PostFilterOptions>(`GET /api/posts/filter-options?brandId=${brand.id}`)
  expect(options.body).toMatchObject({ providers: ['sandbox'], tags: ['x'], accounts: [{}, {}] })
  expect((await ada.person.fetch(`GET /api/posts/filter-options?brandId=${brand.id}`)).status).toBe(404)
})

test('SOC-11 counts of posts stop at 1,000, without reading more rows of a brand with many posts', async () => {
  const { person, brand } = await createWriter(desk)
  await desk.database.sql`
    INSERT INTO social.posts (id, brand_id, author_id, provider, text)
    SELECT gen_random_uuid(), ${brand.id}, ${person.id}, 'sandbox', 'Draft' FROM generate_series(1, 12_000)`
  const count = async (query = '') =>
    (await person.fetch<PostCounts>(`GET /api/posts/counts?brandId=${brand.id}${query}`)).body.draft
  expect([await count(), await count('&provider=sandbox'), await count('&q=draft')]).toEqual([1_001, 1_001, 1_001])
  expect(await person.draw(`GET /api/posts/counts?brandId=${brand.id}`)).toContain('1,000+')
  await desk.database.sql`DELETE FROM social.posts WHERE brand_id = ${brand.id}`
})

test('SOC-11 filter by account reads the accounts once, however many posts and accounts there are', async () => {
  const writer = await createWriter(desk)
  const { brand, connection } = writer
  const { sql, db } = desk.database
  const [friend, guest] = [newId(), newId()]
  const own = { brand_id: brand.id, provider: 'sandbox', name: 'x' }
  const accounts = [friend, ...Array.from({ length: 20 }, () => newId())].map((owner_id) => ({
    ...own,
    id: newId(),
    owner_id,
    external_id: newId(),
  }))
  await sql`INSERT INTO social.connections ${sql(accounts)}`
  const written = [writer.person.id, friend, guest].flatMap((author_id) =>
    Array.from({ length: 30 }, () => ({ id: newId(), brand_id: brand.id, author_id, provider: 'sandbox', text: 'x' })),
  )
  await sql`INSERT INTO social.posts ${sql(written)}`
  const authorsOf = async (account = '') => {
    const { body } = await writer.person.fetch<{ items: Post[] }>(`GET /api/posts?limit=100&accountId=${account}`)
    return new Set(body.items.map(({ authorId }) => authorId))
  }
  expect(await authorsOf(connection.id)).toEqual(new Set([writer.person.id, guest]))
  expect(await authorsOf(accounts[0]?.id)).toEqual(new Set([friend]))
  expect(await authorsOf(accounts[1]?.id)).toEqual(new Set())
  const query = db
    .select({ id: posts.id })
    .from(posts)
    .where(and(...conditionsOf(['accountId'])))
  const plan = await sql.unsafe(
    `EXPLAIN (ANALYZE) ${query.toSQL().sql.replaceAll(/\$\d+/g, `'${accounts[1]?.id ?? ''}'`)}`,
  )
  const loops = JSON.stringify(plan).matchAll(/loops=(\d+)/g)
  expect(Math.max(...[...loops].map(([, count]) => Number(count)))).toBeLessThan(50)
})
