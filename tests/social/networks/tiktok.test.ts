import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import type { Integration, Media } from '#social/types'
import { startTikTok, type TikTokCounterpart } from '../../counterparts/tiktok/index.ts'
import { administer, freshDatabase, type TestDatabase } from '../../support/database.ts'
import { inMs, isSettled, newPublisher, type Post, type Publisher } from '../../support/publisher.ts'
import { serveInProcess, type Server } from '../../support/serve-in-process.ts'
import { beginConnecting, comeBack, findConnected, storeApp } from './connect.ts'
import { testOutcomes } from './outcomes.ts'
import { hasFfmpeg, uploadVideo } from './upload-video.ts'

let database: TestDatabase
let tiktok: TikTokCounterpart
let server: Server
let ada: Publisher
let video = { mediaId: '' }

beforeAll(async () => {
  database = await freshDatabase()
  tiktok = startTikTok({ processing: 1 })
  const { www, api } = tiktok.urls
  const env = { NETWORK_ORIGINS: `www.tiktok.com=${www},open.tiktokapis.com=${api}` }
  server = await serveInProcess({ databaseUrl: database.url, env })
  tiktok.app.redirectUris.push(`${server.url}/workspace/accounts/callback/tiktok`)
  ada = await newPublisher(server.url)
  await storeApp(ada, { provider: 'tiktok', ...tiktok.app })
  if (hasFfmpeg) video = { mediaId: (await uploadVideo(ada)).id }
})

afterAll(async () => {
  await server.stop()
  await tiktok.stop()
  await database.drop()
})

let accounts = 0

async function connect(options: Parameters<TikTokCounterpart['creator']>[1] = {}) {
  const account = tiktok.creator(`acme${(accounts += 1)}`, options)
  await comeBack(ada, tiktok.consent(await beginConnecting(ada, 'tiktok'), account))
  const connection = await findConnected(ada, account.id)
  return { account, connection, connectionId: connection.id, posts: () => tiktok.posts(account).length }
}

async function publish({ connectionId }: { connectionId: string }, values: Record<string, unknown>): Promise<Post> {
  const target = { connectionId }
  const { id } = await ada.post({
    provider: 'tiktok',
    status: 'scheduled',
    scheduledAt: inMs(150),
    target,
    ...values,
  })
  return ada.until(id, isSettled, 30_000)
}

async function upload(alt: string, { type = 'jpeg', width = 40 }: { type?: 'jpeg' | 'png'; width?: number } = {}) {
  const image = sharp({ create: { width, height: 40, channels: 3, background: 'red' } })
  const file = (await image[type]().toBuffer()).toString('base64')
  return ada.call<Media>('POST', '/api/media', { brandId: ada.brandId, file, alt }, 201)
}

const red = async () => [{ mediaId: (await upload('Red')).id, alt: 'Red' }]

const ageTokens = (connectionId: string, lifetime: string) =>
  administer(database.url, (sql) =>
    sql.unsafe(`UPDATE social.connections SET expires_at = now() + interval '${lifetime}' WHERE id = $1`, [
      connectionId,
    ]),
  )

const refreshes = () =>
  tiktok.callsOf('api POST /v2/oauth/token/').filter(({ text }) => text.includes('grant_type=refresh_token')).length

test('SOC-05 SOC-06 account connects, and the secret stays in the gateway', async () => {
  const address = await beginConnecting(ada, 'tiktok')
  expect(address).not.toContain(tiktok.app.clientSecret)
  expect(new URL(address).searchParams.get('scope')).toBe('user.info.basic,user.info.profile,video.publish')
  const account = tiktok.creator('ada')
  expect((await comeBack(ada, tiktok.consent(address, account))).searchParams.get('unconnected')).toBeNull()
  const connected = await findConnected(ada, account.id)
  expect(connected).toMatchObject({ health: 'ok', account: { name: '@ada' } })
  const hours = (Date.parse(connected.expiresAt ?? '') - Date.now()) / 3_600_000
  expect(Math.round(hours)).toBe(2)
  const { items } = await ada.call<{ items: Integration[] }>('GET', '/api/integrations')
  expect(items.find(({ provider }) => provider === 'tiktok')).toMatchObject({ readiness: 'production-ready' })
})

