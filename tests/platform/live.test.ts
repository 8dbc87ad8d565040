import { afterAll, beforeAll, expect, test } from 'bun:test'
import { listen, type Listener } from '#lib/http/listen.ts'
import type { ServerFrame } from '#lib/live/protocol.ts'
import { createLog } from '#lib/log.ts'
import { deliverWebhook } from '#lib/outgoing-webhooks/deliver.ts'
import { openLive, type LiveClient } from '../support/live-client.ts'
import { openWorld, type Caller, type World } from '../support/world.ts'
import { wireServer } from '../support/world/wire.ts'
import { eventually } from '../boot/program.ts'

let world: World
/** Two servers on one database. */
let here: Listener
let there: Listener
const undo: (() => Promise<unknown> | void)[] = []
const log = createLog('silent')
const anywhere = { hostname: '127.0.0.1', port: 0 }

beforeAll(async () => {
  world = await openWorld()
  undo.push(() => world.close())
  const { DATABASE_URL: url = '', DATA_DIR: home } = world.provided.config
  const other = await wireServer({ url, home, undo })
  here = listen(anywhere, world.handle, log)
  there = listen(anywhere, other.handle, log)
  undo.push(
    () => here.stop(true),
    () => there.stop(true),
  )
})
afterAll(async () => {
  for (const step of undo.toReversed()) await step()
})

const tokenOf = async (caller: Caller): Promise<string> =>
  (await caller.fetchJson<{ token: string }>('POST /api/live/token', {})).token

const postsOf = (brandId: string) => `posts:${brandId}`
const adasPosts = () => postsOf(world.ada.things.brands)

/** A channel of the caller on the other server, with its topics. */
async function follow(caller: Caller, topics: string[], more: object = {}): Promise<LiveClient> {
  const client = await openLive(there.url)
  client.send({ token: await tokenOf(caller), topics, ...more })
  await client.next('subscribed')
  return client
}

const draft = () =>
  world.ada.fetchJson('POST /api/posts', { brandId: world.ada.things.brands, provider: 'sandbox', text: 'New' }, 201)

test('DSH-21 a change on one server reaches followers of its topic on another, without any data', async () => {
  const client = await follow(world.vera, [adasPosts()])
  expect(client.frames).toEqual([{ type: 'ready' }, { type: 'subscribed', topics: [adasPosts()], refused: [] }])
  await draft()
  expect(await client.next('invalidate')).toEqual({ type: 'invalidate', topics: [adasPosts()] })
  client.send({ topics: [] })
  expect(await client.next('subscribed')).toEqual({ type: 'subscribed', topics: [], refused: [] })
  client.close()
})

test('DSH-21 a live token opens one channel, on any server', async () => {
  const token = await tokenOf(world.ada)
  const first = await openLive(here.url)
  first.send({ token })
  await first.next('ready')
  const second = await openLive(there.url)
  second.send({ token })
  expect(await Promise.race([second.closed, second.ready])).toEqual({ code: 4401, reason: 'invalid_token' })
  first.close()
})

test('DSH-21 a live token that is expired, altered or made up doesn’t open a channel', async () => {
  const { sql } = world.database
  const expired = await tokenOf(world.ada)
  await sql`UPDATE platform.live_tokens SET expires_at = now() - interval '1 second'`
  const whole = await tokenOf(world.ada)
  const id = crypto.randomUUID()
  for (const token of [expired, `${whole.slice(0, -4)}AAAA`, `${id}.${whole.split('.').slice(1).join('.')}`, 'x', id]) {
    const client = await openLive(here.url)
    client.send({ token })
    expect(await Promise.race([client.closed, client.ready])).toEqual({ code: 4401, reason: 'invalid_token' })
  }
})

test('DSH-21 handshake rejects pages of other sites, and requests that aren’t WebSocket upgrades', async () => {
  const refused = { headers: { upgrade: 'websocket', connection: 'upgrade', origin: 'https://evil.example' } }
  const foreign = await fetch(new URL('/api/live', here.url), refused)
  expect([foreign.status, await foreign.json()]).toMatchObject([403, { code: 'cross_origin' }])
  const plain = await fetch(new URL('/api/live', here.url))
  expect([plain.status, await plain.json()]).toMatchObject([426, { code: 'upgrade_required' }])
  expect(plain.headers.get('upgrade')).toBe('websocket')
  const headers = { upgrade: 'websocket', origin: 'http://localhost' }
  const own = await world.handle(new Request('http://localhost/api/live', { headers }), '127.0.0.1', () => true)
  expect(own.status).toBe(101)
})

