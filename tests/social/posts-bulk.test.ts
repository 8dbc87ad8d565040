import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { BulkResult, Post } from '#social/types'
import { openSocialServer, type ProblemBody, type SocialServer } from './social-server.ts'
import { createWriter, markPublished, type Writer } from './writer.ts'

let desk: SocialServer
let ada: Writer
beforeAll(async () => {
  desk = await openSocialServer()
  ada = await createWriter(desk)
})
afterAll(() => desk.close())

const change = (body: Record<string, unknown>, writer = ada) =>
  writer.person.fetch<BulkResult & ProblemBody>('POST /api/posts/bulk', body)
const get = async (id: string) => (await ada.person.fetch<Post>(`GET /api/posts/${id}`)).body
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()

test('SOC-12 one request can reschedule, move to drafts, delete or restore several posts', async () => {
  const ids = [(await ada.draft('one')).id, (await ada.scheduled('two')).id]
  const at = tomorrow()
  expect((await change({ action: 'reschedule', ids, scheduledAt: at })).body).toMatchObject({ succeeded: 2, failed: 0 })
  for (const id of ids) expect(await get(id)).toMatchObject({ status: 'scheduled', scheduledAt: at })
  await change({ action: 'unschedule', ids })
  for (const id of ids) expect(await get(id)).toMatchObject({ status: 'draft', scheduledAt: null })
  const deleted = await ada.person.send('POST /api/posts/bulk', { action: 'delete', ids }, { 'hx-request': 'true' })
  expect(deleted.headers.get('hx-trigger')).toContain('2 posts deleted')
  expect(deleted.headers.get('hx-trigger')).toContain('"action":"restore"')
  for (const id of ids) expect((await ada.person.fetch(`GET /api/posts/${id}`)).status).toBe(404)
  await change({ action: 'restore', ids })
  for (const id of ids) expect((await get(id)).status).toBe('draft')
})

test('SOC-12 posts moved to drafts in bulk are scheduled again for their own times, for ten minutes, unless changed', async () => {
  const posts = [await ada.scheduled('one', 3600), await ada.scheduled('two', 7200), await ada.scheduled('three', 7200)]
  const ids = posts.map(({ id }) => id)
  const moved = await ada.person.send('POST /api/posts/bulk', { action: 'unschedule', ids }, { 'hx-request': 'true' })
  expect(moved.headers.get('hx-trigger')).toContain('"action":"undo-unschedule"')
  await ada.change(ids[1] ?? '', { text: 'two, changed' })
  await desk.database
    .sql`UPDATE social.posts SET updated_at = updated_at - interval '11 minutes' WHERE id = ${ids[2] ?? ''}`
  const undone = await change({ action: 'undo-unschedule', ids })
  expect([undone.body.succeeded, undone.body.failed]).toEqual([1, 2])
  expect(await get(ids[0] ?? '')).toMatchObject({ status: 'scheduled', scheduledAt: posts[0]?.scheduledAt })
  for (const id of ids.slice(1)) expect(await get(id)).toMatchObject({ status: 'draft', scheduledAt: null })
  const late = await change({ action: 'undo-unschedule', ids: ids.slice(1) })
  expect([late.status, late.body.code]).toEqual([409, 'undo_expired'])
})

test('SOC-12 post that can’t be changed keeps its state, and its result says why; the others are changed', async () => {
  const published = (await ada.scheduled('went out', 30)).id
  await markPublished(desk, published)
  const draft = (await ada.draft('to be deleted')).id
  const foreign = (await (await createWriter(desk)).draft('foreign')).id
  const { status, body } = await change({ action: 'delete', ids: [published, draft, foreign] })
  expect([status, body.succeeded, body.failed]).toEqual([200, 1, 2])
  const codes = new Map(body.items.map(({ id, error }) => [id, error?.code ?? null]))
  expect([published, draft, foreign].map((id) => codes.get(id))).toEqual(['published_immutable', null, 'not_found'])
  expect((await get(published)).status).toBe('published')
  const drawn = await ada.person.draw('POST /api/posts/bulk', { action: 'delete', ids: [published] })
  expect(drawn).toContain('1 post wasn’t changed')
  expect(drawn).toContain('already published')
})

