import { eq } from 'drizzle-orm'
import type { JobDependencies } from '#lib/job.ts'
import { media } from '../schema.ts'
import { deleteFiles, keyOf, type MediaRow } from './files.ts'

/**
 * Deletes the copies that a job wrote while its file was deleted. The next run calls it too, since the one that wrote
 * them can have been killed.
 */
export async function deleteCopiesIfGone(
  { database, storage }: Pick<JobDependencies, 'database' | 'storage'>,
  row: Pick<MediaRow, 'id' | 'brandId'>,
): Promise<void> {
  if ((await database.db.$count(media, eq(media.id, row.id))) === 0) await deleteFiles(storage, keyOf(row))
}
