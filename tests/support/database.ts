import { join } from 'node:path'
import postgres from 'postgres'
import { migrate } from '#lib/migrate.ts'
import { databaseUrl } from './postgres.ts'

const template = 'atrium_template'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** Makes the migrated database that every test's database is a copy of: once for a run. */
export async function createTemplate(adminUrl: string): Promise<void> {
  await administer(adminUrl, (sql) => sql.unsafe(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`))
  await administer(adminUrl, (sql) => sql.unsafe(`CREATE DATABASE ${template}`))
  await migrate(databaseUrl(adminUrl, template))
}

/**
 * A migrated database for one test file, on the run's server (`TEST_DATABASE_ADMIN_URL`) or, when a file is run by
 * itself, on one that ends with this process.
 */
export async function freshDatabase(): Promise<TestDatabase> {
  return createDatabase(`TEMPLATE ${template}`)
}

/** The same without a single table. */
export async function emptyDatabase(): Promise<TestDatabase> {
  return createDatabase('TEMPLATE template0')
}

async function createDatabase(source: string): Promise<TestDatabase> {
  const admin = await adminUrl()
  const name = `test_${Bun.randomUUIDv7('hex').replaceAll('-', '')}`
  await administer(admin, (sql) => sql.unsafe(`CREATE DATABASE ${name} ${source}`))
  const drop = () => administer(admin, (sql) => sql.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
  return { url: databaseUrl(admin, name), drop }
}

async function administer(url: string, act: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await act(sql).finally(() => sql.end())
}

let ownServer: Promise<string> | undefined
const adminUrl = async (): Promise<string> =>
  process.env['TEST_DATABASE_ADMIN_URL'] ?? (await (ownServer ??= startOwnServer()))

/** A test process tells nobody when it ends; the server's keeper sees it by the end of its standard input. */
async function startOwnServer(): Promise<string> {
  const keeper = Bun.spawn([process.execPath, join(import.meta.dir, 'keep-postgres.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  keeper.unref()
  for await (const bytes of keeper.stdout) return new TextDecoder().decode(bytes).trim()
  throw new Error('The test run has no PostgreSQL: its messages stand above.')
}
