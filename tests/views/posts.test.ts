import { expect, test } from 'bun:test'
import type { Post } from '#social/types'
import { groupsOf, nearTime } from '#views/social/days.ts'
import { excerpt, type Place } from '#views/social/line.ts'
import { actsOf, DeleteDialog } from '#views/social/post-acts.tsx'
import { stateOf, whyOf } from '#views/social/state.ts'

const now = new Date('2026-11-21T09:00:00Z')
const place: Place = { now, zone: 'Europe/Berlin', mayWrite: true }

const draft: Post = {
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
}

const due = (scheduledAt: string, more: Partial<Post> = {}): Post => ({
  ...draft,
  status: 'scheduled',
  scheduledAt,
  ...more,
})
const waiting = due('2026-11-21T08:00:00Z', { position: 1, waitingFor: { reason: 'thread_predecessor' } })
const unknown: Post = { ...draft, status: 'failed', failureCode: 'outcome_unknown', failureMessage: 'Lost.' }
const linesOf = (posts: Post[]) => posts.map((post) => ({ post, account: 'acme', author: 'Ada', parts: null }))

test('posts are grouped by the day of the brand’s time zone', () => {
  const posts = [due('2026-11-22T23:30:00Z'), due('2026-11-22T08:00:00Z'), due('2026-11-21T23:30:00Z'), draft]
  const groups = groupsOf(linesOf(posts), place)
  expect(groups.map(({ key, title, note, lines }) => [key, title, note, lines.length])).toEqual([
    ['2026-11-23', 'Monday 23 November', null, 1],
    ['2026-11-22', 'Tomorrow', 'Sunday 22 November', 2],
    ['2026-11-20', 'Yesterday', 'Friday 20 November', 1],
  ])
})

test('day of another year is shown with its year', () => {
  expect(groupsOf(linesOf([due('2027-01-01T12:00:00Z')]), place)[0]?.title).toBe('Friday 1 January 2027')
})

test.each([
  ['2026-11-21T08:00:00Z', '09:00'],
  ['2026-11-20T22:59:00Z', 'Yesterday'],
  ['2026-11-19T08:00:00Z', 'Thu 19 Nov'],
])('%s is shown relative to now as %s', (at, words) => {
  expect(nearTime(at, place)).toBe(words)
})

test('due post is shown as being sent, or as waiting with the reason', () => {
  expect(stateOf(due('2026-11-21T08:59:59Z'), now)).toBe('sending')
  expect(stateOf(due('2026-11-21T09:00:01Z'), now)).toBe('scheduled')
  expect([stateOf(waiting, now), whyOf(waiting, place)]).toEqual(['waiting', 'Waits for part 1 to be published'])
  const limited = due('2026-11-21T08:00:00Z', {
    waitingFor: { reason: 'rate_window', until: '2026-11-21T09:20:00.000Z' },
  })
  expect(whyOf(limited, place)).toBe('Sandbox limits how often this account posts: next try at 10:20')
  const tomorrow = due('2026-11-21T08:00:00Z', {
    waitingFor: { reason: 'rate_window', until: '2026-11-22T09:20:00.000Z' },
  })
  expect(whyOf(tomorrow, place)).toBe('Sandbox limits how often this account posts: next try on Sun 22 Nov at 10:20')
  expect(whyOf(unknown, place)).toBe('Outcome unknown: check the account')
})

test('only the actions that a state allows are offered', () => {
  expect(actsOf(draft, now)).toEqual(['edit', 'duplicate', 'publish-now', 'delete'])
  expect(actsOf(due('2026-11-21T08:59:59Z'), now)).toEqual(['duplicate'])
  expect(actsOf(waiting, now)).toContain('detach')
  expect(actsOf(unknown, now)).not.toContain('retry')
  expect(actsOf({ ...draft, status: 'published' }, now)).toEqual(['duplicate'])
})

test('delete dialog offers to move the post to drafts unless it is one', async () => {
  const shown = async (post: Post) => await DeleteDialog({ post })
  expect(await shown(waiting)).toContain('back to a draft')
  expect(await shown(draft)).not.toContain('back to a draft')
})

test('excerpt is one line of limited length', () => {
  expect(excerpt(' One\n\ntwo  three ', 7)).toBe('One two…')
})