test('SOC-05 consent without a permission connects nothing and is explained', async () => {
  const account = tiktok.creator('partial')
  const scope = 'video.publish'
  const back = tiktok.consent(await beginConnecting(ada, 'tiktok'), account, { without: [scope] })
  const led = await comeBack(ada, back)
  expect([led.searchParams.get('unconnected'), led.searchParams.get('missing')]).toEqual(['partial', scope])
})

test('SOC-05 denied consent and a code that TikTok rejects connect nothing', async () => {
  const account = tiktok.creator('denying')
  const denied = tiktok.consent(await beginConnecting(ada, 'tiktok'), account, { allows: false })
  expect((await comeBack(ada, denied)).searchParams.get('unconnected')).toBe('denied')
  const back = new URL(tiktok.consent(await beginConnecting(ada, 'tiktok'), account))
  back.searchParams.set('code', 'made-up')
  expect((await comeBack(ada, back.href)).searchParams.get('unconnected')).toBe('failed')
})

test('SOC-06 photos are a post with a description', async () => {
  const account = await connect()
  const media = [...(await red()), ...(await red())]
  expect(await publish(account, { text: 'Two photos', media })).toMatchObject({ status: 'published' })
  expect(tiktok.posts(account.account)).toMatchObject([{ kind: 'PHOTO', description: 'Two photos', size: 2 }])
})

test.skipIf(!hasFfmpeg)(
  'SOC-06 video is published as public as the account allows, and found at its link',
  async () => {
    const [open, shy] = [await connect(), await connect({ privacyOptions: ['SELF_ONLY'], isPrivate: true })]
    const post = await publish(open, { text: 'A video', media: [video] })
    const [shown] = tiktok.posts(open.account)
    expect(shown).toMatchObject({ kind: 'VIDEO', title: 'A video', privacy: 'PUBLIC_TO_EVERYONE', isInInbox: false })
    const profile = `https://www.tiktok.com/@${open.account.username}`
    expect(post).toMatchObject({ status: 'published', permalink: `${profile}/video/${shown?.id}` })
    const hidden = await publish(shy, { text: 'A video', media: [video] })
    expect(hidden).toMatchObject({ status: 'published', permalink: `https://www.tiktok.com/@${shy.account.username}` })
    expect(tiktok.posts(shy.account)).toMatchObject([{ privacy: 'SELF_ONLY' }])
  },
)

test.skipIf(!hasFfmpeg)('SOC-06 large video is uploaded in chunks in order, each once', async () => {
  const account = await connect()
  const { id: mediaId, bytes } = await uploadVideo(ada, 12 * 1024 * 1024)
  const before = tiktok.callsOf('upload PUT /video/').length
  const media = [{ mediaId }]
  expect(await publish(account, { text: 'Large', media })).toMatchObject({ status: 'published', failureMessage: null })
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
    tiktok.fail('api POST /v2/post/publish/status/fetch/', 'rate_limited')
    const target = { connectionId: account.connectionId }
    const due = { status: 'scheduled', scheduledAt: inMs(150) }
    const { id } = await ada.post({ provider: 'tiktok', text: 'Waited', media: [video], target, ...due })
    await ada.until(id, ({ waitingFor }) => waitingFor?.reason === 'rate_window')
    tiktok.clock.advance(90 * 60_000)
    await administer(database.url, async (sql) => {
      await sql`UPDATE social.preparations SET started_at = started_at - interval '90 minutes',
      progressed_at = progressed_at - interval '90 minutes'`
      await sql`DELETE FROM social.rate_windows`
      await sql`UPDATE social.posts SET due_at = now() WHERE id = ${id}`
    })
    expect(await ada.until(id, isSettled)).toMatchObject({ status: 'published', failureMessage: null })
    expect(account.posts()).toBe(1)
  },
)

