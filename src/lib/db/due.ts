import { and, getTableName, sql, type SQL, type Table } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../db.ts'

export interface DueTable {
  table: Table
  /** Limits which rows come due, by columns with their table's name. The index on `due_at` should have the same condition. */
  only?: SQL
}

interface Lease {
  owner: string
  leaseMs: number
}

const Rows = z.array(z.object({ id: z.string() }))
const idsOf = (rows: Iterable<unknown>): string[] => Rows.parse([...rows]).map(({ id }) => id)

const leaseEnd = (leaseMs: number) => sql`now() + ${leaseMs} * interval '1 millisecond'`

interface ClaimOptions<Row> extends DueTable, Lease {
  limit: number
  /** What is returned of each row: columns of `candidates`, or without them of the table, as they were before the claim. */
  row: z.ZodType<Row>
  /** Selects the rows that can be claimed, by `id`: for turns, fair shares and other limits. All due rows if omitted. */
  candidates?: SQL
}

/**
 * Claims the oldest due rows, and returns them in no order; no two processes get the same row. The lease moves `due_at`
 * to its end, so the rows of a dead process come due again. A process that is done with a row sets its next time.
 */
export async function claimDue<Row>(
  db: Database,
  { table, only, row, candidates, owner, leaseMs, limit }: ClaimOptions<Row>,
): Promise<Row[]> {
  const dueAt = sql`${table}.due_at`
  const [source, columns] = candidates
    ? [sql`${table} JOIN (${candidates}) AS candidate USING (id)`, sql`candidate.*`]
    : [table, sql`*`]
  // The condition is on the table itself, so it is checked again on a row that changed while the statement ran.
  // `now()` can use an index, `clock_timestamp()` can't; they are the same outside a transaction.
  const rows = await db.execute(sql`
    WITH claimed AS (
      SELECT ${columns} FROM ${source} WHERE ${and(sql`${dueAt} <= now()`, only)}
      ORDER BY ${dueAt}, id LIMIT ${limit} FOR UPDATE OF ${sql.identifier(getTableName(table))} SKIP LOCKED)
    UPDATE ${table} SET lease_owner = ${owner}, due_at = ${leaseEnd(leaseMs)}
    FROM claimed WHERE ${table}.id = claimed.id RETURNING claimed.*`)
  return z.array(row).parse([...rows])
}

export async function renewLeases(
  db: Database,
  { table, only, owner, leaseMs, ids }: DueTable & Lease & { ids: string[] },
): Promise<Set<string>> {
  const idList = sql`SELECT jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)::uuid`
  const rows = await db.execute(sql`
    UPDATE ${table} SET due_at = ${leaseEnd(leaseMs)}
    WHERE ${and(sql`id IN (${idList})`, sql`lease_owner = ${owner}`, only)} RETURNING id`)
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
