import { expect, test } from 'bun:test'
import { invalid, Problem } from '#lib/errors.ts'
import { OutboundError } from '#lib/outbound/error.ts'
import type { VideoClient } from '#gateway'
import { firstComments } from '../../../src/social/networks/youtube/comments.ts'
import type { PublishCall } from '../../../src/social/networks/network.ts'

// What YouTube and the gateway can say of a comment, without them.

type Client = Partial<Pick<VideoClient, 'writeComment' | 'listComments'>>

const startedAt = new Date('2026-11-30T12:00:00Z')
const never = (): never => {
  throw new Error('Not expected here')
}

function callWith(client: Client): PublishCall {
  const organizationId = Bun.randomUUIDv7()
  const tokens = { access: 'token', clientId: '123-abc', organizationId }
  const getters = { getChannel: never, startUpload: never, getUpload: never, sendContent: never, getState: never }
  const changes = { getDescription: never, updateDescription: never, deleteVideo: never }
  const others = { ...getters, ...changes, listRecent: never, writeComment: never, listComments: never }
  return {
    account: { externalId: 'UCown', metadata: {}, tokens },
    video: {
      client: { ...others, ...client },
      getPayer: async () => ({ organizationId, applicationId: Bun.randomUUIDv7() }),
    },
    key: 'post:hash',
    text: 'First',
    replyTo: 'video1',
    media: [],
    linkPreview: null,
    youtube: null,
    prepared: null,
    startedAt,
    outside: { fetch: never, check: never, at: never, hosts: { sandbox: '', blueskyResolver: '', plcDirectory: '' } },
    signal: AbortSignal.timeout(60_000),
  }
}

const refusing = (error: unknown) => firstComments.publish(callWith({ writeComment: () => Promise.reject(error) }))
const unavailable = (cause: OutboundError) => new Problem(503, 'gateway_unavailable', 'Unavailable', { cause })
const refusedFor = (reason: string, status = 422) =>
  new Problem(status, 'provider_refused', `YouTube refused the call: ${reason}`, { members: { reason } })

test('SOC-24 comment waits for a gateway that got nothing, and is unclear when it may have', async () => {
  expect(await refusing(unavailable(new OutboundError('unreachable', 'No gateway')))).toEqual({
    kind: 'waiting',
    reason: 'gateway_unavailable',
  })
  for (const cause of [new OutboundError('timed_out', 'Late'), new OutboundError('lost', 'Lost')])
    expect(await refusing(unavailable(cause))).toMatchObject({ kind: 'unclear' })
  expect(await refusing(new Error('Unexpected'))).toMatchObject({ kind: 'unclear' })
})

test('SOC-24 comment that YouTube can’t have got is sent again, and one that it may have is unclear', async () => {
  const failed = (members?: Record<string, unknown>) =>
    new Problem(502, 'provider_failed', 'Failed', members === undefined ? {} : { members })
  expect(await refusing(failed({ mayHaveArrived: false }))).toMatchObject({ kind: 'refused', transient: true })
  for (const error of [failed(), new Problem(504, 'timeout', 'Late'), refusedFor('processingFailure')])
    expect(await refusing(error)).toMatchObject({ kind: 'unclear', code: 'provider_error' })
})

test.each([
  [refusedFor('commentsDisabled'), 'comments_disabled'],
  [new Problem(404, 'not_found', 'No video'), 'post_missing'],
  [invalid([{ path: 'text', message: 'YouTube doesn’t accept it: too long.' }]), 'provider_refused'],
  [refusedFor('forbidden'), 'action_blocked'],
  [refusedFor('ineligibleAccount'), 'action_blocked'],
  [refusedFor('somethingNew'), 'provider_refused'],
  [new Problem(422, 'provider_permission_missing', 'Missing'), 'permission_missing'],
])('SOC-23 comment that YouTube refuses for good fails with a code: %p', async (error, code) => {
  expect(await refusing(error)).toMatchObject({ kind: 'refused', code, transient: false })
})

test('SOC-25 comment waits for a quota of its own, in words about calls', async () => {
  const headers = { 'Retry-After': '600' }
  const error = new Problem(429, 'quota_exhausted', 'Used', { headers, members: { scope: 'project' } })
  expect(await refusing(error)).toEqual({
    kind: 'refused',
    code: 'quota_exhausted',
    message: 'The app has used its calls to YouTube of this day, which ends at midnight Pacific time.',
    transient: true,
    retryAfterMs: 600_000,
    limitOf: 'app',
  })
  expect(await refusing(new Problem(409, 'provider_token_rejected', 'Old'))).toMatchObject({ kind: 'unauthorized' })
})

const commentAt = (minutes: number, more: object = {}) => ({
  id: `comment${minutes}`,
  url: `https://www.youtube.com/watch?v=video1&lc=comment${minutes}`,
  text: 'First',
  channelId: 'UCown',
  publishedAt: new Date(startedAt.getTime() + minutes * 60_000).toISOString(),
  ...more,
})

const readWith = (pages: Record<string, ReturnType<typeof commentAt>[][]>) => {
  const queries: string[] = []
  const listComments: VideoClient['listComments'] = async (_, { moderation, cursor = '0' }) => {
    queries.push(`${moderation} ${cursor}`)
    const at = Number(cursor)
    const own = pages[moderation] ?? []
    return { items: own[at] ?? [], nextCursor: at + 1 < own.length ? String(at + 1) : null }
  }
  return firstComments.readBack(callWith({ listComments })).then((answer) => ({ answer, queries }))
}

test('SOC-24 read-back finds the channel’s own comment with the text since the first request, on later pages', async () => {
  const other = commentAt(3, { channelId: 'UCother' })
  const { answer, queries } = await readWith({ published: [[other], [commentAt(2, { text: 'Else' })], [commentAt(1)]] })
  expect(answer).toMatchObject({ kind: 'read', candidates: [{ platformPostId: 'comment1' }] })
  expect(queries).toEqual(['published 0', 'published 1', 'published 2'])
})

test('SOC-24 read-back stops at comments that are older than the first request, and looks at held ones', async () => {
  const { answer, queries } = await readWith({
    published: [[commentAt(1, { text: 'Else' }), commentAt(-10)], [commentAt(-20)]],
    likelySpam: [[commentAt(1)]],
  })
  expect(answer).toMatchObject({ kind: 'read', candidates: [{ platformPostId: 'comment1' }] })
  expect(queries).toEqual(['published 0', 'heldForReview 0', 'likelySpam 0'])
})

test('SOC-24 read-back of too many comments doesn’t say that there is none', async () => {
  const many = Array.from({ length: 6 }, () => [commentAt(1, { text: 'Else' })])
  expect((await readWith({ published: many })).answer).toMatchObject({ kind: 'unreadable', final: true })
})
