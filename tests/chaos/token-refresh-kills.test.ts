import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import type { Connection } from '#social/types'
import { eventually, killRest } from '../boot/program.ts'
import { startBluesky } from '../counterparts/bluesky.ts'
import { startX } from '../counterparts/x/index.ts'
import { beginConnecting, comeBack, findConnected, storeApp } from '../social/networks/support/connect.ts'
import { networkEnv } from '../social/networks/support/origins.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { inMs, isSettled, newPublisher, type Publisher } from '../support/publisher.ts'
import { serve, type Served } from '../support/served.ts'

// A server is killed when a network has replaced a refresh token that can be used once, and social hasn’t stored the new one.

const x = startX()
const bluesky = startBluesky()
let database: TestDatabase
let sql: postgres.Sql
let server: Served
let ada: Publisher

const env = () => ({ ...networkEnv({ x }), BLUESKY_RESOLVER_URL: bluesky.url, PLC_DIRECTORY_URL: bluesky.url })
const start = () => serve({ databaseUrl: database.url, env: env() })

beforeAll(async () => {
  database = await freshDatabase()
  sql = postgres(database.url, { max: 1, onnotice: () => {} })
  server = await start()
  ada = await newPublisher(server.url)
  x.app.redirectUris.push(`${server.url}/workspace/accounts/callback/x`)
  await storeApp(ada, { provider: 'x', ...x.app })
})

afterAll(async () => {
  await killRest()
  await sql.end()
  await Promise.all([x.stop(), bluesky.stop()])
  await database.drop()
})

async function connectX() {
  const account = x.account('acme')
  await comeBack(ada, x.consent(await beginConnecting(ada, 'x'), account))
  const { id } = await findConnected(ada, account.id)
  return {
    provider: 'x',
    id,
    expire: () => x.grants.expire(account.id, 'access'),
    refreshes: () => x.callsOf('api POST /2/oauth2/token').filter(({ text }) => text.includes('refresh_token=')).length,
    texts: () => x.posts(account).map(({ text }) => text),
  }
}

async function connectBluesky() {
  const handle = 'acme.example.com'
  const { did } = bluesky.account(handle)
  await comeBack(ada, bluesky.auth.consent(await beginConnecting(ada, 'bluesky', { handle }), did))
  const { id } = await findConnected(ada, did)
  const tokenCalls = () => bluesky.auth.callsOf('auth POST /oauth/token')
  return {
    provider: 'bluesky',
    id,
    expire: () => bluesky.auth.sessions.expire(),
    refreshes: () => tokenCalls().filter(({ text }) => text.includes('refresh_token=')).length,
    texts: () => bluesky.posts(did).map(({ value }) => value.text),
  }
}

const lockKey = 4711
/** Lets social wait, each time it stores new tokens, until this is undone. */
async function holdNewTokens(): Promise<void> {
  await sql.unsafe(`SELECT pg_advisory_lock(${lockKey})`)
  await sql.unsafe(`
    CREATE FUNCTION social.hold_tokens() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock(${lockKey}); RETURN NEW; END $$;
    CREATE TRIGGER hold_tokens BEFORE UPDATE OF sealed_tokens ON social.connections
      FOR EACH ROW EXECUTE FUNCTION social.hold_tokens()`)
}

const waiting = async (): Promise<number> =>
  (await sql`SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${lockKey} AND NOT granted`).length

/** Ends what the killed server left in the database, as its host would. */
async function release(): Promise<void> {
  await sql`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = ${lockKey} AND NOT granted`
  expect(await eventually(async () => (await waiting()) === 0)).toBe(true)
  await sql.unsafe(`SELECT pg_advisory_unlock(${lockKey})`)
  await sql.unsafe('DROP TRIGGER hold_tokens ON social.connections; DROP FUNCTION social.hold_tokens()')
}

test('SOC-07 GTW-04 account stays connected and its post is published when a server is killed before it stores new single-use tokens', async () => {
  const accounts = [await connectX(), await connectBluesky()]
  await sql`UPDATE social.connections SET expires_at = now() + interval '1 minute'`
  await holdNewTokens()
  const before = accounts.map(({ refreshes }) => refreshes())
  const posts = await Promise.all(
    accounts.map(({ provider, id, expire }) => {
      expire()
      const text = `Due on ${provider}`
      const due = { provider, text, status: 'scheduled', scheduledAt: inMs(300), target: { connectionId: id } }
      return ada.post(due)
    }),
  )
  expect(await eventually(async () => (await waiting()) === accounts.length, 20_000)).toBe(true)
  const answered = accounts.map(({ refreshes }) => refreshes())
  expect(answered.every((count, at) => count > (before[at] ?? 0))).toBe(true)
  server.kill('SIGKILL')
  await server.exited
  await release()
  server = await start()
  const after = ada.through(server.url)
  for (const [at, { provider, id, refreshes, texts }] of accounts.entries()) {
    const post = await after.until(posts[at]?.id ?? '', isSettled, 60_000)
    expect(post).toMatchObject({ status: 'published', failureCode: null })
    expect(texts()).toEqual([`Due on ${provider}`])
    expect((await after.call<Connection>('GET', `/api/accounts/${id}`)).health).toBe('ok')
    expect(refreshes()).toBe(answered[at] ?? 0)
  }
})
