import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { getConstructionPlans } from 'pg-boss'
import type { TransactionSql } from 'postgres'
import { z } from 'zod'
import { StartupError } from '#lib/startup-error.ts'
import { ensureIndexes } from '../queue/indexes.ts'
import { presentSchemas, readCatalog } from './catalog.ts'
import { nameOf, quoteName, type Manifest } from './manifest.ts'

const migrationsFolder = join(import.meta.dir, '..', '..', '..', 'drizzle')
const Snapshot = z.object({ schemas: z.record(z.string(), z.string()) })
const Journal = z.object({ entries: z.array(z.object({ idx: z.number(), when: z.number() })) })

export function productSchemas(): string[] {
  const meta = (name: string): unknown => JSON.parse(readFileSync(join(migrationsFolder, 'meta', name), 'utf8'))
  const last = Journal.parse(meta('_journal.json')).entries.at(-1)?.idx ?? 0
  const { schemas } = Snapshot.parse(meta(`${String(last).padStart(4, '0')}_snapshot.json`))
  return [...Object.values(schemas), 'drizzle', 'pgboss']
}

/** @throws {StartupError} when the backup is from another release */
export async function createTables(sql: TransactionSql, manifest: Manifest): Promise<void> {
  await applyMigrations(sql, manifest.level)
  if (manifest.queue !== null) await createQueueTables(sql, manifest.queue)
  const present = await readCatalog(sql, await presentSchemas(sql, productSchemas()))
  const known = new Set(present.partitions.map(nameOf))
  const schemas = productSchemas()
  const missing = manifest.partitions.filter((one) => !known.has(nameOf(one)) && schemas.includes(one.schema))
  for (const { schema, name, parent, bound } of missing)
    await sql.unsafe(`CREATE TABLE ${quoteName(schema, name)} PARTITION OF ${quoteName(schema, parent)} ${bound}`)
  if (describeTables(present) !== describeTables(manifest))
    throw new StartupError(
      'The tables in the backup don’t match this release. Restore it with the release that created it.',
    )
}

const describeTables = ({ tables }: Pick<Manifest, 'tables'>): string =>
  tables
    .map((table) => [nameOf(table), ...table.columns].join(' '))
    .sort()
    .join('\n')

async function applyMigrations(sql: TransactionSql, level: number): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder }).filter(({ folderMillis }) => folderMillis <= level)
  if (migrations.at(-1)?.folderMillis !== level)
    throw new StartupError('The backup was created by a later release. Restore it with that release.')
  await sql`CREATE SCHEMA drizzle`
  await sql`CREATE TABLE drizzle.__drizzle_migrations (id serial PRIMARY KEY, hash text NOT NULL, created_at bigint)`
  for (const statement of migrations.flatMap((migration) => migration.sql)) await sql.unsafe(statement)
}

async function createQueueTables(sql: TransactionSql, version: number): Promise<void> {
  await sql.unsafe(
    getConstructionPlans('pgboss')
      .replace(/^\s*BEGIN;/, '')
      .replace(/COMMIT;\s*$/, ''),
  )
  await sql`SET LOCAL idle_in_transaction_session_timeout = 0`
  const [made] = await sql<{ version: number }[]>`SELECT version FROM pgboss.version`
  if (made?.version !== version)
    throw new StartupError(
      `The queue tables in the backup have version ${version}, but this release uses version ${made?.version}. Restore the backup with the release that created it, then upgrade.`,
    )
  await ensureIndexes(sql)
}
