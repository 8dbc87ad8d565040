import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { createSecrets } from '#lib/secrets.ts'
import { eventually, killRest } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { secretsKey, serve, type Served } from '../support/served.ts'
import { bearer, password } from '../support/world.ts'

let fresh: TestDatabase
let database: DatabaseHandle
let server: Served
/** Every usable secret, by name. */
const secrets: Record<string, string> = { password, 'wrong password': 'wr0ng-horse-battery' }
const email = 'ada@example.com'

const Tokens = z.object({ accessToken: z.string(), refreshToken: z.string() })

const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** A person signs up, signs in as programs and browsers do, uses the product, fails in every way, and signs out. */
beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 2)
  server = await serve({ databaseUrl: fresh.url, env: { LOG_LEVEL: 'debug' } })
  const person = { name: 'Ada', email, password, createOrganization: true }
  keep('registration', Tokens.parse(await (await send('/register', person)).json()))
  const signedIn = Tokens.parse(await (await send('/api/auth/login', { email, password })).json())
  keep('login', signedIn)
  const { refreshToken } = signedIn
  keep('refresh', Tokens.parse(await (await send('/api/auth/refresh', { refreshToken })).json()))
  await send('/api/auth/refresh', { refreshToken })
  const browser = await send('/api/auth/login', { email, password }, { 'sec-fetch-site': 'same-origin' })
  for (const cookie of browser.headers.getSetCookie()) {
    const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=')
    secrets[`cookie ${name}`] = decodeURIComponent(value)
  }
  const cookie = `session=${secrets['cookie session']}`
  for (const headers of [{ cookie }, bearer(secrets['login accessToken'] ?? '')] as Record<string, string>[]) {
    await fetch(`${server.url}/workspace/posts`, { headers: { accept: 'text/html', ...headers } })
    await send('/api/brands', { name: 'Acme' }, headers)
    await send('/api/brands', '{"name":', headers)
  }
  await fetch(`${server.url}/api/posts?access_token=${secrets['login accessToken']}`)
  await send('/api/auth/login', { email, password: secrets['wrong password'] })
  await send('/register', { ...person, password: 'short' })
  const { privateKey } = await signingKey()
  secrets['signing key'] = privateKey
  // Its queries fail, each with the caller's credential among its values.
  await database.sql`ALTER TABLE identity.sessions RENAME TO gone`
  await send('/api/auth/login', { email, password })
  await fetch(`${server.url}/api/auth/me`, { headers: { cookie } })
  await database.sql`ALTER TABLE identity.gone RENAME TO sessions`
})
afterAll(async () => {
  await killRest()
  await database.close()
  await fresh.drop()
})

function keep(from: string, tokens: Record<string, string>) {
  for (const [name, value] of Object.entries(tokens)) secrets[`${from} ${name}`] = value
}

async function signingKey() {
  const [row] = await database.sql`SELECT id, sealed_private_key FROM identity.signing_keys`
  const { open } = createSecrets(Buffer.from(secretsKey, 'hex'))
  return { privateKey: open(row?.['sealed_private_key'], `identity.signing_keys:${row?.['id']}`) }
}

/** Every row of every table, also the queue's, as text. */
async function dump(): Promise<string> {
  const tables = await database.sql<{ name: string }[]>`
    SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
    WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`
  const rows = await Promise.all(
    tables.map(({ name }) => database.sql.unsafe<{ row: string }[]>(`SELECT t::text AS row FROM ${name} t`)),
  )
  return rows.flatMap((table) => table.map(({ row }) => row)).join('\n')
}

/** The names of the secrets that a text contains, as text or encoded bytes. */
const foundIn = (text: string) =>
  Object.entries(secrets).flatMap(([name, secret]) => {
    const bytes = Buffer.from(secret)
    const forms = [secret, bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')]
    return forms.some((form) => text.includes(form)) ? [name] : []
  })

test('every secret that this test searches for exists', () => {
  expect(Object.keys(secrets).toSorted()).toEqual([
    'cookie device',
    'cookie refresh',
    'cookie session',
    'login accessToken',
    'login refreshToken',
    'password',
    'refresh accessToken',
    'refresh refreshToken',
    'registration accessToken',
    'registration refreshToken',
    'signing key',
    'wrong password',
  ])
  for (const secret of Object.values(secrets)) expect(secret.length).toBeGreaterThan(15)
})

test('PLT-22 no column of any table contains a usable secret: passwords and tokens are hashed, keys are encrypted', async () => {
  const rows = await dump()
  expect(rows).toContain(email)
  expect(rows).toContain('$argon2id$')
  expect(foundIn(`${rows}${secrets['password']}`)).toEqual(['password'])
  expect(foundIn(rows)).toEqual([])
})

test('PLT-33 PLT-22 log never contains a token, cookie or password, even after errors', async () => {
  expect(await eventually(() => server.output().includes('"failed"'))).toBe(true)
  expect(server.output()).toContain('/api/auth/login')
  expect(foundIn(server.output())).toEqual([])
})

test('PLT-33 log is one JSON object per line, and a request’s lines have the id of its response', async () => {
  const answer = await send('/api/auth/login', { email, password: 'something else' })
  const id = answer.headers.get('x-request-id') ?? ''
  expect(await eventually(() => server.output().includes(id))).toBe(true)
  const lines = server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  const found = lines.map((line) => JSON.parse(line)).filter(({ request }) => request === id)
  expect(found).toMatchObject([{ level: 'info', message: 'request', path: '/api/auth/login', status: answer.status }])
})

test('PLT-33 request by a person is one log line, regardless of how often identity is called for it', () => {
  const lines = server
    .output()
    .split('\n')
    // Asked by each page for its shell, and by nobody else here.
    .filter((line) => line.includes('"path":"/api/auth/services"'))
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: 'debug' })
})
