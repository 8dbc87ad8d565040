import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Post } from '#social/types'
import { posts } from '../../src/social/schema.ts'
import { openSocialServer, type SocialServer, type ProblemBody } from './social-server.ts'
import { addAttempt, markFailed, createWriter, markPublished, type Writer } from './writer.ts'

let desk: SocialServer
let ada: Writer
beforeAll(async () => {
  desk = await openSocialServer()
  ada = await createWriter(desk)
})
afterAll(() => desk.close())

const order = async (threadId: string) => {
  const { body } = await ada.person.fetch<{ items: Post[] }>(`GET /api/posts?threadId=${threadId}`)
  return body.items.map(({ text, position }) => [position, text])
}

/** Sets a part to the state in which the scheduler leaves it while it waits for the previous one. */
const letWait = (id: string, postId: string) =>
  desk.database.db
    .update(posts)
    .set({ waitingFor: { reason: 'thread_predecessor', postId }, dueAt: new Date(Date.now() + 30_000) })
    .where(eq(posts.id, id))

const threadOfThree = async () => {
  const { threadId, items } = await ada.thread('one', 'two', 'three')
  const [one, two, three] = items
  if (!one || !two || !three) throw new Error('The thread is short')
  return { threadId, one, two, three }
}

test('SOC-10 thread returns its id and its parts in order', async () => {
  const { threadId, items } = await ada.thread('one', 'two')
  expect(items.map(({ position, text, threadId: id }) => [position, text, id])).toEqual([
    [0, 'one', threadId],
    [1, 'two', threadId],
  ])
})

test('SOC-45 thread for several targets is a thread on each', async () => {
  const { body } = await ada.write<{ groupId: string; items: Post[] }>({
    provider: undefined,
    text: undefined,
    thread: [{ text: 'one' }, { text: 'two' }],
    targets: [{ provider: 'sandbox' }, { provider: 'bluesky' }],
  })
  expect(body.items.map(({ provider, position }) => [provider, position])).toEqual([
    ['sandbox', 0],
    ['sandbox', 1],
    ['bluesky', 0],
    ['bluesky', 1],
  ])
  expect(new Set(body.items.map(({ threadId }) => threadId)).size).toBe(2)
  expect(new Set(body.items.map(({ groupId }) => groupId))).toEqual(new Set([body.groupId]))
})

test('SOC-22 detached waiting part is published on its own, and the next one moves up', async () => {
  const { threadId, one, two, three } = await threadOfThree()
  await letWait(two.id, one.id)
  await letWait(three.id, two.id)
  const reported = await ada.person.fetch<Post>(`POST /api/posts/${two.id}/detach`)
  expect(reported.body).toMatchObject({ threadId: null, position: 0, status: 'scheduled', waitingFor: null })
  expect(await order(threadId)).toEqual([
    [0, 'one'],
    [1, 'three'],
  ])
  const after = await ada.person.fetch<Post>(`GET /api/posts/${three.id}`)
  expect(after.body.waitingFor).toBeNull()
})

test('SOC-22 parts behind a failed head can go back to drafts, or be detached', async () => {
  const { one, two, three } = await threadOfThree()
  await markFailed(desk, one.id)
  await letWait(two.id, one.id)
  const draft = await ada.change(two.id, { status: 'draft' })
  expect(draft.body).toMatchObject({ status: 'draft', waitingFor: null, position: 1 })
  expect((await ada.person.fetch(`POST /api/posts/${three.id}/detach`)).status).toBe(200)
})

test('SOC-22 deleting a part leaves no gap', async () => {
  const { threadId, one } = await threadOfThree()
  expect((await ada.person.fetch(`DELETE /api/posts/${one.id}`)).status).toBe(204)
  expect(await order(threadId)).toEqual([
    [0, 'two'],
    [1, 'three'],
  ])
})

test('SOC-22 parts detached at the same time leave no gap', async () => {
  const { threadId, one, two, three } = await threadOfThree()
  const reported = await Promise.all(
    [three, one, two].map(({ id }) => ada.person.fetch(`POST /api/posts/${id}/detach`)),
  )
  expect(reported.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await order(threadId)).toEqual([])
})

test('SOC-22 published part and a post without a thread can’t be detached', async () => {
  const { one } = await threadOfThree()
  await markPublished(desk, one.id)
  const published = await ada.person.fetch<ProblemBody>(`POST /api/posts/${one.id}/detach`)
  expect([published.status, published.body.code]).toEqual([409, 'invalid_transition'])
  const alone = await ada.person.fetch<ProblemBody>(`POST /api/posts/${(await ada.draft()).id}/detach`)
  expect([alone.status, alone.body.code]).toEqual([409, 'not_in_thread'])
})

test('SOC-24 settling a head with an unknown outcome resumes its thread, and requires a URL that can be replied to', async () => {
  const { one, two } = await threadOfThree()
  await addAttempt(desk, one, 'unknown')
  await markFailed(desk, one.id, 'outcome_unknown')
  await letWait(two.id, one.id)
  const settle = (permalink: string) => ada.change<ProblemBody>(one.id, { status: 'published', permalink })
  expect((await settle('https://example.com/somewhere')).status).toBe(422)
  expect((await settle(`http://localhost/dev/sandbox/acme#post-${crypto.randomUUID()}`)).status).toBe(200)
  const [row] = await desk.database.db.select().from(posts).where(eq(posts.id, two.id))
  expect(row?.waitingFor).toBeNull()
  expect(row?.dueAt).toEqual(row?.scheduledAt ?? null)
})
