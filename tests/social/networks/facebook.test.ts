import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import type { Connection, Media } from '#social/types'
import type { Person } from '../../counterparts/facebook/directory.ts'
import { startFacebook, type FacebookCounterpart } from '../../counterparts/facebook/index.ts'
import { administer, freshDatabase, type TestDatabase } from '../../support/database.ts'
import { inMs, isSettled, newPublisher, type Post, type Publisher } from '../../support/publisher.ts'
import { serveInProcess, type Server } from '../../support/serve-in-process.ts'
import { beginConnecting, comeBack, storeApp } from './connect.ts'
import { testOutcomes } from './outcomes.ts'
import { hasFfmpeg, uploadVideo } from './upload-video.ts'

let database: TestDatabase
let facebook: FacebookCounterpart
let server: Server
let ada: Publisher

beforeAll(async () => {
  database = await freshDatabase()
  facebook = startFacebook()
  const { www, graph } = facebook.urls
  const env = { NETWORK_ORIGINS: `www.facebook.com=${www},graph.facebook.com=${graph}` }
  server = await serveInProcess({ databaseUrl: database.url, env })
  facebook.app.redirectUris.push(`${server.url}/workspace/accounts/callback/facebook`)
  ada = await newPublisher(server.url)
  await storeApp(ada, { provider: 'facebook', ...facebook.app })
})

afterAll(async () => {
  await server.stop()
  await facebook.stop()
  await database.drop()
})

const feed = 'graph POST /:id/feed'
let pages = 0

const consent = async (person: Person, options: Parameters<FacebookCounterpart['consent']>[2] = {}): Promise<URL> =>
  comeBack(ada, facebook.consent(await beginConnecting(ada, 'facebook'), person, options))

const choose = (at: URL, targets: string[], status = 201) =>
  ada.call<{ connections: Connection[] }>(
    'POST',
    '/api/integrations/facebook/targets',
    { choice: at.searchParams.get('choice'), targets },
    status,
  )

async function connect() {
  const person = facebook.directory.person(`Ada ${(pages += 1)}`)
  const page = facebook.directory.page(`Acme ${pages}`, person)
  const { connections } = await choose(await consent(person), [page.id])
  const [connection] = connections
  return { person, page, connection, connectionId: connection?.id ?? '', posts: () => facebook.posts(page).length }
}

async function publish({ connectionId }: { connectionId: string }, values: Record<string, unknown>): Promise<Post> {
  const fields = { provider: 'facebook', status: 'scheduled', target: { connectionId }, ...values }
  const { id } = await ada.post({ ...fields, scheduledAt: inMs(150) })
  return ada.until(id, isSettled, 30_000)
}

async function upload(alt: string): Promise<Media> {
  const image = sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
  const file = (await image.png().toBuffer()).toString('base64')
  return ada.call('POST', '/api/media', { brandId: ada.brandId, file, alt }, 201)
}

test('SOC-05 SOC-06 chosen Page is connected with its own token, which has no end, and Groups are never requested', async () => {
  const person = facebook.directory.person('Jonas')
  const [berlin, hamburg] = ['Acme Berlin', 'Acme Hamburg'].map((name) => facebook.directory.page(name, person))
  const address = await beginConnecting(ada, 'facebook')
  expect(new URL(address).searchParams.get('scope')).toBe('pages_show_list pages_manage_posts pages_read_engagement')
  const at = await comeBack(ada, facebook.consent(address, person))
  const { connections } = await choose(at, [berlin?.id ?? ''])
  expect(connections).toMatchObject([
    { health: 'ok', expiresAt: null, account: { id: berlin?.id ?? '', name: 'Acme Berlin' } },
  ])
  const { items } = await ada.call<{ items: Connection[] }>('GET', '/api/accounts?provider=facebook')
  expect(items.some(({ account }) => account.id === hamburg?.id)).toBe(false)
})

