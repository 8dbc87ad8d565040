import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Attempt, Post } from '#social/types'
import { openSocialServer, type ProblemBody, type SocialServer } from './social-server.ts'
import { addAttempt, createWriter, markPublished, type Writer } from './writer.ts'

let desk: SocialServer
let ada: Writer
beforeAll(async () => {
  desk = await openSocialServer()
  ada = await createWriter(desk)
})
afterAll(() => desk.close())

const remove = (id: string) => ada.person.fetch(`DELETE /api/posts/${id}`)
const restore = <Answer = Post>(id: string) => ada.person.fetch<Answer>(`POST /api/posts/${id}/restore`)
const read = async (id: string) => (await ada.person.fetch<Post>(`GET /api/posts/${id}`)).body

test('SOC-12 scheduled post can be unscheduled, and rescheduled for its former time', async () => {
  const post = await ada.scheduled()
  const unscheduled = await ada.person.fetch<Post>(`POST /api/posts/${post.id}/unschedule`, { version: 1 })
  expect(unscheduled.body).toMatchObject({ status: 'draft', scheduledAt: null, version: 2 })
  const again = await ada.person.fetch<ProblemBody>(`POST /api/posts/${post.id}/unschedule`)
  expect([again.status, again.body.code]).toEqual([409, 'invalid_transition'])
  const back = { status: 'scheduled', scheduledAt: post.scheduledAt, version: 2 }
  expect((await ada.change(post.id, back)).body).toMatchObject({ status: 'scheduled', scheduledAt: post.scheduledAt })
})

test('SOC-11 deleted post is restored unchanged, with its schedule, tags and attempts', async () => {
  const post = await ada.scheduled('Deleted by mistake')
  await ada.change(post.id, { tags: ['winter'] })
  await addAttempt(desk, post, 'unknown')
  const before = await read(post.id)
  expect((await remove(post.id)).status).toBe(204)
  expect((await restore(post.id)).status).toBe(200)
  const { version, updatedAt: _, ...after } = await read(post.id)
  expect(version).toBe(before.version + 1)
  expect(before).toMatchObject(after)
  const { body } = await ada.person.fetch<{ items: Attempt[] }>(`GET /api/posts/${post.id}/attempts`)
  expect(body.items.map(({ number, state }) => ({ number, state }))).toEqual([{ number: 1, state: 'unknown' }])
  expect((await restore(post.id)).status).toBe(404)
})

test('SOC-11 deleted post whose time has passed is restored as a draft', async () => {
  const post = await ada.scheduled()
  await remove(post.id)
  await desk.database.db.execute(sql`
    UPDATE social.deleted_posts SET post = post || '{"scheduled_at": "2026-01-01T10:00:00Z"}' WHERE id = ${post.id}`)
  expect((await restore(post.id)).body).toMatchObject({ status: 'draft', scheduledAt: null })
})

test('SOC-22 restored part returns to its position in the thread', async () => {
  const { threadId, items } = await ada.thread('One', 'Two', 'Three')
  await remove(items[1]!.id)
  await remove(items[0]!.id)
  await restore(items[0]!.id)
  await restore(items[1]!.id)
  const { body } = await ada.person.fetch<{ items: Post[] }>(`GET /api/posts?threadId=${threadId}`)
  expect(body.items.map(({ text, position }) => `${position} ${text}`)).toEqual(['0 One', '1 Two', '2 Three'])
})

test('SOC-22 part whose later parts are published is restored outside the thread', async () => {
  const { items } = await ada.thread('One', 'Two')
  await remove(items[0]!.id)
  await markPublished(desk, items[1]!.id)
  expect((await restore(items[0]!.id)).body).toMatchObject({ threadId: null, position: 0, text: 'One' })
})

test('SOC-11 post can’t be restored after ten minutes, and the error says so', async () => {
  const post = await ada.draft()
  await remove(post.id)
  await desk.database.db.execute(
    sql`UPDATE social.deleted_posts SET deleted_at = deleted_at - interval '11 minutes' WHERE id = ${post.id}`,
  )
  const late = await restore<ProblemBody>(post.id)
  expect([late.status, late.body.code]).toEqual([409, 'restore_expired'])
  expect(late.body.detail).toContain('10 minutes')
})

test('PLT-23 deleted post of another organization is not restored', async () => {
  const post = await ada.draft()
  await remove(post.id)
  const mallory = await createWriter(desk, desk.person())
  expect((await mallory.person.fetch(`POST /api/posts/${post.id}/restore`)).status).toBe(404)
  expect((await restore(post.id)).status).toBe(200)
})