test('SOC-12 parts of a thread that a form sends as one value are all changed', async () => {
  const { items: thread } = await ada.thread('one', 'two', 'three')
  const ids = [thread.map(({ id }) => id).join(',')]
  expect((await change({ action: 'delete', ids })).body).toMatchObject({ succeeded: 3, failed: 0 })
})

test('SOC-22 thread that is deleted and restored in bulk keeps the order of its parts', async () => {
  const { threadId, items } = await ada.thread('one', 'two', 'three')
  const ids = items.map(({ id }) => id)
  await change({ action: 'delete', ids })
  expect((await change({ action: 'restore', ids })).body).toMatchObject({ succeeded: 3, failed: 0 })
  const { body } = await ada.person.fetch<{ items: Post[] }>(`GET /api/posts?threadId=${threadId}`)
  expect(body.items.map(({ text, position }) => `${position} ${text}`)).toEqual(['0 one', '1 two', '2 three'])
})

test('SOC-22 parts of a deleted thread that are restored concurrently all return to it', async () => {
  const { threadId, items } = await ada.thread('one', 'two', 'three', 'four')
  await change({ action: 'delete', ids: items.map(({ id }) => id) })
  const restored = await Promise.all(items.map(({ id }) => ada.person.fetch(`POST /api/posts/${id}/restore`)))
  expect(restored.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const { body } = await ada.person.fetch<{ items: Post[] }>(`GET /api/posts?threadId=${threadId}`)
  expect(body.items.map(({ text, position }) => `${position} ${text}`)).toEqual(['0 one', '1 two', '2 three', '3 four'])
})

test('SOC-12 IDs in capital letters are the same posts', async () => {
  const { threadId, items } = await ada.thread('one', 'two', 'three')
  const ids = items.flatMap(({ id }) => [id, id.toUpperCase()])
  expect((await change({ action: 'delete', ids })).body).toMatchObject({ succeeded: 3, failed: 0 })
  for (const { id } of items) await ada.person.fetch(`POST /api/posts/${id.toUpperCase()}/restore`)
  const { body } = await ada.person.fetch<{ items: Post[] }>(`GET /api/posts?threadId=${threadId}`)
  expect(body.items.map(({ text }) => text)).toEqual(['one', 'two', 'three'])
})

test.each([
  [{ action: 'delete', ids: [] }, 'ids'],
  [{ action: 'delete', ids: Array.from({ length: 51 }, () => Bun.randomUUIDv7()) }, 'ids'],
  [{ action: 'delete', ids: ['nonsense'] }, 'ids.0'],
  [{ action: 'reschedule', ids: [Bun.randomUUIDv7()] }, 'scheduledAt'],
  [{ action: 'delete', ids: [Bun.randomUUIDv7()], scheduledAt: '2030-01-01T00:00:00Z' }, 'scheduledAt'],
  [{ action: 'burn', ids: [Bun.randomUUIDv7()] }, 'action'],
])('SOC-12 bulk change with an invalid field returns 422 and names the field: %j', async (body, field) => {
  const { status, body: problem } = await change(body)
  expect([status, problem.errors[0]?.path]).toEqual([422, field])
})

test('SOC-11 parts of a thread that are listed together are one row, with the state that needs attention most', async () => {
  const writer = await createWriter(desk)
  const { items: parts } = await writer.thread('Head', 'Middle', 'Tail')
  const ids = parts.map(({ id }) => id)
  await writer.draft('Alone')
  const list = await writer.person.draw(`GET /api/posts?brandId=${writer.brand.id}`)
  expect(list.match(/<tr id="post-/g)).toHaveLength(2)
  expect(list).toContain('Thread of 3')
  expect(list).toContain(`value="${ids.join(',')}"`)
  const { sql } = desk.database
  await sql`UPDATE social.posts SET status = 'failed', failure_code = 'refused', failed_at = now() WHERE id = ${ids[1] ?? ''}`
  expect(await writer.person.draw(`GET /api/posts?brandId=${writer.brand.id}`)).toContain('data-state="failed"')
})
