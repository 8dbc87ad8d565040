import { lte } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../db.ts'
import { deleteInBatches } from '../db/delete-in-batches.ts'
import { forEachSettled } from '../each.ts'
import { job, type TypedJob } from '../job.ts'
import type { TenantData } from '../tenant-data.ts'

export const expiryJob = (name: string, declared: readonly TenantData[]): TypedJob<object> =>
  job({
    name,
    input: z.object({}),
    run: ({ database, now }) => deleteExpired(database.db, declared, now()),
  })

/** An error in one table doesn't stop the others. @throws the error, after the last table */
const deleteExpired = (db: Database, declared: readonly TenantData[], now: Date): Promise<void> =>
  forEachSettled(declared, (one) => deleteExpiredOf(db, one, now))

async function deleteExpiredOf(db: Database, { table, retention }: TenantData, now: Date): Promise<void> {
  if (retention === 'owner' || 'job' in retention) return
  await deleteInBatches(db, table, lte(retention.after, new Date(now.getTime() - retention.ms)))
}
