import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { eventually, killRest } from '../boot/program.ts'
import { appPassword, startBluesky, type BlueskyCounterpart } from '../counterparts/bluesky.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { inMs, newPublisher, type Post, type Publisher } from '../support/publisher.ts'
import { serve, type Served } from '../support/served.ts'

// Two servers with small pools, and a network that renews tokens slowly.

let database: TestDatabase
let direct: DatabaseHandle
let bluesky: BlueskyCounterpart
let servers: Served[]
let ada: Publisher

const env = () => ({
  BLUESKY_RESOLVER_URL: bluesky.url,
  PLC_DIRECTORY_URL: bluesky.url,
  DATABASE_POOL: '2',
  PROVIDER_TIMEOUT_MS: '15000',
  PUBLISH_LEASE_MS: '20000',
  PUBLISH_RETRY_BUDGET_MS: '60000',
})

beforeAll(async () => {
  database = await freshDatabase()
  direct = openDatabase(database.url, 1)
  bluesky = startBluesky()
  servers = await Promise.all([1, 2].map(() => serve({ databaseUrl: database.url, env: env() })))
  ada = await newPublisher(servers[0]?.url ?? '')
})

afterAll(async () => {
  await killRest()
  await bluesky.stop()
  await direct.close()
  await database.drop()
})

interface Connected {
  connection: { id: string }
}

async function connect(name: string) {
  const handle = `${name}.example.com`
  const { did } = bluesky.account(handle)
  const form = { brandId: ada.brandId, handle, appPassword }
  const { connection } = await ada.call<Connected>('POST', '/api/integrations/bluesky/connect', form, 201)
  return { did, connectionId: connection.id }
}

const published = ({ status }: Post) => status === 'published'

async function publish({ connectionId }: { connectionId: string }, text = 'Hello'): Promise<Post> {
  const target = { connectionId }
  const post = await ada.post({ provider: 'bluesky', text, status: 'scheduled', scheduledAt: inMs(400), target })
  return ada.until(post.id, published, 30_000)
}

const refresh = 'com.atproto.server.refreshSession'
const renewing = () => direct.sql`SELECT FROM social.connections WHERE renewal_ends_at > now()`

test('SOC-07 other requests can get database connections while a network is slow to refresh tokens', async () => {
  const accounts = await Promise.all(['slow-1', 'slow-2', 'slow-3', 'slow-4'].map(connect))
  bluesky.expireAccess()
  bluesky.faults.next(refresh, { kind: 'slow', ms: 6_000 }, accounts.length)
  const before = bluesky.faults.requested(refresh)
  const publishing = accounts.map((account) => publish(account))
  expect(await eventually(async () => (await renewing()).length === accounts.length)).toBe(true)
  for (const { url } of servers) await ada.through(url).call('GET', '/api/brands')
  expect(await renewing()).toHaveLength(accounts.length)
  await Promise.all(publishing)
  expect(bluesky.faults.requested(refresh)).toBe(before + accounts.length)
})

test('SOC-07 two servers that need new tokens at the same time refresh them once', async () => {
  const account = await connect('shared')
  const posts = [await publish(account, 'One'), await publish(account, 'Two')]
  bluesky.expireAccess()
  bluesky.faults.next(refresh, { kind: 'slow', ms: 1_000 })
  const before = bluesky.faults.requested(refresh)
  await Promise.all(
    posts.map(({ id }, at) => ada.through(servers[at]?.url ?? '').call('DELETE', `/api/posts/${id}/publication`)),
  )
  expect(bluesky.faults.requested(refresh)).toBe(before + 1)
  expect(bluesky.posts(account.did)).toEqual([])
})

test('SOC-07 token refresh of a dead server is taken over by another one', async () => {
  const account = await connect('left-behind')
  await direct.sql`
    UPDATE social.connections SET renewal_owner = gen_random_uuid(), renewal_ends_at = now() + interval '1 second'
    WHERE id = ${account.connectionId}`
  bluesky.expireAccess()
  await publish(account)
  expect(await renewing()).toHaveLength(0)
})

test('SOC-07 new tokens are stored for the next post, and an unavailable network doesn’t disconnect the account', async () => {
  const account = await connect('away')
  bluesky.expireAccess()
  bluesky.faults.next(refresh, { kind: 'answer', status: 500 }, 2)
  await publish(account, 'One')
  const before = bluesky.faults.requested(refresh)
  await publish(account, 'Two')
  expect(bluesky.faults.requested(refresh)).toBe(before)
  const [row] = await direct.sql<{ health: string }[]>`
    SELECT health FROM social.connections WHERE id = ${account.connectionId}`
  expect(row?.health).toBe('ok')
})