test.each([
  ['no file', async () => [], 'TikTok needs an image or a video. Add one.'],
  ['a PNG image', async () => [{ mediaId: (await upload('', { type: 'png' })).id }], 'doesn’t support PNG images'],
  ['a video and an image', async () => [video, ...(await red())], 'TikTok allows a video only by itself'],
])('SOC-14 post with %s is refused at scheduling', async (_, media, says) => {
  const { connectionId } = await connect()
  const draft = { brandId: ada.brandId, provider: 'tiktok', target: { connectionId }, status: 'scheduled' }
  const sent = { ...draft, text: 'Unfit', media: await media(), scheduledAt: inMs(3_600_000) }
  const { errors } = await ada.call<{ errors: { message: string }[] }>('POST', '/api/posts', sent, 422)
  expect(errors[0]?.message).toMatch(says)
})

test('SOC-07 rotating token is refreshed ahead of expiry, once for posts at the same time', async () => {
  const account = await connect()
  const media = await red()
  await ageTokens(account.connectionId, '1 minute')
  const before = refreshes()
  const posts = await Promise.all(['One', 'Two', 'Three'].map((text) => publish(account, { text, media })))
  expect(posts.map(({ status }) => status)).toEqual(['published', 'published', 'published'])
  expect(refreshes()).toBe(before + 1)
})

test('SOC-07 SOC-23 revoked access signs the account out, and connecting it again restores it', async () => {
  const account = await connect()
  tiktok.grants.revoke(account.account.id)
  const post = await publish(account, { text: 'Too late', media: await red() })
  expect(post).toMatchObject({ status: 'failed', failureCode: 'signed_out' })
  expect((await findConnected(ada, account.account.id)).health).toBe('signed_out')
  await comeBack(ada, tiktok.consent(await beginConnecting(ada, 'tiktok'), account.account))
  expect(await findConnected(ada, account.account.id)).toMatchObject({ id: account.connectionId, health: 'ok' })
})

test.skipIf(!hasFfmpeg)('SOC-23 video that TikTok can’t process ends the post with a sentence', async () => {
  const account = await connect()
  tiktok.breakVideos(1)
  const post = await publish(account, { text: 'Broken', media: [video] })
  expect(post).toMatchObject({ status: 'failed', failureCode: 'media_refused' })
  expect(post.failureMessage).toContain('Replace it')
})

const sending = { tiktok: 'api POST /v2/post/publish/video/init/' } as const

/** Of a video, whose upload publishes it: nothing is lost or sent twice. */
if (hasFfmpeg)
  testOutcomes({
    network: 'TikTok',
    provider: 'tiktok',
    ada: () => ada,
    counterpart: () => tiktok,
    route: 'upload PUT /video/',
    connect,
    routes: {
      unauthorized: sending.tiktok,
      expired_token: sending.tiktok,
      forbidden: sending.tiktok,
      media_refused: sending.tiktok,
      server_error: sending.tiktok,
      rate_limited: sending.tiktok,
      malformed: sending.tiktok,
      'server_error until the end': sending.tiktok,
    },
    media: async () => [{ ...video, alt: '' }],
    outcomes: {
      ok: { status: 'published', code: null, says: '', posts: 1 },
      unauthorized: { status: 'published', code: null, says: '', posts: 1 },
      expired_token: { status: 'published', code: null, says: '', posts: 1 },
      forbidden: { status: 'failed', code: 'action_blocked', says: 'blocked this account', posts: 0 },
      media_refused: { status: 'failed', code: 'media_refused', says: 'developer portal', posts: 0 },
      server_error: { status: 'published', code: null, says: '', posts: 1 },
      no_answer_before: { status: 'published', code: null, says: '', posts: 1 },
      no_answer_after: { status: 'published', code: null, says: '', posts: 1 },
      connection_lost: { status: 'published', code: null, says: '', posts: 1 },
      malformed: { status: 'published', code: null, says: '', posts: 1 },
      'server_error until the end': { status: 'failed', code: 'provider_error', says: 'fault', posts: 0 },
    },
  })

test('SOC-24 photos whose response is lost are left to a person', async () => {
  const account = await connect()
  tiktok.fail('api POST /v2/post/publish/content/init/', 'connection_lost')
  const post = await publish(account, { text: 'Lost', media: await red() })
  expect(post).toMatchObject({ status: 'failed', failureCode: 'outcome_unknown' })
  expect(tiktok.posts(account.account).length).toBe(1)
})
