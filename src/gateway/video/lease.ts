import { and, eq, ne, sql } from 'drizzle-orm'
import { retryLater } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { videoUploads } from '../schema.ts'
import type { VideoCall } from './provider.ts'
import { isBeingWritten, type UploadRow } from './uploads.ts'

export interface Lease {
  upload: UploadRow
  /** @throws {Problem} 423 when the lease was lost */
  record(columns: Partial<UploadRow>): Promise<void>
  release(): Promise<void>
}

/** So that only one request on any server sends bytes. @throws {Problem} 423 while another one does */
export async function takeLease({ db, config, now }: VideoCall, id: string): Promise<Lease> {
  const writer = newId()
  const leaseMs = config.UPLOAD_LEASE_MS
  const writerEndsAt = sql`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`
  const [upload] = await db
    .update(videoUploads)
    .set({ writer, writerEndsAt })
    .where(and(eq(videoUploads.id, id), ne(videoUploads.state, 'completed'), sql`${isBeingWritten} IS NOT TRUE`))
    .returning()
  if (!upload) throw uploadLocked()
  const own = and(eq(videoUploads.id, id), eq(videoUploads.writer, writer))
  // When a renewal fails, the next one is in time.
  const renew = async () => void (await db.update(videoUploads).set({ writerEndsAt }).where(own))
  const renewal = setInterval(() => void renew().catch(() => {}), leaseMs / 4)
  return {
    upload,
    record: async (columns) => {
      const rows = await db
        .update(videoUploads)
        .set({ ...columns, sentAt: now(), writerEndsAt })
        .where(own)
        .returning({ id: videoUploads.id })
      if (rows.length === 0) throw uploadLocked()
    },
    release: async () => {
      clearInterval(renewal)
      await db.update(videoUploads).set({ writer: null, writerEndsAt: null }).where(own)
    },
  }
}

const uploadLocked = () =>
  retryLater(423, 'upload_locked', 'Another request is sending this upload. Get its state in 5 s, and continue there.')
