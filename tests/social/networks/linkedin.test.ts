import { afterAll, beforeAll, expect, test } from 'bun:test'
import PDFDocument from 'pdfkit'
import { startLinkedIn, type LinkedInCounterpart } from '../../counterparts/linkedin/index.ts'
import { isSettled } from '../../support/publisher.ts'
import { findConnected } from './support/connect.ts'
import { failed, limitedForADay, published, signedOut, testOutcomes } from './support/outcomes.ts'
import { testPartialGrant } from './support/partial-grant.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'
import { hasFfmpeg, uploadFile, uploadVideo } from './support/upload.ts'

let linkedin: LinkedInCounterpart
let site: NetworkSite

beforeAll(async () => {
  linkedin = startLinkedIn({ isPartner: true, processing: 1 })
  site = await openNetworkSite({ provider: 'linkedin', counterpart: linkedin, app: linkedin.apps.member })
})

afterAll(() => site.close())

const create = 'api POST /rest/posts'
let members = 0

async function connect() {
  const member = linkedin.directory.member(`Ada Okafor ${(members += 1)}`)
  const { connectionId } = await site.connect(member.id, (url) => linkedin.consent(url, member))
  return { member, connectionId, posts: () => linkedin.posts(member).length }
}

test('SOC-05 SOC-06 profile connects through the consent page, with its name and expiry', async () => {
  const { member } = await connect()
  const connection = await findConnected(site.ada, member.id)
  expect(connection).toMatchObject({ health: 'ok', account: { name: member.name } })
  expect(Date.parse(connection.expiresAt ?? '') - Date.now()).toBeGreaterThan(59 * 86_400_000)
})

test('SOC-05 canceled and partial consent connect nothing and are explained', async () => {
  const member = linkedin.directory.member('Denying')
  const canceled = await site.consent((url) => linkedin.consent(url, member, { allows: false }))
  expect(canceled.searchParams.get('unconnected')).toBe('denied')
  const led = await site.consent((url) => linkedin.consent(url, member, { without: ['w_member_social'] }))
  expect([led.searchParams.get('unconnected'), led.searchParams.get('missing')]).toEqual(['partial', 'w_member_social'])
})

test.each([
  'Tom & Jerry (2026) <3 *stars* _under_ ~wave~ {braces} [brackets] back\\slash | @ada',
  'With #coffee and #Grüße, but not a#b',
])('SOC-06 reserved characters reach readers unchanged: %s', async (text) => {
  const account = await connect()
  const post = await site.publish(account, { text })
  const [shown] = linkedin.posts(account.member)
  expect(shown?.text).toBe(text)
  const permalink = `https://www.linkedin.com/feed/update/${shown?.urn}`
  expect(post).toMatchObject({ status: 'published', platformPostId: shown?.urn, permalink })
})

test('SOC-06 hashtags of a text are hashtags on LinkedIn', async () => {
  const account = await connect()
  await site.publish(account, { text: 'New #coffee' })
  expect(linkedin.posts(account.member)[0]?.commentary).toBe('New {hashtag|\\#|coffee}')
})

test.each([1, 3])('SOC-06 %d images are published with their alt texts', async (count) => {
  const account = await connect()
  const media = await Promise.all(Array.from({ length: count }, (_, at) => site.image(`Image ${at}`)))
  expect(await site.publish(account, { text: 'Look', media })).toMatchObject({
    status: 'published',
    failureMessage: null,
  })
  expect(linkedin.posts(account.member)[0]?.media.map(({ alt }) => alt)).toEqual(media.map((_, at) => `Image ${at}`))
})

