import { afterAll, beforeAll, expect, test } from 'bun:test'
import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import type { Media } from '#social/types'
import { startLinkedIn, type LinkedInCounterpart } from '../../counterparts/linkedin/index.ts'
import { freshDatabase, type TestDatabase } from '../../support/database.ts'
import { inMs, isSettled, newPublisher, type Post, type Publisher } from '../../support/publisher.ts'
import { serveInProcess, type Server } from '../../support/serve-in-process.ts'
import { beginConnecting, comeBack, findConnected, storeApp } from './connect.ts'
import { testOutcomes } from './outcomes.ts'
import { hasFfmpeg, uploadFile, uploadVideo } from './upload-video.ts'

let database: TestDatabase
let linkedin: LinkedInCounterpart
let server: Server
let ada: Publisher

beforeAll(async () => {
  database = await freshDatabase()
  linkedin = startLinkedIn({ isPartner: true, processing: 1 })
  const { www, api } = linkedin.urls
  const env = { NETWORK_ORIGINS: `www.linkedin.com=${www},api.linkedin.com=${api}` }
  server = await serveInProcess({ databaseUrl: database.url, env })
  linkedin.apps.member.redirectUris.push(`${server.url}/workspace/accounts/callback/linkedin`)
  ada = await newPublisher(server.url)
  await storeApp(ada, { provider: 'linkedin', ...linkedin.apps.member })
})

afterAll(async () => {
  await server.stop()
  await linkedin.stop()
  await database.drop()
})

const create = 'api POST /rest/posts'
let members = 0

async function connect() {
  const member = linkedin.directory.member(`Ada Okafor ${(members += 1)}`)
  await comeBack(ada, linkedin.consent(await beginConnecting(ada, 'linkedin'), member))
  const connection = await findConnected(ada, member.id)
  return { member, connection, connectionId: connection.id, posts: () => linkedin.posts(member).length }
}

async function publish({ connectionId }: { connectionId: string }, values: Record<string, unknown>): Promise<Post> {
  const target = { connectionId }
  const fields = { provider: 'linkedin', status: 'scheduled', target, ...values }
  const { id } = await ada.post({ ...fields, scheduledAt: inMs(150) })
  return ada.until(id, isSettled, 30_000)
}

async function upload(alt: string): Promise<Media> {
  const image = sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
  const file = (await image.png().toBuffer()).toString('base64')
  return ada.call('POST', '/api/media', { brandId: ada.brandId, file, alt }, 201)
}

test('SOC-05 SOC-06 profile connects through the consent page, with its name and expiry', async () => {
  const { connection, member } = await connect()
  expect(connection).toMatchObject({ health: 'ok', account: { name: member.name } })
  expect(Date.parse(connection.expiresAt ?? '') - Date.now()).toBeGreaterThan(59 * 86_400_000)
})

test('SOC-05 canceled and partial consent connect nothing and are explained', async () => {
  const member = linkedin.directory.member('Denying')
  const address = await beginConnecting(ada, 'linkedin')
  const canceled = linkedin.consent(address, member, { allows: false })
  expect((await comeBack(ada, canceled)).searchParams.get('unconnected')).toBe('denied')
  const partial = linkedin.consent(await beginConnecting(ada, 'linkedin'), member, { without: ['w_member_social'] })
  const led = await comeBack(ada, partial)
  expect([led.searchParams.get('unconnected'), led.searchParams.get('missing')]).toEqual(['partial', 'w_member_social'])
})

test.each([
  'Tom & Jerry (2026) <3 *stars* _under_ ~wave~ {braces} [brackets] back\\slash | @ada',
  'With #coffee and #Grüße, but not a#b',
])('SOC-06 reserved characters reach readers unchanged: %s', async (text) => {
  const account = await connect()
  const post = await publish(account, { text })
  const [shown] = linkedin.posts(account.member)
  expect(shown?.text).toBe(text)
  const permalink = `https://www.linkedin.com/feed/update/${shown?.urn}`
  expect(post).toMatchObject({ status: 'published', platformPostId: shown?.urn, permalink })
})

test('SOC-06 hashtags of a text are hashtags on LinkedIn', async () => {
  const account = await connect()
  await publish(account, { text: 'New #coffee' })
  expect(linkedin.posts(account.member)[0]?.commentary).toBe('New {hashtag|\\#|coffee}')
})

test.each([1, 3])('SOC-06 %d images are published with their alt texts', async (count) => {
  const account = await connect()
  const uploaded = await Promise.all(Array.from({ length: count }, (_, at) => upload(`Image ${at}`)))
  const media = uploaded.map(({ id: mediaId }) => ({ mediaId }))
  expect(await publish(account, { text: 'Look', media })).toMatchObject({ status: 'published', failureMessage: null })
  expect(linkedin.posts(account.member)[0]?.media.map(({ alt }) => alt)).toEqual(uploaded.map((_, at) => `Image ${at}`))
})

test.skipIf(!hasFfmpeg)(
  'SOC-06 video is uploaded in parts, and its post waits until LinkedIn has processed it',
  async () => {
    const account = await connect()
    const sent = linkedin.callsOf('upload PUT /dms-uploads/:urn/:part').length
    const { id: mediaId } = await uploadVideo(ada, 9 * 1024 * 1024)
    expect(await publish(account, { text: 'Watch', media: [{ mediaId }] })).toMatchObject({
      status: 'published',
      failureMessage: null,
      platformPostId: expect.stringContaining('ugcPost'),
    })
    expect(linkedin.callsOf('upload PUT /dms-uploads/:urn/:part').length - sent).toBe(3)
    expect(linkedin.posts(account.member)[0]?.media).toMatchObject([{ title: 'a.mp4' }])
  },
)

