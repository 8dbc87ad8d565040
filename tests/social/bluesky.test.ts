import { afterAll, beforeAll, expect, test } from 'bun:test'
import { appPassword, startBluesky, type BlueskyCounterpart, type Kept } from '../counterparts/bluesky.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { inMs, isSettled, newPublisher, type Post, type Publisher } from '../support/publisher.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'

// From the API through the scheduler to a server that responds like Bluesky's, and back.

let database: TestDatabase
let bluesky: BlueskyCounterpart
let server: Server
let ada: Publisher

beforeAll(async () => {
  database = await freshDatabase()
  bluesky = startBluesky()
  const env = { BLUESKY_RESOLVER_URL: bluesky.url, PLC_DIRECTORY_URL: bluesky.url }
  server = await serveInProcess({ databaseUrl: database.url, env })
  ada = await newPublisher(server.url)
})

afterAll(async () => {
  await server.stop()
  await bluesky.stop()
  await database.drop()
})

interface Connected {
  id: string
  health: string
  account: { id: string; name: string }
}

const connecting = <Answer>(form: Record<string, unknown>, status: number) =>
  ada.call<Answer>('POST', '/api/integrations/bluesky/connect', { brandId: ada.brandId, ...form }, status)

/** A connected account with its DID. */
async function connect(name: string) {
  const handle = `${name}.example.com`
  const { did } = bluesky.account(handle)
  const { connection } = await connecting<{ connection: Connected }>({ handle, appPassword }, 201)
  return { did, handle, connectionId: connection.id, connection }
}

interface Account {
  connectionId: string
}

const publish = ({ connectionId }: Account, text: string, values = {}) =>
  ada.post({
    provider: 'bluesky',
    text,
    status: 'scheduled',
    scheduledAt: inMs(350),
    target: { connectionId },
    ...values,
  })

const texts = (posts: Kept[]) => posts.map(({ value }) => value.text)

async function published(account: Account, text: string): Promise<Post> {
  const { id } = await publish(account, text)
  const post = await ada.until(id, isSettled)
  expect(post).toMatchObject({ status: 'published', failureMessage: null })
  return post
}

test('SOC-05 SOC-08 account connects with its handle and an app password', async () => {
  const { connection, did, handle } = await connect('ada')
  expect(connection).toMatchObject({ account: { id: did, name: handle }, health: 'ok' })
  const { items } = await ada.call<{ items: { provider: string; readiness: string }[] }>('GET', '/api/integrations')
  expect(items.find(({ provider }) => provider === 'bluesky')).toMatchObject({ readiness: 'production-ready' })
})

test.each([
  ['an unknown handle', { handle: 'unknown.example.com', appPassword }, 'handle'],
  ['the account’s own password', { handle: 'form.example.com', appPassword: 'correct horse battery' }, 'appPassword'],
  ['a wrong app password', { handle: 'form.example.com', appPassword: 'zzzz-zzzz-zzzz-zzzz' }, 'appPassword'],
  ['no handle', { handle: 'two words', appPassword }, 'handle'],
  ['another server', { handle: 'form.example.com', appPassword, pds: 'http://localhost:1' }, ''],
])('SOC-05 %s is rejected with a message, and nothing is connected', async (_, form, path) => {
  bluesky.account('form.example.com')
  const problem = await connecting<{ errors?: { path: string }[]; status: number }>(form, path ? 422 : 502)
  if (path) expect(problem.errors?.[0]?.path).toBe(path)
  const { items } = await ada.call<{ items: Connected[] }>('GET', '/api/accounts')
  expect(items.map(({ account }) => account.name)).not.toContain('form.example.com')
})

test('PLT-22 session tokens are readable in neither the database nor a response', async () => {
  const { connectionId } = await connect('sealed')
  const account = await ada.call<Record<string, unknown>>('GET', `/api/accounts/${connectionId}`)
  expect(Object.keys(account).filter((field) => /token|secret|metadata/i.test(field))).toEqual([])
})

test('SOC-08 post is published unchanged and found at its URL', async () => {
  const account = await connect('plain')
  const text = 'Grüße 👩‍👩‍👧 from Atrium'
  const post = await published(account, text)
  const [kept] = bluesky.posts(account.did)
  expect(kept?.value).toMatchObject({ $type: 'app.bsky.feed.post', text })
  expect(post.platformPostId).toBe(kept?.uri ?? '')
  expect(post.permalink).toBe(`https://bsky.app/profile/${account.did}/post/${kept?.uri.split('/').at(-1)}`)
})