test('SOC-05 consent without a permission connects nothing and is explained, and so is a denied one', async () => {
  const person = facebook.directory.person('Partial')
  facebook.directory.page('Partial', person)
  const partial = await consent(person, { without: ['pages_manage_posts'] })
  expect([partial.searchParams.get('unconnected'), partial.searchParams.get('missing')]).toEqual([
    'partial',
    'pages_manage_posts',
  ])
  expect((await consent(person, { allows: false })).searchParams.get('unconnected')).toBe('denied')
})

test('SOC-06 text with a link is published with its preview and found at its link', async () => {
  const account = await connect()
  const post = await publish(account, { text: 'Grüße: https://example.com/a?b=c.' })
  const [shown] = facebook.posts(account.page)
  expect(shown).toMatchObject({ message: 'Grüße: https://example.com/a?b=c.', link: 'https://example.com/a?b=c' })
  const permalink = `https://www.facebook.com/${account.page.id}/posts/${shown?.id.split('_')[1]}`
  expect(post).toMatchObject({ status: 'published', platformPostId: shown?.id, permalink })
})

test('SOC-06 photos are one post, with their alt texts', async () => {
  const account = await connect()
  const media = [{ mediaId: (await upload('A red square')).id }, { mediaId: (await upload('')).id }]
  expect(await publish(account, { text: 'Two', media })).toMatchObject({ status: 'published', failureMessage: null })
  const [shown] = facebook.posts(account.page)
  expect([shown?.message, shown?.photos.map(({ alt }) => alt)]).toEqual(['Two', ['A red square', '']])
})

test.skipIf(!hasFfmpeg)('SOC-06 video is uploaded in chunks, and continues after an interruption', async () => {
  const account = await connect()
  const { id: mediaId, bytes } = await uploadVideo(ada, 9 * 1024 * 1024)
  facebook.breakUpload(1024 * 1024)
  expect(await publish(account, { text: 'A video', media: [{ mediaId }] })).toMatchObject({ status: 'published' })
  expect(facebook.posts(account.page)).toMatchObject([{ message: 'A video', video: { bytes } }])
})

test('SOC-48 post is deleted, even if it was already deleted on Facebook', async () => {
  const account = await connect()
  const post = await publish(account, { text: 'Deleted' })
  await ada.call('DELETE', `/api/posts/${post.id}/publication`)
  expect(facebook.posts(account.page)).toEqual([])
})

test('SOC-07 SOC-23 lost role on the Page signs the account out', async () => {
  const account = await connect()
  facebook.directory.dismiss(account.person, account.page)
  expect(await publish(account, { text: 'Too late' })).toMatchObject({ status: 'failed', failureCode: 'signed_out' })
})

test('SOC-25 rate limit of the app makes posts wait by name for as long as Facebook says', async () => {
  const account = await connect()
  facebook.fail(feed, 'rate_limited')
  const target = { connectionId: account.connectionId }
  const { id } = await ada.post({
    provider: 'facebook',
    text: 'Later',
    status: 'scheduled',
    scheduledAt: inMs(150),
    target,
  })
  const { waitingFor } = await ada.until(id, (post) => post.waitingFor?.reason === 'rate_window')
  const minutes = (Date.parse(waitingFor?.until ?? '') - Date.now()) / 60_000
  expect(Math.round(minutes)).toBe(30)
  await administer(database.url, (all) => all`DELETE FROM social.rate_windows`)
})

testOutcomes({
  network: 'Facebook',
  provider: 'facebook',
  ada: () => ada,
  counterpart: () => facebook,
  route: feed,
  connect,
  routes: { media_refused: 'graph POST /:id/photos' },
  media: async () => [{ mediaId: (await upload('Red')).id, alt: 'Red' }],
  outcomes: {
    ok: { status: 'published', code: null, says: '', posts: 1 },
    unauthorized: { status: 'failed', code: 'signed_out', says: 'Reconnect it', posts: 0, health: 'signed_out' },
    revoked_token: { status: 'failed', code: 'signed_out', says: 'Reconnect it', posts: 0, health: 'signed_out' },
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
