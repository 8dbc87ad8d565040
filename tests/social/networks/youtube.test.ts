import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startYouTube, type YouTubeCounterpart } from '../../counterparts/youtube/index.ts'
import { Problem } from '#lib/errors.ts'
import { interpretProblem } from '../../../src/social/networks/youtube/gateway.ts'
import { drawPage, storeApp } from './support/connect.ts'
import { testOAuth } from './support/oauth.ts'
import { failed, publishedAfter, publishedOnce, signedOut, testOutcomes } from './support/outcomes.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'
import { hasFfmpeg, uploadVideo } from './support/upload.ts'
import { administer } from '../../support/database.ts'
import { eventually } from '../../boot/program.ts'
import { isSettled } from '../../support/publisher.ts'
import { scaleTime } from '../../support/time-scale.ts'

const withVideos = test.skipIf(!hasFfmpeg)

let youtube: YouTubeCounterpart
let site: NetworkSite
let video = { mediaId: '' }

beforeAll(async () => {
  youtube = startYouTube({ quota: { uploads: 10_000, units: 1_000_000 } })
  const config = { VIDEO_CHUNK_MS: scaleTime(700), UPLOAD_LEASE_MS: scaleTime(1000) }
  site = await openNetworkSite({ provider: 'youtube', counterpart: youtube, app: youtube.app, config })
  if (hasFfmpeg) video = { mediaId: (await uploadVideo(site.ada)).id }
})

afterAll(() => site.close())

let accounts = 0
const scope = (name: string) => `https://www.googleapis.com/auth/youtube.${name}`

async function connect(options: Parameters<YouTubeCounterpart['channel']>[1] = {}) {
  const account = youtube.channel(`acme${(accounts += 1)}`, options)
  const { connectionId } = await site.connect(account.id, (url) => youtube.consent(url, account))
  return { account, connectionId, posts: () => youtube.videos(account).length }
}

const start = 'api POST /upload/youtube/v3/videos'
const send = 'api PUT /upload/youtube/v3/videos'

if (hasFfmpeg)
  testOAuth({
    network: 'YouTube',
    site: () => site,
    counterpart: () => youtube,
    createAccount: (username) => youtube.channel(username),
    connect,
    authorize: {
      scope: `${scope('upload')} ${scope('readonly')}`,
      access_type: 'offline',
      prompt: 'consent select_account',
      code_challenge_method: 'S256',
    },
    permissions: [scope('upload'), scope('readonly')],
    lifetimeMs: 3_600_000,
    refreshRoute: 'oauth POST /token',
    media: async () => [video],
  })

test('SOC-05 Google account without a channel connects nothing and is explained', async () => {
  const none = youtube.channel('none', { isMissing: true })
  const back = await site.consent((url) => youtube.consent(url, none))
  expect(back.searchParams.get('unconnected')).toBe('no_channel')
  expect(await drawPage(site.ada, back)).toContain('This Google account has no YouTube channel')
})

test('SOC-05 left-out permission is named as Google shows it', async () => {
  const account = youtube.channel('partial')
  const back = await site.consent((url) => youtube.consent(url, account, { without: [scope('upload')] }))
  expect(await drawPage(site.ada, back)).toContain('manage your YouTube videos (youtube.upload)')
})

test('SOC-06 each channel of a person is an account of its own', async () => {
  for (const { account, connectionId } of [await connect(), await connect()])
    expect(await site.ada.call('GET', `/api/accounts/${connectionId}`)).toMatchObject({
      account: { id: account.id, name: `@${account.username}` },
      health: 'ok',
    })
})

withVideos('SOC-06 video is private by default, with the first line as its title, at its link', async () => {
  const account = await connect()
  const post = await site.publish(account, { text: 'Autumn blend\n\nRoasted on Monday.', media: [video] })
  const [shown] = youtube.videos(account.account)
  expect(shown).toMatchObject({
    title: 'Autumn blend',
    description: 'Autumn blend\n\nRoasted on Monday.',
    privacy: 'private',
    tags: [],
    madeForKids: false,
    state: 'processed',
  })
  expect(post).toMatchObject({
    status: 'published',
    platformPostId: shown?.id,
    permalink: `https://www.youtube.com/watch?v=${shown?.id}`,
  })
})

