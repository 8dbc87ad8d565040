import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase } from '#lib/db.ts'
import type { PostReviews } from '#social/types'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { inMs, newPublisher, type Post, type Publisher } from '../support/publisher.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'

let database: TestDatabase
let opened: ReturnType<typeof openDatabase>
let server: Server
let ada: Publisher

beforeAll(async () => {
  database = await freshDatabase()
  opened = openDatabase(database.url, 1)
  server = await serveInProcess({ databaseUrl: database.url })
  ada = await newPublisher(server.url)
  await requireApprovals(1)
})

afterAll(async () => {
  await server.stop()
  await opened.close()
  await database.drop()
})

const requireApprovals = (approvals: number) =>
  ada.call('PUT', `/api/brands/${ada.brandId}`, { reviewPolicy: { approvals, allowAuthor: true } })
const decide = (id: string, decision = 'approve', more: object = {}) =>
  ada.call('POST', `/api/posts/${id}/reviews`, { decision, ...more }, 201)
const read = (id: string) => ada.call<Post>('GET', `/api/posts/${id}`)
const hour = 3_600_000

async function plan(handle: string, ms: number, more: object = {}): Promise<Post> {
  const target = { connectionId: await ada.connect(handle) }
  return ada.post({ text: 'Planned', target, status: 'draft', scheduledAt: inMs(ms), requestReview: true, ...more })
}
const textsOf = async (handle: string) => (await ada.received(handle)).map(({ text }) => text)

test('SOC-32 last approval schedules a planned post for its time, at which it is published once', async () => {
  const { id, scheduledAt, version } = await plan('approved', 2_500)
  await decide(id)
  expect(await read(id)).toMatchObject({ status: 'scheduled', scheduledAt, version: version + 1 })
  await ada.until(id, ({ status }) => status === 'published')
  expect(await textsOf('approved')).toEqual(['Planned'])
})

test('SOC-32 SOC-49 planned post without its approval isn’t published when its time comes', async () => {
  const { id } = await plan('waiting', 500)
  await Bun.sleep(3_000)
  expect(await read(id)).toMatchObject({ status: 'draft', reviewState: 'requested', waitingFor: null })
  expect(await textsOf('waiting')).toEqual([])
})

test('SOC-32 post whose planned time has passed stays an approved draft until it gets a new one', async () => {
  const { id } = await plan('late', hour)
  await opened.sql`UPDATE social.posts SET scheduled_at = now() - interval '1 minute' WHERE id = ${id}`
  await decide(id)
  expect(await read(id)).toMatchObject({ status: 'draft', reviewState: 'approved' })
  await ada.call('PUT', `/api/posts/${id}`, { status: 'scheduled' }, 422)
  const scheduled = await ada.call<Post>('PUT', `/api/posts/${id}`, { status: 'scheduled', scheduledAt: inMs(hour) })
  expect(scheduled.status).toBe('scheduled')
})

test('SOC-32 requested changes keep the planned time, and the approval after them schedules the post', async () => {
  const { id, scheduledAt } = await plan('changes', hour)
  await decide(id, 'request_changes', { comment: 'Shorter' })
  expect(await read(id)).toMatchObject({ status: 'draft', scheduledAt, reviewState: 'changes_requested' })
  await ada.call('PUT', `/api/posts/${id}`, { text: 'Short' })
  expect(await read(id)).toMatchObject({ status: 'draft', scheduledAt, reviewState: 'requested' })
  await decide(id)
  expect(await read(id)).toMatchObject({ status: 'scheduled', scheduledAt, text: 'Short' })
})

test('SOC-32 thread is scheduled once all of its parts are approved, with any versions that reviewers saw', async () => {
  const parts = { text: undefined, thread: [{ text: 'One' }, { text: 'Two' }, { text: 'Three' }] }
  const { items } = await ada.call<{ items: Post[] }>(
    'POST',
    '/api/posts',
    {
      brandId: ada.brandId,
      provider: 'sandbox',
      ...parts,
      status: 'draft',
      scheduledAt: inMs(hour),
      requestReview: true,
    },
    201,
  )
  const [one, two, three] = items
  if (!one || !two || !three) throw new Error('Not a thread')
  await decide(one.id)
  expect((await read(one.id)).status).toBe('draft')
  const seen = ({ id, version }: Post) => ({ id, version })
  await decide(three.id, 'approve', { version: three.version, also: [seen(two), seen(one)] })
  for (const { id } of items) expect((await read(id)).status).toBe('scheduled')
})

