import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import type { Integration, Media } from '#social/types'
import { startInstagram, type InstagramCounterpart } from '../../counterparts/instagram/index.ts'
import { administer, freshDatabase, type TestDatabase } from '../../support/database.ts'
import { inMs, isSettled, newPublisher, type Post, type Publisher } from '../../support/publisher.ts'
import { serveInProcess, type Server } from '../../support/serve-in-process.ts'
import { beginConnecting, comeBack, findConnected, storeApp } from './connect.ts'
import { testOutcomes } from './outcomes.ts'
import { hasFfmpeg, uploadVideo } from './upload-video.ts'

let database: TestDatabase
let instagram: InstagramCounterpart
let server: Server
let ada: Publisher

beforeAll(async () => {
  database = await freshDatabase()
  instagram = startInstagram({ processing: 1 })
  const { www, api, graph } = instagram.urls
  const env = { NETWORK_ORIGINS: `www.instagram.com=${www},api.instagram.com=${api},graph.instagram.com=${graph}` }
  server = await serveInProcess({ databaseUrl: database.url, env })
  instagram.app.redirectUris.push(`${server.url}/workspace/accounts/callback/instagram`)
  ada = await newPublisher(server.url)
  await storeApp(ada, { provider: 'instagram', ...instagram.app })
})

afterAll(async () => {
  await server.stop()
  await instagram.stop()
  await database.drop()
})

const publishing = 'graph POST /:user/media_publish'
let accounts = 0

async function connect() {
  const account = instagram.account(`acme${(accounts += 1)}`)
  await comeBack(ada, instagram.consent(await beginConnecting(ada, 'instagram'), account))
  const connection = await findConnected(ada, account.id)
  return { account, connection, connectionId: connection.id, posts: () => instagram.posts(account).length }
}

