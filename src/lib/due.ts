import { and, sql, type SQL, type Table } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from './db.ts'

/** A table of what comes due: it has `id`, `due_at` (indexed) and `lease_owner`, a UUID. */
interface DueTable {
  table: Table
  /** Which of its rows come due at all; the index on `due_at` should have the same condition. */
  only?: SQL
}

interface Lease {
  /** The process that holds it. */
  owner: string
  leaseMs: number
}

const Rows = z.array(z.object({ id: z.string() }))
const idsOf = (rows: Iterable<unknown>): string[] => Rows.parse([...rows]).map(({ id }) => id)

const leaseEnd = (leaseMs: number) => sql`now() + ${leaseMs} * interval '1 millisecond'`

/**
 * Claims what is due, longest due first, `limit` of it at most: no two processes get the same. The lease is `due_at`
 * pushed ahead, so what a dead process held comes due again by itself. Whoever is done sets `due_at` to the next time.
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

/** Pushes the leases of these rows ahead; answers those that are still this owner's. */
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

/** When the next row comes due that isn't yet, and the database's time now: in milliseconds, null when none is there. */
export async function nextDue(db: Database, { table, only }: DueTable): Promise<z.output<typeof Next>> {
  const rows = await db.execute(sql`
    SELECT (extract(epoch FROM min(due_at)) * 1000)::float8 AS "dueAt",
      (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now
    FROM ${table} WHERE ${and(sql`due_at > now()`, only)}`)
  return Next.parse(rows[0])
}
