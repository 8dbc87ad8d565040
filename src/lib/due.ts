import { and, sql, type SQL, type Table } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from './db.ts'

/** A table whose rows come due: it has `id`, `due_at` (indexed) and `lease_owner`, a UUID. */
interface DueTable {
  table: Table
  /** Limits which rows come due. The index on `due_at` should have the same condition. */
  only?: SQL
}

interface Lease {
  /** ID of the process that holds the lease. */
  owner: string
  leaseMs: number
}

const Rows = z.array(z.object({ id: z.string() }))
const idsOf = (rows: Iterable<unknown>): string[] => Rows.parse([...rows]).map(({ id }) => id)

const leaseEnd = (leaseMs: number) => sql`now() + ${leaseMs} * interval '1 millisecond'`

/**
 * Claims up to `limit` due rows, oldest first. No two processes get the same row. The lease moves `due_at` to its end, so
 * the rows of a dead process come due again. A process that is done with a row sets `due_at` to its next time.
 */
export async function claimDue(
  db: Database,
  { table, only, owner, leaseMs, limit }: DueTable & Lease & { limit: number },
): Promise<string[]> {
  const rows = await db.execute(sql`
    WITH due AS (
      SELECT id FROM ${table} WHERE ${and(sql`due_at <= now()`, only)}
      ORDER BY due_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    UPDATE ${table} SET lease_owner = ${owner}, due_at = ${leaseEnd(leaseMs)}
    FROM due WHERE ${table}.id = due.id RETURNING ${table}.id`)
  return idsOf(rows)
}

/** Renews the leases of these rows. Returns the ids that this owner still holds. */
export async function renewLeases(
  db: Database,
  { table, only, owner, leaseMs, ids }: DueTable & Lease & { ids: string[] },
): Promise<Set<string>> {
  const wanted = sql`SELECT jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)::uuid`
  const rows = await db.execute(sql`
    UPDATE ${table} SET due_at = ${leaseEnd(leaseMs)}
    WHERE ${and(sql`id IN (${wanted})`, sql`lease_owner = ${owner}`, only)} RETURNING id`)
  return new Set(idsOf(rows))
}

const Next = z.object({ dueAt: z.number().nullable(), now: z.number() })

/** When the next row comes due after now (null without one), and the database's clock, both as Unix milliseconds. */
export async function nextDue(db: Database, { table, only }: DueTable): Promise<z.output<typeof Next>> {
  const rows = await db.execute(sql`
    SELECT (extract(epoch FROM min(due_at)) * 1000)::float8 AS "dueAt",
      (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now
    FROM ${table} WHERE ${and(sql`due_at > now()`, only)}`)
  return Next.parse(rows[0])
}