async function publish({ connectionId }: { connectionId: string }, values: Record<string, unknown>): Promise<Post> {
  const target = { connectionId }
  const { id } = await ada.post({
    provider: 'instagram',
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

const refreshes = () => instagram.callsOf('graph GET /refresh_access_token').length

test('SOC-05 SOC-06 account connects with a token of 60 days, and the secret stays in the gateway', async () => {
  const address = await beginConnecting(ada, 'instagram')
  expect(address).not.toContain(instagram.app.clientSecret)
  expect(new URL(address).searchParams.get('scope')).toBe('instagram_business_basic instagram_business_content_publish')
  const account = instagram.account('ada')
  expect((await comeBack(ada, instagram.consent(address, account))).searchParams.get('unconnected')).toBeNull()
  const connected = await findConnected(ada, account.id)
  expect(connected).toMatchObject({ health: 'ok', account: { name: '@ada' } })
  const days = (Date.parse(connected.expiresAt ?? '') - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(60)
  const { items } = await ada.call<{ items: Integration[] }>('GET', '/api/integrations')
  expect(items.find(({ provider }) => provider === 'instagram')).toMatchObject({ readiness: 'production-ready' })
})

test('SOC-05 consent without a permission connects nothing and is explained', async () => {
  const account = instagram.account('partial')
  const scope = 'instagram_business_content_publish'
  const back = instagram.consent(await beginConnecting(ada, 'instagram'), account, { without: [scope] })
  const led = await comeBack(ada, back)
  expect([led.searchParams.get('unconnected'), led.searchParams.get('missing')]).toEqual(['partial', scope])
})

test('SOC-05 denied consent and a code that Instagram rejects connect nothing', async () => {
  const account = instagram.account('denying')
  const denied = instagram.consent(await beginConnecting(ada, 'instagram'), account, { allows: false })
  expect((await comeBack(ada, denied)).searchParams.get('unconnected')).toBe('denied')
  const back = new URL(instagram.consent(await beginConnecting(ada, 'instagram'), account))
  back.searchParams.set('code', 'made-up')
  expect((await comeBack(ada, back.href)).searchParams.get('unconnected')).toBe('failed')
})

test('SOC-06 one image is a post, several are a carousel, with their alt texts', async () => {
  const account = await connect()
  const [one, two] = [await upload('A red square'), await upload('')]
  const post = await publish(account, { text: 'One #red', media: [{ mediaId: one.id }] })
  const both = [{ mediaId: one.id }, { mediaId: two.id }]
  expect(await publish(account, { text: 'Two', media: both })).toMatchObject({ status: 'published' })
  const [image, carousel] = instagram.posts(account.account)
  expect([image?.kind, image?.caption, image?.media[0]?.alt]).toEqual(['IMAGE', 'One #red', 'A red square'])
  expect(post.permalink).toBe(`https://www.instagram.com/p/${image?.shortcode}/`)
  expect([carousel?.kind, carousel?.media.map(({ alt }) => alt)]).toEqual(['CAROUSEL_ALBUM', ['A red square', '']])
})

test.skipIf(!hasFfmpeg)('SOC-06 video is a reel, alone or in a carousel', async () => {
  const account = await connect()
  const media = [{ mediaId: (await uploadVideo(ada)).id }]
  expect(await publish(account, { text: 'Reel', media })).toMatchObject({ status: 'published', failureMessage: null })
  const mixed = [...media, { mediaId: (await upload('Red')).id }]
  expect(await publish(account, { text: 'Mixed', media: mixed })).toMatchObject({ status: 'published' })
  const [reel, carousel] = instagram.posts(account.account)
  expect([reel?.product, reel?.kind]).toEqual(['REELS', 'VIDEO'])
  expect(carousel?.media.map(({ type }) => type)).toEqual(['video/mp4', 'image/jpeg'])
})

test.each([
  ['no file', async () => [], 'Instagram needs an image or a video. Add one.'],
  ['a PNG image', async () => [{ mediaId: (await upload('', { type: 'png' })).id }], 'doesn’t support PNG images'],
  ['a banner', async () => [{ mediaId: (await upload('', { width: 400 })).id }], 'too wide or too high. Crop it.'],
])('SOC-14 post with %s is refused at scheduling', async (_, media, says) => {
  const { connectionId } = await connect()
  const draft = { brandId: ada.brandId, provider: 'instagram', target: { connectionId }, status: 'scheduled' }
  const sent = { ...draft, text: 'Unfit', media: await media(), scheduledAt: inMs(3_600_000) }
  const { errors } = await ada.call<{ errors: { message: string }[] }>('POST', '/api/posts', sent, 422)
  expect(errors[0]?.message).toMatch(says)
})

test('SOC-07 token is refreshed ahead of expiry, once for posts of the same account at the same time', async () => {
  const account = await connect()
  instagram.clock.advance(2 * 86_400_000)
  const media = await red()
  await ageTokens(account.connectionId, '1 minute')
  const before = refreshes()
  const posts = await Promise.all(['One', 'Two', 'Three'].map((text) => publish(account, { text, media })))
  expect(posts.map(({ status }) => status)).toEqual(['published', 'published', 'published'])
  expect(refreshes()).toBe(before + 1)
})

test('SOC-07 failed refresh disconnects nothing', async () => {
  const account = await connect()
  await ageTokens(account.connectionId, '1 minute')
  instagram.fail('graph GET /refresh_access_token', 'server_error')
  expect(await publish(account, { text: 'All the same', media: await red() })).toMatchObject({ status: 'published' })
  expect((await findConnected(ada, account.account.id)).health).toBe('ok')
})

test('SOC-07 SOC-23 revoked access signs the account out, and connecting it again restores it', async () => {
  const account = await connect()
  instagram.grants.revoke(account.account.id)
  const post = await publish(account, { text: 'Too late', media: await red() })
  expect(post).toMatchObject({ status: 'failed', failureCode: 'signed_out' })
  expect((await findConnected(ada, account.account.id)).health).toBe('signed_out')
  await comeBack(ada, instagram.consent(await beginConnecting(ada, 'instagram'), account.account))
  expect(await findConnected(ada, account.account.id)).toMatchObject({ id: account.connectionId, health: 'ok' })
})

test('SOC-25 used-up quota of a day makes the post wait by name', async () => {
  const account = await connect()
  instagram.useQuota(account.account, 100)
  const target = { connectionId: account.connectionId }
  const draft = { provider: 'instagram', text: 'Two', media: await red(), target }
  const { id } = await ada.post({ ...draft, status: 'scheduled', scheduledAt: inMs(150) })
  const { waitingFor } = await ada.until(id, (post) => post.waitingFor?.reason === 'rate_window')
  expect(waitingFor?.reason).toBe('rate_window')
})

test('SOC-23 container that fails in processing ends the post with a sentence', async () => {
  const account = await connect()
  instagram.breakContainers(1)
  const media = [{ mediaId: (await upload('Red')).id }]
  const post = await publish(account, { text: 'Broken', media })
  expect(post).toMatchObject({ status: 'failed', failureCode: 'media_refused' })
  expect(post.failureMessage).toContain('Replace it')
})

testOutcomes({
  network: 'Instagram',
  provider: 'instagram',
  ada: () => ada,
  counterpart: () => instagram,
  route: publishing,
  connect,
  routes: { media_refused: 'graph POST /:user/media' },
  media: red,
  outcomes: {
    ok: { status: 'published', code: null, says: '', posts: 1 },
    unauthorized: { status: 'published', code: null, says: '', posts: 1 },
    expired_token: { status: 'published', code: null, says: '', posts: 1 },
    forbidden: { status: 'failed', code: 'permission_missing', says: 'Connect the account again', posts: 0 },
    media_refused: { status: 'failed', code: 'media_refused', says: 'Replace it', posts: 0 },
    server_error: { status: 'published', code: null, says: '', posts: 1 },
    no_answer_before: { status: 'published', code: null, says: '', posts: 1 },
    no_answer_after: { status: 'published', code: null, says: '', posts: 1 },
    connection_lost: { status: 'published', code: null, says: '', posts: 1 },
    malformed: { status: 'published', code: null, says: '', posts: 1 },
    'server_error until the end': { status: 'failed', code: 'provider_error', says: 'fault', posts: 0 },
  },
})
