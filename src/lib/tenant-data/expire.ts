import { lte, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../db.ts'
import { forEachSettled } from '../each.ts'
import { job, type TypedJob } from '../job.ts'
import type { TenantData } from '../tenant-data.ts'

/** Rows per statement. */
const batch = 5_000

/** Builds the job that deletes a context's rows after their retention. */
export const expiryJob = (name: string, declared: readonly TenantData[]): TypedJob<object> =>
  job({
    name,
    input: z.object({}),
    run: ({ database, now }) => deleteExpired(database.db, declared, now()),
  })

/**
 * Deletes rows after their retention. An error in one table doesn't stop the others.
 * @throws the error, after the last table
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
