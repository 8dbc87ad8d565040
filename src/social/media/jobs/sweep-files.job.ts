import { and, asc, eq, gt, lte } from 'drizzle-orm'
import { z } from 'zod'
import { removeAbandoned } from '#lib/abandoned-files.ts'
import { job } from '#lib/job.ts'
import { logFault } from '#lib/log/fault.ts'
import { looseFiles } from '../../schema.ts'
import { adoptVideos } from '../../uploads/adopt.ts'
import { discardExpired } from '../../uploads/discard.ts'
import { deleteFiles } from '../files.ts'
import { workFolder } from '../video/local-file.ts'

const batchSize = 500
/** Files deleted at a time: an object store takes some 50 ms for each. */
const concurrency = 8

/** Longer than any file is worked on. */
const abandonedAfterMs = 6 * 60 * 60 * 1000

/** @throws after the last file when one could not be deleted, or after a batch of which none could be */
export const sweepFiles = job({
  name: 'social.sweep-files',
  input: z.object({}),
  uniqueBy: () => 'all',
  maxSeconds: 60 * 60,
  run: async ({ database, now, storage, queue, config, log }) => {
    await adoptVideos(database, queue, now())
    await discardExpired(database.transaction, now())
    const abandonedBefore = new Date(now().getTime() - abandonedAfterMs)
    await removeAbandoned(workFolder(config), abandonedBefore)
    await storage.removeUnfinished(abandonedBefore)
    const { db } = database
    const at = now()
    let failed = 0
    const sweep = async (key: string) => {
      try {
        await deleteFiles(storage, key)
      } catch (error) {
        failed += 1
        return logFault(log, 'orphaned file not deleted', error, { key })
      }
      await db.delete(looseFiles).where(eq(looseFiles.key, key))
    }
    for (let last = ''; ;) {
      const due = await db
        .select({ key: looseFiles.key })
        .from(looseFiles)
        .where(and(lte(looseFiles.dueAt, at), gt(looseFiles.key, last)))
        .orderBy(asc(looseFiles.key))
        .limit(batchSize)
      const failedBefore = failed
      for (let from = 0; from < due.length; from += concurrency)
        await Promise.all(due.slice(from, from + concurrency).map(({ key }) => sweep(key)))
      const isDone = due.length < batchSize || failed - failedBefore === batchSize
      if (isDone && failed > 0) throw new Error(`${failed} orphaned files could not be deleted`)
      if (isDone) return
      last = due.at(-1)?.key ?? last
    }
  },
})
