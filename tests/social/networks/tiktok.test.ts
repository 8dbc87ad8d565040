import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startTikTok, type TikTokCounterpart } from '../../counterparts/tiktok/index.ts'
import { eventually } from '../../boot/program.ts'
import { administer } from '../../support/database.ts'
import { isSettled } from '../../support/publisher.ts'
import { testOAuth } from './support/oauth.ts'
import { failed, published, publishedOnce, signedOut, testOutcomes, throttledFor } from './support/outcomes.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'
import { hasFfmpeg, uploadVideo } from './support/upload.ts'

let tiktok: TikTokCounterpart
let site: NetworkSite
let video = { mediaId: '' }

beforeAll(async () => {
  tiktok = startTikTok({ processing: 1 })
  const { app } = tiktok
  site = await openNetworkSite({ provider: 'tiktok', counterpart: tiktok, app, imageType: 'jpeg' })
  if (hasFfmpeg) video = { mediaId: (await uploadVideo(site.ada)).id }
})

afterAll(() => site.close())

const status = 'api POST /v2/post/publish/status/fetch/'
let accounts = 0

async function connect(options: Parameters<TikTokCounterpart['creator']>[1] = {}) {
  const account = tiktok.creator(`acme${(accounts += 1)}`, options)
  const { connectionId } = await site.connect(account.id, (url) => tiktok.consent(url, account))
  return { account, connectionId, posts: () => tiktok.posts(account).length }
}

testOAuth({
  network: 'TikTok',
  site: () => site,
  counterpart: () => tiktok,
  createAccount: (username) => tiktok.creator(username),
  connect,
  authorize: { scope: 'user.info.basic,user.info.profile,video.publish' },
  permissions: ['video.publish'],
  lifetimeMs: 2 * 3_600_000,
  refreshRoute: 'api POST /v2/oauth/token/',
  media: () => site.red(),
})

test('SOC-06 photos are a post with a description', async () => {
  const account = await connect()
  const media = [...(await site.red()), ...(await site.red())]
  expect(await site.publish(account, { text: 'Two photos', media })).toMatchObject({ status: 'published' })
  expect(tiktok.posts(account.account)).toMatchObject([{ kind: 'PHOTO', description: 'Two photos', size: 2 }])
})

test.skipIf(!hasFfmpeg)(
  'SOC-06 video is published as public as the account allows, and found at its link',
  async () => {
    const [open, shy] = [await connect(), await connect({ privacyOptions: ['SELF_ONLY'], isPrivate: true })]
    const post = await site.publish(open, { text: 'A video', media: [video] })
    const [shown] = tiktok.posts(open.account)
    expect(shown).toMatchObject({ kind: 'VIDEO', title: 'A video', privacy: 'PUBLIC_TO_EVERYONE', isInInbox: false })
    const profile = `https://www.tiktok.com/@${open.account.username}`
    expect(post).toMatchObject({ status: 'published', permalink: `${profile}/video/${shown?.id}` })
    const hidden = await site.publish(shy, { text: 'A video', media: [video] })
    expect(hidden).toMatchObject({ status: 'published', permalink: `https://www.tiktok.com/@${shy.account.username}` })
    expect(tiktok.posts(shy.account)).toMatchObject([{ privacy: 'SELF_ONLY' }])
  },
)

test.skipIf(!hasFfmpeg)('SOC-06 large video is uploaded in chunks in order, each once', async () => {
  const account = await connect()
  const { id: mediaId, bytes } = await uploadVideo(site.ada, 12 * 1024 * 1024)
  const before = tiktok.callsOf('upload PUT /video/').length
  const media = [{ mediaId }]
  expect(await site.publish(account, { text: 'Large', media })).toMatchObject({
    status: 'published',
    failureMessage: null,
  })
  const chunk = 5 * 1024 * 1024
  const ranges = tiktok
    .callsOf('upload PUT /video/')
    .slice(before)
    .map(({ headers }) => headers.get('content-range'))
  expect(ranges).toEqual([`bytes 0-${chunk - 1}/${bytes}`, `bytes ${chunk}-${bytes - 1}/${bytes}`])
})

