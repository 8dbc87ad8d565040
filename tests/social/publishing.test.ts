import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { eventually } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { scaleTime } from '../support/time-scale.ts'
import { inMs, isSettled, newPublisher, type Post, type Publisher } from '../support/publisher.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'

let database: TestDatabase
let server: Server
let ada: Publisher

beforeAll(async () => {
  database = await freshDatabase()
  server = await serveInProcess({ databaseUrl: database.url })
  ada = await newPublisher(server.url)
})

afterAll(async () => {
  await server.stop()
  await database.drop()
})

const published = ({ status }: Post) => status === 'published'
const failed = ({ status }: Post) => status === 'failed'

/** A new account and a post that is published through it at once. */
async function publishNow(handle: string, values = {}, author = ada): Promise<Post> {
  const connectionId = await author.connect(handle)
  const draft = { text: `Hello from ${handle}`, status: 'scheduled', scheduledAt: inMs(150), target: { connectionId } }
  return author.post({ ...draft, ...values })
}

test('SOC-20 scheduled post is published when it is due, and not before', async () => {
  const { id } = await publishNow('on-time', { scheduledAt: inMs(700) })
  const post = await ada.until(id, published)
  const [receipt] = await ada.received('on-time')
  expect(receipt).toMatchObject({ id: post.platformPostId, text: 'Hello from on-time', replyTo: null })
  const late = Date.parse(receipt?.receivedAt ?? '') - Date.parse(post.scheduledAt ?? '')
  expect(late).toBeGreaterThanOrEqual(0)
  expect(late).toBeLessThan(scaleTime(1_000))
  expect(post.permalink).toEndWith(`/dev/sandbox/on-time#post-${post.platformPostId}`)
})

test('SOC-20 post is sent with the text it has when it is due', async () => {
  const { id } = await publishNow('edited', { scheduledAt: inMs(600) })
  await ada.call('PUT', `/api/posts/${id}`, { text: 'Edited just before' })
  await ada.until(id, published)
  expect((await ada.received('edited')).map(({ text }) => text)).toEqual(['Edited just before'])
})

test('SOC-20 post that was unscheduled, rescheduled or deleted just before it was due is not sent', async () => {
  const posts = await Promise.all(['reverted', 'moved', 'deleted'].map((handle) => publishNow(handle, soon())))
  const [reverted, moved, deleted] = posts.map(({ id }) => `/api/posts/${id}`)
  await ada.call('PUT', reverted ?? '', { status: 'draft' })
  await ada.call('PUT', moved ?? '', { scheduledAt: inMs(3_600_000) })
  await ada.call('DELETE', deleted ?? '', undefined, 204)
  await Bun.sleep(scaleTime(3_000))
  for (const handle of ['reverted', 'moved', 'deleted']) expect(await ada.received(handle)).toEqual([])
})

const soon = () => ({ scheduledAt: inMs(2_500) })

test('SOC-22 parts of a thread are published in order, each as a reply to the previous one', async () => {
  const connectionId = await ada.connect('thread')
  const { items } = await ada.call<{ items: Post[] }>(
    'POST',
    '/api/posts',
    {
      brandId: ada.brandId,
      provider: 'sandbox',
      status: 'scheduled',
      scheduledAt: inMs(150),
      target: { connectionId },
      thread: [{ text: 'One' }, { text: 'Two' }, { text: 'Three' }],
    },
    201,
  )
  await Promise.all(items.map(({ id }) => ada.until(id, published)))
  const received = await ada.received('thread')
  expect(received.map(({ text }) => text)).toEqual(['One', 'Two', 'Three'])
  expect(received.map(({ replyTo }) => replyTo)).toEqual([null, received[0]?.id ?? '', received[1]?.id ?? ''])
})

