import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { invalid, notFound, Problem, retryLater } from '#lib/errors.ts'
import * as brands from '../brands/brands.ts'
import { sweepFiles } from '../media/jobs/sweep-files.job.ts'
import { remove as removeMedia } from '../media/media.ts'
import { requireRoom } from '../media/library/storage.ts'
import { uploads } from '../schema.ts'
import { explainAbsence, withinTenant } from '../access.ts'
import { discard, isBeingWritten } from './discard.ts'
import { maxUploadBytes, uploadLifeMs } from './limits.ts'

export type UploadRow = typeof uploads.$inferSelect

interface Draft {
  brandId: string
  length: number
  name: string
  alt: string
  metadata: string | null
}

/** @throws {Problem} 404 for the brand, 413 and 422 for the length, 409 when the organization has too many */
export async function create(
  call: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now' | 'config'>,
  draft: Draft,
): Promise<UploadRow> {
  const { db, actor, now, config } = call
  const { length } = draft
  const brand = await brands.get(db, actor, draft.brandId)
  if (length === 0) throw invalid([{ path: 'length', message: 'The file is empty. Choose another file.' }])
  if (length > maxUploadBytes)
    throw new Problem(413, 'body_too_large', `The file is larger than ${formatGibibytes(maxUploadBytes)}.`)
  await requireRoom(db, config, brand.organizationId, { length, isUpload: true })
  const expiresAt = new Date(now().getTime() + uploadLifeMs)
  const [row] = await db
    .insert(uploads)
    .values({ ...draft, brandId: brand.id, createdBy: actor.principal.id, createdAt: now(), expiresAt })
    .returning()
  if (!row) throw new Error('The upload was not inserted')
  recordChange(db, { object: 'upload', id: row.id, after: row })
  return row
}

const formatGibibytes = (bytes: number): string => `${bytes / 1024 ** 3} GiB`

const brandOf = (db: Database, id: string) => db.select({ id: uploads.brandId }).from(uploads).where(eq(uploads.id, id))

/** @throws {Problem} 404 when it is absent or another organization's, 410 when it has expired */
export async function get(db: Database, actor: Actor, id: string): Promise<UploadRow> {
  const [found] = await db
    .select({ row: uploads, isExpired: sql<boolean>`coalesce(${uploads.expiresAt} <= clock_timestamp(), false)` })
    .from(uploads)
    .where(and(eq(uploads.id, id), withinTenant(db, actor, uploads.brandId)))
  if (!found) throw await explainAbsence(db, actor, 'upload', brandOf(db, id))
  if (found.isExpired) throw new Problem(410, 'upload_expired', 'This upload has expired. Create a new one.')
  return found.row
}

export const lockedProblem = () =>
  retryLater(423, 'upload_locked', 'Another request is writing to this upload. Try again in 5 s.')

interface Removal {
  id: string
  /** Whether the media file that it became is deleted too. */
  media: boolean
}

/** The sweep deletes its files. @throws {Problem} 404, 410, 423, and 409 for a media file that posts use */
export async function remove(
  call: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'queue' | 'now'>,
  { id, media: withMedia }: Removal,
) {
  const { db, actor, queue, now } = call
  await get(db, actor, id)
  // Read again under the lock: since then the job can have given it a file, or another request can have deleted it.
  const [held] = await db
    .select({ row: uploads, isBeingWritten: sql<boolean>`coalesce(${isBeingWritten}, false)` })
    .from(uploads)
    .where(eq(uploads.id, id))
    .for('update')
  if (!held) throw notFound('upload')
  if (held.isBeingWritten) throw lockedProblem()
  if (withMedia && held.row.mediaId !== null) await removeMedia(call, held.row.mediaId)
  await discard(db, held.row, now())
  await queue.enqueue(db, sweepFiles, {})
  recordChange(db, { object: 'upload', id, before: held.row })
}
