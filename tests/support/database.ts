import postgres from 'postgres'
import { databaseUrl } from './postgres.ts'
import { currentRun } from './run-folder.ts'
import { ensureTemplate } from './templates.ts'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** A database for one test file as a server leaves it at its first start: migrated, with its queue and actions. */
export async function freshDatabase(): Promise<TestDatabase> {
  return copyDatabase(await ensureTemplate('started'))
}

/** The same without a single table. */
export const emptyDatabase = (): Promise<TestDatabase> => copyDatabase('template0')

/** Quicker than writing a copy to the log, which a throwaway server doesn't need. */
const copying = 'file_copy'

/** A copy of a database that is connected to by no one. */
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
