import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { freshDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let sql: postgres.Sql

beforeAll(async () => {
  database = await freshDatabase()
  sql = postgres(database.url, { max: 1 })
})

afterAll(async () => {
  await sql.end()
  await database.drop()
})

test.each([
  ['platform-socialize', 9],
  ['platform-gateway', 8],
  ['platform-dashboard-api', 14],
  ['platform-pay', 20],
])('IDN-12 IDN-31 %s has %i scopes', async (slug, count) => {
  const scopes = await sql`
    SELECT scope FROM identity.service_permissions JOIN identity.services ON id = service_id
    WHERE slug = ${slug} AND scope IS NOT NULL`
  expect(scopes.length).toBe(count)
})

test.each([
  ['viewer', 'posts:read', true],
  ['viewer', 'posts:review', false],
  ['reviewer', 'posts:review', true],
  ['reviewer', 'posts:write', false],
  ['editor', 'posts:write', true],
  ['editor', 'brands:write', false],
  ['admin', 'brands:write', true],
  ['owner', 'images:override', true],
])('IDN-19 %s has %s in social: %p', async (role, permission, granted) => {
  const rows = await sql`
    SELECT 1 FROM identity.role_bundles JOIN identity.services ON id = service_id
    WHERE slug = 'platform-socialize' AND role = ${role} AND permission = ${permission}`
  expect(rows.length === 1).toBe(granted)
})

test('IDN-19 an owner may what an admin may, and nobody the provisioning of services', async () => {
  const [differing] = await sql`
    SELECT count(*)::int AS count FROM (
      SELECT service_id, permission FROM identity.role_bundles WHERE role = 'owner'
      EXCEPT SELECT service_id, permission FROM identity.role_bundles WHERE role = 'admin') AS more`
  expect(differing?.['count']).toBe(0)
  const provisioning = await sql`
    SELECT 1 FROM identity.role_bundles WHERE permission IN ('service:invoke', 'organizations:provision')`
  expect(provisioning.length).toBe(0)
})

test('IDN-11 no id of a service stands in source or static files: each environment makes its own', async () => {
  const files = [...new Bun.Glob('{src,views,public,drizzle}/**/*.{ts,tsx,js,html,json,sql}').scanSync('.')]
  const own = files.filter((file) => !file.includes('/vendor/') && !file.includes('/meta/'))
  const texts = await Promise.all(own.map((file) => Bun.file(file).text()))
  expect(own.length).toBeGreaterThan(60)
  expect(
    own.filter((_, at) => /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i.test(texts[at] ?? '')),
  ).toEqual([])
})
