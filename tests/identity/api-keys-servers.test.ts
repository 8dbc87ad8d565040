import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { openDeafProxy, type DeafProxy } from '../support/deaf-proxy.ts'
import { serve, type Served } from '../support/served.ts'

// Three servers on one database. What one revokes, the others refuse on the very next use.

let database: TestDatabase
let proxy: DeafProxy
let servers: Served[]
let ada: string

beforeAll(async () => {
  database = await freshDatabase()
  proxy = openDeafProxy(database.url)
  // One after the other: the first migrates. The last has its database behind the proxy.
  servers = []
  for (const databaseUrl of [database.url, database.url, proxy.url]) servers.push(await serve({ databaseUrl }))
  const registration = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }
  const answer = await call(0, 'POST /register', {
    ...registration,
    createOrganization: true,
    organizationName: 'Acme',
  })
  ada = ((await answer.json()) as { accessToken: string }).accessToken
}, 60_000)

afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill('SIGTERM')))
  proxy.stop()
  await database.drop()
})

function call(at: number, route: string, body?: unknown, token?: string): Promise<Response> {
  const [method = 'GET', path = ''] = route.split(' ')
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  return fetch(`${servers[at]?.url}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

interface Made {
  id: string
  key: string
}

async function makeKey(): Promise<Made> {
  const draft = { name: 'CI', service: 'platform-socialize', scopes: ['posts.read'] }
  const answer = await call(0, 'POST /api/api-keys', draft, ada)
  expect(answer.status).toBe(201)
  return (await answer.json()) as Made
}

const use = async (at: number, { key }: Made) => (await call(at, 'GET /api/posts', undefined, key)).status
const everywhere = (key: Made) => Promise.all([use(0, key), use(1, key), use(2, key)])

/** Revokes at one server and uses the key at all of them as soon as that is answered. */
async function revokeAndUse(at: number, key: Made): Promise<number[]> {
  for (let nth = 0; nth < 3; nth++) expect(await everywhere(key)).toEqual([200, 200, 200])
  expect((await call(at, `DELETE /api/api-keys/${key.id}`, undefined, ada)).status).toBe(200)
  return everywhere(key)
}

test('IDN-05 IDN-30 a key revoked on one of three servers is refused by all on its next use', async () => {
  for (const at of [0, 1, 2, 0, 1, 2]) {
    const key = await makeKey()
    const began = performance.now()
    expect(await revokeAndUse(at, key)).toEqual([401, 401, 401])
    // The others said that they heard it: nobody waited for anything to run out.
    expect(performance.now() - began).toBeLessThan(2_000)
  }
}, 60_000)

test('IDN-05 also when the channel of a server falls silent without an end', async () => {
  expect(proxy.listening()).toBeGreaterThan(0)
  const keys = [await makeKey(), await makeKey()]
  for (const key of keys) for (let nth = 0; nth < 3; nth++) await everywhere(key)
  proxy.deafen()
  for (const [nth, key] of keys.entries()) {
    const [first, , deaf] = await revokeAndUse(nth, key)
    expect([first, deaf]).toEqual([401, 401])
  }
}, 60_000)

test('IDN-05 also while every listening connection is ended again and again', async () => {
  const admin = postgres(database.url, { max: 1 })
  const cut = () => admin`SELECT count(pg_terminate_backend(pid))::int AS ended FROM pg_stat_activity
    WHERE datname = current_database() AND query ILIKE 'listen %'`
  const key = await makeKey()
  await everywhere(key)
  let ended = 0
  const cutting = setInterval(async () => {
    ended += Number((await cut())[0]?.['ended'] ?? 0)
  }, 10)
  for (const [nth, each] of [key, await makeKey()].entries())
    expect(await revokeAndUse(nth, each)).toEqual([401, 401, 401])
  clearInterval(cutting)
  await admin.end()
  expect(ended).toBeGreaterThan(3)
}, 60_000)
