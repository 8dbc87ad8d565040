import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Connection, PostDetails, PostTarget } from '#social/types'
import { startYouTube, type YouTubeCounterpart } from '../../counterparts/youtube/index.ts'
import { administer } from '../../support/database.ts'
import { scaleTime } from '../../support/time-scale.ts'
import { drawPage } from './support/connect.ts'
import {
  notWritten,
  testCommentOutcomes,
  throttled,
  untilCommented,
  written,
  writtenOnce,
} from './support/comment-outcomes.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'
import { hasFfmpeg, uploadVideo } from './support/upload.ts'

const withVideos = test.skipIf(!hasFfmpeg)
const insert = 'api POST /youtube/v3/commentThreads'
const list = 'api GET /youtube/v3/commentThreads'
const scope = 'https://www.googleapis.com/auth/youtube.force-ssl'
const optedIn = { firstComments: true }
const unlisted = { youtube: { privacy: 'unlisted' } }

let youtube: YouTubeCounterpart
let site: NetworkSite
let video = { mediaId: '' }

beforeAll(async () => {
  youtube = startYouTube({ quota: { uploads: 10_000, units: 1_000_000 } })
  const config = { VIDEO_CHUNK_MS: scaleTime(700), UPLOAD_LEASE_MS: scaleTime(1000) }
  site = await openNetworkSite({ provider: 'youtube', counterpart: youtube, app: youtube.app, config })
  if (hasFfmpeg) video = { mediaId: (await uploadVideo(site.ada)).id }
  // Each comment takes 50 units.
  for (const bucket of ['other', 'videos.insert'])
    await administer(
      site.databaseUrl,
      (sql) => sql`INSERT INTO gateway.video_quota_limits (project, bucket, units_per_day, updated_at)
        VALUES ('123456789012', ${bucket}, 1000000, now())`,
    )
})

afterAll(() => site.close())

let accounts = 0

async function connect(form: Record<string, unknown> = optedIn, without: string[] = []) {
  const account = youtube.channel(`acme${(accounts += 1)}`)
  const { connectionId } = await site.connect(account.id, (url) => youtube.consent(url, account, { without }), form)
  return { account, connectionId, comments: () => youtube.comments(account).map(({ text }) => text) }
}

const targetOf = async (id: string): Promise<PostTarget | undefined> => {
  const { items } = await site.ada.call<{ items: PostTarget[] }>(
    'GET',
    `/api/posts/targets?brandId=${site.ada.brandId}`,
  )
  return items.find(({ target }) => target.connectionId === id)
}

const commented = (text = 'Watch it') => ({ ...unlisted, text, firstComment: '#coffee', media: [video] })

test('SOC-10 permission for first comments on YouTube is requested only when a person opts in', async () => {
  const requested: boolean[] = []
  const channel = youtube.channel('choosing')
  for (const form of [{}, optedIn])
    await site.consent((url) => {
      requested.push((new URL(url).searchParams.get('scope') ?? '').split(' ').includes(scope))
      return youtube.consent(url, channel, { allows: false })
    }, form)
  expect(requested).toEqual([false, true])
})

withVideos('SOC-05 SOC-10 channel without the permission publishes, takes no first comment and says why', async () => {
  for (const [form, without] of [
    [{}, []],
    [optedIn, [scope]],
  ] as const) {
    const account = await connect(form, [...without])
    const { scopes } = await site.ada.call<Connection>('GET', `/api/accounts/${account.connectionId}`)
    expect(scopes).not.toContain(scope)
    expect(await targetOf(account.connectionId)).toMatchObject({ firstComments: 'permission_missing' })
    expect(await site.refusalOf(account, commented())).toContain('Reconnect the account with first comments')
    const page = await drawPage(site.ada, `/workspace/accounts/${account.connectionId}`)
    expect(page).toContain('Reconnect with first comments')
    expect(page).toContain('also allows apps to edit and delete videos')
    await site.connect(account.account.id, (url) => youtube.consent(url, account.account), optedIn)
    expect(await targetOf(account.connectionId)).toMatchObject({ firstComments: 'allowed' })
    const { id } = await site.schedule(account, commented())
    expect((await untilCommented(site.ada, id)).firstCommentStatus).toMatchObject({ state: 'published' })
  }
})

withVideos('SOC-10 first comment on YouTube is written below the video, with its quota, and has a link', async () => {
  const account = await connect()
  const post = await site.schedule(account, { ...commented(), firstComment: 'Recipe <3\n\nEnjoy & share' })
  const { firstCommentStatus, platformPostId } = await untilCommented(site.ada, post.id)
  const [comment] = youtube.comments(account.account)
  expect(comment).toMatchObject({
    text: 'Recipe <3\n\nEnjoy & share',
    author: account.account.id,
    video: platformPostId,
  })
  expect(firstCommentStatus).toMatchObject({ state: 'published', platformCommentId: comment?.id })
  const usage = () =>
    administer(
      site.databaseUrl,
      (sql) => sql<{ quantity: number }[]>`SELECT quantity::int FROM gateway.usage_logs
        WHERE model = 'commentThreads.insert' AND provider = 'youtube' ORDER BY occurred_at DESC LIMIT 1`,
    )
  expect((await usage()).map(({ quantity }) => quantity)).toEqual([50])
})

