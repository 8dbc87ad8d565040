import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import type { Integration, Media } from '#social/types'
import { startX, type XCounterpart } from '../../counterparts/x/index.ts'
import { administer, freshDatabase, type TestDatabase } from '../../support/database.ts'
import { inMs, isSettled, newPublisher, type Post, type Publisher } from '../../support/publisher.ts'
import { serveInProcess, type Server } from '../../support/serve-in-process.ts'
import { beginConnecting, comeBack, findConnected, storeApp } from './connect.ts'
import { testOutcomes } from './outcomes.ts'

let database: TestDatabase
let x: XCounterpart
let server: Server
let ada: Publisher

beforeAll(async () => {
  database = await freshDatabase()
  x = startX()
  const { www, api, legacy } = x.urls
  const env = { NETWORK_ORIGINS: `x.com=${www},api.x.com=${api},api.twitter.com=${legacy}` }
  server = await serveInProcess({ databaseUrl: database.url, env })
  x.app.redirectUris.push(`${server.url}/workspace/accounts/callback/x`)
  ada = await newPublisher(server.url)
  await storeApp(ada, { provider: 'x', ...x.app })
})

afterAll(async () => {
  await server.stop()
  await x.stop()
  await database.drop()
})

const create = 'api POST /2/tweets'
let accounts = 0

async function connect({ isSubscribed = false } = {}) {
  const account = x.account(`acme${(accounts += 1)}`, isSubscribed)
  await comeBack(ada, x.consent(await beginConnecting(ada, 'x'), account))
  const connection = await findConnected(ada, account.id)
  return { account, connection, connectionId: connection.id, posts: () => x.posts(account).length }
}

type Account = Pick<Awaited<ReturnType<typeof connect>>, 'connectionId'>

async function publish({ connectionId }: Account, values: Record<string, unknown>): Promise<Post> {
  const target = { connectionId }
  const { id } = await ada.post({ provider: 'x', status: 'scheduled', scheduledAt: inMs(150), target, ...values })
  return ada.until(id, isSettled, 30_000)
}

async function upload(alt: string): Promise<Media> {
  const image = sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
  const file = (await image.png().toBuffer()).toString('base64')
  return ada.call('POST', '/api/media', { brandId: ada.brandId, file, alt }, 201)
}

const cardOf = async (who: Publisher): Promise<Integration | undefined> =>
  (await who.call<{ items: Integration[] }>('GET', '/api/integrations')).items.find(({ provider }) => provider === 'x')

test('SOC-04 SOC-05 network without app credentials requires setup, and connecting is rejected before a redirect', async () => {
  const bob = await newPublisher(server.url)
  expect(await cardOf(bob)).toMatchObject({ readiness: 'setup-required', can: { connect: false } })
  const refused = await bob.call<object>('POST', '/api/integrations/x/connect', { brandId: bob.brandId }, 409)
  expect(refused).toMatchObject({ code: 'provider_not_connectable', detail: expect.stringContaining('gateway') })
  expect(await cardOf(ada)).toMatchObject({ readiness: 'production-ready', can: { connect: true } })
})

const draw = async (who: Publisher): Promise<string> => {
  const headers = { authorization: `Bearer ${who.token}`, accept: 'text/html' }
  return (await fetch(`${server.url}/workspace/accounts?brandId=${who.brandId}`, { headers })).text()
}

test('SOC-04 SOC-05 card says what is missing, or leads to the consent page without asking for anything', async () => {
  const bob = await newPublisher(server.url)
  const missing = await draw(bob)
  expect(missing).toContain('An administrator has to set its app credentials in the gateway.')
  expect(missing).toContain('What is missing')
  const ready = await draw(ada)
  expect(ready).toContain('You continue on X, where you sign in and authorize Atrium.')
  expect(ready).not.toContain('id="x-handle"')
  const fields = { brandId: ada.brandId, handle: 'acme' }
  expect(await ada.call<object>('POST', '/api/integrations/x/connect', fields, 422)).toMatchObject({
    errors: [{ path: 'handle' }],
  })
})

test('SOC-04 connected account isn’t downgraded when the app credentials are deleted', async () => {
  const bob = await newPublisher(server.url)
  await storeApp(bob, { provider: 'x', ...x.app })
  const account = x.account('bob')
  await comeBack(bob, x.consent(await beginConnecting(bob, 'x'), account))
  await bob.call('DELETE', '/api/credentials/x', undefined, 204)
  expect(await cardOf(bob)).toMatchObject({ readiness: 'production-ready', can: { connect: false } })
  const { id } = await bob.post({ provider: 'x', text: 'Still here', status: 'scheduled', scheduledAt: inMs(150) })
  expect(await bob.until(id, isSettled)).toMatchObject({ status: 'published' })
})

