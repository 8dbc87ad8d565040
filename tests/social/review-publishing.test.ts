import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase } from '#lib/db.ts'
import type { PostDetails } from '#social/types'
import { waitUntil } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { inMs, newPublisher, type Post, type Publisher } from '../support/publisher.ts'
import { scaleTime } from '../support/time-scale.ts'
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
})

afterAll(async () => {
  await server.stop()
  await opened.close()
  await database.drop()
})

const requireApprovals = (approvals: number) =>
  ada.call('PUT', `/api/brands/${ada.brandId}`, { reviewPolicy: { approvals, allowAuthor: true } })
const approve = (id: string) => ada.call('POST', `/api/posts/${id}/reviews`, { decision: 'approve' }, 201)
const schedule = (id: string, ms: number) =>
  ada.call('PUT', `/api/posts/${id}`, { status: 'scheduled', scheduledAt: inMs(ms) })
const published = ({ status }: Post) => status === 'published'
const waits = ({ waitingFor }: Post) => waitingFor?.reason === 'approval_required'
const textsOf = async (handle: string) => (await ada.received(handle)).map(({ text }) => text)

async function draftFor(handle: string, text = 'Approved'): Promise<Post> {
  return ada.post({ text, target: { connectionId: await ada.connect(handle) } })
}

test('SOC-49 post whose policy became stricter after scheduling waits, and is published once it is approved', async () => {
  await requireApprovals(0)
  const { id } = await draftFor('stricter')
  await schedule(id, 1_500)
  await requireApprovals(1)
  await ada.until(id, waits)
  expect(await textsOf('stricter')).toEqual([])
  await approve(id)
  await ada.until(id, published)
  expect(await textsOf('stricter')).toEqual(['Approved'])
})

test('SOC-49 post whose approval an edit voided after scheduling waits, and then goes out as approved', async () => {
  await requireApprovals(1)
  const { id } = await draftFor('voided')
  await approve(id)
  await schedule(id, 1_500)
  await ada.call('PUT', `/api/posts/${id}`, { text: 'Edited' })
  await ada.until(id, waits)
  expect(await textsOf('voided')).toEqual([])
  await approve(id)
  await ada.until(id, published)
  expect(await textsOf('voided')).toEqual(['Edited'])
})

test('SOC-10 SOC-48 first comment that was approved with its post is written after the post was corrected', async () => {
  await requireApprovals(1)
  const target = { connectionId: await ada.connect('corrected') }
  const { id } = await ada.post({ text: 'Back on Munday', firstComment: '#latte', target })
  await approve(id)
  await schedule(id, 500)
  await ada.until(id, published)
  const stateOf = async () => {
    const { firstCommentStatus } = await ada.call<PostDetails>('GET', `/api/posts/${id}`)
    return firstCommentStatus?.state
  }
  await waitUntil(async () => (await stateOf()) === 'published')
  await opened.sql`
    UPDATE social.first_comments SET state = 'failed', failure_code = 'provider_refused', failure_message = 'Refused.',
      failure_retryable = true, platform_comment_id = NULL WHERE id = ${id}`
  await ada.call('POST', `/api/posts/${id}/corrections`, { text: 'Back on Monday' })
  await ada.call('POST', `/api/posts/${id}/first-comment/retry`)
  await waitUntil(async () => (await stateOf()) !== 'pending' && (await stateOf()) !== 'sending')
  expect(await stateOf()).toBe('published')
})

test('SOC-49 policy without approvals releases a post that waits for one', async () => {
  await requireApprovals(0)
  const { id } = await draftFor('released')
  await schedule(id, 1_000)
  await requireApprovals(1)
  await ada.until(id, waits)
  await requireApprovals(0)
  await ada.until(id, published)
})

test('SOC-49 edits at the moment of sending never publish a text that was not approved', async () => {
  await requireApprovals(1)
  const rounds = Array.from({ length: 12 }, (_, round) => round)
  const edited = await Promise.all(
    rounds.map(async (round) => {
      const handle = `race-${round}`
      const { id } = await draftFor(handle)
      await approve(id)
      await schedule(id, 1_500)
      // The first edit is too early, the last one too late to meet it.
      if (round === rounds.length - 1) await ada.until(id, published)
      else if (round > 0) await Bun.sleep(scaleTime(1_350 + round * 30))
      const isEdited = await edit(id)
      await ada.until(id, isEdited ? waits : published)
      expect(await textsOf(handle)).toEqual(isEdited ? [] : ['Approved'])
      return isEdited
    }),
  )
  expect([edited.at(0), edited.at(-1)]).toEqual([true, false])
})

test('SOC-49 thread begins only when all of its parts are approved', async () => {
  await requireApprovals(1)
  const target = { connectionId: await ada.connect('thread') }
  const draft = { brandId: ada.brandId, provider: 'sandbox', target, thread: [{ text: 'One' }, { text: 'Two' }] }
  const { items } = await ada.call<{ items: Post[] }>('POST', '/api/posts', draft, 201)
  const [head, second] = items.map(({ id }) => id)
  if (!head || !second) throw new Error('No thread')
  for (const id of [head, second]) await approve(id)
  for (const id of [second, head]) await schedule(id, 2_000)
  await ada.call('PUT', `/api/posts/${second}`, { text: 'Two, edited' })
  expect((await ada.until(head, waits)).waitingFor?.postId).toBe(second)
  expect(await textsOf('thread')).toEqual([])
  await approve(second)
  await ada.until(second, published)
  expect(await textsOf('thread')).toEqual(['One', 'Two, edited'])
})

/** Whether it was saved: it is refused while the post is being sent, and afterwards. */
async function edit(id: string): Promise<boolean> {
  const response = await fetch(new URL(`/api/posts/${id}`, ada.url), {
    method: 'PUT',
    headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'Not approved' }),
  })
  if (response.ok) return true
  expect(await response.json()).toMatchObject({
    status: 409,
    code: expect.stringMatching(/^(publishing_in_progress|published_immutable)$/),
  })
  return false
}

test('SOC-49 scheduled post that lacks an approval raises an action while there is time', async () => {
  await requireApprovals(1)
  const { id } = await draftFor('ahead', 'Soon to be edited')
  await approve(id)
  await schedule(id, 3_600_000)
  await ada.call('PUT', `/api/posts/${id}`, { text: 'Edited in time' })
  const titles = async () =>
    (await ada.call<{ items: { title: string }[] }>('GET', '/api/notifications?surface=action')).items.map(
      ({ title }) => title,
    )
  const deadline = Date.now() + 20_000
  while (!(await titles()).some((title) => title.includes('won’t be published')) && Date.now() < deadline)
    await Bun.sleep(100)
  expect(await titles()).toContainEqual(expect.stringContaining('won’t be published'))
  expect(await titles()).toContainEqual(expect.stringMatching(/needs? a review/))
})
