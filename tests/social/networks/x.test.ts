import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Integration } from '#social/types'
import { startX, type XCounterpart } from '../../counterparts/x/index.ts'
import { inMs, isSettled, newPublisher, type Publisher } from '../../support/publisher.ts'
import { beginConnecting, comeBack, drawPage, findConnected, storeApp } from './support/connect.ts'
import { testOAuth } from './support/oauth.ts'
import { failed, publishedOnce, signedOut, testOutcomes, throttledFor } from './support/outcomes.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'

let x: XCounterpart
let site: NetworkSite

beforeAll(async () => {
  x = startX()
  site = await openNetworkSite({ provider: 'x', counterpart: x, app: x.app })
})

afterAll(() => site.close())

const create = 'api POST /2/tweets'
let accounts = 0

async function connect({ isSubscribed = false } = {}) {
  const account = x.account(`acme${(accounts += 1)}`, isSubscribed)
  const { connectionId } = await site.connect(account.id, (url) => x.consent(url, account))
  return { account, connectionId, posts: () => x.posts(account).length }
}

testOAuth({
  network: 'X',
  site: () => site,
  counterpart: () => x,
  createAccount: (username) => x.account(username),
  connect,
  authorize: { code_challenge_method: 'S256' },
  permissions: ['media.write'],
  lifetimeMs: 2 * 3_600_000,
  refreshRoute: 'api POST /2/oauth2/token',
})

const cardOf = async (who: Publisher): Promise<Integration | undefined> =>
  (await who.call<{ items: Integration[] }>('GET', '/api/integrations')).items.find(({ provider }) => provider === 'x')

test('SOC-04 SOC-05 network without app credentials requires setup, and connecting is rejected before a redirect', async () => {
  const bob = await newPublisher(site.url)
  expect(await cardOf(bob)).toMatchObject({ readiness: 'setup-required', can: { connect: false } })
  const refused = await bob.call<object>('POST', '/api/integrations/x/connect', { brandId: bob.brandId }, 409)
  expect(refused).toMatchObject({ code: 'provider_not_connectable', detail: expect.stringContaining('gateway') })
  expect(await cardOf(site.ada)).toMatchObject({ readiness: 'production-ready', can: { connect: true } })
})

test('SOC-04 SOC-05 card says what is missing, or leads to the consent page without asking for anything', async () => {
  const page = (who: Publisher) => drawPage(who, `/workspace/accounts?brandId=${who.brandId}`)
  const bob = await newPublisher(site.url)
  const missing = await page(bob)
  expect(missing).toContain('An administrator has to set its app credentials in the gateway.')
  expect(missing).toContain('What is missing')
  const ready = await page(site.ada)
  expect(ready).toContain('You continue on X, where you sign in and authorize Atrium.')
  expect(ready).not.toContain('id="x-handle"')
  const fields = { brandId: site.ada.brandId, handle: 'acme' }
  expect(await site.ada.call<object>('POST', '/api/integrations/x/connect', fields, 422)).toMatchObject({
    errors: [{ path: 'handle' }],
  })
})

test('SOC-04 connected account isn’t downgraded when the app credentials are deleted', async () => {
  const bob = await newPublisher(site.url)
  await storeApp(bob, { provider: 'x', ...x.app })
  const account = x.account('bob')
  await comeBack(bob, x.consent(await beginConnecting(bob, 'x'), account))
  await bob.call('DELETE', '/api/credentials/x', undefined, 204)
  expect(await cardOf(bob)).toMatchObject({ readiness: 'production-ready', can: { connect: false } })
  const { id } = await bob.post({ provider: 'x', text: 'Still here', status: 'scheduled', scheduledAt: inMs(150) })
  expect(await bob.until(id, isSettled)).toMatchObject({ status: 'published' })
})

test('SOC-05 page names the permissions that a consent left out', async () => {
  const account = x.account('partial')
  const led = await site.consent((url) => x.consent(url, account, { without: ['media.write'] }))
  expect(await drawPage(site.ada, led)).toContain('Some permissions were left out: media.write')
})

test('SOC-07 profile is read from the legacy host when the current one fails', async () => {
  x.fail('api GET /2/users/me', 'server_error')
  const before = x.callsOf('legacy GET /2/users/me').length
  const { account } = await connect()
  expect((await findConnected(site.ada, account.id)).health).toBe('ok')
  expect(x.callsOf('legacy GET /2/users/me').length).toBe(before + 1)
})

test('SOC-06 post is published unchanged and found at its link', async () => {
  const account = await connect()
  const post = await site.publish(account, { text: 'Grüße & <links> https://example.com/a?b=c' })
  const [shown] = x.posts(account.account)
  expect(shown).toMatchObject({ text: 'Grüße & <links> https://example.com/a?b=c', inReplyTo: null })
  const permalink = `https://x.com/${account.account.username}/status/${shown?.id}`
  expect(post).toMatchObject({ status: 'published', platformPostId: shown?.id, permalink })
})

