import { eq } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import type { Database } from '#lib/db.ts'
import { looseFiles, media } from '../schema.ts'
import { keyOf, type MediaRow } from './files.ts'
import { kindOf } from './signature.ts'

type StoredFile = Pick<
  MediaRow,
  'id' | 'brandId' | 'name' | 'alt' | 'createdBy' | 'createdAt' | 'contentType' | 'bytes' | 'sha256'
>

/** Inserts the row of a video or document whose file is stored, and withdraws the file from the sweep. */
export async function insertFile(tx: Database, file: StoredFile): Promise<void> {
  const announced = await tx
    .delete(looseFiles)
    .where(eq(looseFiles.key, keyOf(file)))
    .returning()
  if (announced.length === 0) throw new Error('The file of an upload was deleted before it was recorded')
  const [row] = await tx.insert(media).values(rowOf(file)).returning()
  recordChange(tx, { object: 'media', id: file.id, after: row })
}

export const rowOf = (file: StoredFile) => ({
  ...file,
  kind: kindOf(file.contentType),
  animated: false,
  renditions: {},
})
