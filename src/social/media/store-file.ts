import { recordChange } from '#lib/audit.ts'
import type { Database } from '#lib/db.ts'
import type { Queue } from '#lib/queue.ts'
import { media } from '../schema.ts'
import { keyOf, type MediaRow } from './files.ts'
import { enqueueProcessing } from './jobs/process.job.ts'
import { withdrawFiles } from './loose-files.ts'
import { kindOf } from './signature.ts'

type StoredFile = Pick<
  MediaRow,
  'id' | 'brandId' | 'name' | 'alt' | 'createdBy' | 'createdAt' | 'contentType' | 'bytes' | 'sha256'
>

/** Inserts the row of a video or document whose file is stored, and withdraws the file from the sweep. */
export async function insertFile(tx: Database, queue: Queue, file: StoredFile): Promise<void> {
  await withdrawFiles(tx, [keyOf(file)])
  const row = await insertUnread(tx, queue, file)
  recordChange(tx, { object: 'media', id: file.id, after: row })
}

/** A job reads the file. */
export async function insertUnread(tx: Database, queue: Queue, file: StoredFile): Promise<MediaRow | undefined> {
  const kind = kindOf(file.contentType)
  const values = { ...file, kind, status: 'processing' as const, animated: false, renditions: {} }
  const [row] = await tx.insert(media).values(values).returning()
  await enqueueProcessing(tx, queue, file)
  return row
}