test('DSH-21 topic is rejected for people who can’t read its resource, and an unknown topic is rejected for everyone', async () => {
  const foreign = postsOf(world.mallory.things.brands)
  const wrong = [
    foreign,
    postsOf(crypto.randomUUID()),
    'posts',
    'posts:x',
    `${adasPosts()}:x`,
    `secrets:${world.ada.id}`,
  ]
  const ada = await openLive(here.url)
  ada.send({ token: await tokenOf(world.ada), topics: [...wrong, adasPosts()] })
  expect(await ada.next('subscribed')).toEqual({ type: 'subscribed', topics: [adasPosts()], refused: wrong })
  ada.send({ topics: [adasPosts(), foreign] })
  expect(await ada.next('subscribed')).toEqual({ type: 'subscribed', topics: [adasPosts()], refused: [foreign] })
  const blind = await world.ada.createKey({ scopes: ['accounts.read'] })
  for (const caller of [world.nora, blind]) {
    const client = await openLive(here.url)
    client.send({ token: await tokenOf(caller), topics: [adasPosts()] })
    expect(await client.next('subscribed')).toEqual({ type: 'subscribed', topics: [], refused: [adasPosts()] })
    client.close()
  }
  ada.close()
})

test('DSH-21 a webhook’s admins are notified of its deliveries, attempts, changes and deletion', async () => {
  const webhook = { name: 'Store', url: 'https://example.com/hook', events: ['post.published'] }
  const { id } = await world.ada.fetchJson<{ id: string }>('POST /api/webhooks', webhook, 201)
  const topic = `webhook:${id}`
  const client = await follow(world.ada, [topic])
  const refused = await openLive(here.url)
  refused.send({ token: await tokenOf(world.vera), topics: [topic] })
  expect(await refused.next('subscribed')).toEqual({ type: 'subscribed', topics: [], refused: [topic] })
  refused.close()
  const isTold = () => client.nextChange(topic)
  const delivery = await world.ada.fetchJson<{ id: string }>(`POST /api/webhooks/${id}/test`, {}, 201)
  await isTold()
  await world.ada.fetchJson(`PATCH /api/webhooks/${id}`, { state: 'paused' })
  await isTold()
  // An attempt without a request.
  await world.database.sql`UPDATE platform.webhook_endpoints SET state = 'disabled' WHERE id = ${id}`
  const input = { id: delivery.id, round: 1, organizationId: world.ada.things.organizations }
  await deliverWebhook.run({ ...world.provided, input, database: world.database, now: () => new Date() })
  await isTold()
  const before = client.frames.length
  await world.ada.fetchJson(`DELETE /api/webhooks/${id}`, undefined, 204)
  // A recheck that runs between the deletion and its report finds no webhook, and ends the subscription.
  const isEnd = (frame: ServerFrame) =>
    (frame.type === 'invalidate' || frame.type === 'dropped') && frame.topics.includes(topic)
  expect(await eventually(() => client.frames.slice(before).some(isEnd))).toBe(true)
  client.close()
})

test('DSH-21 only the person who requested an export is notified of it', async () => {
  const topic = `exports:${world.vera.id}`
  const refused = await openLive(here.url)
  refused.send({ token: await tokenOf(world.ada), topics: [topic] })
  expect((await refused.next('subscribed')).refused).toEqual([topic])
  refused.close()
  const client = await follow(world.vera, [topic])
  await world.vera.fetchJson('POST /api/exports/account', {}, 201)
  await client.nextChange(topic)
  client.close()
})

test('DSH-21 subscribing reports only the topics that changed since the page was loaded', async () => {
  await draft()
  const late = await follow(world.ada, [adasPosts()], { staleMs: 60_000 })
  expect((await late.next('invalidate')).topics).toEqual([adasPosts()])
  const current = await follow(world.ada, [adasPosts()], { staleMs: 0 })
  current.send({ topics: [] })
  await current.next('subscribed')
  expect(current.frames.filter(({ type }) => type === 'invalidate')).toEqual([])
  late.close()
  current.close()
})

