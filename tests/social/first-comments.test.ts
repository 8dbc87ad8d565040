import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import type { CalendarPost, ListedPost, Post, PostDetails } from '#social/types'
import { decideOnComment } from '../../src/social/publishing/first-comments/decide.ts'
import { limitEvents } from '../../src/social/publishing/first-comments/events.ts'
import { planMissedComments } from '../../src/social/publishing/first-comments/plan.ts'
import { failComment, leaveUnknown } from '../../src/social/publishing/first-comments/settle.ts'
import { updateActions } from '../../src/social/raised/update-actions.ts'
import { eventually } from '../boot/program.ts'
import { labelsOf, openActions, press, type OpenAction } from '../dashboard/raised/acting.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let brandId: string
let endpointId: string
const telling = () => ({ ...world.provided, now: () => new Date() })

beforeAll(async () => {
  world = await openWorld()
  await world.provided.queue.work([updateActions], world.provided, () => new Date())
  const events = ['post.comment_published', 'post.comment_failed']
  const draft = { name: 'All', url: 'https://shop.example.com/all', events }
  endpointId = (await world.ada.fetchJson<{ id: string }>('POST /api/webhooks', draft, 201)).id
})
afterAll(() => world.close())

beforeEach(async () => {
  const brand = { name: 'Roastery', slug: `r-${crypto.randomUUID()}` }
  brandId = (await world.ada.fetchJson<{ id: string }>('POST /api/brands', brand, 201)).id
  await world.database.sql`DELETE FROM platform.webhook_messages`
})

/** A published post whose first comment waits to be written: no server runs that writes it. */
async function publish(firstComment = '#coffee'): Promise<string> {
  const { sql } = world.database
  const draft = { brandId, provider: 'sandbox', text: 'Maple latte is back', firstComment }
  const { id } = await world.ada.fetchJson<Post>('POST /api/posts', draft, 201)
  await sql`UPDATE social.posts SET status = 'failed', failure_code = 'outcome_unknown', failed_at = now() WHERE id = ${id}`
  const permalink = `https://atrium.example/dev/sandbox/acme#post-${crypto.randomUUID()}`
  await world.ada.fetchJson<Post>(`PUT /api/posts/${id}`, { status: 'published', permalink })
  return id
}

const failIt = (id: string, code = 'provider_refused', retryable = true) =>
  world.database.transaction((tx) => failComment(tx, telling(), id, { code, message: 'Refused.', retryable }))

async function untilActions(count: number): Promise<OpenAction[]> {
  const open = () => openActions(world, `social.${brandId}.`)
  await eventually(async () => (await open()).length === count)
  return open()
}

async function sent(): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const rows = await world.database.sql<{ body: string }[]>`
    SELECT m.body FROM platform.webhook_messages m JOIN platform.webhook_deliveries d ON d.message_id = m.id
    WHERE d.endpoint_id = ${endpointId} ORDER BY m.id`
  return rows.map(({ body }) => JSON.parse(body))
}

const statusOf = async (id: string) =>
  (await world.ada.fetchJson<PostDetails>(`GET /api/posts/${id}`)).firstCommentStatus

test('SOC-10 post that a person marks as published has its first comment written, too', async () => {
  const id = await publish()
  expect(await statusOf(id)).toMatchObject({ state: 'pending', attempts: 0, can: { retry: false, confirm: false } })
  expect((await world.ada.fetch(`POST /api/posts/${id}/first-comment/retry`)).status).toBe(409)
  expect(await sent()).toEqual([])
})

