import { asc, eq, inArray, like } from 'drizzle-orm'
import { prefixPattern, type Database } from '#lib/db.ts'
import type { ErasureWork } from '#lib/tenant-data.ts'
import { reportRemoved } from '../accounts/report.ts'
import { deleteFiles, keyOf } from '../media/files.ts'
import { brands, connections, looseFiles, media, posts, uploads } from '../schema.ts'
import { discard } from '../uploads/discard.ts'
import { disconnect } from './disconnect.ts'

const batchSize = 500

const listBrandIds = async (db: Database, organizationId: string): Promise<string[]> => {
  const rows = await db.select({ id: brands.id }).from(brands).where(eq(brands.organizationId, organizationId))
  return rows.map(({ id }) => id)
}

/** Another run can do the same concurrently: equal lock order, and only an empty table ends the loop. */
export async function erasePosts({ database: { db } }: ErasureWork, organizationId: string): Promise<void> {
  const own = inArray(posts.brandId, await listBrandIds(db, organizationId))
  const next = db.select({ id: posts.id }).from(posts).where(own).orderBy(asc(posts.id)).limit(batchSize).for('update')
  for (;;) {
    const deleted = await db.delete(posts).where(inArray(posts.id, next)).returning({ id: posts.id })
    if (deleted.length === 0 && (await db.$count(posts, own)) === 0) return
  }
}

/** Files before rows, so that it can be retried. @throws {Problem} 503 while the storage is unavailable */
export async function eraseMedia(
  { database: { db }, storage }: Pick<ErasureWork, 'database' | 'storage'>,
  organizationId: string,
): Promise<void> {
  const own = inArray(media.brandId, await listBrandIds(db, organizationId))
  for (;;) {
    const rows = await db
      .select({ id: media.id, brandId: media.brandId })
      .from(media)
      .where(own)
      .orderBy(asc(media.id))
      .limit(batchSize)
    if (rows.length === 0) return
    for (const row of rows) {
      await deleteFiles(storage, keyOf(row))
      await db.delete(media).where(eq(media.id, row.id))
    }
  }
}

/** `eraseLooseFiles` deletes their files. */
export async function eraseUploads({ database: { db, transaction }, now }: ErasureWork, organizationId: string) {
  const own = inArray(uploads.brandId, await listBrandIds(db, organizationId))
  await transaction(async (tx) => {
    const rows = await tx.select().from(uploads).where(own).orderBy(asc(uploads.id)).for('update')
    for (const row of rows) await discard(tx, row, now())
  })
}

export async function eraseLooseFiles({ database: { db }, storage }: ErasureWork, organizationId: string) {
  for (const brandId of await listBrandIds(db, organizationId)) {
    const ofBrand = like(looseFiles.key, prefixPattern(keyOf({ brandId, id: '' })))
    for (const { key } of await db.select().from(looseFiles).where(ofBrand)) {
      await deleteFiles(storage, key)
      await db.delete(looseFiles).where(eq(looseFiles.key, key))
    }
  }
}

export async function eraseAccounts(work: ErasureWork, organizationId: string): Promise<void> {
  const { db, transaction } = work.database
  const own = await listBrandIds(db, organizationId)
  await disconnect(work, own)
  await transaction(async (tx) => {
    const removed = await tx
      .delete(connections)
      .where(inArray(connections.brandId, own))
      .returning({ id: connections.id })
    await reportRemoved(
      tx,
      work,
      removed.map(({ id }) => id),
    )
  })
}