test('SOC-32 moved time doesn’t void an approval, and a draft that no one asked to review isn’t scheduled', async () => {
  const { id } = await plan('moved', hour, { requestReview: undefined })
  await decide(id)
  expect(await read(id)).toMatchObject({ status: 'draft', reviewState: 'approved' })
  await ada.call('PUT', `/api/posts/${id}`, { status: 'draft', scheduledAt: inMs(2 * hour) })
  const { review } = await ada.call<PostReviews>('GET', `/api/posts/${id}/reviews`)
  expect(review).toMatchObject({ state: 'approved', missing: 0 })
})

test('SOC-32 request for a review of an approved draft schedules it for its time, also when both come with an edit', async () => {
  const early = await plan('early', hour, { requestReview: undefined })
  await decide(early.id)
  await ada.call('POST', `/api/posts/${early.id}/review-requests`, {}, 201)
  expect(await read(early.id)).toMatchObject({ status: 'scheduled', scheduledAt: early.scheduledAt })
  const timeless = await plan('timeless', hour, { scheduledAt: undefined })
  await decide(timeless.id)
  expect(await read(timeless.id)).toMatchObject({ status: 'draft', reviewState: 'approved' })
  const edit = { status: 'draft', scheduledAt: inMs(hour), requestReview: true }
  expect(await ada.call<Post>('PUT', `/api/posts/${timeless.id}`, edit)).toMatchObject({ status: 'scheduled' })
})

test('SOC-32 thread of which some parts have no time stays an approved draft, whichever is approved last', async () => {
  for (const last of [0, 1]) {
    const thread = [{ text: 'One' }, { text: 'Two' }]
    const draft = { brandId: ada.brandId, provider: 'sandbox', thread, status: 'draft', requestReview: true }
    const { items } = await ada.call<{ items: Post[] }>('POST', '/api/posts', draft, 201)
    await ada.call('PUT', `/api/posts/${items[0]?.id}`, { status: 'draft', scheduledAt: inMs(hour) })
    await decide(items[1 - last]?.id ?? '')
    const response = await fetch(`${ada.url}/api/posts/${items[last]?.id}/reviews`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}`, 'hx-request': 'true', accept: 'text/html' },
      body: new URLSearchParams({ decision: 'approve' }),
    })
    expect(JSON.stringify([...response.headers])).toContain('some parts of its thread have no time')
    for (const { id } of items) expect(await read(id)).toMatchObject({ status: 'draft', reviewState: 'approved' })
  }
})

test('SOC-32 post without a requirement of approvals is only scheduled by a person', async () => {
  await requireApprovals(0)
  const { id } = await plan('voluntary', hour)
  await decide(id)
  expect(await read(id)).toMatchObject({ status: 'draft', reviewState: 'approved' })
  await requireApprovals(1)
})

test('SOC-32 policy with fewer approvals schedules planned posts that then have enough', async () => {
  await requireApprovals(2)
  const { id, scheduledAt } = await plan('lowered', hour)
  await decide(id)
  expect((await read(id)).status).toBe('draft')
  await requireApprovals(1)
  await ada.until(id, ({ status }) => status === 'scheduled')
  expect((await read(id)).scheduledAt).toBe(scheduledAt)
})

test('SOC-20 scheduler claims no draft, even one that the database would let be due', async () => {
  const { id } = await plan('due', hour)
  const makeDue = () => opened.sql`UPDATE social.posts SET due_at = now(), scheduled_at = now() WHERE id = ${id}`
  expect(await makeDue().then(() => 'stored', String)).toContain('posts_draft')
  await opened.sql`ALTER TABLE social.posts DROP CONSTRAINT posts_draft`
  await makeDue()
  // Published after it: the scheduler looked at what is due.
  const later = await ada.post({ text: 'Later', target: { connectionId: await ada.connect('later') } })
  await decide(later.id)
  await ada.call('POST', `/api/posts/${later.id}/publish-now`)
  await ada.until(later.id, ({ status }) => status === 'published')
  expect(await textsOf('due')).toEqual([])
  expect((await read(id)).status).toBe('draft')
  // A claim sets `due_at` to the end of its lease.
  const [claimed] = await opened.sql`SELECT due_at > scheduled_at AS claimed FROM social.posts WHERE id = ${id}`
  expect(claimed).toEqual({ claimed: false })
})
