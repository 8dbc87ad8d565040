import { inArray } from 'drizzle-orm'
import type { Provided } from '#lib/call.ts'
import { type Database, transact } from '#lib/db.ts'
import type { Clock } from '#lib/time.ts'
import { looseFiles } from '../../schema.ts'
import { sweepFiles } from '../jobs/sweep-files.job.ts'

interface Discarder extends Pick<Provided, 'queue'> {
  db: Database
  now: Clock
}

/** The sweep deletes these files at once, if they are announced and not recorded. */
export async function discardFiles({ db, now, queue }: Discarder, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await transact(db, async (tx) => {
    const discarded = await tx.update(looseFiles).set({ dueAt: now() }).where(inArray(looseFiles.key, keys)).returning()
    if (discarded.length > 0) await queue.enqueue(tx, sweepFiles, {})
  })
}