test('SOC-08 links, mentions and hashtags are facets with byte offsets; an unknown handle stays text', async () => {
  const account = await connect('facets')
  const { did } = await connect('friend')
  await published(
    account,
    '👋 @friend.example.com and @unknown.example.com, see https://example.com/a_(b)?c=d. #Kaffee #1 (https://example.org)',
  )
  const [kept] = bluesky.posts(account.did)
  const bytes = Buffer.from(kept?.value.text ?? '')
  const marked = kept?.value.facets?.map(({ index: { byteStart, byteEnd }, features: [feature] }) => [
    bytes.subarray(byteStart, byteEnd).toString(),
    feature?.['uri'] ?? feature?.['did'] ?? feature?.['tag'],
  ])
  expect(marked).toEqual([
    ['@friend.example.com', did],
    ['https://example.com/a_(b)?c=d', 'https://example.com/a_(b)?c=d'],
    ['#Kaffee', 'Kaffee'],
    ['https://example.org', 'https://example.org'],
  ])
})

test('SOC-22 thread is published as replies to one root', async () => {
  const account = await connect('thread')
  const { items } = await ada.call<{ items: Post[] }>(
    'POST',
    '/api/posts',
    {
      brandId: ada.brandId,
      provider: 'bluesky',
      target: { connectionId: account.connectionId },
      thread: [{ text: 'One' }, { text: 'Two' }, { text: 'Three' }],
      status: 'scheduled',
      scheduledAt: inMs(350),
    },
    201,
  )
  await ada.until(items[2]?.id ?? '', isSettled)
  const [one, two, three] = bluesky.posts(account.did)
  expect(texts(bluesky.posts(account.did))).toEqual(['One', 'Two', 'Three'])
  const root = { uri: one?.uri ?? '', cid: one?.cid ?? '' }
  expect(one?.value.reply).toBeUndefined()
  expect(two?.value.reply).toEqual({ root, parent: root })
  expect(three?.value.reply).toEqual({ root, parent: { uri: two?.uri ?? '', cid: two?.cid ?? '' } })
})

test('SOC-14 post over Bluesky’s limits of 300 characters and 3000 bytes is rejected when it is scheduled', async () => {
  const account = await connect('limits')
  const schedule = (text: string, status: number) =>
    ada.call<{ errors: { message: string }[] }>(
      'POST',
      '/api/posts',
      { brandId: ada.brandId, provider: 'bluesky', text, status: 'scheduled', scheduledAt: inMs(60_000) },
      status,
    )
  expect((await schedule('é'.repeat(301), 422)).errors[0]?.message).toContain('Shorten the text by 1')
  expect((await schedule('👩‍👩‍👧'.repeat(200), 422)).errors[0]?.message).toContain('3600 bytes')
  await published(account, 'é'.repeat(300))
})

const put = 'com.atproto.repo.putRecord'

test.each(['lose', 'hang'] as const)(
  'SOC-24 missing response from the network (%s) results in exactly one post',
  async (kind) => {
    const account = await connect(`unheard-${kind}`)
    bluesky.faults.next(put, { kind })
    const post = await published(account, 'Once')
    expect(bluesky.posts(account.did).map(({ uri }) => uri)).toEqual([post.platformPostId ?? ''])
  },
)

test('SOC-24 post is created once when its response is lost and the network can’t be read either', async () => {
  const account = await connect('dark')
  bluesky.faults.next(put, { kind: 'lose' })
  bluesky.faults.next('com.atproto.repo.getRecord', { kind: 'answer', status: 503 }, 2)
  await published(account, 'Once in the dark')
  expect(texts(bluesky.posts(account.did))).toEqual(['Once in the dark'])
})

test('SOC-25 post is published after temporary failures of the server', async () => {
  const account = await connect('failing')
  bluesky.faults.next(put, { kind: 'answer', status: 500, body: { error: 'InternalServerError' } }, 2)
  await published(account, 'In the end')
  expect(texts(bluesky.posts(account.did))).toEqual(['In the end'])
})

