import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { networkFacts, oauthProviders } from '../../../src/gateway/social-credentials/oauth/networks.ts'
import { networkOf } from '../../../src/social/networks/index.ts'
import { isRevoked } from '../../../src/social/networks/oauth.ts'
import type { Connection } from '#social/types'
import { eventually } from '../../boot/program.ts'
import { appPassword, startBluesky, type BlueskyCounterpart } from '../../counterparts/bluesky.ts'
import { startMastodon, type MastodonCounterpart } from '../../counterparts/mastodon.ts'
import { startX, type XCounterpart } from '../../counterparts/x/index.ts'
import { inMs, isSettled, newPublisher } from '../../support/publisher.ts'
import { beginConnecting, comeBack, drawPage, findConnected, storeApp } from './support/connect.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'

// What becomes of the tokens of deactivated accounts.

let x: XCounterpart
let mastodon: MastodonCounterpart
let bluesky: BlueskyCounterpart
let site: NetworkSite
let db: DatabaseHandle

beforeAll(async () => {
  x = startX()
  mastodon = startMastodon()
  bluesky = startBluesky()
  const config = { BLUESKY_RESOLVER_URL: bluesky.url, PLC_DIRECTORY_URL: bluesky.url }
  site = await openNetworkSite({ provider: 'x', counterpart: x, app: x.app, config })
  db = openDatabase(site.databaseUrl, 1)
})

afterAll(async () => {
  await db.close()
  await site.close()
  await mastodon.stop()
  await bluesky.stop()
})

let accounts = 0

async function connect() {
  const account = x.account(`acme${(accounts += 1)}`)
  const { connectionId } = await site.connect(account.id, (url) => x.consent(url, account))
  return { account, connectionId }
}

const deactivate = ({ connectionId }: { connectionId: string }) =>
  site.ada.call<Connection>('POST', `/api/accounts/${connectionId}/deactivate`)

const revocations = () => x.callsOf('api POST /2/oauth2/revoke').length
const hasTokens = async (id: string) => {
  const [row] = await db.sql<{ has: boolean }[]>`
    SELECT sealed_tokens IS NOT NULL AS has FROM social.connections WHERE id = ${id}`
  return row?.has
}
const isDone = ({ connectionId }: { connectionId: string }) =>
  eventually(async () => (await hasTokens(connectionId)) === false)

/** Lets the queue retry now what it would retry in some seconds. */
const retry = () =>
  db.sql`UPDATE pgboss.job SET start_after = now() WHERE name = 'social.revoke-deactivated-account' AND state = 'retry'`

test('SOC-46 deactivating an account revokes its tokens at the network and deletes them', async () => {
  const connected = await connect()
  const before = revocations()
  const account = await deactivate(connected)
  expect(account).toMatchObject({ active: false, can: { reconnect: false, connect: true } })
  expect(await isDone(connected)).toBe(true)
  expect(revocations()).toBe(before + 1)
  expect(x.grants.of(connected.account.id).every(({ state }) => state === 'revoked')).toBe(true)
  const path = `/api/accounts/${connected.connectionId}/reconnect`
  expect(await site.ada.call<object>('POST', path, undefined, 409)).toMatchObject({ code: 'reconnect_required' })
  const again = await site.connect(connected.account.id, (url) => x.consent(url, connected.account))
  expect(again.connectionId).toBe(connected.connectionId)
  expect(await site.publish(again, { text: 'Back again' })).toMatchObject({ status: 'published' })
})

test('SOC-46 deactivating succeeds while the network fails, and the tokens are revoked once it works', async () => {
  const connected = await connect()
  x.fail('api POST /2/oauth2/revoke', 'server_error', 2)
  const before = revocations()
  expect(await deactivate(connected)).toMatchObject({ active: false })
  expect(await eventually(() => revocations() === before + 1)).toBe(true)
  expect(await hasTokens(connected.connectionId)).toBe(true)
  const isRetried = async () => {
    await retry()
    return (await hasTokens(connected.connectionId)) === false
  }
  expect(await eventually(isRetried, 20_000)).toBe(true)
  expect(revocations()).toBe(before + 3)
})

test('SOC-46 tokens of an account that is connected again before they are revoked stay', async () => {
  const connected = await connect()
  x.fail('api POST /2/oauth2/revoke', 'server_error')
  const before = revocations()
  await deactivate(connected)
  expect(await eventually(() => revocations() === before + 1)).toBe(true)
  const again = await site.connect(connected.account.id, (url) => x.consent(url, connected.account))
  const isOver = async () => {
    await retry()
    const rows = await db.sql`
      SELECT FROM pgboss.job WHERE name = 'social.revoke-deactivated-account' AND state IN ('created', 'retry', 'active')`
    return rows.length === 0
  }
  expect(await eventually(isOver, 20_000)).toBe(true)
  expect(revocations()).toBe(before + 1)
  expect(await site.publish(again, { text: 'Still here' })).toMatchObject({ status: 'published' })
})

