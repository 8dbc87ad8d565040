import { afterAll, beforeAll, expect, test } from 'bun:test'
import { getTableColumns } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import postgres from 'postgres'
import { readConfig } from '#config'
import { productSchemas } from '#lib/backup/structure.ts'
import { tableName, type Tenant, type TenantData } from '#lib/tenant-data.ts'
import { chosenContexts } from '../../src/contexts.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'

// Generated from the real database: every table is declared, or in the list of those without a tenant.

/** Tables with rows of the platform only: nothing of an organization or a person. */
const ofNoTenant = [
  'dashboard.demo_bookings',
  'dashboard.inquiries',
  'dashboard.push_keys',
  'gateway.gateway_servers',
  'gateway.limits_version',
  'gateway.catalog_models',
  'gateway.model_sources',
  'gateway.social_apps',
  'gateway.social_client_keys',
  'gateway.video_quota',
  'gateway.video_quota_limits',
  'identity.action_sets',
  'identity.actions',
  'identity.role_bundles',
  'identity.service_permissions',
  'identity.service_redirect_uris',
  'identity.services',
  'identity.signing_keys',
  'payments.package_prices',
  'payments.provider_prices',
  'platform.derivation_roots',
  'practice_models.behaviors',
  'practice_payments.behaviors',
  'practice_payments.deliveries',
  'practice_payments.idempotency_keys',
  'practice_payments.objects',
  'practice_payments.tasks',
  'practice_video.behaviors',
  'practice_video.comments',
  'practice_video.pieces',
  'practice_video.quota',
  'practice_video.uploads',
  'practice_video.videos',
  'social.network_apps',
  'social.sandbox_behaviors',
  'social.sandbox_files',
  'social.sandbox_receipts',
]

interface Link {
  child: string
  parent: string
  /** What the database does with the child's row: nothing, which blocks the parent's deletion, or one of these. */
  onDelete: 'refuse' | 'cascade' | 'set null'
}

let database: TestDatabase
let sql: postgres.Sql

const contexts = chosenContexts(readConfig({ ATRIUM_ENV: 'test' }))
const declared = contexts.flatMap(({ data = [] }) => data)
const names = declared.map((one) => tableName(one))
const jobs = contexts.flatMap(({ jobs: own }) => own.map(({ name }) => name))

beforeAll(async () => {
  database = await freshDatabase()
  sql = postgres(database.url, { max: 1, onnotice: () => {} })
})

afterAll(async () => {
  await sql.end()
  await database.drop()
})

/** The tables of every schema except those of PostgreSQL, the queue and the migrations. */
async function tables(): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    SELECT n.nspname || '.' || c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pgboss', 'drizzle')`
  return rows.map(({ name }) => name)
}

async function links(): Promise<Link[]> {
  return [
    ...(await sql<Link[]>`
      SELECT DISTINCT n.nspname || '.' || c.relname AS child, pn.nspname || '.' || p.relname AS parent,
        CASE WHEN f.confdeltype = 'c' THEN 'cascade'
          WHEN f.confdeltype = 'n' AND NOT EXISTS (SELECT FROM pg_attribute a
            WHERE a.attrelid = c.oid AND a.attnum = ANY (f.conkey) AND a.attnotnull) THEN 'set null'
          ELSE 'refuse' END AS "onDelete"
      FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_class p ON p.oid = f.confrelid JOIN pg_namespace pn ON pn.oid = p.relnamespace
      WHERE f.contype = 'f' AND n.nspname NOT IN ('pgboss', 'drizzle')`),
  ]
}

const silentTables = async () => (await tables()).filter((name) => !names.includes(name) && !ofNoTenant.includes(name))

test('PLT-39 every table is declared for export, erasure, retention and backup, or has no tenant', async () => {
  expect(names.length).toBeGreaterThan(70)
  expect(await silentTables()).toEqual([])
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  const existing = await tables()
  expect(ofNoTenant.filter((name) => names.includes(name) || !existing.includes(name))).toEqual([])
})

test('PLT-39 tables declared without a tenant don’t reference rows of a tenant', async () => {
  const known = await links()
  const ownedBy = known.filter(({ parent }) => names.includes(parent)).map(({ child }) => child)
  expect(ofNoTenant.filter((name) => ownedBy.includes(name))).toEqual([])
})

