import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import type { Integration, Media } from '#social/types'
import { startThreads, type ThreadsCounterpart } from '../../counterparts/threads/index.ts'
import { administer, freshDatabase, type TestDatabase } from '../../support/database.ts'
import { inMs, isSettled, newPublisher, type Post, type Publisher } from '../../support/publisher.ts'
import { serveInProcess, type Server } from '../../support/serve-in-process.ts'
import { beginConnecting, comeBack, findConnected, storeApp } from './connect.ts'
import { testOutcomes } from './outcomes.ts'

let database: TestDatabase
let threads: ThreadsCounterpart
let server: Server
let ada: Publisher

beforeAll(async () => {
  database = await freshDatabase()
  threads = startThreads({ processing: 1 })
  const { www, graph } = threads.urls
  const env = { NETWORK_ORIGINS: `www.threads.net=${www},graph.threads.net=${graph}` }
  server = await serveInProcess({ databaseUrl: database.url, env })
  threads.app.redirectUris.push(`${server.url}/workspace/accounts/callback/threads`)
  ada = await newPublisher(server.url)
  await storeApp(ada, { provider: 'threads', ...threads.app })
})

afterAll(async () => {
  await server.stop()
  await threads.stop()
  await database.drop()
})

const publishing = 'graph POST /:user/threads_publish'
let accounts = 0

async function connect() {
  const account = threads.account(`acme${(accounts += 1)}`)
  await comeBack(ada, threads.consent(await beginConnecting(ada, 'threads'), account))
  const connection = await findConnected(ada, account.id)
  return { account, connection, connectionId: connection.id, posts: () => threads.posts(account).length }
}

async function publish({ connectionId }: { connectionId: string }, values: Record<string, unknown>): Promise<Post> {
  const target = { connectionId }
  const { id } = await ada.post({ provider: 'threads', status: 'scheduled', scheduledAt: inMs(150), target, ...values })
  return ada.until(id, isSettled, 30_000)
}

async function upload(alt: string): Promise<Media> {
  const image = sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
  const file = (await image.png().toBuffer()).toString('base64')
  return ada.call('POST', '/api/media', { brandId: ada.brandId, file, alt }, 201)
}

const ageTokens = (connectionId: string, lifetime: string) =>
  administer(database.url, (sql) =>
    sql.unsafe(`UPDATE social.connections SET expires_at = now() + interval '${lifetime}' WHERE id = $1`, [
      connectionId,
    ]),
  )

const refreshes = () => threads.callsOf('graph GET /refresh_access_token').length

