import { lte, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../db.ts'
import { forEachSettled } from '../each.ts'
import { job, type TypedJob } from '../job.ts'
import type { TenantData } from '../tenant-data.ts'

/** Rows that are deleted by one statement. */
const batch = 5_000

/** The job by which a context deletes the rows whose retention is over. */
export const expiryJob = (name: string, declared: readonly TenantData[]): TypedJob<object> =>
  job({
    name,
    input: z.object({}),
    run: ({ database, now }) => deleteExpired(database.db, declared, now()),
  })

/**
 * Deletes the rows whose retention is over. A table that fails doesn't stop the others.
 * @throws what failed, after the last table
 */
const deleteExpired = (db: Database, declared: readonly TenantData[], now: Date): Promise<void> =>
  forEachSettled(declared, (one) => deleteExpiredOf(db, one, now))

async function deleteExpiredOf(db: Database, { table, retention }: TenantData, now: Date): Promise<void> {
  if (retention === 'owner' || 'job' in retention) return
  const due = lte(retention.after, new Date(now.getTime() - retention.ms))
  const next = db
    .select({ ctid: sql`ctid` })
    .from(table)
    .where(due)
    .limit(batch)
  for (;;) {
    const gone = await db
      .delete(table)
      .where(sql`ctid = ANY (ARRAY(${next})) AND ${due}`)
      .returning({ one: sql`1` })
    if (gone.length < batch) return
  }
}
