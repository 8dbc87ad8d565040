import { afterAll, beforeAll, expect, test } from 'bun:test'
import { getTableColumns } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import postgres from 'postgres'
import { readConfig } from '#config'
import { productSchemas } from '#lib/backup/structure.ts'
import { tableName, type TenantData } from '#lib/tenant-data.ts'
import { chosenContexts } from '../../src/contexts.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'

// Generated from the real database: every table that holds something of a tenant says how it takes part.

let database: TestDatabase
let sql: postgres.Sql
let links: { child: string; parent: string; cascades: boolean }[]
let tenantTables: Set<string>

const contexts = chosenContexts(readConfig({ ATRIUM_ENV: 'test' }))
const declared = contexts.flatMap(({ data = [] }) => data)
const names = declared.map((one) => tableName(one))
const jobs = contexts.flatMap(({ jobs: own }) => own.map(({ name }) => name))

beforeAll(async () => {
  database = await freshDatabase()
  sql = postgres(database.url, { max: 1, onnotice: () => {} })
  const own = sql`n.nspname NOT IN ('pg_catalog', 'information_schema', 'pgboss', 'drizzle')`
  const named = await sql<{ name: string }[]>`
    SELECT DISTINCT n.nspname || '.' || c.relname AS name FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE ${own} AND a.attname IN ('organization_id', 'platform_org_id', 'brand_id', 'user_id')`
  links = [
    ...(await sql<typeof links>`
      SELECT n.nspname || '.' || c.relname AS child, pn.nspname || '.' || p.relname AS parent,
        f.confdeltype = 'c' AS cascades
      FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_class p ON p.oid = f.confrelid JOIN pg_namespace pn ON pn.oid = p.relnamespace
      WHERE f.contype = 'f' AND ${own}`),
  ]
  tenantTables = new Set(named.map(({ name }) => name))
  // What goes with a tenant's row is the tenant's as well.
  for (let before = 0; before < tenantTables.size;) {
    before = tenantTables.size
    for (const { child, parent, cascades } of links) if (cascades && tenantTables.has(parent)) tenantTables.add(child)
  }
})

afterAll(async () => {
  await sql.end()
  await database.drop()
})

test('PLT-39 every table of tenants in the database says how it takes part in export, erasure, retention and backup', () => {
  expect(tenantTables.size).toBeGreaterThan(40)
  expect([...tenantTables].filter((name) => !names.includes(name))).toEqual([])
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

/** Names of fields that would be a secret, a hash, or of use only to an attacker. */
const secret =
  /secret|sealed|hash(?!tag)|digest|token|password|fingerprint|challenge|nonce|^mark$|^answer$|publicKey|^publicId$/i

test('PLT-39 no secret and no hash is among the fields of an export', () => {
  const sealed = contexts.flatMap(({ sealed: columns = [] }) => columns)
  const leaving = declared.flatMap((one) =>
    'never' in one.export ? [] : one.export.map((field) => ({ one, field, column: getTableColumns(one.table)[field] })),
  )
  expect(leaving.length).toBeGreaterThan(150)
  expect(leaving.filter(({ column }) => !column).map(({ field }) => field)).toEqual([])
  const wrong = leaving.filter(({ column, field }) => secret.test(field) || (column && sealed.includes(column)))
  expect(wrong.map(({ one, field }) => `${tableName(one)}.${field}`)).toEqual([])
})

const has = (one: TenantData, column: RegExp): boolean =>
  Object.keys(getTableColumns(one.table)).some((field) => column.test(field))

test('PLT-39 every table with an organization, a brand or a person erases what it has of them', () => {
  const silent = declared.flatMap((one) => [
    ...(has(one, /^(organizationId|brandId)$/) && !one.erasure.organization ? [`${tableName(one)} organization`] : []),
    ...(has(one, /^(userId|authorId|ownerId|createdBy)$/) && !one.erasure.person && !goesWithOrganization(one)
      ? [`${tableName(one)} person`]
      : []),
  ])
  expect(silent).toEqual([])
})

/** Its `createdBy` is set to null by the database, so nothing of the person is left in it. */
const goesWithOrganization = (one: TenantData): boolean =>
  one.erasure.organization === 'cascade' && !has(one, /^userId$/)

test('PLT-39 rows declared to go with their parent do so in the database, and no parent that is deleted first has others', () => {
  const erased = (tenant: 'organization' | 'person') =>
    declared.filter(({ erasure }) => !['keep', 'expire', 'cascade', undefined].includes(erasure[tenant] as string))
  const wrong = (['organization', 'person'] as const).flatMap((tenant) => {
    const reached = new Set(erased(tenant).map((one) => tableName(one)))
    if (tenant === 'person') reached.add('identity.users')
    for (let before = 0; before < reached.size;) {
      before = reached.size
      for (const { child, parent, cascades } of links) if (cascades && reached.has(parent)) reached.add(child)
    }
    return declared
      .filter((one) => one.erasure[tenant] === 'cascade' && !reached.has(tableName(one)))
      .map((one) => `${tableName(one)} ${tenant}`)
  })
  expect(wrong).toEqual([])
})

test('PLT-39 what is declared to be deleted names its rows, and what expires does so by a job that exists', () => {
  const tenants = ['organization', 'person'] as const
  const unnamed = declared.filter((one) => tenants.some((each) => one.erasure[each] === 'delete' && !one.rows[each]))
  expect(unnamed.map((one) => tableName(one))).toEqual([])
  const byJobs = declared.flatMap(({ retention }) =>
    typeof retention === 'object' && 'job' in retention ? [retention.job] : [],
  )
  expect(byJobs.filter((name) => !jobs.includes(name))).toEqual([])
  const passing = declared.filter(({ erasure }) => Object.values(erasure).includes('expire'))
  expect(passing.filter(({ retention }) => retention === 'owner').map((one) => tableName(one))).toEqual([])
})

test('PLT-35 PLT-39 every declared table is in a backup whole', () => {
  const schemas = productSchemas()
  expect(declared.filter(({ table }) => !schemas.includes(getTableConfig(table).schema ?? '')).length).toBe(0)
  expect(declared.filter(({ files, backup }) => (files !== undefined) !== (backup === 'rows and files'))).toEqual([])
})
