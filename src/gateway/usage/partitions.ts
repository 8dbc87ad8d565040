import { sql } from 'drizzle-orm'
import { executePrepared, transact, type Database } from '#lib/db.ts'

export const dayMs = 24 * 60 * 60 * 1000

/** The first day that is kept: younger events are accepted at any time of their last day. */
export const oldestDay = (now: Date, rawDays: number): string => dayAfter(dayOf(now), -rawDays - 1)

/** The UTC day of a time, such as `2026-11-21`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

export const dayAfter = (day: string, days = 1): string => dayOf(new Date(Date.parse(day) + days * dayMs))

const prefix = 'usage_logs_'
const partitionOf = (day: string): string => prefix + day.replaceAll('-', '')

/** Creates the partitions of `usage_logs` for these UTC days where they are missing. */
export async function ensurePartitions(db: Database, days: Iterable<string>): Promise<void> {
  const text = [...new Set(days)].toSorted().join(',')
  const missing = await executePrepared<{ day: string }>(
    db,
    sql`
    SELECT day FROM unnest(string_to_array(${text}, ',')) AS day
    WHERE to_regclass('gateway.usage_logs_' || replace(day, '-', '')) IS NULL`,
  )
  for (const { day } of missing) await createPartition(db, day)
}

/** Attaching, unlike `CREATE TABLE … PARTITION OF`, doesn't wait for the table's readers and writers. */
async function createPartition(db: Database, day: string): Promise<void> {
  const name = partitionOf(day)
  const table = sql`gateway.${sql.identifier(name)}`
  await transact(db, async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended('gateway.usage_logs', 0))`)
    // Not by to_regclass, which can remember the state before the lock.
    const known = await tx.execute(sql`
      SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'gateway.usage_logs'::regclass AND c.relname = ${name}`)
    if (known.length > 0) return
    await tx.execute(sql`CREATE TABLE ${table} (LIKE gateway.usage_logs INCLUDING ALL)`)
    const bounds = sql.raw(`FROM ('${day} 00:00:00+00') TO ('${dayAfter(day)} 00:00:00+00')`)
    await tx.execute(sql`ALTER TABLE gateway.usage_logs ATTACH PARTITION ${table} FOR VALUES ${bounds}`)
  })
}

/** Drops the partitions of days before `day`, and returns their days. */
export async function dropPartitionsBefore(db: Database, day: string): Promise<string[]> {
  const rows = await db.execute<{ name: string }>(sql`
    SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'gateway.usage_logs'::regclass AND c.relname < ${partitionOf(day)} COLLATE "C" ORDER BY 1`)
  for (const { name } of rows) await db.execute(sql`DROP TABLE IF EXISTS gateway.${sql.identifier(name)}`)
  return rows.map(({ name }) => name.slice(prefix.length).replace(/^(....)(..)(..)$/, '$1-$2-$3'))
}