/** The foreign keys that would make an erasure fail, or the deletion of expired rows. */
async function blockingLinks(): Promise<string[]> {
  const known = await links()
  const refusing = known.filter(({ onDelete, child, parent }) => onDelete === 'refuse' && child !== parent)
  const erasing = (['organization', 'person'] as const).flatMap((tenant) => {
    const steps = stepsOf(tenant, known)
    return refusing
      .filter(({ child, parent }) => (steps.get(child) ?? Infinity) > (steps.get(parent) ?? Infinity))
      .map(({ child, parent }) => `${child} holds ${parent} when a tenant (${tenant}) is erased`)
  })
  const passing = declared.filter(({ retention }) => retention !== 'owner').map((one) => tableName(one))
  const expiring = refusing.filter(({ parent }) => passing.includes(parent))
  return [...erasing, ...expiring.map(({ child, parent }) => `${child} holds ${parent} when its time is over`)]
}

/** Self references that would make a deletion in batches fail, when the other row is in a later batch. */
async function blockingSelfReferences(): Promise<string[]> {
  const known = await links()
  const deleted = (['organization', 'person'] as const).flatMap((tenant) => [...stepsOf(tenant, known).keys()])
  const expiring = declared.filter(({ retention }) => retention !== 'owner').map((one) => tableName(one))
  return known
    .filter(({ child, parent, onDelete }) => child === parent && onDelete === 'refuse')
    .map(({ child }) => child)
    .filter((name) => deleted.includes(name) || expiring.includes(name))
}

/** The first step of an erasure, in order of declaration, that deletes rows of a table: its own or its parent's. */
function stepsOf(tenant: Tenant, known: Link[]): Map<string, number> {
  const isStep = ({ erasure }: TenantData) => erasure[tenant] === 'delete' || typeof erasure[tenant] === 'function'
  const steps = new Map(declared.flatMap((one, at) => (isStep(one) ? [[tableName(one), at] as const] : [])))
  for (let isChanged = true; isChanged;) {
    isChanged = false
    for (const { child, parent, onDelete } of known) {
      const step = steps.get(parent)
      if (onDelete !== 'cascade' || step === undefined || (steps.get(child) ?? Infinity) <= step) continue
      steps.set(child, step)
      isChanged = true
    }
  }
  return steps
}

test('PLT-39 no foreign key stops an erasure: rows that refer to a deleted row are deleted with or before it, or set to null', async () => {
  expect((await links()).length).toBeGreaterThan(70)
  expect(await blockingLinks()).toEqual([])
})

test('PLT-39 no self reference stops an erasure that deletes a table in batches', async () => {
  expect(await blockingSelfReferences()).toEqual([])
  await sql`ALTER TABLE social.posts ADD COLUMN copied_from uuid REFERENCES social.posts`
  expect(await blockingSelfReferences()).toEqual(['social.posts'])
  await sql`ALTER TABLE social.posts DROP COLUMN copied_from`
})

test('PLT-39 undeclared new table is found, with any column names, and so are its blocking foreign keys', async () => {
  await sql`
    CREATE TABLE social.echo_notes (id uuid PRIMARY KEY, post_id uuid REFERENCES social.posts, principal_id uuid NOT NULL,
      tenant_id uuid NOT NULL, text text NOT NULL)`
  await sql`CREATE TABLE payments.echo_orders (id uuid PRIMARY KEY, tenant_id uuid NOT NULL)`
  expect((await silentTables()).toSorted()).toEqual(['payments.echo_orders', 'social.echo_notes'])
  expect(await blockingLinks()).toEqual(['social.echo_notes holds social.posts when a tenant (organization) is erased'])
  await sql`DROP TABLE social.echo_notes`
  await sql`DROP TABLE payments.echo_orders`
})

/** Field names that indicate a secret, a hash, or data useful only to an attacker. */
const secret =
  /secret|sealed|hash(?!tag)|digest|token|password|fingerprint|challenge|nonce|^mark$|^answer$|publicKey|^publicId$/i