test.skipIf(!hasFfmpeg)(
  'SOC-25 video of a post that waited until its upload ended at TikTok is uploaded again',
  async () => {
    const account = await connect()
    tiktok.fail(status, 'rate_limited')
    const { id } = await site.schedule(account, { text: 'Waited', media: [video] })
    await site.ada.until(id, ({ waitingFor }) => waitingFor?.reason === 'rate_window')
    tiktok.clock.advance(90 * 60_000)
    await administer(site.databaseUrl, async (sql) => {
      await sql`UPDATE social.preparations SET started_at = started_at - interval '90 minutes',
      progressed_at = progressed_at - interval '90 minutes'`
      await sql`DELETE FROM social.rate_windows`
      await sql`UPDATE social.posts SET due_at = now() WHERE id = ${id}`
    })
    expect(await site.ada.until(id, isSettled)).toMatchObject({ status: 'published', failureMessage: null })
    expect(account.posts()).toBe(1)
  },
)

test('SOC-14 PNG is published as a JPEG, which its link has', async () => {
  const account = await connect()
  const media = [await site.image('', { type: 'png' })]
  expect(await site.publish(account, { text: 'PNG', media })).toMatchObject({ status: 'published' })
  const sent = tiktok.callsOf('api POST /v2/post/publish/content/init/').at(-1)
  const [link = ''] = /http[^"]+media-links[^"]+/.exec(sent?.text ?? '') ?? []
  expect((await fetch(link)).headers.get('content-type')).toBe('image/jpeg')
})

test.each([
  ['no file', async () => [], 'TikTok needs an image or a video. Add one.'],
  ['a video and an image', async () => [video, ...(await site.red())], 'TikTok allows a video only by itself'],
])('SOC-14 post with %s is refused at scheduling', async (_, media, says) => {
  expect(await site.refusalOf(await connect(), { text: 'Unfit', media: await media() })).toMatch(says)
})

test.skipIf(!hasFfmpeg)('SOC-23 video that TikTok can’t process ends the post with a sentence', async () => {
  const account = await connect()
  tiktok.breakVideos(1)
  const post = await site.publish(account, { text: 'Broken', media: [video] })
  expect(post).toMatchObject({ status: 'failed', failureCode: 'media_refused' })
  expect(post.failureMessage).toContain('Replace it')
})

test.skipIf(!hasFfmpeg)(
  'SOC-14 video that is longer than TikTok allows its account fails with both lengths before anything is sent',
  async () => {
    const [short, exact] = [await connect({ maxDurationSec: 3 }), await connect({ maxDurationSec: 4 })]
    const sent = () => [...tiktok.callsOf(sending.tiktok), ...tiktok.callsOf('upload PUT /video/')].length
    const before = sent()
    expect(await site.publish(short, { text: 'Long', media: [video] })).toMatchObject({
      status: 'failed',
      failureCode: 'media_refused',
      failureMessage: 'This account can publish videos of at most 3 s. This one is 4 s long. Choose a shorter one.',
    })
    expect(sent()).toBe(before)
    expect(await site.publish(exact, { text: 'Fits', media: [video] })).toMatchObject({ status: 'published' })
  },
)

/** Files that TikTok still processes when the call that publishes them ends, for longer than retries last. */
async function publishSlowly(text: string, kind: 'photo' | 'video' = 'photo') {
  const account = await connect()
  tiktok.processSlowly(1_000)
  const post = await site.publish(account, { text, media: kind === 'video' ? [video] : await site.red() })
  tiktok.processSlowly(1)
  const prefix = kind === 'video' ? 'v_pub' : 'p_pub'
  expect(post).toMatchObject({ status: 'published', platformPostId: expect.stringContaining(prefix) })
  return { account: account.account, id: post.id }
}

/** Checks a post now, as the queue would later; returns whether it is to be checked again. */
async function checkNow(id: string): Promise<boolean> {
  const checks = () =>
    administer(
      site.databaseUrl,
      (sql) => sql`UPDATE pgboss.job SET start_after = now() WHERE name = 'social.check-published-post'
        AND state IN ('created', 'active', 'retry') AND data->>'id' = ${id} RETURNING id`,
    )
  return (await checks()).length > 0
}

test('SOC-23 photos that TikTok fails to fetch after they were published end as failed with its reason', async () => {
  tiktok.breakVideos(1)
  const { account, id } = await publishSlowly('Broken')
  const before = tiktok.callsOf(status).length
  expect(await checkNow(id)).toBe(true)
  expect(await eventually(() => tiktok.callsOf(status).length > before)).toBe(true)
  expect(await site.ada.read(id)).toMatchObject({ status: 'published' })
  tiktok.finishProcessing()
  tiktok.grants.expire(account.id, 'access')
  const isFailed = async () => {
    await checkNow(id)
    return (await site.ada.read(id)).status === 'failed'
  }
  expect(await eventually(isFailed, 20_000)).toBe(true)
  expect(await site.ada.read(id)).toMatchObject({
    failureCode: 'media_refused',
    failureMessage: expect.stringContaining('file_format_check_failed'),
    platformPostId: null,
  })
  expect(await eventually(async () => !(await checkNow(id)))).toBe(true)
})

