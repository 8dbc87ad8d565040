import { and, eq, isNotNull } from 'drizzle-orm'
import type { DatabaseHandle } from '#lib/db.ts'
import type { Queue } from '#lib/queue.ts'
import { VideoType } from '../contract/media.ts'
import { insertUnread } from '../media/store-file.ts'
import { uploads } from '../schema.ts'
import { uploadLifeMs } from './limits.ts'

const batchSize = 100

/** Adds videos to the library that servers of the previous release stored as uploads. Their files stay where they are. */
export async function adoptVideos(
  { transaction }: Pick<DatabaseHandle, 'transaction'>,
  queue: Queue,
  now: Date,
): Promise<void> {
  for (;;) {
    const adopted = await transaction(async (tx) => {
      const rows = await tx
        .select()
        .from(uploads)
        .where(and(isNotNull(uploads.fileId), eq(uploads.status, 'completed')))
        .limit(batchSize)
        .for('update', { skipLocked: true })
      for (const { id, fileId, length, contentType, sha256, ...upload } of rows) {
        if (!fileId || !sha256) continue
        const { brandId, createdBy, name, alt, createdAt } = upload
        const file = { id: fileId, brandId, createdBy, name, alt, createdAt, bytes: length, sha256 }
        await insertUnread(tx, queue, { ...file, contentType: VideoType.parse(contentType) })
        const expiresAt = new Date(now.getTime() + uploadLifeMs)
        await tx.update(uploads).set({ fileId: null, mediaId: fileId, expiresAt }).where(eq(uploads.id, id))
      }
      return rows.length
    })
    if (adopted < batchSize) return
  }
}