test('SOC-22 parts behind a failed head wait with the reason, and a retry resumes the thread', async () => {
  const connectionId = await ada.connect('broken-head')
  await ada.behave('broken-head', { mode: 'fail', status: 400 })
  const thread = { status: 'scheduled', scheduledAt: inMs(150), target: { connectionId } }
  const { items } = await ada.call<{ items: Post[] }>(
    'POST',
    '/api/posts',
    { brandId: ada.brandId, provider: 'sandbox', ...thread, thread: [{ text: 'Head' }, { text: 'Tail' }] },
    201,
  )
  const [head, tail] = items.map(({ id }) => id) as [string, string]
  await ada.until(head, failed)
  const waiting = await ada.until(tail, ({ waitingFor }) => waitingFor !== null)
  expect(waiting).toMatchObject({ status: 'scheduled', waitingFor: { reason: 'thread_predecessor', postId: head } })
  await ada.behave('broken-head', { mode: 'ok' })
  await ada.call('POST', `/api/posts/${head}/retry`)
  await ada.until(tail, published)
  expect((await ada.received('broken-head')).map(({ text }) => text)).toEqual(['Head', 'Tail'])
})

test('SOC-23 rejected post fails with its error fields, and is listed by the failed filter', async () => {
  await ada.behave('refusing', { mode: 'fail', status: 403 })
  const { id } = await publishNow('refusing')
  const post = await ada.until(id, isSettled)
  expect(post).toMatchObject({ status: 'failed', failureCode: 'provider_refused', failureRetryable: false })
  expect(post.failureMessage).toContain('403')
  expect(post.failedAt).not.toBeNull()
  const { items } = await ada.call<{ items: Post[] }>('GET', '/api/posts?status=failed&limit=100')
  expect(items.map((item) => item.id)).toContain(id)
})

test('SOC-21 post fails with connection_missing without an active account on the network', async () => {
  const bob = await newPublisher(server.url)
  const { id } = await publishNow('closing', { scheduledAt: inMs(600) }, bob)
  const [account] = (await bob.call<{ items: { id: string }[] }>('GET', '/api/accounts')).items
  await bob.call('POST', `/api/accounts/${account?.id}/deactivate`)
  expect(await bob.until(id, isSettled)).toMatchObject({ status: 'failed', failureCode: 'connection_missing' })
  expect(await bob.received('closing')).toEqual([])
})

test('SOC-24 post with a lost response is looked up and marked as published, with one receipt', async () => {
  await ada.behave('losing', { mode: 'lose_answer' })
  const { id } = await publishNow('losing')
  const post = await ada.until(id, isSettled)
  const received = await ada.received('losing')
  expect(received.map((receipt) => receipt.id)).toEqual([post.platformPostId ?? ''])
})

test('SOC-24 two posts with the same text and lost responses result in two receipts', async () => {
  await ada.behave('twins', { mode: 'lose_answer' })
  const twins = await Promise.all([1, 2].map(() => publishNow('twins', { text: 'The same' })))
  const posts = await Promise.all(twins.map(({ id }) => ada.until(id, published)))
  expect((await ada.received('twins')).map(({ id }) => id).sort()).toEqual(
    posts.map(({ platformPostId }) => platformPostId ?? '').sort(),
  )
})

test('SOC-24 post that can’t be looked up has an unknown outcome and is not sent again', async () => {
  await ada.behave('blind', { mode: 'lose_answer', readBack: false })
  const { id } = await publishNow('blind')
  expect(await ada.until(id, isSettled)).toMatchObject({
    status: 'failed',
    failureCode: 'outcome_unknown',
    failureRetryable: false,
  })
  await ada.behave('blind', { mode: 'ok' })
  await Bun.sleep(500)
  expect(await ada.received('blind')).toHaveLength(1)
})

test('SOC-24 post is settled by its URL even when another organization published through the same account', async () => {
  const eve = await newPublisher(server.url)
  await ada.behave('agency', { mode: 'ok' })
  const theirs = await eve.until((await publishNow('agency', { text: 'Theirs' }, eve)).id, published)
  await ada.behave('agency', { mode: 'lose_answer', readBack: false })
  const { id } = await publishNow('agency', { text: 'Ours' })
  await ada.until(id, failed)
  const settlement = { status: 'published', permalink: theirs.permalink }
  expect(await ada.call<Post>('PUT', `/api/posts/${id}`, settlement)).toMatchObject({ status: 'published' })
  const { id: second } = await publishNow('agency', { text: 'Ours again' })
  await ada.until(second, failed)
  expect(await ada.call<object>('PUT', `/api/posts/${second}`, settlement, 409)).toMatchObject({
    code: 'permalink_taken',
  })
})