test('DSH-21 a change that happens while the first message is being sent is reported', async () => {
  const token = await tokenOf(world.ada)
  const other = await follow(world.vera, [adasPosts()])
  const slow = await openLive(there.url)
  await draft()
  await other.next('invalidate')
  slow.send({ token, topics: [adasPosts()], staleMs: 0 })
  expect(await slow.next('invalidate')).toEqual({ type: 'invalidate', topics: [adasPosts()] })
  for (const client of [slow, other]) client.close()
})

test('DSH-21 a topic added to a channel is reported if it has already changed, and other topics aren’t reported again', async () => {
  const { id: brandId } = await world.ada.fetchJson<{ id: string }>(
    'POST /api/brands',
    { name: 'Ink', timeZone: 'UTC' },
    201,
  )
  const watching = await follow(world.ada, [adasPosts(), postsOf(brandId)])
  const client = await follow(world.ada, [adasPosts()])
  await draft()
  await world.ada.fetchJson('POST /api/posts', { brandId, provider: 'sandbox', text: 'New' }, 201)
  const reported = new Set<string>()
  while (reported.size < 2) for (const topic of (await watching.next('invalidate')).topics) reported.add(topic)
  await client.next('invalidate')
  client.send({ topics: [adasPosts(), postsOf(brandId)], staleMs: 60_000 })
  expect(await client.next('invalidate')).toEqual({ type: 'invalidate', topics: [postsOf(brandId)] })
  for (const one of [watching, client]) one.close()
})

test('DSH-21 IDN-05 ending a session closes its channels on every server, and no others', async () => {
  const session = await world.vera.signIn()
  const client = await follow(session, [adasPosts()])
  const other = await follow(world.vera, [adasPosts()])
  await session.fetchJson('POST /api/auth/logout', {})
  expect(await client.closed).toEqual({ code: 4401, reason: 'invalid_token' })
  await draft()
  await other.next('invalidate')
  other.close()
})

test('DSH-21 IDN-03 an open channel does not keep an unused session alive', async () => {
  const { sql } = world.database
  const { cookie } = await world.vera.signIn()
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  const { token } = await (await world.stranger.fetch('POST /api/live/token', {}, headers)).json()
  const client = await openLive(here.url)
  client.send({ token, topics: [adasPosts()] })
  await client.next('subscribed')
  const unused = await sql`UPDATE identity.sessions SET last_used_at = last_used_at - interval '1 hour'
    WHERE user_id = ${world.vera.id} RETURNING last_used_at`
  // The cached session is deleted, so that it is looked up.
  await world.provided.events.publish(world.database.db, 'identity.revoked', { id: world.vera.id })
  world.provided.live.recheck()
  // The channel responds in order: the recheck is over.
  client.send({ topics: [] })
  await client.next('subscribed')
  const later = await sql`SELECT last_used_at FROM identity.sessions WHERE user_id = ${world.vera.id}`
  expect(later.map((row) => String(row['last_used_at'])).sort()).toEqual(
    unused.map((row) => String(row['last_used_at'])).sort(),
  )
  client.close()
})

test('DSH-21 IDN-05 a revoked key’s channel is closed', async () => {
  const key = await world.ada.createKey({ scopes: ['posts.read'] })
  const client = await follow(key, [adasPosts()])
  await world.ada.fetchJson(`DELETE /api/api-keys/${key.id}`)
  expect(await client.closed).toEqual({ code: 4401, reason: 'invalid_token' })
})

test('DSH-21 IDN-05 a member who is removed loses the organization’s topics on every server', async () => {
  const eve = await world.join(world.ada, { name: 'Eve', role: 'editor' })
  const client = await follow(eve, [adasPosts()])
  await world.ada.fetchJson(
    `DELETE /api/organizations/${world.ada.things.organizations}/members/${eve.id}`,
    undefined,
    204,
  )
  const end = await Promise.race([client.closed, client.next('dropped')])
  expect(end).toMatchObject('code' in end ? { code: 4401 } : { topics: [adasPosts()] })
  await draft()
  const later = await follow(world.ada, [adasPosts()], { staleMs: 60_000 })
  await later.next('invalidate')
  expect(client.frames.filter(({ type }) => type === 'invalidate')).toEqual([])
  later.close()
  client.close()
})

