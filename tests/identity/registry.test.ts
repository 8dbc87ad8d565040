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

/** The scope catalogs of the seeds, name by name (IDN-31). */
const catalogs = {
  'platform-socialize':
    'accounts.read accounts.write analytics.read api_keys.write calendar.read calendar.write dashboard.read posts.read posts.write',
  'platform-gateway':
    'ai.invoke apps.read limits.manage org.admin organizations.provision provider_credentials.manage service.invoke usage.read',
  'platform-dashboard-api':
    'api_keys.write apps.read apps.write dashboard.read entitlements.read launcher.read launches.read notifications.read notifications.write settings.read settings.write widgets.read workflows.read workflows.write',
  'platform-pay':
    'analytics.read audit.read customers.read customers.write dashboard.read invoices.read invoices.write merchants.read merchants.write payments.create payments.read reports.read settings.read settings.write settlements.write transactions.read transactions.refund transactions.write venues.read venues.write',
}

test.each(Object.entries(catalogs))(
  'IDN-31 scopes of %s match the seed, each with its permission',
  async (slug, names) => {
    const rows = await sql<{ scope: string; permission: string }[]>`
    SELECT scope, permission FROM identity.service_permissions JOIN identity.services ON id = service_id
    WHERE slug = ${slug} AND scope IS NOT NULL ORDER BY scope COLLATE "C"`
    expect(rows.map(({ scope }) => scope)).toEqual(names.split(' ').toSorted())
    expect(rows.map(({ permission }) => permission.replace(':', '.'))).toEqual(rows.map(({ scope }) => scope))
  },
)

test.each([
  ['viewer', 'posts:read', true],
  ['viewer', 'posts:review', false],
  ['reviewer', 'posts:review', true],
  ['reviewer', 'posts:write', false],
  ['editor', 'posts:write', true],
  ['editor', 'brands:write', false],
  ['admin', 'brands:write', true],
  ['owner', 'images:override', true],
])('IDN-19 role %s includes %s in social: %p', async (role, permission, granted) => {
  const rows = await sql`
    SELECT 1 FROM identity.role_bundles JOIN identity.services ON id = service_id
    WHERE slug = 'platform-socialize' AND role = ${role} AND permission = ${permission}`
  expect(rows.length === 1).toBe(granted)
})

test('IDN-19 owner role has the same permissions as the admin role, and no role can provision services', async () => {
  const [differing] = await sql`
    SELECT count(*)::int AS count FROM (
      SELECT service_id, permission FROM identity.role_bundles WHERE role = 'owner'
      EXCEPT SELECT service_id, permission FROM identity.role_bundles WHERE role = 'admin') AS more`
  expect(differing?.['count']).toBe(0)
  const provisioning = await sql`
    SELECT 1 FROM identity.role_bundles WHERE permission IN ('service:invoke', 'organizations:provision')`
  expect(provisioning.length).toBe(0)
})

test('IDN-11 source code and static files contain no service IDs', async () => {
  const files = [...new Bun.Glob('{src,views,public,drizzle}/**/*.{ts,tsx,js,html,json,sql}').scanSync('.')]
  const own = files.filter((file) => !file.includes('/vendor/') && !file.includes('/meta/'))
  const texts = await Promise.all(own.map((file) => Bun.file(file).text()))
  expect(own.length).toBeGreaterThan(60)
  expect(
    own.filter((_, at) =>
      /\b(?!0{8}-)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i.test(texts[at] ?? ''),
    ),
  ).toEqual([])
})