test('SOC-10 lists and the calendar have the state of a first comment, and show that it failed', async () => {
  const id = await publish()
  const { sql } = world.database
  await sql`UPDATE social.posts SET scheduled_at = '2026-11-20T09:00:00Z' WHERE id = ${id}`
  const calendar = `brandId=${brandId}&from=2026-11-16&to=2026-11-22`
  const read = async () => {
    const [list, days, post] = await Promise.all([
      world.ada.fetchJson<{ items: ListedPost[] }>(`GET /api/posts?brandId=${brandId}`),
      world.ada.fetchJson<{ items: CalendarPost[] }>(`GET /api/calendar?${calendar}`),
      world.ada.fetchJson<PostDetails>(`GET /api/posts/${id}`),
    ])
    return [...list.items, ...days.items, post].map(({ firstCommentState }) => firstCommentState)
  }
  const pages = async () => {
    const [posts, days] = await Promise.all([
      world.ada.fetch(`GET /workspace/posts?brandId=${brandId}`),
      world.ada.fetch(`GET /workspace/calendar?brandId=${brandId}&view=month&date=2026-11-20`),
    ])
    return [await posts.text(), await days.text()]
  }
  expect(await read()).toEqual(['pending', 'pending', 'pending'])
  for (const page of await pages()) expect(page.toLowerCase()).not.toContain('first comment failed')
  await failIt(id)
  expect(await read()).toEqual(['failed', 'failed', 'failed'])
  for (const page of await pages()) expect(page.toLowerCase()).toContain('first comment failed')
})

test('SOC-10 SOC-38 failed first comment is an action and an event, and retrying it resolves the action', async () => {
  const id = await publish()
  await failIt(id)
  const [action] = await untilActions(1)
  expect(action).toMatchObject({
    kind: 'social.comment_failed',
    permission: 'posts:read',
    title: 'A first comment on Sandbox failed',
    reason: '“Maple latte is back” of Roastery is published. Refused.',
  })
  expect(labelsOf(action ?? { actions: [] })).toEqual(['Retry', 'Mark as written', 'See the post'])
  const reference = { postId: id, brandId, provider: 'sandbox' }
  const failure = { code: 'provider_refused', message: 'Refused.', retryable: true, failedAt: expect.any(String) }
  expect(await sent()).toMatchObject([{ type: 'post.comment_failed', data: { ...reference, ...failure } }])
  expect((await press(world.vera, action, 'Retry')).status).toBe(403)
  expect((await press(world.mallory, action, 'Retry')).status).toBe(404)
  expect((await press(world.ada, action, 'Retry')).status).toBe(200)
  await untilActions(0)
  expect(await statusOf(id)).toMatchObject({ state: 'pending', failureCode: null })
})

test('SOC-10 unknown first comment asks people, and marking it as written resolves it and emits the event', async () => {
  const id = await publish()
  await world.database.transaction((tx) => leaveUnknown(tx, telling(), id, 'No response.'))
  const [action] = await untilActions(1)
  expect(action?.title).toBe('Did this first comment reach Sandbox?')
  expect((await press(world.ada, action, 'Mark as written')).status).toBe(200)
  await untilActions(0)
  expect(await statusOf(id)).toMatchObject({ state: 'published', failureMessage: null })
  expect((await sent()).map(({ type }) => type)).toEqual(['post.comment_failed', 'post.comment_published'])
})

test('SOC-10 posts that an older server published get their first comments, once, except old and deleted ones', async () => {
  const { sql } = world.database
  const ids = await Promise.all([publish(), publish(), publish(), publish()])
  const [missed, old, deleted, planned] = ids
  await sql`DELETE FROM social.first_comments WHERE id IN (${missed}, ${old}, ${deleted})`
  await sql`UPDATE social.posts SET published_at = now() - interval '25 hours' WHERE id = ${old}`
  await sql`UPDATE social.posts SET withdrawn_at = now() WHERE id = ${deleted}`
  const call = { ...world.provided, database: world.database, now: () => new Date(), input: {} }
  await planMissedComments.run(call)
  await planMissedComments.run(call)
  const states = await Promise.all(ids.map(async (id) => (await statusOf(id))?.state))
  expect(states).toEqual(['pending', undefined, undefined, 'pending'])
  const [row] =
    await sql`SELECT external_account = '' AS unnamed, provider FROM social.first_comments WHERE id = ${missed}`
  const [before] =
    await sql`SELECT external_account = '' AS unnamed, provider FROM social.first_comments WHERE id = ${planned}`
  expect(row).toEqual(before ?? {})
})

