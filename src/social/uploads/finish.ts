import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { recordChange, auditedJobTransaction } from '#lib/audit.ts'
import type { Provided } from '#lib/call.ts'
import type { Database, DatabaseHandle } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { Id, newId } from '#lib/ids.ts'
import { headBytes } from '#lib/images/image-type.ts'
import { job } from '#lib/job.ts'
import type { Clock } from '#lib/time.ts'
import type { MediaType } from '../contract.ts'
import { maxDocumentBytes } from '../media/documents/pages.ts'
import { maxBytes } from '../media/input.ts'
import { sweepFiles } from '../media/jobs/sweep-files.job.ts'
import { announceFiles } from '../media/loose-files.ts'
import { insertImage, storeImage } from '../media/store-image.ts'
import { insertFile } from '../media/store-file.ts'
import { fileTypeOf, kindOf } from '../media/signature.ts'
import { brands, uploads } from '../schema.ts'
import { discardParts } from './discard.ts'
import { uploadLifeMs } from './limits.ts'
import { fileKey, fileName, readParts, toStream } from './parts.ts'
import type { UploadRow } from './uploads.ts'

const name = 'social.finish-upload'

interface FinishDependencies extends Pick<Provided, 'config' | 'storage' | 'queue'> {
  database: DatabaseHandle
  now: Clock
}

export const finishUpload = job({
  name,
  /** Jobs of earlier releases name no organization. */
  input: z.object({ id: Id, organizationId: Id.optional() }),
  concurrency: 3,
  perTenant: { of: ({ id, organizationId }) => organizationId ?? id, concurrency: 1 },
  /** Over 1.4 to 2.8 hours, as long as an object storage can be away. */
  retries: 10,
  /** 4 GiB from the object storage and back to it. */
  maxSeconds: 60 * 60,
  run: async ({ input, database, now, storage, config, queue }) => {
    const [upload] = await database.db.select().from(uploads).where(isProcessing(input.id))
    if (upload) await finish({ database, now, storage, config, queue }, upload)
  },
  onRetriesExhausted: async ({ input, database, now, storage, config, queue }) => {
    const [upload] = await database.db.select().from(uploads).where(isProcessing(input.id))
    if (upload)
      await fail({ database, now, storage, config, queue }, upload, 'The file could not be processed. Upload it again.')
  },
})

export async function enqueueFinish(
  tx: Database,
  queue: Provided['queue'],
  { id, brandId }: Pick<UploadRow, 'id' | 'brandId'>,
): Promise<void> {
  const [brand] = await tx.select().from(brands).where(eq(brands.id, brandId))
  if (brand) await queue.enqueue(tx, finishUpload, { id, organizationId: brand.organizationId })
}

const isProcessing = (id: string) => and(eq(uploads.id, id), eq(uploads.status, 'processing'))

async function finish(work: FinishDependencies, upload: UploadRow): Promise<void> {
  const contentType = fileTypeOf(await readHead(work, upload))
  if (!contentType)
    return fail(
      work,
      upload,
      'Unsupported file type. Upload a JPEG, PNG, WebP or GIF image, an MP4, MOV or WebM video, or a PDF.',
    )
  const kind = kindOf(contentType)
  if (kind === 'document' && upload.length > maxDocumentBytes)
    return fail(work, upload, `A PDF can be at most ${maxDocumentBytes / 1024 ** 2} MiB.`)
  if (kind !== 'image') return finishFile(work, upload, contentType)
  if (upload.length > maxBytes) return fail(work, upload, `An image can be at most ${maxBytes / 1024 ** 2} MiB.`)
  try {
    await finishImage(work, upload)
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500 || error.status === 429) throw error
    await fail(work, upload, error.options.errors?.[0]?.message ?? error.message)
  }
}

async function readHead({ database: { db }, storage }: FinishDependencies, upload: UploadRow): Promise<Uint8Array> {
  let head = new Uint8Array(0)
  for await (const chunk of readParts(db, storage, upload).chunks) {
    head = new Uint8Array(Buffer.concat([head, chunk.subarray(0, headBytes - head.byteLength)]))
    if (head.byteLength === headBytes) break
  }
  return head
}

/** Runs `work` in only one of several runs of the job for an upload. */
const settleUpload = (
  { database, now, queue }: FinishDependencies,
  { id, brandId }: UploadRow,
  work: (tx: Database) => Promise<Partial<UploadRow>>,
): Promise<void> =>
  auditedJobTransaction(database, { operation: name, now }, async (tx) => {
    const [before] = await tx.select().from(uploads).where(isProcessing(id)).for('update')
    if (!before) return
    const expiresAt = new Date(now().getTime() + uploadLifeMs)
    const changes = await work(tx)
    const [after] = await tx
      .update(uploads)
      .set({ expiresAt, ...changes })
      .where(eq(uploads.id, id))
      .returning()
    await discardParts(tx, { id, brandId }, now())
    await queue.enqueue(tx, sweepFiles, {})
    recordChange(tx, { object: 'upload', id, before, after })
  })

const fail = (work: FinishDependencies, upload: UploadRow, failure: string): Promise<void> =>
  settleUpload(work, upload, async () => ({ status: 'failed', failure }))

async function finishImage(work: FinishDependencies, upload: UploadRow): Promise<void> {
  const { db } = work.database
  const [brand] = await db.select().from(brands).where(eq(brands.id, upload.brandId))
  if (!brand) return
  const { hash, chunks } = readParts(db, work.storage, upload)
  const bytes = new Uint8Array(upload.length)
  let size = 0
  for await (const chunk of chunks) {
    bytes.set(chunk, size)
    size += chunk.byteLength
  }
  const stored = await storeImage({ ...work, db }, brand, bytes)
  await settleUpload(work, upload, async (tx) => {
    const { id: mediaId, contentType } = await insertImage(tx, stored, { ...upload, createdAt: work.now() })
    return { status: 'completed', contentType, sha256: hash.digest('hex'), mediaId }
  })
}

/** For the files of interrupted runs, which take up to an hour each. */
const orphanedAfterMs = 24 * 60 * 60 * 1000

/** Videos and documents are stored as they are, in one file, which supports range requests. */
async function finishFile(work: FinishDependencies, upload: UploadRow, contentType: MediaType): Promise<void> {
  const { database, now, storage } = work
  const { brandId, length: bytes } = upload
  const mediaId = newId()
  const key = fileKey(brandId, mediaId)
  await announceFiles({ db: database.db, now }, [key], orphanedAfterMs)
  const { hash, chunks } = readParts(database.db, storage, upload)
  await storage.put(fileName(brandId, mediaId), toStream(chunks), contentType)
  await settleUpload(work, upload, async (tx) => {
    const sha256 = hash.digest('hex')
    const { name: title, alt, createdBy } = upload
    const file = { id: mediaId, brandId, name: title, alt, createdBy, contentType, bytes, sha256, createdAt: now() }
    await insertFile(tx, work.queue, file)
    return { status: 'completed', contentType, sha256, mediaId }
  })
}