test('SOC-05 SOC-06 account connects through the consent page with PKCE, and the secret stays in the gateway', async () => {
  const address = await beginConnecting(ada, 'x')
  expect(address).not.toContain(x.app.clientSecret)
  expect(new URL(address).searchParams.get('code_challenge_method')).toBe('S256')
  const account = x.account('ada')
  const led = await comeBack(ada, x.consent(address, account))
  expect(led.searchParams.get('unconnected')).toBeNull()
  const connected = await findConnected(ada, account.id)
  expect(connected).toMatchObject({ health: 'ok', account: { name: '@ada' } })
  const livesFor = Date.parse(connected.expiresAt ?? '') - Date.now()
  expect(livesFor).toBeGreaterThan(7_000_000)
  expect(livesFor).toBeLessThan(7_300_000)
})

test('SOC-05 denied consent and left out permissions connect nothing and are explained', async () => {
  const denied = x.account('denying')
  const back = x.consent(await beginConnecting(ada, 'x'), denied, { allows: false })
  expect((await comeBack(ada, back)).searchParams.get('unconnected')).toBe('denied')
  const account = x.account('partial')
  const partial = x.consent(await beginConnecting(ada, 'x'), account, { without: ['media.write'] })
  const led = await comeBack(ada, partial)
  const headers = { authorization: `Bearer ${ada.token}`, accept: 'text/html' }
  expect(await (await fetch(led, { headers })).text()).toContain('Some permissions were left out: media.write')
  expect(await findConnected(ada, account.id).catch(() => null)).toBeNull()
})

test('SOC-05 code that X rejects connects nothing', async () => {
  const back = new URL(x.consent(await beginConnecting(ada, 'x'), x.account('wrong')))
  back.searchParams.set('code', 'made-up')
  expect((await comeBack(ada, back.href)).searchParams.get('unconnected')).toBe('failed')
})

test('SOC-07 profile is read from the legacy host when the current one fails', async () => {
  x.fail('api GET /2/users/me', 'server_error')
  const before = x.callsOf('legacy GET /2/users/me').length
  const { connection } = await connect()
  expect(connection.health).toBe('ok')
  expect(x.callsOf('legacy GET /2/users/me').length).toBe(before + 1)
})

test('SOC-06 post is published unchanged and found at its link', async () => {
  const account = await connect()
  const post = await publish(account, { text: 'Grüße & <links> https://example.com/a?b=c' })
  const [shown] = x.posts(account.account)
  expect(shown).toMatchObject({ text: 'Grüße & <links> https://example.com/a?b=c', inReplyTo: null })
  const permalink = `https://x.com/${account.account.username}/status/${shown?.id}`
  expect(post).toMatchObject({ status: 'published', platformPostId: shown?.id, permalink })
})

test('SOC-06 images are uploaded in segments with their alt texts', async () => {
  const account = await connect()
  const media = [{ mediaId: (await upload('A red square')).id }, { mediaId: (await upload('')).id }]
  expect(await publish(account, { text: 'Look', media })).toMatchObject({ status: 'published', failureMessage: null })
  const [shown] = x.posts(account.account)
  expect(shown?.media.map(({ type, alt }) => [type, alt])).toEqual([
    ['image/png', 'A red square'],
    ['image/png', ''],
  ])
})

test('SOC-22 thread is published as replies', async () => {
  const { connectionId, account } = await connect()
  const thread = [{ text: 'One' }, { text: 'Two' }, { text: 'Three' }]
  const draft = { brandId: ada.brandId, provider: 'x', target: { connectionId }, thread, status: 'scheduled' }
  const { items } = await ada.call<{ items: Post[] }>('POST', '/api/posts', { ...draft, scheduledAt: inMs(150) }, 201)
  await ada.until(items[2]?.id ?? '', isSettled, 20_000)
  const [one, two, three] = x.posts(account)
  expect([one?.inReplyTo, two?.inReplyTo, three?.inReplyTo]).toEqual([null, one?.id ?? '', two?.id ?? ''])
})

test.each([
  ['a'.repeat(280), 'a'.repeat(281)],
  [`${'a'.repeat(256)} https://example.com/${'path'.repeat(50)}`, `${'a'.repeat(257)} https://example.com/`],
  ['👨‍👩‍👧'.repeat(140), `${'👨‍👩‍👧'.repeat(140)}a`],
  ['字'.repeat(140), `${'字'.repeat(140)}a`],
])('SOC-14 text is counted as X counts it: %.12s', async (fits, exceeds) => {
  const { connectionId } = await connect()
  const draft = { brandId: ada.brandId, provider: 'x', target: { connectionId }, status: 'scheduled' }
  const send = (text: string, status: number) =>
    ada.call<{ errors: { message: string }[] }>(
      'POST',
      '/api/posts',
      { ...draft, text, scheduledAt: inMs(3_600_000) },
      status,
    )
  await send(fits, 201)
  const { errors } = await send(exceeds, 422)
  expect(errors[0]?.message).toBe('Shorten the text by 1. X allows 280 characters.')
})

test('SOC-14 subscriber can write longer posts', async () => {
  const account = await connect({ isSubscribed: true })
  expect(await publish(account, { text: 'a'.repeat(1000) })).toMatchObject({ status: 'published' })
})