test('SOC-25 throttled post is published when the network’s rate limit window resets', async () => {
  const account = await connect('throttled')
  const opens = Math.ceil(Date.now() / 1000) + 1
  const headers = { 'ratelimit-reset': String(opens) }
  bluesky.faults.next(put, { kind: 'answer', status: 429, body: { error: 'RateLimitExceeded' }, headers })
  const post = await published(account, 'With patience')
  expect(Date.parse(post.publishedAt ?? '')).toBeGreaterThanOrEqual(opens * 1000)
})

test('SOC-25 permanent refusal fails the post with the network’s message', async () => {
  const account = await connect('refused')
  bluesky.faults.next(put, { kind: 'answer', status: 400, body: { error: 'InvalidRequest', message: 'Not like this' } })
  const { id } = await publish(account, 'No')
  const post = await ada.until(id, isSettled)
  expect(post).toMatchObject({ status: 'failed', failureCode: 'provider_refused' })
  expect(post.failureMessage).toContain('Not like this')
})

test('SOC-07 expired tokens are refreshed only once for simultaneous callers', async () => {
  const account = await connect('renewed')
  await published(account, 'Before')
  bluesky.expireAccess()
  const before = bluesky.renewals()
  await published(account, 'After')
  await published(account, 'And after')
  expect(bluesky.renewals()).toBe(before + 1)
})

test('SOC-07 temporary failure of a token refresh doesn’t disconnect the account', async () => {
  const account = await connect('blip')
  bluesky.expireAccess()
  bluesky.faults.next('com.atproto.server.refreshSession', { kind: 'answer', status: 503 })
  await published(account, 'After the blip')
})

test('SOC-07 SOC-23 revoked app password disconnects the account until it is connected again', async () => {
  const account = await connect('revoked')
  bluesky.revoke(account.did)
  const { id } = await publish(account, 'Too late')
  const post = await ada.until(id, isSettled)
  expect(post).toMatchObject({ status: 'failed', failureCode: 'signed_out', failureRetryable: true })
  const path = `/api/accounts/${account.connectionId}`
  expect(await ada.call<Connected>('GET', path)).toMatchObject({ health: 'signed_out' })
  await ada.call('POST', `${path}/reconnect`, undefined, 409)
  await connecting({ handle: account.handle, appPassword }, 201)
  expect(await ada.call<Connected>('GET', path)).toMatchObject({ health: 'ok' })
  await ada.call('POST', `/api/posts/${id}/retry`)
  await ada.until(id, ({ status }) => status === 'published')
  expect(texts(bluesky.posts(account.did))).toEqual(['Too late'])
})

test('SOC-48 published post is deleted from Bluesky and kept unchanged in Atrium', async () => {
  const account = await connect('deleting')
  const post = await published(account, 'Not for long')
  bluesky.expireAccess()
  const path = `/api/posts/${post.id}/publication`
  const withdrawn = await ada.call<Post & { withdrawnAt: string }>('DELETE', path)
  expect(withdrawn).toMatchObject({ status: 'published', withdrawnAt: expect.any(String) })
  expect(bluesky.posts(account.did)).toEqual([])
  expect(await ada.call<{ code: string }>('DELETE', path, undefined, 409)).toMatchObject({ code: 'not_published' })
})

test('SOC-48 post is corrected by replacing its record, and a lost response is read back', async () => {
  const account = await connect('correcting')
  const post = await published(account, 'Munday')
  const correct = (text: string) => ada.call<object>('POST', `/api/posts/${post.id}/corrections`, { text })
  expect(await correct('Monday https://example.com/')).toMatchObject({ state: 'corrected' })
  bluesky.faults.next('com.atproto.repo.putRecord', { kind: 'lose' })
  expect(await correct('Monday')).toMatchObject({ state: 'corrected' })
  expect(texts(bluesky.posts(account.did))).toEqual(['Monday'])
  expect(await ada.call<Post>('GET', `/api/posts/${post.id}`)).toMatchObject({ platformPostId: post.platformPostId })
})

test('SOC-48 deletion without a response from the network can be retried', async () => {
  const account = await connect('deleting-twice')
  const post = await published(account, 'Not for long')
  const path = `/api/posts/${post.id}/publication`
  bluesky.faults.next('com.atproto.repo.deleteRecord', { kind: 'lose' })
  await ada.call('DELETE', path, undefined, 502)
  expect(await ada.call<object>('GET', `/api/posts/${post.id}`)).toMatchObject({ withdrawnAt: null })
  await ada.call('DELETE', path)
  expect(bluesky.posts(account.did)).toEqual([])
})
