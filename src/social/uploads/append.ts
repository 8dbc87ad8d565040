import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { transact, type Database } from '#lib/db.ts'
import { conflict, Problem } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import * as brands from '../brands/brands.ts'
import { announceFiles, withdrawFiles } from '../media/loose-files.ts'
import { uploadParts, uploads } from '../schema.ts'
import { isBeingWritten } from './discard.ts'
import { enqueueFinish } from './finish.ts'
import { freeParts, minPartBytes, maxSenders, partBytes, uploadLifeMs } from './limits.ts'
import { fileKey, fileName } from './parts.ts'
import { createSenders } from './senders.ts'
import { get, lockedProblem, type UploadRow } from './uploads.ts'

interface Chunk {
  id: string
  /** Its offset in the file, in bytes. @throws {Problem} 422 when the sender gave none */
  offset(): number
  body: ReadableStream<Uint8Array>
}

type AppendCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now' | 'storage' | 'queue' | 'config' | 'context'>
type Progress = Pick<UploadRow, 'received' | 'expiresAt'>

const senders = createSenders(maxSenders)

/**
 * Bytes that arrived before an interruption are saved too. @throws {Problem} 404, 410, 422, 409 for a wrong offset
 * or too many small chunks, 413, 423 while another request sends it or at the maximum of the organization or
 * person, 503
 */
export async function append(call: AppendCall, { id, offset, body }: Chunk): Promise<Progress> {
  const upload = await get(call.db, call.actor, id)
  const begins = offset()
  if (upload.status !== 'uploading') throw conflict('upload_complete', 'This upload is already complete.')
  call.context.recheckAccess = async (actor) => void (await brands.get(call.db, actor, upload.brandId))
  const origin = { organizationId: organizationOf(call.actor), personId: call.actor.principal.id }
  const slot = senders.enter(origin, call.context.abort)
  try {
    const writer = await takeLease(call, id)
    try {
      if (writer.received !== begins) throw wrongOffsetProblem(writer.received)
      await saveBody(call, writer, body, slot.add)
      return writer
    } finally {
      await writer.release()
    }
  } finally {
    slot.leave()
  }
}

const wrongOffsetProblem = (received: number) =>
  conflict('upload_offset_mismatch', `The next chunk starts at byte ${received}. Send Upload-Offset: ${received}.`, {
    received,
  })

interface Writer extends UploadRow {
  writer: string
  release(): Promise<void>
}

/** @throws {Problem} 423 while another request on any server has the lock */
async function takeLease({ db, config }: AppendCall, id: string): Promise<Writer> {
  const writer = newId()
  const leaseMs = config.UPLOAD_LEASE_MS
  const writerEndsAt = sql`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`
  const [row] = await db
    .update(uploads)
    .set({ writer, writerEndsAt })
    .where(and(eq(uploads.id, id), eq(uploads.status, 'uploading'), sql`${isBeingWritten} is not true`))
    .returning()
  if (!row) throw lockedProblem()
  const own = and(eq(uploads.id, id), eq(uploads.writer, writer))
  // When a renewal fails, the next one is in time.
  const renew = async () => void (await db.update(uploads).set({ writerEndsAt }).where(own))
  const renewal = setInterval(() => void renew().catch(() => {}), leaseMs / 4)
  return {
    ...row,
    writer,
    release: async () => {
      clearInterval(renewal)
      await db.update(uploads).set({ writer: null, writerEndsAt: null }).where(own)
    },
  }
}

async function saveBody(
  call: AppendCall,
  upload: Writer,
  body: ReadableStream<Uint8Array>,
  count: (bytes: number) => void,
): Promise<void> {
  const buffer = new Uint8Array(Math.min(partBytes, upload.length - upload.received))
  let filled = 0
  const flush = async () => {
    const bytes = buffer.subarray(0, filled)
    filled = 0
    if (bytes.byteLength > 0) await savePart(call, upload, bytes)
  }
  try {
    for await (const chunk of body) {
      count(chunk.byteLength)
      if (upload.received + filled + chunk.byteLength > upload.length) throw tooLongProblem(upload)
      for (let at = 0; at < chunk.byteLength;) {
        const taken = chunk.subarray(at, at + buffer.byteLength - filled)
        buffer.set(taken, filled)
        filled += taken.byteLength
        at += taken.byteLength
        if (filled === buffer.byteLength) await flush()
      }
    }
  } finally {
    // The sender doesn't have to repeat bytes that arrived before an interruption.
    await flush()
  }
}

const tooLongProblem = ({ length }: UploadRow) =>
  new Problem(
    413,
    'body_too_large',
    `This upload was created with a length of ${length} bytes. Send no more than that.`,
  )

/** Announces the file, writes it, and records it: the sweep finds the files of requests that break off in between. */
async function savePart(call: AppendCall, upload: Writer, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const { db, now, storage } = call
  await requireLargeParts(db, upload, bytes.byteLength)
  const fileId = newId()
  const key = fileKey(upload.brandId, fileId)
  await announceFiles({ db, now }, [key])
  await storage.put(fileName(upload.brandId, fileId), bytes, 'application/octet-stream')
  const after = await transact(db, async (tx) => {
    await withdrawFiles(tx, [key])
    return recordPart(call, tx, upload, { fileId, bytes: bytes.byteLength })
  })
  Object.assign(upload, after)
}

/** Small parts cost as much as large ones. @throws {Problem} 409 for too many, except for the last one */
async function requireLargeParts(db: Database, { id, received, length }: Writer, bytes: number): Promise<void> {
  const end = received + bytes
  if (end === length) return
  const parts = await db.$count(uploadParts, eq(uploadParts.uploadId, id))
  if (parts < freeParts + Math.floor(end / minPartBytes)) return
  throw conflict(
    'too_many_upload_chunks',
    `This upload already has ${parts} chunks. Send at least ${minPartBytes / 1024} KiB per request from now on.`,
    { received },
  )
}

/** @throws {Problem} 423 when the lock was lost */
async function recordPart(
  { now, queue }: AppendCall,
  tx: Database,
  { id, brandId, writer, received, length }: Writer,
  part: { fileId: string; bytes: number },
): Promise<Progress> {
  const isWhole = received + part.bytes === length
  const expiresAt = new Date(now().getTime() + uploadLifeMs)
  const [after] = await tx
    .update(uploads)
    .set({ received: received + part.bytes, expiresAt, ...(isWhole && { status: 'processing' }) })
    .where(and(eq(uploads.id, id), eq(uploads.writer, writer), eq(uploads.received, received)))
    .returning({ received: uploads.received, expiresAt: uploads.expiresAt })
  if (!after) throw lockedProblem()
  await tx.insert(uploadParts).values({ uploadId: id, startsAt: received, fileId: part.fileId })
  if (isWhole) await enqueueFinish(tx, queue, { id, brandId })
  return after
}