test('SOC-07 tokens are refreshed ahead of expiry, once for posts of the same account at the same time', async () => {
  const account = await connect()
  await administer(
    database.url,
    (sql) =>
      sql`UPDATE social.connections SET expires_at = now() + interval '1 minute' WHERE id = ${account.connectionId}`,
  )
  const before = x.callsOf('api POST /2/oauth2/token').length
  const posts = await Promise.all(['One', 'Two', 'Three'].map((text) => publish(account, { text })))
  expect(posts.map(({ status }) => status)).toEqual(['published', 'published', 'published'])
  expect(x.callsOf('api POST /2/oauth2/token').length).toBe(before + 1)
  const { expiresAt } = await findConnected(ada, account.account.id)
  expect(Date.parse(expiresAt ?? '') - Date.now()).toBeGreaterThan(7_000_000)
})

test('SOC-07 failed refresh disconnects nothing: the account publishes with its next one', async () => {
  const account = await connect()
  x.grants.expire(account.account.id, 'access')
  x.fail('api POST /2/oauth2/token', 'server_error')
  expect(await publish(account, { text: 'In the end' })).toMatchObject({ status: 'published' })
  expect((await findConnected(ada, account.account.id)).health).toBe('ok')
})

test('SOC-07 rejected app credentials disconnect nothing', async () => {
  const account = await connect()
  x.grants.expire(account.account.id, 'access')
  const rejected = { error: 'unauthorized_client', error_description: 'Missing valid authorization header' }
  x.faults.next('api POST /2/oauth2/token', { kind: 'answer', status: 401, body: rejected })
  expect(await publish(account, { text: 'In the end' })).toMatchObject({ status: 'published' })
})

test('SOC-24 post with a lost response is recognized although X changed its links', async () => {
  const account = await connect()
  x.fail(create, 'connection_lost')
  const text = 'See example.com & https://example.org/<3>'
  const media = [{ mediaId: (await upload('Red')).id }]
  expect(await publish(account, { text, media })).toMatchObject({ status: 'published' })
  expect(x.posts(account.account).map((post) => post.text)).toEqual([text])
})

test('SOC-25 used-up window is remembered: the next post waits for it without a call', async () => {
  const account = await connect()
  x.leave(create, account.account, 1)
  await publish(account, { text: 'One' })
  const calls = x.callsOf(create).length
  const { connectionId } = account
  const target = { connectionId }
  const { id } = await ada.post({ provider: 'x', text: 'Two', status: 'scheduled', scheduledAt: inMs(150), target })
  const waiting = await ada.until(id, ({ waitingFor }) => waitingFor !== null)
  expect(waiting.waitingFor?.reason).toBe('rate_window')
  expect(x.callsOf(create).length).toBe(calls)
})

test('SOC-48 post is deleted, even if it was already deleted on X', async () => {
  const account = await connect()
  const post = await publish(account, { text: 'Deleted' })
  await ada.call('DELETE', `/api/posts/${post.id}/publication`)
  expect(x.posts(account.account)).toEqual([])
})

test('SOC-07 SOC-23 revoked access signs the account out, and connecting it again restores it', async () => {
  const account = await connect()
  x.grants.revoke(account.account.id)
  const post = await publish(account, { text: 'Too late' })
  expect(post).toMatchObject({ status: 'failed', failureCode: 'signed_out' })
  expect((await findConnected(ada, account.account.id)).health).toBe('signed_out')
  await comeBack(ada, x.consent(await beginConnecting(ada, 'x'), account.account))
  expect(await findConnected(ada, account.account.id)).toMatchObject({ id: account.connectionId, health: 'ok' })
})

test('SOC-25 post meets the rate limit of X and waits for its reset', async () => {
  const account = await connect()
  x.fail(create, 'rate_limited')
  const target = { connectionId: account.connectionId }
  const { id } = await ada.post({ provider: 'x', text: 'Later', status: 'scheduled', scheduledAt: inMs(150), target })
  const { waitingFor } = await ada.until(id, (post) => post.waitingFor !== null)
  expect(waitingFor?.reason).toBe('rate_window')
  expect(Date.parse(waitingFor?.until ?? '') - Date.now()).toBeGreaterThan(45_000)
})

testOutcomes({
  network: 'X',
  provider: 'x',
  ada: () => ada,
  counterpart: () => x,
  route: create,
  connect,
  media: async () => [{ mediaId: (await upload('Red')).id, alt: 'Red' }],
  outcomes: {
    ok: { status: 'published', code: null, says: '', posts: 1 },
    unauthorized: { status: 'published', code: null, says: '', posts: 1 },
    expired_token: { status: 'published', code: null, says: '', posts: 1 },
    forbidden: { status: 'failed', code: 'provider_refused', says: 'not permitted to perform this action', posts: 0 },
    media_refused: { status: 'failed', code: 'media_refused', says: 'Replace it', posts: 0 },
    server_error: { status: 'published', code: null, says: '', posts: 1 },
    no_answer_before: { status: 'published', code: null, says: '', posts: 1 },
    no_answer_after: { status: 'published', code: null, says: '', posts: 1 },
    connection_lost: { status: 'published', code: null, says: '', posts: 1 },
    malformed: { status: 'published', code: null, says: '', posts: 1 },
    'server_error until the end': { status: 'failed', code: 'provider_error', says: '503', posts: 0 },
  },
})
