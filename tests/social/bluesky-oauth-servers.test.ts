import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually, killRest } from '../boot/program.ts'
import { startBluesky, type BlueskyCounterpart } from '../counterparts/bluesky.ts'
import { administer, freshDatabase, type TestDatabase } from '../support/database.ts'
import { inMs, isSettled, newPublisher, type Post, type Publisher } from '../support/publisher.ts'
import { serve, type Served } from '../support/served.ts'
import { scaleTime } from '../support/time-scale.ts'
import { comeBack } from './networks/support/connect.ts'

// Several servers that refresh the single-use tokens of OAuth, and one that dies while it does.

let database: TestDatabase
let bluesky: BlueskyCounterpart
let server: Served
let ada: Publisher

const start = () =>
  serve({
    databaseUrl: database.url,
    env: {
      BLUESKY_RESOLVER_URL: bluesky.url,
      PLC_DIRECTORY_URL: bluesky.url,
      PROVIDER_TIMEOUT_MS: String(Math.max(1_500, scaleTime(300))),
      PUBLISH_RETRY_BUDGET_MS: String(scaleTime(20_000)),
    },
  })

beforeAll(async () => {
  database = await freshDatabase()
  bluesky = startBluesky()
  server = await start()
  ada = await newPublisher(server.url)
})

afterAll(async () => {
  await killRest()
  await bluesky.stop()
  await database.drop()
})

interface Connected {
  id: string
  health: string
  account: { id: string }
}

async function connect(name: string) {
  const handle = `${name}.example.com`
  const { did } = bluesky.account(handle)
  const form = { brandId: ada.brandId, handle }
  const path = '/api/integrations/bluesky/connect'
  const { authorizeUrl } = await ada.call<{ authorizeUrl: string }>('POST', path, form, 201)
  await comeBack(ada, bluesky.auth.consent(authorizeUrl, did))
  const { items } = await ada.call<{ items: Connected[] }>('GET', '/api/accounts?limit=100')
  return { did, connectionId: items.find(({ account }) => account.id === did)?.id ?? '' }
}

const submit = ({ connectionId }: { connectionId: string }, text: string): Promise<Post> => {
  const target = { connectionId }
  return ada.post({ provider: 'bluesky', text, status: 'scheduled', scheduledAt: inMs(400), target })
}

const route = 'auth POST /oauth/token'
const requests = () => bluesky.auth.callsOf(route).length
const expireSoon = ({ connectionId }: { connectionId: string }) =>
  administer(
    database.url,
    (sql) => sql`UPDATE social.connections SET expires_at = now() + interval '1 minute' WHERE id = ${connectionId}`,
  )

test('SOC-07 two servers that need new tokens of a session at the same time refresh them once', async () => {
  const account = await connect('shared')
  const second = await start()
  const posts = await Promise.all(['One', 'Two'].map(async (text) => submit(account, text)))
  for (const { id } of posts) expect(await ada.until(id, isSettled, 60_000)).toMatchObject({ status: 'published' })
  bluesky.auth.sessions.expire()
  bluesky.auth.faults.next(route, { kind: 'slow', ms: 800 })
  const before = requests()
  const urls = [server.url, second.url]
  await Promise.all(
    posts.map(({ id }, at) => ada.through(urls[at] ?? '').call('DELETE', `/api/posts/${id}/publication`)),
  )
  // A challenge for a nonce repeats the request.
  expect(
    bluesky.auth
      .callsOf(route)
      .slice(before)
      .filter(({ status }) => status === 200),
  ).toHaveLength(1)
  expect(bluesky.auth.sessions.of(account.did).map(({ isRevoked }) => isRevoked)).toEqual([false])
  expect(bluesky.posts(account.did)).toEqual([])
  await second.kill('SIGTERM')
  await second.exited
}, 180_000)

test('SOC-07 SOC-24 refresh of a killed server is taken over, and the post is published once', async () => {
  const account = await connect('killed')
  await expireSoon(account)
  const before = requests()
  bluesky.auth.fail(route, 'no_answer_before')
  const { id } = await submit(account, 'Once')
  expect(await eventually(async () => requests() > before, scaleTime(20_000))).toBe(true)
  await server.kill('SIGKILL')
  await server.exited
  server = await start()
  ada = ada.through(server.url)
  expect(await ada.until(id, isSettled, 120_000)).toMatchObject({ status: 'published', failureMessage: null })
  expect(bluesky.posts(account.did).map(({ value }) => value.text)).toEqual(['Once'])
  const path = `/api/accounts/${account.connectionId}`
  expect(await ada.call<Connected>('GET', path)).toMatchObject({ health: 'ok' })
}, 300_000)