test.each([
  ['fail', { mode: 'fail', times: 2 }],
  ['rate limit', { mode: 'rate_limit', times: 1, retryAfter: 1 }],
  ['time-out', { mode: 'timeout', times: 1 }],
])('SOC-25 post is published after a temporary %s', async (name, behavior) => {
  const handle = `passing-${name.replace(' ', '-')}`
  await ada.behave(handle, behavior)
  const { id } = await publishNow(handle)
  await ada.until(id, published)
  expect(await ada.received(handle)).toHaveLength(1)
})

test.each([
  ['fail', 'provider_error', { mode: 'fail' }],
  ['rate limit of hours', 'rate_limited', { mode: 'rate_limit', retryAfter: 7200 }],
  ['silence', 'provider_timed_out', { mode: 'timeout' }],
])('SOC-25 post fails after a permanent %s, and can be retried by a person', async (name, failureCode, behavior) => {
  const handle = `lasting-${name.replaceAll(' ', '-')}`
  await ada.behave(handle, behavior)
  const { id } = await publishNow(handle)
  expect(await ada.until(id, isSettled)).toMatchObject({ status: 'failed', failureCode, failureRetryable: true })
  expect(await ada.received(handle)).toEqual([])
})

test('SOC-25 slow account doesn’t delay others', async () => {
  await ada.behave('slow', { mode: 'ok', latencyMs: 900 })
  const slow = await Promise.all([1, 2, 3].map((n) => publishNow('slow', { text: `Slow ${n}` })))
  const quick = await publishNow('brisk', { scheduledAt: inMs(300) })
  const post = await ada.until(quick.id, published)
  expect(Date.parse(post.publishedAt ?? '') - Date.parse(post.scheduledAt ?? '')).toBeLessThan(scaleTime(500))
  const sent = await Promise.all(slow.map(({ id }) => ada.until(id, published)))
  const last = Math.max(...sent.map(({ publishedAt }) => Date.parse(publishedAt ?? '')))
  expect(Date.parse(post.publishedAt ?? '')).toBeLessThan(last)
})

test('SOC-13 change while the post is being sent is rejected', async () => {
  await ada.behave('sending', { mode: 'ok', latencyMs: 700 })
  const { id } = await publishNow('sending')
  while ((await ada.received('sending')).length === 0) await Bun.sleep(10)
  const refused = await ada.call<{ code: string }>('PUT', `/api/posts/${id}`, { text: 'Too late' }, 409)
  expect(refused.code).toBe('publishing_in_progress')
  expect((await ada.until(id, published)).text).toBe('Hello from sending')
})

test('SOC-48 published post can be deleted from the network; an unpublished one can’t', async () => {
  const { id } = await publishNow('withdrawn', { scheduledAt: inMs(500) })
  const path = `/api/posts/${id}/publication`
  expect(await ada.call<{ code: string }>('DELETE', path, undefined, 409)).toMatchObject({ code: 'not_published' })
  await ada.until(id, published)
  await ada.call('DELETE', path)
  expect(await ada.received('withdrawn')).toEqual([])
})

test('PLT-38 posts of a suspended organization wait, and are published when the suspension is lifted', async () => {
  const grace = await newPublisher(server.url)
  const sql = postgres(database.url, { max: 1 })
  const { id } = await publishNow('suspended', { scheduledAt: inMs(1_500) }, grace)
  await sql`
    INSERT INTO identity.suspensions (id, organization_id, reason, suspended_at)
    VALUES (gen_random_uuid(), ${grace.organizationId}, 'Spam.', now())`
  const waiting = async () => {
    const rows = await sql<
      { reason: string }[]
    >`SELECT waiting_for->>'reason' AS reason FROM social.posts WHERE id = ${id}`
    return rows[0]?.reason === 'workspace_suspended'
  }
  expect(await eventually(waiting)).toBe(true)
  expect(await ada.received('suspended')).toEqual([])
  await sql`UPDATE identity.suspensions SET lifted_at = now() WHERE organization_id = ${grace.organizationId}`
  await Bun.sleep(2_100)
  await sql`UPDATE social.posts SET due_at = now() WHERE id = ${id}`
  expect((await grace.until(id, published)).waitingFor).toBeNull()
  await sql.end()
})