test('SOC-46 account that another organization publishes to is not revoked', async () => {
  const connected = await connect()
  const bob = await newPublisher(site.url)
  await storeApp(bob, { provider: 'x', ...x.app })
  await comeBack(bob, x.consent(await beginConnecting(bob, 'x'), connected.account))
  const other = await findConnected(bob, connected.account.id)
  const before = revocations()
  await deactivate(connected)
  expect(await isDone(connected)).toBe(true)
  expect(revocations()).toBe(before)
  const draft = { provider: 'x', text: 'Of another organization', target: { connectionId: other.id } }
  const post = await bob.post({ ...draft, status: 'scheduled', scheduledAt: inMs(150) })
  expect(await bob.until(post.id, isSettled, 30_000)).toMatchObject({ status: 'published' })
})

test('SOC-46 deactivating ends the access at a Mastodon server and the session at a Bluesky server', async () => {
  const form = { brandId: site.ada.brandId, instance: mastodon.url }
  const path = '/api/integrations/mastodon/connect'
  const { authorizeUrl } = await site.ada.call<{ authorizeUrl: string }>('POST', path, form, 201)
  await comeBack(site.ada, mastodon.consent(authorizeUrl, 'ada'))
  const onMastodon = { connectionId: (await findConnected(site.ada, `ada@${mastodon.host}`)).id }
  bluesky.account('ada.example.com')
  const session = { brandId: site.ada.brandId, handle: 'ada.example.com', appPassword }
  const signIn = '/api/integrations/bluesky/connect'
  const { connection } = await site.ada.call<{ connection: Connection }>('POST', signIn, session, 201)
  const onBluesky = { connectionId: connection.id }
  expect(mastodon.tokenOf('ada')).not.toBe('')
  for (const each of [onMastodon, onBluesky]) await deactivate(each)
  for (const each of [onMastodon, onBluesky]) expect(await isDone(each)).toBe(true)
  expect(mastodon.tokenOf('ada')).toBe('')
  expect(bluesky.faults.requested('com.atproto.server.deleteSession')).toBe(1)
})

test('SOC-46 tokens that are refreshed while others are revoked are revoked, too', async () => {
  const connected = await connect()
  const { connectionId: id } = connected
  const [first] = await db.sql<{ tokens: string }[]>`
    SELECT sealed_tokens AS tokens FROM social.connections WHERE id = ${id}`
  await site.connect(connected.account.id, (url) => x.consent(url, connected.account))
  const before = revocations()
  let isRefreshed = false
  x.watch(async ({ path }) => {
    if (isRefreshed || path !== '/2/oauth2/revoke') return
    isRefreshed = true
    await db.sql`UPDATE social.connections SET sealed_tokens = ${first?.tokens ?? ''} WHERE id = ${id}`
  })
  await deactivate(connected)
  const isOver = async () => {
    await retry()
    return (await hasTokens(id)) === false
  }
  expect(await eventually(isOver, 20_000)).toBe(true)
  expect(revocations()).toBe(before + 2)
})

test('SOC-46 tokens with which a first comment is being written are revoked after it', async () => {
  const connected = await connect()
  const { id } = await site.publish(connected, { text: 'With a comment' })
  await db.sql`
    INSERT INTO social.first_comments (id, brand_id, provider, external_account, state, due_at, started_at)
    SELECT id, brand_id, provider, external_account, 'sending', now() + interval '1 hour', now()
    FROM social.posts WHERE id = ${id}`
  const before = revocations()
  await deactivate(connected)
  const isWaiting = async () => {
    const rows = await db.sql`
      SELECT FROM pgboss.job WHERE name = 'social.revoke-deactivated-account' AND state = 'retry'
      AND data ->> 'id' = ${connected.connectionId}`
    return rows.length === 1
  }
  expect(await eventually(isWaiting)).toBe(true)
  expect([revocations(), await hasTokens(connected.connectionId)]).toEqual([before, true])
  await db.sql`DELETE FROM social.first_comments WHERE id = ${id}`
  await retry()
  expect(await isDone(connected)).toBe(true)
})

test('SOC-46 page of a deactivated account offers to connect it again', async () => {
  const connected = await connect()
  await deactivate(connected)
  const page = await drawPage(site.ada, `/workspace/accounts/${connected.connectionId}`)
  expect(page).toContain('This account is deactivated')
  expect(page).not.toContain(`/api/accounts/${connected.connectionId}/reconnect`)
})

test('SOC-46 only networks with an endpoint that revokes tokens have it in social, as in the gateway', () => {
  for (const provider of oauthProviders)
    expect([provider, networkOf(provider)?.revoke !== undefined]).toEqual([
      provider,
      networkFacts(provider).revokeUrl !== undefined,
    ])
})

test.each([
  [409, true],
  [423, false],
  [429, false],
  [502, false],
])('SOC-46 revocation that the gateway refuses with %p counts as done: %p', async (status, isOver) => {
  const refuse = () => Promise.reject(new Problem(status, 'refused', 'Refused.'))
  expect(await isRevoked(refuse)).toBe(isOver)
})
