import { asc, eq, lte } from 'drizzle-orm'
import { z } from 'zod'
import { job } from '#lib/job.ts'
import { looseFiles } from '../schema.ts'
import { discardExpired } from '../uploads/discard.ts'
import { deleteFiles } from './files.ts'

/** Files looked at in one go; the next go takes the rest. */
const batch = 500

/** Deletes expired uploads, and orphaned files of unfinished uploads and deleted images. */
export const sweepFiles = job({
  name: 'social.sweep-files',
  input: z.object({}),
  run: async ({ database, now, storage }) => {
    await discardExpired(database.transaction, now())
    const { db } = database
    const due = await db
      .select()
      .from(looseFiles)
      .where(lte(looseFiles.dueAt, now()))
      .orderBy(asc(looseFiles.dueAt))
      .limit(batch)
    for (const { key } of due) {
      await deleteFiles(storage, key)
      await db.delete(looseFiles).where(eq(looseFiles.key, key))
    }
  },
})