test.skipIf(!hasFfmpeg)(
  'SOC-06 video that LinkedIn can’t process fails its post, and nothing is published',
  async () => {
    const account = await connect()
    const { id: mediaId } = await uploadVideo(ada)
    linkedin.breakUploads(1)
    const post = await publish(account, { text: 'Watch', media: [{ mediaId }] })
    expect(post).toMatchObject({ status: 'failed', failureCode: 'media_refused' })
    expect(linkedin.posts(account.member)).toEqual([])
  },
)

test('SOC-06 PDF is published as a document that readers leaf through', async () => {
  const account = await connect()
  const document = new PDFDocument()
  document.text('Coffee').end()
  const { id: mediaId } = await uploadFile(ada, Buffer.concat(await Array.fromAsync(document)), 'menu.pdf')
  const post = await publish(account, { text: 'Read', media: [{ mediaId }] })
  expect(post).toMatchObject({ status: 'published', failureMessage: null })
  expect(linkedin.posts(account.member)[0]?.media).toMatchObject([
    { title: 'menu.pdf', urn: expect.stringContaining('urn:li:document:') },
  ])
})

test('SOC-22 later posts of a thread are comments on the first', async () => {
  const { connectionId, member } = await connect()
  const thread = [{ text: 'One' }, { text: 'Two' }, { text: 'Three' }]
  const draft = { brandId: ada.brandId, provider: 'linkedin', target: { connectionId }, thread, status: 'scheduled' }
  const { items } = await ada.call<{ items: Post[] }>('POST', '/api/posts', { ...draft, scheduledAt: inMs(150) }, 201)
  expect(await ada.until(items[2]?.id ?? '', isSettled, 20_000)).toMatchObject({ status: 'published' })
  const [post, ...others] = linkedin.posts(member)
  expect([post?.text, post?.comments.map(({ text }) => text), others]).toEqual(['One', ['Two', 'Three'], []])
})

test('SOC-14 text is limited to 3,000 characters as LinkedIn counts them', async () => {
  const { connectionId } = await connect()
  const draft = { brandId: ada.brandId, provider: 'linkedin', target: { connectionId }, status: 'scheduled' }
  const send = (text: string, status: number) =>
    ada.call<{ errors: { message: string }[] }>(
      'POST',
      '/api/posts',
      { ...draft, text, scheduledAt: inMs(3_600_000) },
      status,
    )
  await send('👍'.repeat(1500), 201)
  const { errors } = await send(`${'👍'.repeat(1500)}a`, 422)
  expect(errors[0]?.message).toBe('Shorten the text by 1. LinkedIn allows 3000 characters.')
})

test('SOC-06 ended version of the API says that Atrium has to be updated', async () => {
  const account = await connect()
  const body = { status: 426, code: 'NONEXISTENT_VERSION', message: 'Requested version is not active' }
  linkedin.faults.next(create, { kind: 'answer', status: 426, body })
  const post = await publish(account, { text: 'Old' })
  expect(post).toMatchObject({ status: 'failed', failureCode: 'api_version_ended' })
  expect(post.failureMessage).toContain('update Atrium')
})

test('SOC-25 limit of a day fails the post when it ends in more than an hour, else the post waits for midnight UTC', async () => {
  const account = await connect()
  linkedin.fail(create, 'rate_limited')
  const target = { connectionId: account.connectionId }
  const fields = { provider: 'linkedin', text: 'Too many', status: 'scheduled', target }
  const { id } = await ada.post({ ...fields, scheduledAt: inMs(150) })
  const post = await ada.until(id, ({ status, waitingFor }) => status === 'failed' || waitingFor !== null)
  expect([post.failureCode, post.waitingFor?.reason]).toContainEqual(
    new Date().getUTCHours() === 23 ? 'rate_window' : 'rate_limited',
  )
})

test('SOC-48 post is deleted', async () => {
  const account = await connect()
  const post = await publish(account, { text: 'Deleted' })
  await ada.call('DELETE', `/api/posts/${post.id}/publication`)
  expect(linkedin.posts(account.member)).toEqual([])
})

test('SOC-07 SOC-23 revoked access signs the account out', async () => {
  const account = await connect()
  linkedin.grants.revoke(account.member.id)
  expect(await publish(account, { text: 'Late' })).toMatchObject({ status: 'failed', failureCode: 'signed_out' })
  expect((await findConnected(ada, account.member.id)).health).toBe('signed_out')
})

const unknown = 'LinkedIn doesn’t let apps read the posts of a profile.'

testOutcomes({
  network: 'LinkedIn',
  provider: 'linkedin',
  ada: () => ada,
  counterpart: () => linkedin,
  route: create,
  connect,
  media: async () => [{ mediaId: (await upload('Red')).id, alt: 'Red' }],
  outcomes: {
    ok: { status: 'published', code: null, says: '', posts: 1 },
    unauthorized: { status: 'published', code: null, says: '', posts: 1 },
    expired_token: { status: 'published', code: null, says: '', posts: 1 },
    forbidden: { status: 'failed', code: 'permission_missing', says: 'allow everything', posts: 0 },
    media_refused: { status: 'failed', code: 'media_refused', says: 'Replace it', posts: 0 },
    server_error: { status: 'published', code: null, says: '', posts: 1 },
    no_answer_before: { status: 'failed', code: 'outcome_unknown', says: unknown, posts: 0 },
    no_answer_after: { status: 'failed', code: 'outcome_unknown', says: unknown, posts: 1 },
    connection_lost: { status: 'failed', code: 'outcome_unknown', says: unknown, posts: 1 },
    'server_error until the end': { status: 'failed', code: 'provider_error', says: '503', posts: 0 },
  },
})