test.skipIf(!hasFfmpeg)(
  'SOC-06 video is uploaded in parts, and its post waits until LinkedIn has processed it',
  async () => {
    const account = await connect()
    const sent = linkedin.callsOf('upload PUT /dms-uploads/:urn/:part').length
    const { id: mediaId } = await uploadVideo(site.ada, 9 * 1024 * 1024)
    expect(await site.publish(account, { text: 'Watch', media: [{ mediaId }] })).toMatchObject({
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
    const { id: mediaId } = await uploadVideo(site.ada)
    linkedin.breakUploads(1)
    const post = await site.publish(account, { text: 'Watch', media: [{ mediaId }] })
    expect(post).toMatchObject({ status: 'failed', failureCode: 'media_refused' })
    expect(linkedin.posts(account.member)).toEqual([])
  },
)

test('SOC-06 PDF is published as a document that readers leaf through', async () => {
  const account = await connect()
  const document = new PDFDocument()
  document.text('Coffee').end()
  const { id: mediaId } = await uploadFile(site.ada, Buffer.concat(await Array.fromAsync(document)), 'menu.pdf')
  const post = await site.publish(account, { text: 'Read', media: [{ mediaId }] })
  expect(post).toMatchObject({ status: 'published', failureMessage: null })
  expect(linkedin.posts(account.member)[0]?.media).toMatchObject([
    { title: 'menu.pdf', urn: expect.stringContaining('urn:li:document:') },
  ])
})

test('SOC-22 later posts of a thread are comments on the first', async () => {
  const account = await connect()
  const posts = await site.scheduleThread(account, ['One', 'Two', 'Three'])
  expect(await site.ada.until(posts[2]?.id ?? '', isSettled, 20_000)).toMatchObject({ status: 'published' })
  const [post, ...others] = linkedin.posts(account.member)
  expect([post?.text, post?.comments.map(({ text }) => text), others]).toEqual(['One', ['Two', 'Three'], []])
})

test('SOC-14 text is limited to 3,000 characters as LinkedIn counts them', async () => {
  const account = await connect()
  await site.scheduleLater(account, { text: '👍'.repeat(1500) })
  expect(await site.refusalOf(account, { text: `${'👍'.repeat(1500)}a` })).toBe(
    'Shorten the text by 1. LinkedIn allows 3000 characters.',
  )
})

test('SOC-06 ended version of the API says that Atrium has to be updated', async () => {
  const account = await connect()
  const body = { status: 426, code: 'NONEXISTENT_VERSION', message: 'Requested version is not active' }
  linkedin.faults.next(create, { kind: 'answer', status: 426, body })
  const post = await site.publish(account, { text: 'Old' })
  expect(post).toMatchObject({ status: 'failed', failureCode: 'api_version_ended' })
  expect(post.failureMessage).toContain('update Atrium')
})

test('SOC-25 limit of a day fails the post when it ends in more than an hour, else the post waits for midnight UTC', async () => {
  const account = await connect()
  linkedin.fail(create, 'rate_limited')
  const { id } = await site.schedule(account, { text: 'Too many' })
  const post = await site.ada.until(id, ({ status, waitingFor }) => status === 'failed' || waitingFor !== null)
  expect([post.failureCode, post.waitingFor?.reason]).toContainEqual(
    new Date().getUTCHours() === 23 ? 'rate_window' : 'rate_limited',
  )
})

test('SOC-48 post is deleted', async () => {
  const account = await connect()
  const post = await site.publish(account, { text: 'Deleted' })
  await site.ada.call('DELETE', `/api/posts/${post.id}/publication`)
  expect(linkedin.posts(account.member)).toEqual([])
})

test('SOC-48 post is corrected, and a correction whose response is lost is unknown, since profiles can’t be read', async () => {
  const account = await connect()
  const post = await site.publish(account, { text: 'Munday' })
  const correct = (text: string, status = 200) =>
    site.ada.call<object>('POST', `/api/posts/${post.id}/corrections`, { text }, status)
  expect(await correct('Monday (really) #coffee')).toMatchObject({ state: 'corrected' })
  const [shown] = linkedin.posts(account.member)
  expect(shown).toMatchObject({ editedAt: expect.any(Number) })
  linkedin.fail('api POST /rest/posts/:urn', 'no_answer_after')
  expect(await correct('Monday, 9 a.m.', 502)).toMatchObject({ code: 'outcome_unknown' })
  expect(await correct('Monday, 9 a.m.')).toMatchObject({ state: 'corrected' })
  expect(linkedin.posts(account.member)).toHaveLength(1)
})

test('SOC-07 SOC-23 revoked access signs the account out', async () => {
  const account = await connect()
  linkedin.grants.revoke(account.member.id)
  expect(await site.publish(account, { text: 'Late' })).toMatchObject({ status: 'failed', failureCode: 'signed_out' })
  expect((await findConnected(site.ada, account.member.id)).health).toBe('signed_out')
})

const unknown = 'LinkedIn doesn’t let apps read the posts and comments of a profile.'

testPartialGrant({
  network: 'LinkedIn',
  site: () => site,
  permission: 'w_member_social',
  consent: () => {
    const member = linkedin.directory.member('Left out')
    return site.consent((url) => linkedin.consent(url, member, { without: ['w_member_social'] }))
  },
})

testOutcomes({
  network: 'LinkedIn',
  site: () => site,
  counterpart: () => linkedin,
  route: create,
  connect,
  revoke: ({ member }) => linkedin.grants.revoke(member.id),
  media: () => site.red(),
  outcomes: {
    ok: published,
    unauthorized: published,
    expired_token: published,
    revoked_token: signedOut,
    forbidden: failed('permission_missing', 'allow everything'),
    rate_limited: limitedForADay,
    media_refused: failed('media_refused', 'Replace it'),
    server_error: failed('outcome_unknown', unknown),
    server_error_after: failed('outcome_unknown', unknown, { posts: 1 }),
    no_answer_before: failed('outcome_unknown', unknown),
    no_answer_after: failed('outcome_unknown', unknown, { posts: 1 }),
    connection_lost: failed('outcome_unknown', unknown, { posts: 1 }),
    malformed: failed('outcome_unknown', unknown, { posts: 1 }),
    'server_error until the end': failed('outcome_unknown', unknown),
  },
})
