import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { createSuperAdminLink } from '#identity'
import { openDatabase } from '#lib/db.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { openSilentProxy, type SilentProxy } from '../support/silent-proxy.ts'
import { serve, type Served } from '../support/served.ts'
import { password } from '../support/world.ts'

// Three servers on one database: a revocation on one must be effective on the others on the next request.

let database: TestDatabase
let proxy: SilentProxy
let servers: Served[]
let ada: SignedUp

beforeAll(async () => {
  database = await freshDatabase()
  proxy = openSilentProxy(database.url)
  // Started in sequence, since the first one migrates. The last one reaches its database through the proxy.
  servers = []
  for (const databaseUrl of [database.url, database.url, proxy.url]) servers.push(await serve({ databaseUrl }))
  const registration = { email: 'ada@example.com', password, name: 'Ada' }
  const answer = await call(0, 'POST /register', {
    ...registration,
    createOrganization: true,
    organizationName: 'Acme',
  })
  ada = (await answer.json()) as SignedUp
})

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

interface SignedUp {
  accessToken: string
  organization: { id: string }
  user: { id: string }
}

interface Made {
  id: string
  key: string
}

async function makeKey(): Promise<Made> {
  const draft = { name: 'CI', service: 'platform-socialize', scopes: ['posts.read'] }
  const answer = await call(0, 'POST /api/api-keys', draft, ada.accessToken)
  expect(answer.status).toBe(201)
  return (await answer.json()) as Made
}

const read = async (at: number, token: string) => (await call(at, 'GET /api/posts', undefined, token)).status
const readEverywhere = (token: string) => Promise.all([0, 1, 2].map((at) => read(at, token)))
const everywhere = ({ key }: Made) => readEverywhere(key)

/** Revokes at one server and uses the key at all of them immediately after the response. */
async function revokeAndUse(at: number, key: Made): Promise<number[]> {
  for (let nth = 0; nth < 3; nth++) expect(await everywhere(key)).toEqual([200, 200, 200])
  expect((await call(at, `DELETE /api/api-keys/${key.id}`, undefined, ada.accessToken)).status).toBe(200)
  return everywhere(key)
}

test('IDN-05 IDN-30 key revoked on one of three servers is rejected by all three on the next use', async () => {
  const times: number[] = []
  for (const at of [0, 1, 2, 0, 1, 2]) {
    const key = await makeKey()
    const began = performance.now()
    expect(await revokeAndUse(at, key)).toEqual([401, 401, 401])
    times.push(performance.now() - began)
  }
  // The other servers confirm it, so the 2.5 s until they count as lost don't have to pass.
  expect(Math.min(...times)).toBeLessThan(2_000)
})

const person = (name: string) => ({ email: `${name.toLowerCase()}@example.com`, password, name })

async function signIn(at: number, name = 'Ada'): Promise<string> {
  const { email } = person(name)
  const answer = await call(at, 'POST /api/auth/login', { email, password })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as SignedUp).accessToken
}

/** A new member of Ada's organization, with the invitation from the development mailbox. */
async function joinAs(name: string): Promise<SignedUp> {
  const { email } = person(name)
  const place = `/api/organizations/${ada.organization.id}`
  expect((await call(0, `POST ${place}/invitations`, { email, role: 'editor' }, ada.accessToken)).status).toBe(201)
  const mailbox = await (await fetch(`${servers[0]?.url}/dev/mailbox?to=${encodeURIComponent(email)}`)).text()
  const [path = ''] = /\/dev\/mailbox\/[0-9a-f-]{36}/.exec(mailbox) ?? []
  const mail = await (await fetch(`${servers[0]?.url}${path}`)).text()
  const [, token] = /invitations\/([\w-]{43})/.exec(mail) ?? []
  const answer = await call(0, 'POST /api/invitations/register', { token, name, password })
  expect(answer.status).toBe(201)
  return (await answer.json()) as SignedUp
}

test('IDN-05 session ended on one of three servers is rejected by all three on the next use', async () => {
  for (const at of [0, 1, 2]) {
    const token = await signIn(at)
    for (let nth = 0; nth < 3; nth++) expect(await readEverywhere(token)).toEqual([200, 200, 200])
    expect((await call(at, 'POST /api/auth/logout', {}, token)).status).toBe(200)
    expect(await readEverywhere(token)).toEqual([401, 401, 401])
  }
})

test('IDN-05 IDN-10 member removed on one of three servers is rejected by all three on the next use', async () => {
  const grace = await joinAs('Grace')
  for (let nth = 0; nth < 3; nth++) expect(await readEverywhere(grace.accessToken)).toEqual([200, 200, 200])
  const member = `/api/organizations/${ada.organization.id}/members/${grace.user.id}`
  expect((await call(1, `DELETE ${member}`, undefined, ada.accessToken)).status).toBe(204)
  expect(await readEverywhere(grace.accessToken)).toEqual([401, 401, 401])
})

test('IDN-05 PLT-38 organization suspended on one of three servers is immediately rejected by all three, for people and keys', async () => {
  const root = await becomeRoot()
  const [token, key] = [await signIn(2), await makeKey()]
  for (let nth = 0; nth < 3; nth++) {
    expect(await readEverywhere(token)).toEqual([200, 200, 200])
    expect(await everywhere(key)).toEqual([200, 200, 200])
  }
  const place = `/api/admin/organizations/${ada.organization.id}/suspension`
  expect((await call(1, `POST ${place}`, { reason: 'Spam.' }, root)).status).toBe(201)
  expect(await readEverywhere(token)).toEqual([403, 403, 403])
  expect(await everywhere(key)).toEqual([403, 403, 403])
  expect((await call(2, `DELETE ${place}`, undefined, root)).status).toBe(204)
  expect(await readEverywhere(token)).toEqual([200, 200, 200])
})

async function becomeRoot(): Promise<string> {
  const handle = openDatabase(database.url, 1)
  const token = (await createSuperAdminLink(handle.db, 'root@example.com', new Date())).split('/').at(-1)
  await handle.close()
  const answer = await call(0, 'POST /api/super-admins', { token, name: 'Root', password })
  return ((await answer.json()) as SignedUp).accessToken
}

test('IDN-05 revoked key is rejected by a server whose listening connection is silently dead', async () => {
  expect(proxy.countListening()).toBeGreaterThan(0)
  const keys = [await makeKey(), await makeKey()]
  for (const key of keys) for (let nth = 0; nth < 3; nth++) await everywhere(key)
  proxy.silence()
  for (const [nth, key] of keys.entries()) {
    const [first, , silent] = await revokeAndUse(nth, key)
    expect([first, silent]).toEqual([401, 401])
  }
})

test('IDN-05 ended session and removed member are rejected by a server whose listening connection is silently dead', async () => {
  // Deaf since the previous test: it queries the database for each request.
  const [token, grace] = [await signIn(2), await joinAs('Gwen')]
  for (let nth = 0; nth < 3; nth++) expect([await read(2, token), await read(2, grace.accessToken)]).toEqual([200, 200])
  expect((await call(0, 'POST /api/auth/logout', {}, token)).status).toBe(200)
  const member = `/api/organizations/${ada.organization.id}/members/${grace.user.id}`
  expect((await call(1, `DELETE ${member}`, undefined, ada.accessToken)).status).toBe(204)
  expect([await read(2, token), await read(2, grace.accessToken)]).toEqual([401, 401])
})

test('IDN-05 revoked key is rejected while every listening connection is cut repeatedly', async () => {
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
})