test('PLT-39 fields of an export contain no secret and no hash', () => {
  const sealed = contexts.flatMap(({ sealed: columns = [] }) => columns)
  const leaving = declared.flatMap((one) =>
    'never' in one.export ? [] : one.export.map((field) => ({ one, field, column: getTableColumns(one.table)[field] })),
  )
  expect(leaving.length).toBeGreaterThan(150)
  expect(leaving.filter(({ column }) => !column).map(({ field }) => field)).toEqual([])
  const wrong = leaving.filter(
    ({ one, column, field }) =>
      (secret.test(field) && !counts.test(field) && !chained.has(`${tableName(one)}.${field}`)) ||
      (column && sealed.includes(column)),
  )
  expect(wrong.map(({ one, field }) => `${tableName(one)}.${field}`)).toEqual([])
})

/** Numbers of a model's tokens. */
const counts = /^(input|output|cached)Tokens$/

/** The ledger's hashes are there to be compared. */
const chained = new Set([
  'payments.ledger_transactions.previousHash',
  'payments.ledger_transactions.hash',
  'payments.ledger_heads.hash',
  'payments.closed_periods.hash',
])

const has = (one: TenantData, column: RegExp): boolean =>
  Object.keys(getTableColumns(one.table)).some((field) => column.test(field))

test('PLT-39 every table with an organization, a brand or a person declares their erasure', () => {
  const silent = declared.flatMap((one) => [
    ...(has(one, /^(organizationId|brandId)$/) && !one.erasure.organization ? [`${tableName(one)} organization`] : []),
    ...(has(one, /^(userId|authorId|ownerId|createdBy)$/) && !one.erasure.person && !goesWithOrganization(one)
      ? [`${tableName(one)} person`]
      : []),
  ])
  expect(silent).toEqual([])
})

/** The database sets its `createdBy` to null, so no data of the person is left in it. */
const goesWithOrganization = (one: TenantData): boolean =>
  one.erasure.organization === 'cascade' && !has(one, /^userId$/)

test('PLT-39 rows declared `cascade` are deleted by a foreign key of a table that is erased', async () => {
  const known = await links()
  const erased = (tenant: 'organization' | 'person') =>
    declared.filter(({ erasure }) => !['keep', 'expire', 'cascade', undefined].includes(erasure[tenant] as string))
  const wrong = (['organization', 'person'] as const).flatMap((tenant) => {
    const reached = new Set(erased(tenant).map((one) => tableName(one)))
    if (tenant === 'person') reached.add('identity.users')
    for (let before = 0; before < reached.size;) {
      before = reached.size
      for (const { child, parent, onDelete } of known)
        if (onDelete === 'cascade' && reached.has(parent)) reached.add(child)
    }
    return declared
      .filter((one) => one.erasure[tenant] === 'cascade' && !reached.has(tableName(one)))
      .map((one) => `${tableName(one)} ${tenant}`)
  })
  expect(wrong).toEqual([])
})

test('PLT-39 tables declared `delete` have a condition, and expiring tables an existing job', () => {
  const tenants = ['organization', 'person'] as const
  const unnamed = declared.filter((one) => tenants.some((each) => one.erasure[each] === 'delete' && !one.rows[each]))
  expect(unnamed.map((one) => tableName(one))).toEqual([])
  const byJobs = declared.flatMap(({ retention }) =>
    typeof retention === 'object' && 'job' in retention ? [retention.job] : [],
  )
  expect(byJobs.filter((name) => !jobs.includes(name))).toEqual([])
  const passing = declared.filter(({ erasure }) => Object.values(erasure).includes('expire'))
  expect(passing.filter(({ retention }) => retention === 'owner').map((one) => tableName(one))).toEqual([])
  const kept = declared.filter(({ erasure, retention }) => retention === 'owner' && Object.keys(erasure).length === 0)
  expect(kept.map((one) => tableName(one))).toEqual([])
})

test('PLT-35 PLT-39 backup contains every declared table in full', () => {
  const schemas = productSchemas()
  expect(declared.filter(({ table }) => !schemas.includes(getTableConfig(table).schema ?? '')).length).toBe(0)
  expect(declared.filter(({ files, backup }) => (files !== undefined) !== (backup === 'rows and files'))).toEqual([])
})
