import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startThreads, type ThreadsCounterpart } from '../../counterparts/threads/index.ts'
import { isSettled } from '../../support/publisher.ts'
import { testOAuth } from './support/oauth.ts'
import { failed, publishedOnce, signedOut, testOutcomes, throttledFor } from './support/outcomes.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'
import { hasFfmpeg, uploadVideo } from './support/upload.ts'

let threads: ThreadsCounterpart
let site: NetworkSite

beforeAll(async () => {
  threads = startThreads({ processing: 1 })
  site = await openNetworkSite({ provider: 'threads', counterpart: threads, app: threads.app })
})

afterAll(() => site.close())

const publishing = 'graph POST /:user/threads_publish'
let accounts = 0

async function connect() {
  const account = threads.account(`acme${(accounts += 1)}`)
  const { connectionId } = await site.connect(account.id, (url) => threads.consent(url, account))
  return { account, connectionId, posts: () => threads.posts(account).length }
}

testOAuth({
  network: 'Threads',
  site: () => site,
  counterpart: () => threads,
  createAccount: (username) => threads.account(username),
  connect,
  authorize: { scope: 'threads_basic threads_content_publish' },
  permissions: ['threads_basic', 'threads_content_publish'],
  lifetimeMs: 60 * 86_400_000,
  refreshRoute: 'graph GET /refresh_access_token',
  refreshableAfterMs: 2 * 86_400_000,
})

test('SOC-06 text with a link is published and found at its link', async () => {
  const account = await connect()
  const post = await site.publish(account, { text: 'Grüße 👋 https://example.com/a?b=c' })
  const [shown] = threads.posts(account.account)
  expect(shown).toMatchObject({ text: 'Grüße 👋 https://example.com/a?b=c', kind: 'TEXT', replyTo: null })
  const permalink = `https://www.threads.net/@${account.account.username}/post/${shown?.shortcode}`
  expect(post).toMatchObject({ status: 'published', platformPostId: shown?.id, permalink })
})

test.skipIf(!hasFfmpeg)('SOC-06 video is a post, and beside an image part of a carousel', async () => {
  const account = await connect()
  const clip = { mediaId: (await uploadVideo(site.ada)).id, alt: 'A clip' }
  for (const media of [[clip], [clip, await site.image('A red square')]])
    expect(await site.publish(account, { text: 'Watch', media })).toMatchObject({ status: 'published' })
  const [video, carousel] = threads.posts(account.account)
  expect([video?.kind, video?.media[0]?.alt]).toEqual(['VIDEO', 'A clip'])
  expect(carousel?.media.map(({ alt }) => alt)).toEqual(['A clip', 'A red square'])
  expect((await fetch(video?.media[0]?.url ?? '')).headers.get('content-type')).toBe('video/mp4')
})

test('SOC-14 link preview is the attached link of a text', async () => {
  const account = await connect()
  await site.publish(account, { text: 'Look', linkPreview: { url: 'https://example.com/maple', title: 'Maple latte' } })
  expect(threads.posts(account.account)).toMatchObject([{ kind: 'TEXT', link: 'https://example.com/maple' }])
})

test('SOC-06 one image is a post, several are a carousel, with their alt texts, from links that need no session', async () => {
  const account = await connect()
  const [one, two] = [await site.image('A red square'), await site.image('')]
  expect(await site.publish(account, { text: 'One', media: [one] })).toMatchObject({ status: 'published' })
  expect(await site.publish(account, { text: 'Two', media: [one, two] })).toMatchObject({ status: 'published' })
  const [image, carousel] = threads.posts(account.account)
  expect([image?.kind, image?.media[0]?.alt]).toEqual(['IMAGE', 'A red square'])
  expect([carousel?.kind, carousel?.media.map(({ alt }) => alt)]).toEqual(['CAROUSEL', ['A red square', '']])
  const link = image?.media[0]?.url ?? ''
  expect((await fetch(link)).headers.get('content-type')).toBe('image/png')
  const forged = link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  expect((await fetch(`${link.slice(0, -3)}AAA`)).status).toBe(404)
  expect((await fetch(forged.slice(0, -10))).status).toBe(404)
})

test('SOC-22 thread is published as replies', async () => {
  const account = await connect()
  const posts = await site.scheduleThread(account, ['One', 'Two', 'Three'])
  await site.ada.until(posts[2]?.id ?? '', isSettled, 20_000)
  const [one, two, three] = threads.posts(account.account)
  expect([one?.replyTo, two?.replyTo, three?.replyTo]).toEqual([null, one?.id ?? '', two?.id ?? ''])
})

test.each([
  ['a'.repeat(500), 'a'.repeat(501)],
  ['字'.repeat(500), '字'.repeat(501)],
  ['👋'.repeat(125), `${'👋'.repeat(125)}a`],
  [`${'👨‍👩‍👧'.repeat(27)}${'a'.repeat(14)}`, `${'👨‍👩‍👧'.repeat(27)}${'a'.repeat(15)}`],
])('SOC-14 emoji count as their bytes, as Threads counts them: %.12s', async (fits, exceeds) => {
  const account = await connect()
  await site.scheduleLater(account, { text: fits })
  expect(await site.refusalOf(account, { text: exceeds })).toBe('Shorten the text by 1. Threads allows 500 characters.')
})

test('SOC-25 used-up quota of a day makes the post wait by name', async () => {
  const account = await connect()
  threads.useQuota(account.account, 250)
  const { id } = await site.schedule(account, { text: 'Two' })
  const { waitingFor } = await site.ada.until(id, (post) => post.waitingFor?.reason === 'rate_window')
  expect(waitingFor?.reason).toBe('rate_window')
})

test('SOC-24 reply with a lost response is never sent again: a person checks the account', async () => {
  const account = await connect()
  const head = await site.publish(account, { text: 'Head' })
  expect(head.status).toBe('published')
  const items = await site.scheduleThread(account, ['One', 'Two'], 1500)
  await site.ada.until(items[0]?.id ?? '', ({ status }) => status === 'published', 20_000)
  threads.fail(publishing, 'connection_lost')
  const reply = await site.ada.until(items[1]?.id ?? '', isSettled, 30_000)
  expect(threads.posts(account.account).filter(({ replyTo }) => replyTo !== null).length).toBe(1)
  expect(['outcome_unknown', null]).toContain(reply.failureCode)
})

test('SOC-23 container that fails in processing ends the post with a sentence', async () => {
  const account = await connect()
  threads.breakContainers(1)
  const media = [await site.image('Red')]
  const post = await site.publish(account, { text: 'Broken', media })
  expect(post).toMatchObject({ status: 'failed', failureCode: 'media_refused' })
  expect(post.failureMessage).toContain('FAILED_PROCESSING_VIDEO')
})

testOutcomes({
  network: 'Threads',
  site: () => site,
  counterpart: () => threads,
  route: publishing,
  connect,
  revoke: ({ account }) => threads.grants.revoke(account.id),
  routes: { media_refused: 'graph POST /:user/threads' },
  media: () => site.red(),
  outcomes: {
    ...publishedOnce,
    revoked_token: signedOut,
    rate_limited: throttledFor(300),
    forbidden: failed('permission_missing', 'Connect the account again'),
    media_refused: failed('media_refused', 'Replace it'),
    'server_error until the end': failed('provider_error', 'fault'),
  },
})