withVideos('SOC-06 title, privacy, tags and audience of the post are those of the video', async () => {
  const account = await connect()
  const options = { title: 'Autumn', privacy: 'unlisted', tags: ['coffee', 'slow bar'], madeForKids: true }
  expect(await site.publish(account, { text: 'Roasted.', youtube: options, media: [video] })).toMatchObject({
    status: 'published',
    youtube: options,
  })
  const { title, privacy, tags, madeForKids } = options
  expect(youtube.videos(account.account)).toMatchObject([{ title, privacy, tags, madeForKids }])
})

withVideos('SOC-25 large video is uploaded in parts, each once, and counts one upload of the quota', async () => {
  const account = await connect()
  const { id: mediaId, bytes } = await uploadVideo(site.ada, 9 * 1024 * 1024)
  const [before, started] = [youtube.callsOf(send).length, youtube.callsOf(start).length]
  expect(await site.publish(account, { text: 'Large', media: [{ mediaId }] })).toMatchObject({ status: 'published' })
  const ranges = youtube
    .callsOf(send)
    .slice(before)
    .map(({ headers }) => headers.get('content-range') ?? '')
    .filter((range) => !range.startsWith('bytes *'))
  const part = 4 * 1024 * 1024
  expect(ranges).toEqual([
    `bytes 0-${part - 1}/${bytes}`,
    `bytes ${part}-${2 * part - 1}/${bytes}`,
    `bytes ${2 * part}-${bytes - 1}/${bytes}`,
  ])
  expect(youtube.callsOf(start).length - started).toBe(1)
  expect(youtube.videos(account.account)).toMatchObject([{ size: bytes }])
})

withVideos('SOC-24 upload whose session is gone before its last part begins again, as one video', async () => {
  const account = await connect()
  const { id: mediaId } = await uploadVideo(site.ada, 9 * 1024 * 1024)
  let parts = 0
  youtube.watch(async ({ method, headers }) => {
    if (method === 'PUT' && headers.get('content-range')?.startsWith('bytes 4194304-') && parts++ === 0)
      youtube.forgetSessions()
  })
  expect(await site.publish(account, { text: 'Again', media: [{ mediaId }] })).toMatchObject({ status: 'published' })
  expect(account.posts()).toBe(1)
})

withVideos('SOC-25 upload whose session always ends fails when the retry budget is used up', async () => {
  const account = await connect()
  const { id: mediaId } = await uploadVideo(site.ada, 9 * 1024 * 1024)
  let isEnding = true
  youtube.watch(async ({ method, headers }) => {
    if (isEnding && method === 'PUT' && headers.get('content-range')?.startsWith('bytes 4194304-'))
      youtube.forgetSessions()
  })
  const started = youtube.callsOf(start).length
  const post = await site.publish(account, { text: 'Never', media: [{ mediaId }] })
  isEnding = false
  expect(post).toMatchObject({ status: 'failed', failureCode: 'provider_error' })
  expect(post.failureMessage).toContain('ended the upload')
  expect(account.posts()).toBe(0)
  expect(youtube.callsOf(start).length - started).toBeWithin(2, 20)
})

withVideos('SOC-24 video whose session is gone after its last part is found on the channel', async () => {
  const account = await connect()
  youtube.fail(send, 'connection_lost')
  let sent = 0
  youtube.watch(async ({ method, headers }) => {
    const range = headers.get('content-range') ?? ''
    if (method === 'PUT' && range.startsWith('bytes 0-')) sent += 1
    if (method === 'PUT' && range.startsWith('bytes *') && sent === 1) youtube.forgetSessions()
  })
  const post = await site.publish(account, { text: 'Found by its words', media: [video] })
  expect([post.status, account.posts()]).toEqual(['published', 1])
  expect(post.platformPostId).toBe(youtube.videos(account.account)[0]?.id ?? '')
})

