import postgres from 'postgres'
import { databaseUrl } from './postgres.ts'
import { currentRun } from './run-folder.ts'
import { ensureTemplate } from './templates.ts'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** A database for one test file, as after a server's first start: migrated, with its queue and actions. */
export async function freshDatabase(): Promise<TestDatabase> {
  return copyDatabase(await ensureTemplate('started'))
}

/** An empty database. */
export const emptyDatabase = (): Promise<TestDatabase> => copyDatabase('template0')

/** Faster than writing the copy to the WAL, which a throwaway server doesn't need. */
const copying = 'file_copy'

/** A copy of a database without connections. */
export async function copyDatabase(template: string): Promise<TestDatabase> {
  const { adminUrl } = await currentRun()
  const name = `test_${Bun.randomUUIDv7('hex').replaceAll('-', '')}`
  await administer(adminUrl, (sql) => sql.unsafe(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY ${copying}`))
  const drop = async () =>
    void (await administer(adminUrl, (sql) => sql.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)))
  return { url: databaseUrl(adminUrl, name), drop }
}

export async function administer<Result>(url: string, act: (sql: postgres.Sql) => Promise<Result>): Promise<Result> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  return act(sql).finally(() => sql.end())
}