test('SOC-10 first comment whose text was removed from its post fails', async () => {
  const { sql } = world.database
  const id = await publish()
  const owner = newId()
  await sql`UPDATE social.posts SET first_comment = NULL WHERE id = ${id}`
  await sql`UPDATE social.first_comments SET lease_owner = ${owner}, due_at = now() + interval '1 minute' WHERE id = ${id}`
  const decision = await world.database.transaction((tx) => decideOnComment(tx, id, owner, null))
  expect(decision).toMatchObject({ kind: 'fail', failure: { code: 'comment_missing', retryable: false } })
})

test('SOC-49 first comment that was changed after the approval, before an unknown outcome was settled, is not written', async () => {
  const { sql } = world.database
  await world.ada.fetchJson(`PUT /api/brands/${brandId}`, { reviewPolicy: { approvals: 1, allowAuthor: true } })
  const decide = async (change: object | null) => {
    const draft = { brandId, provider: 'sandbox', text: 'Latte', firstComment: 'Approved' }
    const { id } = await world.ada.fetchJson<Post>('POST /api/posts', draft, 201)
    await world.ada.fetchJson(`POST /api/posts/${id}/reviews`, { decision: 'approve' }, 201)
    await sql`UPDATE social.posts SET status = 'failed', failure_code = 'outcome_unknown', failed_at = now() WHERE id = ${id}`
    if (change) await world.ada.fetchJson(`PUT /api/posts/${id}`, change)
    const permalink = `https://atrium.example/dev/sandbox/acme#post-${crypto.randomUUID()}`
    await world.ada.fetchJson(`PUT /api/posts/${id}`, { status: 'published', permalink })
    const owner = newId()
    await sql`UPDATE social.first_comments SET lease_owner = ${owner}, due_at = now() + interval '1 minute' WHERE id = ${id}`
    return world.database.transaction((tx) => decideOnComment(tx, id, owner, null))
  }
  const changed = await decide({ firstComment: 'Not approved' })
  expect(changed).toMatchObject({ kind: 'fail', failure: { code: 'approval_required' } })
  expect(await decide(null)).not.toMatchObject({ failure: { code: 'approval_required' } })
})

test('SOC-10 last 100 events of a first comment are kept, and the last request that may have arrived', () => {
  const later = Array.from({ length: 150 }, (_, at) => ({ at: String(at), what: 'later' }))
  expect(limitEvents(later)).toEqual(later.slice(50))
  const unclear = { at: 'before', what: 'unclear' }
  expect(limitEvents([unclear, ...later])).toEqual([unclear, ...later.slice(51)])
  expect(limitEvents([...later, unclear])).toEqual([...later.slice(51), unclear])
})

test('SOC-02 SOC-10 actions of failed first comments move with their brand, and many of them are one', async () => {
  for (const id of await Promise.all(Array.from({ length: 11 }, () => publish()))) await failIt(id)
  const [action] = await untilActions(1)
  expect(action?.title).toBe('11 first comments on Sandbox failed')
  const other = await world.ada.fetchJson<{ id: string }>('POST /api/organizations', { name: 'Second' }, 201)
  await world.ada.fetchJson(`POST /api/brands/${brandId}/transfer-organization`, { targetOrganizationId: other.id })
  await eventually(async () => {
    const open = await openActions(world, `social.${brandId}.`)
    return open.length === 1 && open[0]?.organization === other.id
  })
})

test('SOC-45 first comment of a request is for the targets that take it, unless a target has its own', async () => {
  const target = (provider: string, more = {}) => ({ provider, ...more })
  const draft = { brandId, text: 'Tea', firstComment: 'Shared' }
  const targets = [
    target('sandbox'),
    target('x'),
    target('linkedin', { firstComment: 'Own' }),
    target('facebook', { firstComment: '' }),
  ]
  const { items } = await world.ada.fetchJson<{ items: Post[] }>('POST /api/posts', { ...draft, targets }, 201)
  expect(items.map(({ firstComment }) => firstComment)).toEqual(['Shared', null, 'Own', null])
  const refused = await world.ada.fetchJson(
    'POST /api/posts',
    { ...draft, targets: [target('x', { firstComment: 'No' })] },
    422,
  )
  expect(refused).toMatchObject({
    errors: [
      { path: 'targets.0.firstComment', message: 'Atrium can’t write first comments on X. Remove firstComment.' },
      {},
    ],
  })
})