test('SOC-23 photos that fail with a temporary fault of TikTok after they were published are to be retried', async () => {
  tiktok.breakVideos(1, 'internal')
  const { id } = await publishSlowly('Fault')
  tiktok.finishProcessing()
  const isFailed = async () => {
    await checkNow(id)
    return (await site.ada.read(id)).status === 'failed'
  }
  expect(await eventually(isFailed, 20_000)).toBe(true)
  expect(await site.ada.read(id)).toMatchObject({ failureCode: 'provider_error', failureRetryable: true })
})

async function expectPublishedLate(kind: 'photo' | 'video'): Promise<void> {
  const { account, id } = await publishSlowly('Late', kind)
  expect(await checkNow(id)).toBe(true)
  tiktok.finishProcessing()
  expect(await eventually(async () => !(await checkNow(id)), 20_000)).toBe(true)
  const [shown, ...more] = tiktok.posts(account)
  expect(more).toEqual([])
  expect(await site.ada.read(id)).toMatchObject({
    status: 'published',
    platformPostId: shown?.id ?? '',
    permalink: `https://www.tiktok.com/@${account.username}/${kind}/${shown?.id}`,
  })
}

test('SOC-23 photos that TikTok publishes late get their link, and are not checked again', async () => {
  await expectPublishedLate('photo')
  const quick = await site.publish(await connect(), { text: 'Quick', media: await site.red() })
  expect(await checkNow(quick.id)).toBe(false)
})

test.skipIf(!hasFfmpeg)('SOC-23 video that TikTok publishes late gets its link, and is not checked again', () =>
  expectPublishedLate('video'),
)

test.skipIf(!hasFfmpeg)(
  'SOC-23 video that TikTok fails to process after its upload ends as failed with its reason',
  async () => {
    tiktok.breakVideos(1)
    const { account, id } = await publishSlowly('Broken', 'video')
    tiktok.finishProcessing()
    const isFailed = async () => {
      await checkNow(id)
      return (await site.ada.read(id)).status === 'failed'
    }
    expect(await eventually(isFailed, 20_000)).toBe(true)
    expect(await site.ada.read(id)).toMatchObject({
      failureCode: 'media_refused',
      failureMessage: expect.stringContaining('file_format_check_failed'),
      platformPostId: null,
      permalink: null,
    })
    expect(tiktok.posts(account)).toEqual([])
    expect(await eventually(async () => !(await checkNow(id)))).toBe(true)
  },
)

const sending = { tiktok: 'api POST /v2/post/publish/video/init/' } as const

/** Of a video, whose upload publishes it: nothing is lost or sent twice. */
if (hasFfmpeg)
  testOutcomes({
    network: 'TikTok',
    site: () => site,
    counterpart: () => tiktok,
    route: 'upload PUT /video/',
    connect,
    revoke: ({ account }) => tiktok.grants.revoke(account.id),
    routes: {
      unauthorized: sending.tiktok,
      expired_token: sending.tiktok,
      forbidden: sending.tiktok,
      media_refused: sending.tiktok,
      rate_limited: sending.tiktok,
      malformed: sending.tiktok,
      'server_error until the end': sending.tiktok,
    },
    media: async () => [{ ...video, alt: '' }],
    outcomes: {
      ...publishedOnce,
      revoked_token: signedOut,
      rate_limited: throttledFor(60),
      forbidden: failed('action_blocked', 'blocked this account'),
      media_refused: failed('media_refused', 'developer portal'),
      'server_error until the end': failed('provider_error', 'fault'),
    },
  })

const unknown = 'TikTok doesn’t let apps read the photos of an account.'

/** Whether photos arrived can’t be read: a lost response is left to a person. */
testOutcomes({
  network: 'TikTok photos',
  site: () => site,
  counterpart: () => tiktok,
  route: 'api POST /v2/post/publish/content/init/',
  connect,
  media: () => site.red(),
  outcomes: {
    ok: published,
    unauthorized: published,
    rate_limited: throttledFor(60),
    server_error: failed('outcome_unknown', unknown),
    server_error_after: failed('outcome_unknown', unknown, { posts: 1 }),
    no_answer_before: failed('outcome_unknown', unknown),
    no_answer_after: failed('outcome_unknown', unknown, { posts: 1 }),
    connection_lost: failed('outcome_unknown', unknown, { posts: 1 }),
    malformed: failed('outcome_unknown', unknown, { posts: 1 }),
  },
})