test('SOC-05 SOC-06 account connects with a token of 60 days, and the secret stays in the gateway', async () => {
  const address = await beginConnecting(ada, 'threads')
  expect(address).not.toContain(threads.app.clientSecret)
  expect(new URL(address).searchParams.get('scope')).toBe('threads_basic threads_content_publish')
  const account = threads.account('ada')
  expect((await comeBack(ada, threads.consent(address, account))).searchParams.get('unconnected')).toBeNull()
  const connected = await findConnected(ada, account.id)
  expect(connected).toMatchObject({ health: 'ok', account: { name: '@ada' } })
  const days = (Date.parse(connected.expiresAt ?? '') - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(60)
  const { items } = await ada.call<{ items: Integration[] }>('GET', '/api/integrations')
  expect(items.find(({ provider }) => provider === 'threads')).toMatchObject({ readiness: 'production-ready' })
})

test.each(['threads_basic', 'threads_content_publish'])(
  'SOC-05 consent without %s connects nothing and is explained',
  async (scope) => {
    const account = threads.account(`partial_${scope}`)
    const back = threads.consent(await beginConnecting(ada, 'threads'), account, { without: [scope] })
    const led = await comeBack(ada, back)
    expect([led.searchParams.get('unconnected'), led.searchParams.get('missing')]).toEqual(['partial', scope])
    expect(await findConnected(ada, account.id).catch(() => null)).toBeNull()
  },
)

test('SOC-05 denied consent and a code that Threads rejects connect nothing', async () => {
  const account = threads.account('denying')
  const denied = threads.consent(await beginConnecting(ada, 'threads'), account, { allows: false })
  expect((await comeBack(ada, denied)).searchParams.get('unconnected')).toBe('denied')
  const back = new URL(threads.consent(await beginConnecting(ada, 'threads'), account))
  back.searchParams.set('code', 'made-up')
  expect((await comeBack(ada, back.href)).searchParams.get('unconnected')).toBe('failed')
})

test('SOC-06 text with a link is published and found at its link', async () => {
  const account = await connect()
  const post = await publish(account, { text: 'Grüße 👋 https://example.com/a?b=c' })
  const [shown] = threads.posts(account.account)
  expect(shown).toMatchObject({ text: 'Grüße 👋 https://example.com/a?b=c', kind: 'TEXT', replyTo: null })
  const permalink = `https://www.threads.net/@${account.account.username}/post/${shown?.shortcode}`
  expect(post).toMatchObject({ status: 'published', platformPostId: shown?.id, permalink })
})

test('SOC-06 one image is a post, several are a carousel, with their alt texts, from links that need no session', async () => {
  const account = await connect()
  const [one, two] = [await upload('A red square'), await upload('')]
  expect(await publish(account, { text: 'One', media: [{ mediaId: one.id }] })).toMatchObject({ status: 'published' })
  const both = [{ mediaId: one.id }, { mediaId: two.id }]
  expect(await publish(account, { text: 'Two', media: both })).toMatchObject({ status: 'published' })
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
  const { connectionId, account } = await connect()
  const thread = [{ text: 'One' }, { text: 'Two' }, { text: 'Three' }]
  const draft = { brandId: ada.brandId, provider: 'threads', target: { connectionId }, thread, status: 'scheduled' }
  const { items } = await ada.call<{ items: Post[] }>('POST', '/api/posts', { ...draft, scheduledAt: inMs(150) }, 201)
  await ada.until(items[2]?.id ?? '', isSettled, 20_000)
  const [one, two, three] = threads.posts(account)
  expect([one?.replyTo, two?.replyTo, three?.replyTo]).toEqual([null, one?.id ?? '', two?.id ?? ''])
})

test.each([
  ['a'.repeat(500), 'a'.repeat(501)],
  ['字'.repeat(500), '字'.repeat(501)],
  ['👋'.repeat(125), `${'👋'.repeat(125)}a`],
  [`${'👨‍👩‍👧'.repeat(27)}${'a'.repeat(14)}`, `${'👨‍👩‍👧'.repeat(27)}${'a'.repeat(15)}`],
])('SOC-14 emoji count as their bytes, as Threads counts them: %.12s', async (fits, exceeds) => {
  const { connectionId } = await connect()
  const draft = { brandId: ada.brandId, provider: 'threads', target: { connectionId }, status: 'scheduled' }
  const send = (text: string, status: number) =>
    ada.call<{ errors: { message: string }[] }>(
      'POST',
      '/api/posts',
      { ...draft, text, scheduledAt: inMs(3_600_000) },
      status,
    )
  await send(fits, 201)
  const { errors } = await send(exceeds, 422)
  expect(errors[0]?.message).toBe('Shorten the text by 1. Threads allows 500 characters.')
})

test('SOC-07 token is refreshed ahead of expiry, once for posts of the same account at the same time', async () => {
  const account = await connect()
  threads.clock.advance(2 * 86_400_000)
  await ageTokens(account.connectionId, '1 minute')
  const before = refreshes()
  const posts = await Promise.all(['One', 'Two', 'Three'].map((text) => publish(account, { text })))
  expect(posts.map(({ status }) => status)).toEqual(['published', 'published', 'published'])
  expect(refreshes()).toBe(before + 1)
})

test('SOC-07 failed refresh disconnects nothing', async () => {
  const account = await connect()
  await ageTokens(account.connectionId, '1 minute')
  threads.fail('graph GET /refresh_access_token', 'server_error')
  expect(await publish(account, { text: 'All the same' })).toMatchObject({ status: 'published' })
  expect((await findConnected(ada, account.account.id)).health).toBe('ok')
})

test('SOC-07 SOC-23 revoked access signs the account out, and connecting it again restores it', async () => {
  const account = await connect()
  threads.grants.revoke(account.account.id)
  const post = await publish(account, { text: 'Too late' })
  expect(post).toMatchObject({ status: 'failed', failureCode: 'signed_out' })
  expect((await findConnected(ada, account.account.id)).health).toBe('signed_out')
  await comeBack(ada, threads.consent(await beginConnecting(ada, 'threads'), account.account))
  expect(await findConnected(ada, account.account.id)).toMatchObject({ id: account.connectionId, health: 'ok' })
})

test('SOC-25 used-up quota of a day makes the post wait by name', async () => {
  const account = await connect()
  threads.useQuota(account.account, 250)
  const target = { connectionId: account.connectionId }
  const { id } = await ada.post({
    provider: 'threads',
    text: 'Two',
    status: 'scheduled',
    scheduledAt: inMs(150),
    target,
  })
  const { waitingFor } = await ada.until(id, (post) => post.waitingFor?.reason === 'rate_window')
  expect(waitingFor?.reason).toBe('rate_window')
})

test('SOC-24 reply with a lost response is never sent again: a person checks the account', async () => {
  const { connectionId, account } = await connect()
  const head = await publish({ connectionId }, { text: 'Head' })
  expect(head.status).toBe('published')
  const thread = [{ text: 'One' }, { text: 'Two' }]
  const draft = { brandId: ada.brandId, provider: 'threads', target: { connectionId }, thread, status: 'scheduled' }
  const { items } = await ada.call<{ items: Post[] }>('POST', '/api/posts', { ...draft, scheduledAt: inMs(1500) }, 201)
  await ada.until(items[0]?.id ?? '', ({ status }) => status === 'published', 20_000)
  threads.fail(publishing, 'connection_lost')
  const reply = await ada.until(items[1]?.id ?? '', isSettled, 30_000)
  expect(threads.posts(account).filter(({ replyTo }) => replyTo !== null).length).toBe(1)
  expect(['outcome_unknown', null]).toContain(reply.failureCode)
})

test('SOC-23 container that fails in processing ends the post with a sentence', async () => {
  const account = await connect()
  threads.breakContainers(1)
  const media = [{ mediaId: (await upload('Red')).id }]
  const post = await publish(account, { text: 'Broken', media })
  expect(post).toMatchObject({ status: 'failed', failureCode: 'media_refused' })
  expect(post.failureMessage).toContain('FAILED_PROCESSING_VIDEO')
})

testOutcomes({
  network: 'Threads',
  provider: 'threads',
  ada: () => ada,
  counterpart: () => threads,
  route: publishing,
  connect,
  routes: { media_refused: 'graph POST /:user/threads' },
  media: async () => [{ mediaId: (await upload('Red')).id, alt: 'Red' }],
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
