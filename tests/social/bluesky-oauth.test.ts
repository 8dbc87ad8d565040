import { afterAll, beforeAll, expect, test } from 'bun:test'
import { appPassword, startBluesky, type BlueskyCounterpart } from '../counterparts/bluesky.ts'
import type { Consent } from '../counterparts/wire/grants.ts'
import { administer, freshDatabase, type TestDatabase } from '../support/database.ts'
import { inMs, isSettled, newPublisher, type Post, type Publisher } from '../support/publisher.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'
import { comeBack, drawPage, fetchPage } from './networks/support/connect.ts'

// Sign-in with OAuth at a server of the AT Protocol, from the form to posts and refreshes.

let database: TestDatabase
let bluesky: BlueskyCounterpart
let server: Server
let ada: Publisher

beforeAll(async () => {
  database = await freshDatabase()
  bluesky = startBluesky()
  const env = {
    BLUESKY_RESOLVER_URL: bluesky.url,
    PLC_DIRECTORY_URL: bluesky.url,
    NETWORK_ORIGINS: `bsky.social=${bluesky.auth.issuer}`,
  }
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
  expiresAt: string | null
  scopes: string[]
  account: { id: string; name: string }
}

const connectPath = '/api/integrations/bluesky/connect'
const begin = async (form: Record<string, unknown> = {}): Promise<string> =>
  (await ada.call<{ authorizeUrl: string }>('POST', connectPath, { brandId: ada.brandId, ...form }, 201)).authorizeUrl
const refuse = (form: Record<string, unknown>, status: number) =>
  ada.call<{ code: string; detail: string; errors?: { path: string; message: string }[] }>(
    'POST',
    connectPath,
    { brandId: ada.brandId, ...form },
    status,
  )

async function find(did: string): Promise<Connected | undefined> {
  const { items } = await ada.call<{ items: Connected[] }>('GET', '/api/accounts?limit=100')
  return items.find(({ account }) => account.id === did)
}

/** Signs in as the account; returns where that leads. */
const consent = async (did: string, form: Record<string, unknown> = {}, how?: Consent): Promise<URL> =>
  comeBack(ada, bluesky.auth.consent(await begin(form), did, how))

async function connect(name: string) {
  const handle = `${name}.example.com`
  const { did } = bluesky.account(handle)
  await consent(did, { handle })
  const connectionId = (await find(did))?.id ?? ''
  expect(connectionId).not.toBe('')
  return { did, handle, connectionId }
}

interface Account {
  did: string
  connectionId: string
}

const publish = async ({ connectionId }: Account, text: string, values = {}): Promise<Post> => {
  const target = { connectionId }
  const fields = { provider: 'bluesky', text, status: 'scheduled', scheduledAt: inMs(200), target, ...values }
  return ada.until((await ada.post(fields)).id, isSettled, 30_000)
}

const texts = ({ did }: Account) => bluesky.posts(did).map(({ value }) => value.text)
const tokenRequests = () => bluesky.auth.callsOf('auth POST /oauth/token').length
const expireSoon = ({ connectionId }: Account, seconds = 60) =>
  administer(
    database.url,
    (sql) =>
      sql`UPDATE social.connections SET expires_at = now() + ${seconds} * interval '1 second' WHERE id = ${connectionId}`,
  )

test('SOC-05 SOC-08 account connects with its handle by OAuth, with the lifetime of its token', async () => {
  const { did } = bluesky.account('ada.example.com')
  const authorizeUrl = await begin({ handle: '@Ada.example.com ' })
  expect([...new URL(authorizeUrl).searchParams.keys()]).toEqual(['client_id', 'request_uri'])
  const back = await comeBack(ada, bluesky.auth.consent(authorizeUrl, did))
  expect(back.searchParams.get('unconnected')).toBeNull()
  const connected = await find(did)
  expect(connected).toMatchObject({
    health: 'ok',
    account: { name: 'ada.example.com' },
    scopes: ['atproto', 'transition:generic'],
  })
  expect(Math.round((Date.parse(connected?.expiresAt ?? '') - Date.now()) / 60_000)).toBe(30)
  expect(bluesky.auth.callsOf('auth POST /oauth/par').at(-1)?.text).toContain('login_hint=ada.example.com')
})

test.each([
  ['the server of the account', () => ({ pds: bluesky.url })],
  ['an entryway', () => ({ pds: bluesky.auth.issuer })],
  ['nothing, for bsky.social', () => ({})],
])('SOC-08 account connects by OAuth with %s', async (name, form) => {
  const { did } = bluesky.account(`from-${name.split(' ')[0]}.example.com`)
  await consent(did, form())
  expect(await find(did)).toMatchObject({ health: 'ok' })
})

test('SOC-05 state belongs to the person who began, and is used up', async () => {
  const { did } = bluesky.account('bound.example.com')
  const address = bluesky.auth.consent(await begin({ handle: 'bound.example.com' }), did)
  const bob = await newPublisher(server.url)
  expect((await comeBack(bob, address)).searchParams.get('unconnected')).toBe('expired')
  expect((await comeBack(ada, address)).searchParams.get('unconnected')).toBeNull()
  expect((await comeBack(ada, address)).searchParams.get('unconnected')).toBe('expired')
})

test('SOC-05 denied consent connects nothing', async () => {
  const { did } = bluesky.account('denying.example.com')
  const led = await consent(did, { handle: 'denying.example.com' }, { allows: false })
  expect(led.searchParams.get('unconnected')).toBe('denied')
  expect(await find(did)).toBeUndefined()
})

test('SOC-23 SOC-25 Bluesky, partial grant: nothing connected, the page names the permission, tokens revoked', async () => {
  const { did } = bluesky.account('partial.example.com')
  const led = await consent(did, { handle: 'partial.example.com' }, { without: ['transition:generic'] })
  expect(await drawPage(ada, led)).toContain('Some permissions were left out: transition:generic')
  expect(await find(did)).toBeUndefined()
  expect(bluesky.auth.sessions.of(did).map(({ isRevoked }) => isRevoked)).toEqual([true])
})

test('SOC-08 consent of another account than the entered one connects nothing', async () => {
  bluesky.account('entered.example.com')
  const { did } = bluesky.account('other.example.com')
  const led = await consent(did, { handle: 'entered.example.com' })
  expect(await drawPage(ada, led)).toContain('You signed in with another account than the one that you entered.')
  expect(await find(did)).toBeUndefined()
  expect(bluesky.auth.sessions.of(did).map(({ isRevoked }) => isRevoked)).toEqual([true])
})

test('SOC-08 server that signs in an account that isn’t its own connects nothing', async () => {
  const hostile = startBluesky()
  try {
    const { did } = bluesky.account('victim.example.com')
    hostile.account('mallory.example.com')
    hostile.auth.lies.sub = did
    const before = bluesky.faults.requested('com.atproto.server.getSession')
    const authorizeUrl = await begin({ pds: hostile.url })
    const led = await comeBack(ada, hostile.auth.consent(authorizeUrl, did))
    expect(led.searchParams.get('unconnected')).toBe('failed')
    expect(await find(did)).toBeUndefined()
    // Its tokens went nowhere.
    expect(bluesky.faults.requested('com.atproto.server.getSession')).toBe(before)
  } finally {
    await hostile.stop()
  }
})

test('SOC-08 response that says it is of another server is rejected before its code is sent', async () => {
  const { did } = bluesky.account('mixed.example.com')
  const before = tokenRequests()
  bluesky.auth.lies.iss = 'https://evil.example'
  const led = await consent(did, { handle: 'mixed.example.com' })
  delete bluesky.auth.lies.iss
  expect([led.searchParams.get('unconnected'), tokenRequests()]).toEqual(['failed', before])
})

test.each([
  ['an unknown handle', () => ({ handle: 'nowhere.example.com' }), 'handle'],
  ['no handle', () => ({ handle: 'two words' }), 'handle'],
  ['an unknown field', () => ({ handle: 'form.example.com', password: 'x' }), 'password'],
  ['a server that isn’t one', () => ({ pds: 'ftp://example.com' }), 'pds'],
])('SOC-05 %s is rejected before a redirect', async (_, form, path) => {
  bluesky.account('form.example.com')
  expect((await refuse(form(), 422)).errors?.[0]?.path).toBe(path)
})

test('SOC-08 handle that the account doesn’t claim is rejected', async () => {
  const { did } = bluesky.account('claimed.example.com')
  bluesky.faults.next('com.atproto.identity.resolveHandle', { kind: 'answer', status: 200, body: { did } })
  expect((await refuse({ handle: 'stolen.example.com' }, 422)).errors?.[0]?.message).toContain('doesn’t use it')
})

test('SOC-08 servers without OAuth, or with one that lacks what the protocol requires, suggest an app password', async () => {
  const { did } = bluesky.account('old.example.com')
  bluesky.entryway(null)
  const refused = await refuse({ handle: 'old.example.com' }, 422)
  expect(refused.errors?.[0]).toMatchObject({ path: 'handle', message: expect.stringContaining('Use an app password') })
  bluesky.entryway(bluesky.auth.issuer)
  for (const metadata of [
    { issuer: 'https://evil.example' },
    { dpop_signing_alg_values_supported: ['RS256'] },
    { scopes_supported: ['openid'] },
    { pushed_authorization_request_endpoint: 'http://example.com/par' },
  ]) {
    bluesky.auth.lies.metadata = metadata
    expect((await refuse({ handle: 'old.example.com' }, 422)).errors?.[0]?.message).toContain('Use an app password')
  }
  delete bluesky.auth.lies.metadata
  expect(await find(did)).toBeUndefined()
})

test('SOC-08 endless metadata of a server is not read', async () => {
  bluesky.account('endless.example.com')
  bluesky.auth.lies.metadata = { padding: 'x'.repeat(70_000) }
  expect(await refuse({ handle: 'endless.example.com' }, 502)).toMatchObject({ code: 'provider_unreachable' })
  delete bluesky.auth.lies.metadata
})

test('SOC-15 lifetime of a token that ends beyond all dates counts as not given', async () => {
  bluesky.auth.lies.expires_in = 9_000_000_000_000
  const { did } = await connect('endless-token')
  delete bluesky.auth.lies.expires_in
  expect(await find(did)).toMatchObject({ health: 'ok', expiresAt: null })
})

test('SOC-05 server that is down is a 502, and nothing is connected', async () => {
  bluesky.account('down.example.com')
  bluesky.auth.fail('auth POST /oauth/par', 'server_error')
  expect(await refuse({ handle: 'down.example.com' }, 502)).toMatchObject({ code: 'provider_error' })
})

test('SOC-08 posts, threads, images and deletions work with tokens that are bound to a key', async () => {
  const account = await connect('publishing')
  const post = await publish(account, 'Grüße')
  expect(post).toMatchObject({ status: 'published', failureMessage: null })
  const media = {
    brandId: ada.brandId,
    file: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    alt: 'A dot',
  }
  const { id: mediaId } = await ada.call<{ id: string }>('POST', '/api/media', media, 201)
  expect(await publish(account, 'A dot', { media: [{ mediaId }] })).toMatchObject({ status: 'published' })
  expect(bluesky.posts(account.did).at(-1)?.value.embed).toMatchObject({ images: [{ alt: 'A dot' }] })
  await ada.call('DELETE', `/api/posts/${post.id}/publication`)
  expect(texts(account)).toEqual(['A dot'])
})

test('SOC-08 nonces that rotate at both servers repeat a request and nothing else', async () => {
  const account = await connect('rotating')
  for (const { nonces } of [bluesky, bluesky.auth]) nonces.rotate(true)
  await expireSoon(account)
  const before = bluesky.faults.requested('com.atproto.repo.putRecord')
  expect(await publish(account, 'Rotated')).toMatchObject({ status: 'published' })
  expect(bluesky.faults.requested('com.atproto.repo.putRecord')).toBe(before + 2)
  expect(texts(account)).toEqual(['Rotated'])
})

test('SOC-07 token is refreshed ahead of expiry, once for posts at the same time, and each refresh token is used once', async () => {
  const account = await connect('ahead')
  await expireSoon(account)
  await publish(account, 'Warm')
  await expireSoon(account)
  const before = tokenRequests()
  const posts = await Promise.all(['One', 'Two', 'Three'].map((text) => publish(account, text)))
  expect(posts.map(({ status }) => status)).toEqual(['published', 'published', 'published'])
  expect(tokenRequests()).toBe(before + 1)
  expect(await publish(account, 'After')).toMatchObject({ status: 'published' })
  expect(tokenRequests()).toBe(before + 1)
})

test('SOC-07 token that expired early is refreshed when the server refuses it', async () => {
  const account = await connect('early')
  bluesky.auth.sessions.expire()
  expect(await publish(account, 'All the same')).toMatchObject({ status: 'published' })
  expect(texts(account)).toEqual(['All the same'])
})

test.each(['server_error', 'rate_limited', 'no_answer_before', 'unauthorized'] as const)(
  'SOC-07 refresh that ends with %s disconnects nothing',
  async (fault) => {
    const account = await connect(`fault-${fault.replaceAll('_', '-')}`)
    await expireSoon(account)
    bluesky.auth.fail('auth POST /oauth/token', fault)
    expect(await publish(account, 'All the same')).toMatchObject({ status: 'published' })
    expect((await find(account.did))?.health).toBe('ok')
  },
)

test('SOC-07 SOC-23 revoked session signs the account out, and connecting it again restores it', async () => {
  const account = await connect('revoked')
  bluesky.revoke(account.did)
  expect(await publish(account, 'Too late')).toMatchObject({ status: 'failed', failureCode: 'signed_out' })
  expect((await find(account.did))?.health).toBe('signed_out')
  await consent(account.did, { handle: account.handle })
  expect(await find(account.did)).toMatchObject({ id: account.connectionId, health: 'ok' })
  expect(await publish(account, 'Back')).toMatchObject({ status: 'published' })
})

test('SOC-08 account of an app password is connected again by OAuth, and the other way round', async () => {
  const handle = 'both.example.com'
  const { did } = bluesky.account(handle)
  await ada.call('POST', connectPath, { brandId: ada.brandId, handle, appPassword }, 201)
  const { id: connectionId } = (await find(did)) ?? { id: '' }
  expect(await find(did)).toMatchObject({ scopes: ['app_password'], expiresAt: null })
  await consent(did, { handle })
  expect(await find(did)).toMatchObject({ id: connectionId, scopes: ['atproto', 'transition:generic'] })
  expect(await publish({ did, connectionId }, 'With a key')).toMatchObject({ status: 'published' })
  await ada.call('POST', connectPath, { brandId: ada.brandId, handle, appPassword }, 201)
  expect(await find(did)).toMatchObject({ id: connectionId, scopes: ['app_password'], expiresAt: null })
  expect(await publish({ did, connectionId }, 'Without one')).toMatchObject({ status: 'published' })
})

test('PLT-22 tokens and the key that they are bound to are sealed', async () => {
  const { did, connectionId } = await connect('sealed')
  const [row] = await administer(
    database.url,
    (sql) => sql`SELECT to_jsonb(c)::text AS row FROM social.connections c WHERE id = ${connectionId}`,
  )
  const text = String(row?.['row'])
  expect(text).not.toContain(bluesky.auth.sessions.of(did)[0]?.refresh ?? '')
  expect(text).not.toContain('proofKey')
})

test('SOC-25 SOC-23 post without permission is refused with what to do', async () => {
  const account = await connect('scopeless')
  bluesky.faults.next('com.atproto.repo.putRecord', {
    kind: 'answer',
    status: 403,
    body: { error: 'ScopeMissingError' },
  })
  expect(await publish(account, 'No')).toMatchObject({ status: 'failed', failureCode: 'permission_missing' })
})

test('SOC-08 page has the form of an app password beside sign-in, and both work without scripts', async () => {
  const page = await drawPage(ada, `/workspace/accounts?brandId=${ada.brandId}`)
  expect(page).toContain('Sign in with Bluesky')
  expect(page).toContain('App password')
  bluesky.account('scriptless.example.com')
  const response = await fetch(new URL(connectPath, server.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${ada.token}`, accept: 'text/html', 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ brandId: ada.brandId, handle: 'scriptless.example.com', pds: '' }),
    redirect: 'manual',
  })
  expect([response.status, response.headers.get('location')]).toEqual([
    303,
    expect.stringContaining(`${bluesky.auth.issuer}/oauth/authorize`),
  ])
  expect((await fetchPage(ada, '/workspace/accounts')).status).toBe(200)
})