withVideos('SOC-14 comment on a video that can’t have one is refused before publishing', async () => {
  const account = await connect()
  const refusal = (youtubeOptions: object | undefined, firstComment = '#coffee') =>
    site.refusalOf(account, { text: 'Watch it', media: [video], firstComment, youtube: youtubeOptions })
  expect(await refusal(undefined)).toContain('no comments on private videos')
  expect(await refusal({ privacy: 'private' })).toContain('Set youtube.privacy to unlisted or public')
  expect(await refusal({ privacy: 'public', madeForKids: true })).toContain('made for kids')
  expect(await refusal({ privacy: 'public' }, 'x'.repeat(10_001))).toContain('10000')
  await site.scheduleLater(account, { ...commented(), firstComment: 'é'.repeat(10_000) })
})

withVideos('SOC-10 SOC-45 comment of several networks isn’t for a private video', async () => {
  const { ada } = site
  const account = await connect()
  const sandbox = await ada.connect('beside-youtube')
  const targets = [
    { provider: 'sandbox', target: { connectionId: sandbox } },
    { provider: 'youtube', target: { connectionId: account.connectionId } },
  ]
  const write = (more: object, status = 201) =>
    ada.call<{ items: PostDetails[]; errors: unknown[] }>(
      'POST',
      '/api/posts',
      { brandId: ada.brandId, text: 'Watch it', firstComment: '#coffee', targets, ...more },
      status,
    )
  const commentsOf = async (more: object) => (await write(more)).items.map(({ firstComment }) => firstComment)
  expect(await commentsOf({})).toEqual(['#coffee', null])
  expect(await commentsOf(unlisted)).toEqual(['#coffee', '#coffee'])
  expect((await write({ targets: targets.slice(1) }, 422)).errors).toMatchObject([
    { path: 'firstComment', message: expect.stringContaining('private videos') },
  ])
})

withVideos('SOC-10 comment fails with a sentence where comments are turned off or the video is gone', async () => {
  const account = await connect()
  account.account.hasNoComments = true
  const { id } = await site.schedule(account, commented())
  expect((await untilCommented(site.ada, id)).firstCommentStatus).toMatchObject({
    state: 'failed',
    failureCode: 'comments_disabled',
    failureMessage: expect.stringContaining('Change it in YouTube Studio'),
    attempts: 1,
  })
  account.account.hasNoComments = false
  await site.ada.call('POST', `/api/posts/${id}/first-comment/retry`)
  expect((await untilCommented(site.ada, id)).firstCommentStatus).toMatchObject({ state: 'published', attempts: 2 })
  expect(account.comments()).toEqual(['#coffee'])
})

withVideos('SOC-24 comment whose response was lost is found among newer ones of others, and once held', async () => {
  const account = await connect()
  youtube.fail(insert, 'no_answer_after')
  youtube.holdComments(1)
  const { id, platformPostId } = await untilCommented(site.ada, (await site.schedule(account, commented())).id)
  expect(account.comments()).toEqual(['#coffee'])
  expect((await site.ada.call<PostDetails>('GET', `/api/posts/${id}`)).firstCommentStatus?.state).toBe('published')
  // The same words of another person aren’t the channel’s.
  const other = await connect()
  youtube.fail(insert, 'no_answer_before')
  youtube.watch(async ({ route, path, method }) => {
    if (route !== '' || method !== 'POST' || !path.endsWith('/commentThreads')) return
    const [own] = youtube.videos(other.account)
    if (own && other.comments().length === 0) youtube.addComment(own.id, '#coffee')
  })
  await untilCommented(site.ada, (await site.schedule(other, commented())).id)
  expect(youtube.comments(other.account).map(({ author }) => author === other.account.id)).toEqual([false, true])
  expect(platformPostId).not.toBeNull()
})

withVideos('SOC-24 unknown comment isn’t sent again while the comments of its video can’t be read', async () => {
  const account = await connect()
  youtube.fail(insert, 'no_answer_after')
  youtube.fail(list, 'forbidden', 2)
  const { id } = await site.schedule(account, commented('Unread'))
  for (const attempts of [1, 2]) {
    expect((await untilCommented(site.ada, id)).firstCommentStatus).toMatchObject({ state: 'unknown', attempts })
    expect(account.comments()).toEqual(['#coffee'])
    await site.ada.call('POST', `/api/posts/${id}/first-comment/retry`)
  }
  expect((await untilCommented(site.ada, id)).firstCommentStatus).toMatchObject({ state: 'published' })
  expect(account.comments()).toEqual(['#coffee'])
})

withVideos('SOC-25 used-up quota of comments delays no upload, and comments say so', async () => {
  const account = await connect()
  youtube.endUnits(1)
  const { id } = await site.schedule(account, commented())
  const { firstCommentStatus: status } = await untilCommented(site.ada, id)
  // It resets at midnight Pacific time: within the next hour the comment waits for it.
  if (status?.waitingFor) expect(status.waitingFor).toMatchObject({ reason: 'rate_window' })
  else
    expect(status).toMatchObject({
      state: 'failed',
      failureCode: 'rate_limited',
      failureMessage: expect.stringContaining('no comments from this account until'),
    })
  expect(await site.publish(account, { text: 'Next', media: [video], ...unlisted })).toMatchObject({
    status: 'published',
  })
  await administer(site.databaseUrl, async (sql) => {
    await sql`DELETE FROM social.rate_windows`
    await sql`UPDATE gateway.video_quota SET exhausted_at = NULL`
  })
})

if (hasFfmpeg)
  testCommentOutcomes({
    network: 'YouTube',
    site: () => site,
    counterpart: () => youtube,
    route: insert,
    connect,
    media: async () => [video],
    values: unlisted,
    outcomes: {
      ...writtenOnce,
      // The refresh token is still good.
      unauthorized: written,
      revoked_token: written,
      forbidden: notWritten('action_blocked', 'YouTube doesn’t let this channel write comments'),
      rate_limited: throttled,
      'server_error until the end': notWritten('provider_error', 'temporary fault'),
    },
  })
