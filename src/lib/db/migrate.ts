import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator'
import type { Sql } from 'postgres'
import { z } from 'zod'
import { connect, databaseFailure } from '../postgres/connect.ts'
import { StartupError } from '../startup-error.ts'

const ownMigrations = join(import.meta.dir, '..', '..', '..', 'drizzle')
const migrationLock = 4_729_118
const lowestVersion = 15

interface MigrateOptions {
  folder?: string
}

/**
 * Servers that start together wait for each other. @throws {StartupError} when the database is unavailable or too old
 */
export async function migrate(url: string, { folder = ownMigrations }: MigrateOptions = {}): Promise<void> {
  const { sql, version } = await connect(url)
  try {
    requireVersion(version)
    if ((await migrationState(sql, { folder })).pending.length > 0) await migrateLocked(sql, folder)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** The migrations of this release that the database lacks. It can have migrations of a later release. */
export async function migrationState(
  sql: Sql,
  { folder = ownMigrations }: MigrateOptions = {},
): Promise<{ pending: string[] }> {
  const applied = new Set(await appliedTimes(sql))
  return { pending: journal(folder).flatMap(({ tag, when }) => (applied.has(when) ? [] : [tag])) }
}

async function migrateLocked(sql: Sql, folder: string): Promise<void> {
  await sql`SELECT pg_advisory_lock(${migrationLock})`
  try {
    await applyMigrations(drizzle(sql), { migrationsFolder: folder })
  } catch (error) {
    throw databaseFailure(error, sql)
  }
  const { pending } = await migrationState(sql, { folder })
  if (pending.length > 0)
    throw new StartupError(
      `These migrations are older than the database’s latest one and were skipped: ${pending.join(', ')}.`,
    )
}

async function appliedTimes(sql: Sql): Promise<number[]> {
  const [table] = await sql`SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS exists`
  if (!table?.['exists']) return []
  const rows = await sql<{ when: number }[]>`SELECT created_at::float8 AS when FROM drizzle.__drizzle_migrations`
  return rows.map((row) => row.when)
}

const Journal = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) })

const journal = (folder: string) =>
  Journal.parse(JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8'))).entries

function requireVersion(version: number): void {
  if (version >= lowestVersion * 10_000) return
  throw new StartupError(
    `PostgreSQL ${Math.floor(version / 10_000)} is too old: Atrium needs ${lowestVersion} or later. Upgrade it, or leave DATABASE_URL unset to use the embedded one.`,
  )
}
