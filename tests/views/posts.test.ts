import { expect, test } from 'bun:test'
import type { Attempt, ListedPost, Post } from '#social/types'
import { linkPreviewsOf } from '../../src/social/contract/link-previews.ts'
import {
  groupByDay,
  nearTime,
  excerpt,
  type Place,
  readsPages,
  reasonOf,
  stateOf,
} from '#views/social/posts/post-text.ts'
import { PostAttempts } from '#views/social/posts/post-attempts.tsx'
import { PostSettings } from '#views/social/posts/post-settings.tsx'
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
  correct: false,
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
  firstCommentState: null,
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

test.each([
  [{ reason: 'account_busy' }, 'Waiting for another post to this account'],
  [{ reason: 'workspace_suspended' }, 'The organization is suspended'],
  [{ reason: 'identity_unavailable' }, 'Can’t check the organization’s status right now'],
  [{ reason: 'gateway_unavailable' }, 'Waiting for the provider gateway, which refreshes the sign-in at Sandbox'],
  [{ reason: 'media_uploading', percent: 40 }, 'Uploading to Sandbox: 40%'],
  [{ reason: 'media_uploading' }, 'Uploading to Sandbox: 0%'],
  [{ reason: 'media_processing' }, 'Sandbox is processing the media'],
  [{ reason: 'paused' }, 'Publishing is paused'],
] as const)('SOC-23 post that waits as %j says so', (waitingFor, words) => {
  expect(reasonOf(due('2026-11-21T08:00:00Z', { isDue: true, waitingFor }), place)).toBe(words)
})

test('SOC-10 row of a published post says that its first comment failed', () => {
  const published: ListedPost = { ...draft, status: 'published', firstComment: '#coffee' }
  expect(reasonOf({ ...published, firstCommentState: 'failed' }, place)).toBe('First comment failed')
  expect(reasonOf({ ...published, firstCommentState: 'unknown' }, place)).toContain('not confirmed')
  for (const firstCommentState of ['pending', 'sending', 'published', null] as const)
    expect(reasonOf({ ...published, firstCommentState }, place)).toBeNull()
  const withdrawn = { ...published, firstCommentState: 'failed', withdrawnAt: draft.createdAt } as const
  expect(reasonOf(withdrawn, place)).toBe('Deleted from Sandbox')
})

test('menu offers what the caller can do, in a fixed order', () => {
  const can = (abilities: Partial<ListedPost['can']>, more: Partial<ListedPost> = {}) =>
    actionsOf({ ...draft, ...more, can: { ...none, ...abilities } })
  const editable = { update: true, duplicate: true, delete: true }
  expect(can({ ...editable, publishNow: true })).toEqual(['edit', 'duplicate', 'copy', 'publish-now', 'delete'])
  expect(can({ ...editable, detach: true }, { status: 'scheduled' })).toEqual([
    'edit',
    'duplicate',
    'copy',
    'detach',
    'unschedule',
    'delete',
  ])
  expect(can({ ...editable, retry: true }, { status: 'failed' })).toEqual([
    'edit',
    'duplicate',
    'copy',
    'retry',
    'draft',
    'delete',
  ])
  expect(can({ ...editable, retry: true }, unknown)).not.toContain('retry')
  expect(can({ duplicate: true })).toEqual(['duplicate', 'copy'])
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

test('SOC-14 settings of a post name its link preview with the image', async () => {
  const linkPreview = {
    url: 'https://a.example/',
    title: 'A <b>',
    description: '',
    imageUrl: 'https://a.example/b.png',
  }
  const post: Post = { ...draft, linkPreview }
  const html = await PostSettings({ ...post, linkPreviewImage: true })
  expect(html).toContain('Link preview: A &lt;b&gt; · https://a.example/')
  expect(html).toContain('Image of the link preview: https://a.example/b.png')
  expect(await PostSettings({ ...post, linkPreviewImage: false })).toContain(
    'The image of the link preview isn’t published',
  )
  expect(await PostSettings({ ...draft, linkPreviewImage: null })).toBe('')
})

test('SOC-14 networks that read the page of a link themselves are known to the views', () => {
  const providers = Object.entries(linkPreviewsOf).flatMap(([provider, kind]) => (kind === 'page' ? [provider] : []))
  expect<string[]>([...readsPages].toSorted()).toEqual(providers.toSorted())
})

test('SOC-14 attempt says why a link preview was published without its image', async () => {
  const at = draft.createdAt
  const events = [{ at, what: 'link_image_missing', detail: 'Its site responded with 404.' }]
  const attempt: Attempt = { id: draft.id, number: 1, state: 'published', startedAt: at, settledAt: at, events }
  const html = await PostAttempts({ post: draft, attempts: [attempt], place })
  expect(html).toContain('Link preview without its image')
  expect(html).toContain('Its site responded with 404.')
})
