import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startMastodon, type MastodonCounterpart } from '../counterparts/mastodon.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { inMs, isSettled, newPublisher, type Post, type Publisher } from '../support/publisher.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'
import { mastodon as network } from '../../src/social/networks/mastodon/index.ts'

// Servers with Mastodon's API that are older than 4.3, or not Mastodon.

let database: TestDatabase
let mastodon: MastodonCounterpart
let server: Server
let ada: Publisher

beforeAll(async () => {
  database = await freshDatabase()
  mastodon = startMastodon({ older: true, processing: 1 })
  server = await serveInProcess({ databaseUrl: database.url })
  ada = await newPublisher(server.url)
})

afterAll(async () => {
  await server.stop()
  await mastodon.stop()
  await database.drop()
})

interface Connection {
  id: string
  account: { id: string; name: string }
  scopes: string[]
}

const begin = <Answer>(status: number) =>
  ada.call<Answer>(
    'POST',
    '/api/integrations/mastodon/connect',
    { brandId: ada.brandId, instance: mastodon.url },
    status,
  )

async function connect(username: string): Promise<Connection> {
  const { authorizeUrl } = await begin<{ authorizeUrl: string }>(201)
  const headers = { authorization: `Bearer ${ada.token}`, accept: 'text/html' }
  await fetch(mastodon.consent(authorizeUrl, username), { headers, redirect: 'manual' })
  const { items } = await ada.call<{ items: Connection[] }>('GET', '/api/accounts?limit=100')
  const connection = items.find(({ account }) => account.id === `${username}@${mastodon.host}`)
  if (!connection) throw new Error('Nothing was connected')
  return connection
}

test('SOC-08 account of an older server connects, with its limits and the requested scopes', async () => {
  const { id, account, scopes } = await connect('ada')
  expect(account.name).toBe(`@ada@${mastodon.host}`)
  expect(scopes).toEqual(['read:accounts', 'read:statuses', 'write:statuses', 'write:media'])
  const long = { target: { connectionId: id }, provider: 'mastodon', text: 'x'.repeat(601) }
  const body = { brandId: ada.brandId, ...long, status: 'scheduled', scheduledAt: inMs(60_000) }
  const refused = await ada.call<{ errors: { message: string }[] }>('POST', '/api/posts', body, 422)
  expect(refused.errors[0]?.message).toContain('allows 600 characters')
})

test('SOC-22 SOC-24 thread is published on an older server, and a post with a lost response is found again, with alphabetic IDs', async () => {
  const { id } = await connect('bob')
  mastodon.faults.next('POST /api/v1/statuses', { kind: 'lose' })
  const thread = { thread: [{ text: 'One' }, { text: 'Two' }], status: 'scheduled', scheduledAt: inMs(350) }
  const body = { brandId: ada.brandId, provider: 'mastodon', target: { connectionId: id }, ...thread }
  const { items } = await ada.call<{ items: Post[] }>('POST', '/api/posts', body, 201)
  const [first, second] = await Promise.all(items.map((post) => ada.until(post.id, isSettled, 20_000)))
  expect([first?.failureMessage, second?.failureMessage]).toEqual([null, null])
  expect(mastodon.statuses('bob')).toMatchObject([
    { id: first?.platformPostId, text: 'One', inReplyTo: null },
    { id: second?.platformPostId, text: 'Two', inReplyTo: first?.platformPostId },
  ])
  await ada.call('DELETE', `/api/posts/${second?.id}/publication`)
  expect(mastodon.statuses('bob')).toHaveLength(1)
})

test('SOC-08 server that rejects apps is reported, and one without an instance description is rejected', async () => {
  mastodon.deleteApps()
  mastodon.faults.next('POST /api/v1/apps', { kind: 'answer', status: 404 })
  const refused = await begin<{ detail: string }>(502)
  expect(refused.detail).toContain('rejected the registration of Atrium as an app (404)')
  mastodon.faults.next('GET /api/v1/instance', { kind: 'answer', status: 404 })
  const other = await begin<{ errors: { path: string }[] }>(422)
  expect(other.errors[0]?.path).toBe('instance')
})

test('SOC-08 old server that declares no limits gets its version’s defaults', async () => {
  const body = { uri: 'old.example', version: '2.7.2 (compatible; Pleroma 2.5)', max_toot_chars: 700 }
  mastodon.faults.next('GET /api/v1/instance', { kind: 'answer', status: 200, body }, 2)
  const { id } = await connect('cleo')
  const long = { target: { connectionId: id }, provider: 'mastodon', text: 'x'.repeat(701) }
  const draft = { brandId: ada.brandId, ...long, status: 'scheduled', scheduledAt: inMs(60_000) }
  const refused = await ada.call<{ errors: { message: string }[] }>('POST', '/api/posts', draft, 422)
  expect(refused.errors[0]?.message).toContain('allows 700 characters')
})

test.each(['ada@mastodon.social', 'ada\u202e', 'ada smith', ''])(
  'SOC-03 account can’t be named %p, which looks like another one',
  async (username) => {
    const before = await ada.call<{ items: Connection[] }>('GET', '/api/accounts?limit=100')
    const { authorizeUrl } = await begin<{ authorizeUrl: string }>(201)
    const body = { id: '1', username }
    mastodon.faults.next('GET /api/v1/accounts/verify_credentials', { kind: 'answer', status: 200, body })
    const headers = { authorization: `Bearer ${ada.token}`, accept: 'text/html' }
    await fetch(mastodon.consent(authorizeUrl, 'sly'), { headers, redirect: 'manual' })
    const after = await ada.call<{ items: Connection[] }>('GET', '/api/accounts?limit=100')
    expect(after.items).toHaveLength(before.items.length)
  },
)

const addresses = [
  ['https://mastodon.example/@ada/109501382', '109501382'],
  ['https://mastodon.example/users/ada/statuses/109501382', '109501382'],
  ['https://gts.example/@ada/statuses/01HMZ2Q8KZ', '01HMZ2Q8KZ'],
  ['https://pleroma.example/notice/AbCdEf', 'AbCdEf'],
  ['https://mastodon.example/@ada@other.example/abc-1?from=feed', 'abc-1'],
  ['https://mastodon.example/@ada', null],
  ['https://mastodon.example/@ada/', null],
  ['https://mastodon.example/@ada/followers', null],
  ['https://mastodon.example/about', null],
] as const
test.each(addresses)('SOC-24 URL of the status at %s is %p', (address, id) => {
  expect(network.postIdOf(address)).toBe(id)
})
