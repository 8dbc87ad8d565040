import { asc, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { Storage } from '#lib/storage.ts'
import { variantKey, keyOf } from '../media/files.ts'
import { uploadParts } from '../schema.ts'

/** Prefix of the storage keys of an upload's files, which the sweep relies on. */
export const fileKey = (brandId: string, fileId: string): string => keyOf({ brandId, id: fileId })

export const fileName = (brandId: string, fileId: string): string => variantKey(fileKey(brandId, fileId), 'original')

/** The hash is known at the end. A chunk is overwritten once the next one is requested. */
export function readParts(db: Database, storage: Storage, { id, brandId }: { id: string; brandId: string }) {
  const hash = new Bun.CryptoHasher('sha256')
  return { hash, chunks: chunks() }

  async function* chunks(): AsyncGenerator<Uint8Array> {
    const parts = await db
      .select()
      .from(uploadParts)
      .where(eq(uploadParts.uploadId, id))
      .orderBy(asc(uploadParts.startsAt))
    for (const { fileId } of parts) {
      const part = await storage.read(fileName(brandId, fileId))
      if (!part) throw new Error(`A chunk of the upload ${id} is missing in the file storage`)
      for await (const chunk of part.chunks()) {
        hash.update(chunk)
        yield chunk
      }
    }
  }
}

export const toStream = (chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: async () => void (await chunks.return(undefined)),
    },
    { highWaterMark: 0 },
  )