test('SOC-06 images are uploaded in segments with their alt texts', async () => {
  const account = await connect()
  const media = [await site.image('A red square'), await site.image('')]
  expect(await site.publish(account, { text: 'Look', media })).toMatchObject({
    status: 'published',
    failureMessage: null,
  })
  const [shown] = x.posts(account.account)
  expect(shown?.media.map(({ type, alt }) => [type, alt])).toEqual([
    ['image/png', 'A red square'],
    ['image/png', ''],
  ])
})

test('SOC-22 thread is published as replies', async () => {
  const account = await connect()
  const posts = await site.scheduleThread(account, ['One', 'Two', 'Three'])
  await site.ada.until(posts[2]?.id ?? '', isSettled, 20_000)
  const [one, two, three] = x.posts(account.account)
  expect([one?.inReplyTo, two?.inReplyTo, three?.inReplyTo]).toEqual([null, one?.id ?? '', two?.id ?? ''])
})

test.each([
  ['a'.repeat(280), 'a'.repeat(281)],
  [`${'a'.repeat(256)} https://example.com/${'path'.repeat(50)}`, `${'a'.repeat(257)} https://example.com/`],
  ['👨‍👩‍👧'.repeat(140), `${'👨‍👩‍👧'.repeat(140)}a`],
  ['字'.repeat(140), `${'字'.repeat(140)}a`],
])('SOC-14 text is counted as X counts it: %.12s', async (fits, exceeds) => {
  const account = await connect()
  await site.scheduleLater(account, { text: fits })
  expect(await site.refusalOf(account, { text: exceeds })).toBe('Shorten the text by 1. X allows 280 characters.')
})

test('SOC-14 subscriber can write longer posts', async () => {
  const account = await connect({ isSubscribed: true })
  expect(await site.publish(account, { text: 'a'.repeat(1000) })).toMatchObject({ status: 'published' })
})

test('SOC-07 failed refresh disconnects nothing: the account publishes with its next one', async () => {
  const account = await connect()
  x.grants.expire(account.account.id, 'access')
  x.fail('api POST /2/oauth2/token', 'server_error')
  expect(await site.publish(account, { text: 'In the end' })).toMatchObject({ status: 'published' })
  expect((await findConnected(site.ada, account.account.id)).health).toBe('ok')
})

test('SOC-07 rejected app credentials disconnect nothing', async () => {
  const account = await connect()
  x.grants.expire(account.account.id, 'access')
  const rejected = { error: 'unauthorized_client', error_description: 'Missing valid authorization header' }
  x.faults.next('api POST /2/oauth2/token', { kind: 'answer', status: 401, body: rejected })
  expect(await site.publish(account, { text: 'In the end' })).toMatchObject({ status: 'published' })
})

test('SOC-24 post with a lost response is recognized although X changed its links', async () => {
  const account = await connect()
  x.fail(create, 'connection_lost')
  const text = 'See example.com & https://example.org/<3>'
  const media = [await site.image('Red')]
  expect(await site.publish(account, { text, media })).toMatchObject({ status: 'published' })
  expect(x.posts(account.account).map((post) => post.text)).toEqual([text])
})

test.each([500, 502, 503, 504])('SOC-24 post that X took and answered with %d is published once', async (status) => {
  const account = await connect()
  x.faults.next(create, { kind: 'fail_after', status, headers: { 'retry-after': '1' } })
  expect(await site.publish(account, { text: 'Taken' })).toMatchObject({ status: 'published' })
  expect(x.posts(account.account).length).toBe(1)
})

test('SOC-25 used-up window is remembered: the next post waits for it without a call', async () => {
  const account = await connect()
  x.leave(create, account.account, 1)
  await site.publish(account, { text: 'One' })
  const calls = x.callsOf(create).length
  const { id } = await site.schedule(account, { text: 'Two' })
  const waiting = await site.ada.until(id, ({ waitingFor }) => waitingFor !== null)
  expect(waiting.waitingFor?.reason).toBe('rate_window')
  expect(x.callsOf(create).length).toBe(calls)
})

test('SOC-48 post is deleted, even if it was already deleted on X', async () => {
  const account = await connect()
  const post = await site.publish(account, { text: 'Deleted' })
  await site.ada.call('DELETE', `/api/posts/${post.id}/publication`)
  expect(x.posts(account.account)).toEqual([])
})

test('SOC-25 post meets the rate limit of X and waits for its reset', async () => {
  const account = await connect()
  x.fail(create, 'rate_limited')
  const { id } = await site.schedule(account, { text: 'Later' })
  const { waitingFor } = await site.ada.until(id, (post) => post.waitingFor !== null)
  expect(waitingFor?.reason).toBe('rate_window')
  expect(Date.parse(waitingFor?.until ?? '') - Date.now()).toBeGreaterThan(45_000)
})

testOutcomes({
  network: 'X',
  site: () => site,
  counterpart: () => x,
  route: create,
  connect,
  revoke: ({ account }) => x.grants.revoke(account.id),
  media: () => site.red(),
  outcomes: {
    ...publishedOnce,
    revoked_token: signedOut,
    rate_limited: throttledFor(60),
    forbidden: failed('provider_refused', 'not permitted to perform this action'),
    media_refused: failed('media_refused', 'Replace it'),
    'server_error until the end': failed('provider_error', '503'),
  },
})