test('DSH-21 a member limited to another brand loses the topics of this one, and keeps the channel', async () => {
  const { organizations } = world.ada.things
  const finn = await world.join(world.ada, { name: 'Finn', role: 'editor' })
  const brand = await world.ada.fetchJson<{ id: string }>('POST /api/brands', { name: 'Tea', timeZone: 'UTC' }, 201)
  const client = await follow(finn, [adasPosts(), postsOf(brand.id)])
  const resources = [{ service: 'platform-socialize', kind: 'brand', id: brand.id, role: 'editor' }]
  await world.ada.fetchJson(`PUT /api/organizations/${organizations}/members/${finn.id}/resources`, { resources })
  expect(await client.next('dropped')).toEqual({ type: 'dropped', topics: [adasPosts()] })
  client.send({ topics: [postsOf(brand.id)] })
  expect((await client.next('subscribed')).topics).toEqual([postsOf(brand.id)])
  client.close()
})

test('DSH-21 malformed, large and unexpected messages close the channel with a code', async () => {
  const cases = [
    ['{', 4400],
    ['{"topics":[]}', 4400],
    ['{"token":"x","more":1}', 4400],
    [JSON.stringify({ token: 'x', topics: Array.from({ length: 51 }, String) }), 4400],
    ['x'.repeat(17 * 1024), 1009],
  ] as const
  for (const [text, code] of cases) {
    const socket = new WebSocket(new URL('/api/live', here.url).href.replace('http', 'ws'))
    const closed = new Promise<number>((resolve) => socket.addEventListener('close', (event) => resolve(event.code)))
    socket.addEventListener('open', () => socket.send(text))
    expect([text.slice(0, 30), await closed]).toEqual([text.slice(0, 30), code])
  }
})

test('DSH-21 PLT-14 only handshakes without a valid token count toward an IP address’s rate limit', async () => {
  const { DATABASE_URL: url = '', DATA_DIR: home } = world.provided.config
  const limited = await wireServer({ url, home, undo, env: { RATE_LIMIT_READS: '3' } })
  const server = listen(anywhere, limited.handle, log)
  await world.database.sql`DELETE FROM platform.rate_limits`
  undo.push(() => server.stop(true))
  for (let opened = 0; opened < 5; opened++) {
    const client = await openLive(server.url)
    client.send({ token: await tokenOf(world.ada) })
    await client.next('ready')
    client.close()
  }
  for (let opened = 0; opened < 3; opened++) await openLive(server.url)
  await expect(openLive(server.url)).rejects.toThrow('The handshake was refused')
})

test('DSH-21 a client that sends more than 60 messages in a minute is disconnected', async () => {
  const client = await follow(world.ada, [])
  for (let sent = 1; sent < 60; sent++) {
    client.send({ topics: [] })
    await client.next('subscribed')
  }
  client.send({ topics: [] })
  expect(await client.closed).toEqual({ code: 4429, reason: 'Too many messages' })
})

test('DSH-21 a session can have at most 50 channels', async () => {
  const caller = await world.ada.signIn()
  const clients = await Promise.all(Array.from({ length: 50 }, () => follow(caller, [])))
  const last = await openLive(there.url)
  last.send({ token: await tokenOf(caller) })
  expect((await last.closed).code).toBe(4429)
  const [first, ...others] = clients
  first?.close()
  const again = async () => {
    const client = await openLive(there.url)
    client.send({ token: await tokenOf(caller) })
    return Promise.race([client.closed.then(() => false), client.next('ready').then(() => true)])
  }
  expect(await eventually(again)).toBe(true)
  for (const client of others) client.close()
})

test('PLT-24 a live token leaves no row in the audit log', async () => {
  await tokenOf(world.ada)
  const rows = await world.database.sql`SELECT 1 FROM platform.audit_log WHERE operation = 'createLiveToken'`
  expect(rows).toHaveLength(0)
})

test('PLT-32 a stopping server closes its channels, so clients reconnect to another one', async () => {
  const server = listen(anywhere, world.handle, log)
  const clients = await Promise.all([openLive(server.url), openLive(server.url)])
  expect(server.openSockets()).toBe(2)
  const stopped = server.stop()
  for (const { closed } of clients) expect((await closed).code).toBe(1012)
  await stopped
  expect(server.openSockets()).toBe(0)
})
