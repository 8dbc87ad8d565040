import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { z } from 'zod'
import { databaseAway } from '#lib/postgres/faults.ts'
import { eventually, killRest } from '../boot/program.ts'
import { scaleTime } from '../support/time-scale.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { databaseUrl } from '../support/postgres.ts'
import { serve, type Served } from '../support/served.ts'
import { bearer, password } from '../support/world.ts'

let fresh: TestDatabase
let server: Served
/** Runs statements on the database server outside of the database. */
let admin: postgres.Sql
let accessToken = ''

beforeAll(async () => {
  fresh = await freshDatabase()
  admin = postgres(databaseUrl(fresh.url, 'postgres'), { max: 1, onnotice: () => {} })
  server = await serve({ databaseUrl: fresh.url })
  const answer = await fetch(`${server.url}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ada', email: 'ada@example.com', password, createOrganization: true }),
  })
  accessToken = z.object({ accessToken: z.string() }).parse(await answer.json()).accessToken
})
afterAll(async () => {
  await killRest()
  await admin.end()
  await fresh.drop()
})

const send = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${server.url}${path}`, { headers })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}
const brands = () => send('/api/brands', bearer(accessToken))
const isReady = async () => (await send('/readyz')).status === 200

/** Refuses new connections to the database and ends the existing ones. */
async function takeAway() {
  const name = new URL(fresh.url).pathname.slice(1)
  await admin.unsafe(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  await admin`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${name}`
  return { bringBack: () => admin.unsafe(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`) }
}

test('PLT-33 health endpoints report database, migrations and identity by name', async () => {
  expect(await send('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
  const checks = { database: 'ok', migrations: 'ok', identity: 'ok' }
  expect(await send('/readyz')).toMatchObject({ status: 200, body: { status: 'ready', checks } })
})

test('PLT-33 server is not ready while the database lacks a migration', async () => {
  const sql = postgres(fresh.url, { max: 1 })
  const [last] = await sql`DELETE FROM drizzle.__drizzle_migrations
    WHERE id = (SELECT max(id) FROM drizzle.__drizzle_migrations) RETURNING *`
  expect(await eventually(async () => !(await isReady()))).toBe(true)
  expect(await send('/readyz')).toMatchObject({ status: 503, body: { checks: { migrations: '1 pending' } } })
  await sql`INSERT INTO drizzle.__drizzle_migrations ${sql(last ?? {})}`
  await sql.end()
  expect(await eventually(isReady)).toBe(true)
})

test('PLT-33 readiness check fails within a time limit when the database does not respond', async () => {
  const sql = postgres(fresh.url, { max: 1 })
  await sql.begin(async (tx) => {
    await tx`LOCK TABLE drizzle.__drizzle_migrations`
    const start = performance.now()
    expect(await eventually(async () => !(await isReady()))).toBe(true)
    expect(await send('/readyz')).toMatchObject({ status: 503, body: { checks: { database: 'unreachable' } } })
    expect(performance.now() - start).toBeLessThan(scaleTime(4_500))
  })
  await sql.end()
  expect(await eventually(isReady)).toBe(true)
})

test('PLT-33 many readiness checks at once use one database connection', async () => {
  const sql = postgres(fresh.url, { max: 1 })
  const waiting = () => admin`SELECT pid FROM pg_stat_activity
    WHERE application_name = 'atrium' AND wait_event_type = 'Lock' AND datname = ${new URL(fresh.url).pathname.slice(1)}`
  await sql.begin(async (tx) => {
    await tx`LOCK TABLE drizzle.__drizzle_migrations`
    const flood: Promise<{ status: number }>[] = []
    const isStuck = async () => {
      flood.push(...Array.from({ length: 50 }, () => send('/readyz')))
      return (await waiting()).length > 0
    }
    expect(await eventually(isStuck)).toBe(true)
    await isStuck()
    expect((await Promise.all(flood)).at(-1)).toMatchObject({ status: 503 })
    expect(await waiting()).toHaveLength(1)
  })
  await sql.end()
  expect(await eventually(isReady)).toBe(true)
})

test('PLT-33 full database disk returns 503 like an unavailable database, and work resumes when space is available', async () => {
  const sql = postgres(fresh.url, { max: 1, onnotice: () => {} })
  await sql`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`
  await sql`CREATE TRIGGER full_disk BEFORE INSERT ON social.brands EXECUTE FUNCTION full_disk()`
  const make = () =>
    fetch(`${server.url}/api/brands`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer(accessToken) },
      body: JSON.stringify({ name: 'Acme' }),
    })
  const refused = await make()
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'database_unavailable' }])
  await sql`DROP FUNCTION full_disk CASCADE`
  await sql.end()
  expect((await make()).status).toBe(201)
})

test('PLT-33 database with an expired certificate counts as unavailable', () => {
  const expired = Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' })
  expect(databaseAway(new Error('a query failed', { cause: expired }))).toBe(true)
  expect(databaseAway(new Error('a query failed', { cause: new Error('another reason') }))).toBe(false)
})

test('PLT-33 server without its database is alive but not ready, rejects requests, and recovers by itself', async () => {
  expect((await brands()).status).toBe(200)
  const { bringBack } = await takeAway()
  expect(await send('/healthz')).toMatchObject({ status: 200 })
  expect(await eventually(async () => !(await isReady()))).toBe(true)
  expect(await send('/readyz')).toMatchObject({
    status: 503,
    body: { status: 'not_ready', checks: { database: 'unreachable' } },
  })
  const refused = await brands()
  expect([refused.status, refused.headers.get('content-type')]).toEqual([503, 'application/problem+json'])
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(JSON.stringify(refused.body)).not.toMatch(/accepting|postgres|ECONN|SELECT/i)
  await bringBack()
  // A connection attempt that the shutdown interrupted is given up after 10 s.
  expect(await eventually(isReady, 25_000)).toBe(true)
  expect(await eventually(async () => (await brands()).status === 200, 25_000)).toBe(true)
})