withVideos.each([
  ['codec', 'failed', 'codec'],
  ['duplicate', 'rejected', 'has this video already'],
  ['length', 'rejected', 'Verify the channel'],
] as const)(
  'SOC-23 video that YouTube doesn’t process because of its %s ends the post with a sentence',
  async (...row) => {
    const [reason, state, says] = row
    const account = await connect()
    youtube.breakVideos({ state, reason })
    const post = await site.publish(account, { text: 'Broken', media: [video] })
    expect(post).toMatchObject({ status: 'failed', failureCode: 'media_refused' })
    expect(post.failureMessage).toContain(says)
  },
)

/** Lets the queue check now what it would check later. */
const checkNow = () =>
  administer(
    site.databaseUrl,
    (sql) =>
      sql`UPDATE pgboss.job SET start_after = now() WHERE name = 'social.check-published-post' AND state = 'created'`,
  )

const waitingChecks = (postId: string) =>
  administer(
    site.databaseUrl,
    (sql) => sql`SELECT FROM pgboss.job WHERE name = 'social.check-published-post' AND state = 'created'
      AND data->>'id' = ${postId}`,
  )

const unfinishedChecks = (postId: string) =>
  administer(
    site.databaseUrl,
    (
      sql,
    ) => sql`SELECT FROM pgboss.job WHERE name = 'social.check-published-post' AND state IN ('created', 'active', 'retry')
      AND data->>'id' = ${postId}`,
  )

async function publishSlowly() {
  const account = await connect()
  youtube.processSlowly(1_000)
  const post = await site.publish(account, { text: 'Takes long', media: [video] })
  youtube.processSlowly(0)
  expect(post).toMatchObject({ status: 'published', permalink: expect.stringContaining('youtube.com') })
  return { account, post }
}

withVideos(
  'SOC-23 video that YouTube refuses long after its upload ends the post as failed with the reason',
  async () => {
    const { account, post } = await publishSlowly()
    const before = youtube.callsOf('api GET /youtube/v3/videos').length
    await checkNow()
    const isChecked = () => youtube.callsOf('api GET /youtube/v3/videos').length > before
    expect(await eventually(isChecked)).toBe(true)
    expect(await eventually(async () => (await waitingChecks(post.id)).length === 1)).toBe(true)
    expect(await site.ada.read(post.id)).toMatchObject({ status: 'published' })
    youtube.breakVideos({ state: 'rejected', reason: 'duplicate' })
    youtube.finishProcessing()
    youtube.grants.expire(account.account.id, 'access')
    const isFailed = async () => {
      await checkNow()
      return (await site.ada.read(post.id)).status === 'failed'
    }
    expect(await eventually(isFailed, 20_000)).toBe(true)
    expect(await site.ada.read(post.id)).toMatchObject({
      failureCode: 'media_refused',
      failureMessage: expect.stringContaining('has this video already'),
      permalink: null,
      platformPostId: null,
      publishedAt: null,
    })
    expect(await waitingChecks(post.id)).toHaveLength(0)
  },
)

withVideos(
  'SOC-23 video that YouTube processes later stays published, and is no longer checked after an hour',
  async () => {
    const processed = await publishSlowly()
    youtube.finishProcessing()
    const isOver = async () => {
      await checkNow()
      return (await waitingChecks(processed.post.id)).length === 0
    }
    expect(await eventually(isOver, 20_000)).toBe(true)
    expect(await site.ada.read(processed.post.id)).toMatchObject({ status: 'published' })
    const { post } = await publishSlowly()
    await administer(
      site.databaseUrl,
      (sql) => sql`UPDATE social.posts SET published_at = now() - interval '61 minutes' WHERE id = ${post.id}`,
    )
    const before = youtube.callsOf('api GET /youtube/v3/videos').length
    await checkNow()
    expect(await eventually(async () => (await waitingChecks(post.id)).length === 0)).toBe(true)
    expect(youtube.callsOf('api GET /youtube/v3/videos')).toHaveLength(before)
  },
)

