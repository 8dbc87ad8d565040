import { expect, test } from 'bun:test'
import type { ListedPost } from '#social/types'
import { groupByDay, nearTime, excerpt, type Place, reasonOf, stateOf } from '#views/social/posts/post-text.ts'
import { actionsOf, PostDialogs } from '#views/social/posts/post-actions.tsx'

const now = new Date('2026-11-21T09:00:00Z')
const place: Place = { now, zone: 'Europe/Berlin', brand: { id: '', name: '' } }

const none = {
  update: false,
  delete: false,
  publishNow: false,
  retry: false,
  duplicate: false,
  detach: false,
  withdraw: false,
}

const draft: ListedPost = {
  id: '0192f7a4-0000-7000-8000-000000000001',
  brandId: '0192f7a4-0000-7000-8000-000000000002',
  provider: 'sandbox',
  authorId: '0192f7a4-0000-7000-8000-000000000003',
  text: 'Hello',
  status: 'draft',
  scheduledAt: null,
  timeZone: null,
  groupId: null,
  threadId: null,
  position: 0,
  media: [],
  firstComment: null,
  linkPreview: null,
  tags: [],
  campaign: null,
  target: null,
  youtube: null,
  platformPostId: null,
  permalink: null,
  publishedAt: null,
  withdrawnAt: null,
  failureCode: null,
  failureMessage: null,
  failedAt: null,
  failureRetryable: null,
  reviewState: 'none',
  waitingFor: null,
  version: 1,
  createdAt: '2026-11-20T09:00:00.000Z',
  updatedAt: '2026-11-20T09:00:00.000Z',
  brandName: 'Acme',
  accountName: 'acme',
  authorName: 'Ada',
  threadSize: null,
  isDue: false,
  readiness: null,
  can: none,
}

const due = (scheduledAt: string, more: Partial<ListedPost> = {}): ListedPost => ({
  ...draft,
  status: 'scheduled',
  scheduledAt,
  ...more,
})
const waiting = due('2026-11-21T08:00:00Z', { position: 1, waitingFor: { reason: 'thread_predecessor' } })
const unknown: ListedPost = { ...draft, status: 'failed', failureCode: 'outcome_unknown', failureMessage: 'Lost.' }

test('posts are grouped by day in the brand’s time zone', () => {
  const posts = [due('2026-11-22T23:30:00Z'), due('2026-11-22T08:00:00Z'), due('2026-11-21T23:30:00Z'), draft]
  const groups = groupByDay(posts, place)
  expect(groups.map((group) => [group.key, group.title, group.note, group.posts.length])).toEqual([
    ['2026-11-23', 'Monday 23 November', null, 1],
    ['2026-11-22', 'Tomorrow', 'Sunday 22 November', 2],
    ['2026-11-20', 'Yesterday', 'Friday 20 November', 1],
  ])
})

test('day of another year is shown with its year', () => {
  expect(groupByDay([due('2027-01-01T12:00:00Z')], place)[0]?.title).toBe('Friday 1 January 2027')
})

test.each([
  ['2026-11-21T08:00:00Z', '09:00'],
  ['2026-11-20T22:59:00Z', 'Yesterday'],
  ['2026-11-19T08:00:00Z', 'Thu 19 Nov'],
])('%s is shown relative to now as %s', (at, words) => {
  expect(nearTime(at, place)).toBe(words)
})

test('due post is shown as being sent, or as waiting with the reason', () => {
  expect(stateOf(due('2026-11-21T08:59:59Z', { isDue: true }))).toBe('sending')
  expect(stateOf(due('2026-11-21T09:00:01Z'))).toBe('scheduled')
  expect([stateOf(waiting), reasonOf(waiting, place)]).toEqual(['waiting', 'Waiting for post 1'])
  const limited = due('2026-11-21T08:00:00Z', {
    waitingFor: { reason: 'rate_window', until: '2026-11-21T09:20:00.000Z' },
  })
  expect(reasonOf(limited, place)).toBe('Sandbox limits how often this account posts. Next attempt at 10:20')
  const tomorrow = due('2026-11-21T08:00:00Z', {
    waitingFor: { reason: 'rate_window', until: '2026-11-22T09:20:00.000Z' },
  })
  expect(reasonOf(tomorrow, place)).toBe(
    'Sandbox limits how often this account posts. Next attempt on Sun 22 Nov at 10:20',
  )
  expect(reasonOf(unknown, place)).toBe('Not confirmed: check the account')
})

test('menu offers what the caller can do, in a fixed order', () => {
  const can = (abilities: Partial<ListedPost['can']>, more: Partial<ListedPost> = {}) =>
    actionsOf({ ...draft, ...more, can: { ...none, ...abilities } })
  const editable = { update: true, duplicate: true, delete: true }
  expect(can({ ...editable, publishNow: true })).toEqual(['edit', 'duplicate', 'publish-now', 'delete'])
  expect(can({ ...editable, detach: true }, { status: 'scheduled' })).toEqual([
    'edit',
    'duplicate',
    'detach',
    'unschedule',
    'delete',
  ])
  expect(can({ ...editable, retry: true }, { status: 'failed' })).toEqual([
    'edit',
    'duplicate',
    'retry',
    'draft',
    'delete',
  ])
  expect(can({ ...editable, retry: true }, unknown)).not.toContain('retry')
  expect(can({ duplicate: true })).toEqual(['duplicate'])
  expect(can({})).toEqual([])
})

test('only deletion from the network requires confirmation: other deletions can be undone', async () => {
  const render = async (abilities: Partial<ListedPost['can']>) =>
    await PostDialogs({ post: { ...draft, can: { ...none, ...abilities } }, shownAs: 'row' })
  expect(await render({ delete: true })).toBe('')
  expect(await render({ withdraw: true })).toContain('Delete from Sandbox?')
})

test('excerpt is one line of limited length', () => {
  expect(excerpt(' One\n\ntwo  three ', 7)).toBe('One two…')
})
