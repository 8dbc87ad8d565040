import { and, count, eq, inArray, sql } from 'drizzle-orm'
import type { Config } from '#config'
import type { Database } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import type { MediaStorage } from '../../contract.ts'
import { brands, media, uploads } from '../../schema.ts'
import { organizationLimits } from '../../uploads/limits.ts'

const gigabyte = 1_000_000_000

type Quota = Pick<Config, 'MEDIA_QUOTA_GB'>

/** The files of an organization with their copies, and the whole length of its unfinished uploads. */
export async function readStorage(
  db: Database,
  quota: Quota,
  organizationId: string,
): Promise<MediaStorage & { unfinished: number }> {
  const [stored] = await db
    .select({ files: count(), bytes: sql<number>`coalesce(sum(${media.storedBytes}), 0)`.mapWith(Number) })
    .from(media)
    .innerJoin(brands, eq(brands.id, media.brandId))
    .where(eq(brands.organizationId, organizationId))
  const [pending] = await db
    .select({ unfinished: count(), bytes: sql<number>`coalesce(sum(${uploads.length}), 0)`.mapWith(Number) })
    .from(uploads)
    .innerJoin(brands, eq(brands.id, uploads.brandId))
    .where(and(eq(brands.organizationId, organizationId), inArray(uploads.status, ['uploading', 'processing'])))
  const { files = 0, bytes = 0 } = stored ?? {}
  const { unfinished = 0, bytes: reserved = 0 } = pending ?? {}
  return { files, bytes: bytes + reserved, unfinished, limit: quota.MEDIA_QUOTA_GB * gigabyte }
}

interface NewFile {
  /** In bytes. */
  length: number
  isUpload?: true
}

/**
 * Locks the storage of the organization until the transaction ends, so that two requests can't both take the last place.
 * @throws {Problem} 409 when it is full, or when too many uploads are unfinished
 */
export async function requireRoom(
  tx: Database,
  quota: Quota,
  organizationId: string,
  { length, isUpload }: NewFile,
): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`uploads ${organizationId}`}, 0))`)
  const { bytes, unfinished, limit } = await readStorage(tx, quota, organizationId)
  const members = { limits: { bytes: limit, unfinished: organizationLimits.unfinished }, used: { bytes, unfinished } }
  if (isUpload && unfinished >= organizationLimits.unfinished)
    throw conflict(
      'upload_quota_exceeded',
      `Your organization has ${unfinished} incomplete uploads. Finish or delete some first.`,
      members,
    )
  if (bytes + length > limit)
    throw conflict(
      'upload_quota_exceeded',
      `Your organization can store ${quota.MEDIA_QUOTA_GB} GB of media, and this file doesn’t fit. Delete some files first.`,
      members,
    )
}