withVideos('SOC-46 video of a deactivated account is not checked, and its tokens are not refreshed', async () => {
  const { account, post } = await publishSlowly()
  youtube.fail('oauth POST /revoke', 'server_error', 100)
  await site.ada.call('POST', `/api/accounts/${account.connectionId}/deactivate`)
  youtube.grants.expire(account.account.id, 'access')
  const requests = () => [
    youtube.callsOf('api GET /youtube/v3/videos').length,
    youtube.callsOf('oauth POST /token').length,
  ]
  const before = requests()
  await checkNow()
  expect(await eventually(async () => (await waitingChecks(post.id)).length === 0)).toBe(true)
  expect(await eventually(async () => (await unfinishedChecks(post.id)).length === 0)).toBe(true)
  expect(requests()).toEqual(before)
})

withVideos('SOC-23 video that is deleted while YouTube is asked about it stays published', async () => {
  const { post } = await publishSlowly()
  youtube.breakVideos({ state: 'rejected', reason: 'duplicate' })
  youtube.finishProcessing()
  let isAsked = false
  youtube.watch(async ({ method, path }) => {
    if (isAsked || method !== 'GET' || path !== '/youtube/v3/videos') return
    isAsked = true
    await administer(site.databaseUrl, (sql) => sql`UPDATE social.posts SET withdrawn_at = now() WHERE id = ${post.id}`)
  })
  const isOver = async () => {
    await checkNow()
    return isAsked && (await unfinishedChecks(post.id)).length === 0
  }
  expect(await eventually(isOver, 20_000)).toBe(true)
  expect(await site.ada.read(post.id)).toMatchObject({ status: 'published', withdrawnAt: expect.any(String) })
  const checks = await administer(
    site.databaseUrl,
    (sql) => sql`SELECT state, retry_count FROM pgboss.job WHERE name = 'social.check-published-post'
      AND data->>'id' = ${post.id}`,
  )
  expect(checks.length).toBeGreaterThan(0)
  for (const check of checks) expect(check).toEqual({ state: 'completed', retry_count: 0 })
})

withVideos('SOC-25 channel over its daily uploads fails with a sentence', async () => {
  const account = await connect({ uploadsPerDay: 0 })
  const post = await site.publish(account, { text: 'Too many', media: [video] })
  expect(post).toMatchObject({ status: 'failed', failureCode: 'upload_limit_reached' })
  expect(post.failureMessage).toContain('Retry in 24 hours')
})

test.each([
  ['no file', {}, 'YouTube needs a video. Add one.'],
  ['an image', { media: 'red' }, 'YouTube doesn’t support images. Remove this one.'],
  ['a description of 5,001 bytes', { text: `${'é'.repeat(2500)}a`, media: 'video' }, 'YouTube allows 5000 bytes'],
  ['an angle bracket in the text', { text: 'a < b', media: 'video' }, 'Remove < and >'],
  ['a long title', { youtube: { title: 'x'.repeat(101) }, media: 'video' }, 'YouTube allows 100 characters'],
  ['an angle bracket in the title', { youtube: { title: '<b>' }, media: 'video' }, 'in titles'],
  [
    'long tags',
    { youtube: { tags: ['x'.repeat(300), 'y'.repeat(200)] }, media: 'video' },
    'allows 500 characters together',
  ],
])('SOC-14 post with %s is refused at scheduling', async (_, { media, ...values }: Record<string, unknown>, says) => {
  if (media === 'video' && !hasFfmpeg) return
  const files = media === 'video' ? [video] : media === 'red' ? await site.red() : []
  expect(await site.refusalOf(await connect(), { text: 'Unfit', ...values, media: files })).toContain(says)
})

test('SOC-22 thread for YouTube is refused', async () => {
  const thread = { text: undefined, thread: [{ text: 'One', media: [video] }, { text: 'Two' }] }
  if (hasFfmpeg) expect(await site.refusalOf(await connect(), thread)).toContain('no threads')
})

