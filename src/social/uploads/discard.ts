import { and, eq, gt, lte, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { looseFiles, uploadParts, uploads } from '../schema.ts'
import { fileKey } from './parts.ts'

type UploadRow = typeof uploads.$inferSelect

export const isBeingWritten = gt(uploads.writerEndsAt, sql`clock_timestamp()`)

type DiscardedUpload = Pick<UploadRow, 'id' | 'brandId' | 'fileId'>

/** Deletes an upload's row, and leaves its files to the sweep. */
export async function discard(tx: Database, { id, brandId, fileId }: DiscardedUpload, now: Date): Promise<void> {
  await discardParts(tx, { id, brandId }, now)
  if (fileId) await tx.insert(looseFiles).values({ key: fileKey(brandId, fileId), dueAt: now })
  await tx.delete(uploads).where(eq(uploads.id, id))
}

export async function discardParts(
  tx: Database,
  { id, brandId }: Pick<UploadRow, 'id' | 'brandId'>,
  now: Date,
): Promise<void> {
  const parts = await tx.delete(uploadParts).where(eq(uploadParts.uploadId, id)).returning()
  if (parts.length === 0) return
  await tx.insert(looseFiles).values(parts.map((part) => ({ key: fileKey(brandId, part.fileId), dueAt: now })))
}

const batchSize = 100

export async function discardExpired(
  transaction: <Result>(work: (tx: Database) => Promise<Result>) => Promise<Result>,
  now: Date,
): Promise<void> {
  for (;;) {
    const discarded = await transaction(async (tx) => {
      const due = await tx
        .select()
        .from(uploads)
        .where(and(lte(uploads.expiresAt, now), sql`${isBeingWritten} is not true`))
        .limit(batchSize)
        .for('update', { skipLocked: true })
      for (const row of due) await discard(tx, row, now)
      return due.length
    })
    if (discarded < batchSize) return
  }
}
