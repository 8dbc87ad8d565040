import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { generateServiceKey } from '#identity'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { eventually, killRest } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { serveInProcess } from '../support/serve-in-process.ts'
import { serve } from '../support/served.ts'
import { bearer, password } from '../support/world.ts'

let fresh: TestDatabase
let database: DatabaseHandle
const roles: string[] = []

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 2)
  const whole = await serveInProcess({ databaseUrl: fresh.url })
  await whole.stop()
})
afterAll(async () => {
  await killRest()
  for (const role of roles) await database.sql.unsafe(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
  await database.close()
  await fresh.drop()
})

/** The database URL of a role that can read the tables of one service only, besides the queue's and `lib`'s. */
async function addressFor(service: string): Promise<string> {
  const role = `${service}_${Bun.randomUUIDv7('hex').slice(-12)}`
  const url = new URL(fresh.url)
  await database.sql.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD 'only-${service}'`)
  roles.push(role)
  for (const schema of [service, 'platform', 'pgboss', 'drizzle'])
    await database.sql.unsafe(`GRANT USAGE ON SCHEMA ${schema} TO ${role};
      GRANT ALL ON ALL TABLES IN SCHEMA ${schema} TO ${role};
      GRANT ALL ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`)
  url.username = role
  url.password = `only-${service}`
  return url.href
}

test('database roles in this test can read only the tables of their own service', async () => {
  const { sql, close } = openDatabase(await addressFor('social'), 2)
  expect([...(await sql`SELECT id FROM social.brands`)]).toEqual([])
  await expect(sql`SELECT id FROM identity.users`.execute()).rejects.toThrow('permission denied for schema identity')
  await close()
})

const Made = z.object({ id: z.string() })
const Post = z.object({ status: z.string(), permalink: z.string().nullable() })

test('PLT-04 post is published when each service can access only its own schema', async () => {
  const identity = await serve({ databaseUrl: await addressFor('identity'), env: { SERVICES: 'identity' } })
  const SERVICE_KEY = await generateServiceKey(database.db, 'platform-socialize', new Date())
  const env = { SERVICES: 'social', AUTH_API_URL: identity.url, SERVICE_KEY }
  const social = await serve({ databaseUrl: await addressFor('social'), env })
  const send = (url: string, body: unknown, token = '') =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && bearer(token)) },
      body: JSON.stringify(body),
    })

  const person = { name: 'Ada', email: 'ada@example.com', password, createOrganization: true }
  const registered = await (await send(`${identity.url}/register`, person)).json()
  const { accessToken } = z.object({ accessToken: z.string() }).parse(registered)
  const make = async (path: string, body: unknown) =>
    Made.loose().parse(await (await send(`${social.url}${path}`, body, accessToken)).json())
  const { id: brandId } = await make('/api/brands', { name: 'Acme' })
  await send(`${social.url}/api/integrations/sandbox/connect`, { brandId, handle: 'acme' }, accessToken)
  const scheduledAt = new Date(Date.now() + 1_000).toISOString()
  const post = { brandId, provider: 'sandbox', text: 'Hello', status: 'scheduled', scheduledAt }
  const { id } = await make('/api/posts', post)
  const read = async () =>
    Post.parse(await (await fetch(`${social.url}/api/posts/${id}`, { headers: bearer(accessToken) })).json())
  expect(await eventually(async () => (await read()).status === 'published')).toBe(true)
  for (const path of ['posts', 'accounts', 'integrations', 'brands'])
    expect((await fetch(`${social.url}/api/${path}`, { headers: bearer(accessToken) })).status).toBe(200)
  const found = await fetch(`${social.url}/api/search?q=ada`, { headers: bearer(accessToken) })
  expect(await found.json()).toMatchObject({ items: [{ kind: 'person', label: 'Ada' }, { kind: 'post' }] })
  expect((await send(`${identity.url}/api/auth/logout`, {}, accessToken)).status).toBe(200)
  for (const { output } of [identity, social]) expect(output()).not.toContain('permission denied')
})

test('PLT-04 every table is in one service’s schema, and no foreign key crosses schemas', async () => {
  const schemas = await database.sql<{ schema: string; tables: number }[]>`
    SELECT table_schema AS schema, count(*)::int AS tables FROM information_schema.tables
    WHERE table_schema NOT IN ('pg_catalog', 'information_schema') GROUP BY 1 ORDER BY 1`
  expect(schemas.map(({ schema }) => schema)).toEqual([
    'dashboard',
    'drizzle',
    'gateway',
    'identity',
    'payments',
    'pgboss',
    'platform',
    'practice_models',
    'practice_payments',
    'practice_video',
    'social',
  ])
  const leaving = await database.sql`
    SELECT constraints.conname FROM pg_constraint constraints
    JOIN pg_class own ON own.oid = constraints.conrelid JOIN pg_class other ON other.oid = constraints.confrelid
    WHERE constraints.contype = 'f' AND own.relnamespace <> other.relnamespace`
  expect([...leaving]).toEqual([])
})