withVideos('SOC-25 post waits by name for the quota of the app, and fails when that takes over an hour', async () => {
  const account = await connect()
  const administerQuota = (opensIn: string) =>
    administer(site.databaseUrl, async (sql) => {
      await sql`DELETE FROM gateway.video_quota`
      await sql`UPDATE social.rate_windows SET opens_at = now() + ${opensIn}::interval WHERE provider = 'youtube'`
    })
  youtube.endQuota(1)
  const late = await site.publish(account, { text: 'Out of quota', media: [video] })
  expect(late).toMatchObject({ status: 'failed', failureCode: 'rate_limited' })
  await administerQuota('30 minutes')
  const { id } = await site.schedule(account, { text: 'Soon', media: [video] })
  const waiting = await site.ada.until(id, ({ waitingFor }) => waitingFor?.reason === 'rate_window')
  expect(await drawPage(site.ada, `/workspace/posts/${waiting.id}`)).toContain('YouTube limits how often')
  await administerQuota('-1 seconds')
  await administer(site.databaseUrl, (sql) => sql`UPDATE social.posts SET due_at = now() WHERE id = ${id}`)
  expect(await site.ada.until(id, isSettled)).toMatchObject({ status: 'published' })
  expect(account.posts()).toBe(1)
})

test.each([
  ['project', 'app', 'The app has used'],
  ['organization', 'account', 'The organization has used its share'],
])('SOC-25 used-up quota of the %s closes the window of the %s', (share, limitOf, message) => {
  const problem = new Problem(429, 'quota_exhausted', 'Used up', { members: { scope: share } })
  expect(interpretProblem(problem)).toMatchObject({ limitOf, message: expect.stringContaining(message) })
})

withVideos('SOC-06 account of the platform’s app never uses the own app of its organization', async () => {
  const requests: string[] = []
  const other = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      requests.push(url)
      return Response.json({ error: { code: 403, errors: [{ reason: 'quotaExceeded' }] } }, { status: 403 })
    },
  })
  const [{ id: organizationId } = { id: '' }] = await administer(
    site.databaseUrl,
    (sql) => sql<{ id: string }[]>`
      UPDATE gateway.provider_credentials AS app SET organization_id = NULL FROM gateway.provider_credentials AS former
      WHERE former.id = app.id AND app.provider = 'youtube' RETURNING former.organization_id AS id`,
  )
  // Any change makes servers read credentials again.
  const reread = () => storeApp(site.ada, { provider: 'x', clientId: 'any', clientSecret: 'not-a-secret' })
  await reread()
  try {
    const account = await connect()
    const secret = { clientId: '987654321098-abc.apps.googleusercontent.com', clientSecret: 'not-a-secret' }
    const own = { level: 'organization', label: 'Own', baseUrl: `http://127.0.0.1:${other.port}`, secret }
    await site.ada.call('PUT', '/api/credentials/youtube', own)
    const post = await site.publish(account, { text: 'Through the platform', media: [video] })
    expect([post.status, account.posts(), requests]).toEqual(['published', 1, []])
    const counters = await administer(
      site.databaseUrl,
      (sql) => sql<{ project: string }[]>`SELECT DISTINCT project FROM gateway.video_quota ORDER BY project`,
    )
    const projects = counters.map(({ project }) => project)
    expect(projects).toContain('123456789012')
    expect(projects.filter((project) => project.startsWith('987654321098'))).toEqual([])
  } finally {
    await administer(site.databaseUrl, async (sql) => {
      await sql`DELETE FROM gateway.provider_credentials WHERE provider = 'youtube' AND organization_id IS NOT NULL`
      await sql`UPDATE gateway.provider_credentials SET organization_id = ${organizationId} WHERE provider = 'youtube'`
    })
    await reread()
    await other.stop(true)
  }
})

/** Of a video, whose last part publishes it: nothing is lost or sent twice. */
if (hasFfmpeg)
  testOutcomes({
    network: 'YouTube',
    site: () => site,
    counterpart: () => youtube,
    route: send,
    connect,
    revoke: ({ account }) => youtube.grants.revoke(account.id),
    routes: {
      unauthorized: start,
      expired_token: start,
      forbidden: start,
      media_refused: start,
      rate_limited: send,
      'server_error until the end': start,
    },
    media: async () => [{ ...video, alt: '' }],
    outcomes: {
      ...publishedOnce,
      revoked_token: signedOut,
      rate_limited: publishedAfter(250),
      forbidden: failed('action_blocked', 'YouTube Studio'),
      media_refused: failed('media_refused', 'Replace it'),
      'server_error until the end': failed('provider_error', 'temporary fault'),
    },
  })
