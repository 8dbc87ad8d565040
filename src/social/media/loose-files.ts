import { inArray } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { Clock } from '#lib/time.ts'
import { looseFiles } from '../schema.ts'

/** In milliseconds. Longer than a request that stores files. */
const orphanedAfterMs = 60 * 60 * 1000

interface Announcer {
  db: Database
  now: Clock
}

/**
 * Before files are written: the sweep deletes those that aren't recorded within `forMs` milliseconds, 1 hour by default.
 * `keys` are the prefixes of their names.
 */
export async function announceFiles(
  { db, now }: Announcer,
  keys: readonly string[],
  forMs = orphanedAfterMs,
): Promise<void> {
  const dueAt = new Date(now().getTime() + forMs)
  await db.insert(looseFiles).values(keys.map((key) => ({ key, dueAt })))
}

/** In the transaction that records files: the sweep no longer deletes them. @throws when it already did */
export async function withdrawFiles(tx: Database, keys: readonly string[]): Promise<void> {
  const announced = await tx.delete(looseFiles).where(inArray(looseFiles.key, keys)).returning()
  if (announced.length < keys.length) throw new Error('Files were deleted before they were recorded')
}
