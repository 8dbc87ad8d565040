import { asc, eq, inArray, like } from 'drizzle-orm'
import type { Provided } from '#lib/call.ts'
import { beginningWith, type Database, type DatabaseHandle } from '#lib/db.ts'
import type { Clock } from '#lib/time.ts'
import { deleteFiles, keyOf } from '../media/files.ts'
import { brands, connections, looseFiles, media, posts } from '../schema.ts'
import { disconnect } from './disconnect.ts'

export type Erasing = Pick<Provided, 'config' | 'secrets' | 'outbound' | 'storage'> & {
  readonly database: DatabaseHandle
  readonly now: Clock
}

/** Rows that are deleted in one transaction. */
const batch = 500

/**
 * Erases the brands of an organization with their accounts, posts and files. Whatever breaks off is finished by doing it
 * again. Throws 503 while the files can't be reached.
 */
export async function eraseOrganization(work: Erasing, organizationId: string): Promise<void> {
  const { db } = work.database
  const rows = await db.select({ id: brands.id }).from(brands).where(eq(brands.organizationId, organizationId))
  for (const { id } of rows) await eraseBrand(work, id)
}

async function eraseBrand(work: Erasing, brandId: string): Promise<void> {
  const { db } = work.database
  await disconnect(work, brandId)
  await erasePosts(db, brandId)
  await eraseMedia(work, brandId)
  await work.database.transaction(async (tx) => {
    await tx.delete(connections).where(eq(connections.brandId, brandId))
    await tx.delete(brands).where(eq(brands.id, brandId))
  })
}

/**
 * Deletes posts and, with them, their attempts. Another run can be at it as well: rows are locked in one order, and
 * there is an end only when none are left, since a batch that this run waited for can be gone.
 */
async function erasePosts(db: Database, brandId: string): Promise<void> {
  const ofBrand = eq(posts.brandId, brandId)
  const next = db.select({ id: posts.id }).from(posts).where(ofBrand).orderBy(asc(posts.id)).limit(batch).for('update')
  for (;;) {
    const deleted = await db.delete(posts).where(inArray(posts.id, next)).returning({ id: posts.id })
    if (deleted.length === 0 && (await db.$count(posts, ofBrand)) === 0) return
  }
}

/** Deletes the files before the rows: what a row stands for is found again. */
async function eraseMedia({ database: { db }, storage }: Erasing, brandId: string): Promise<void> {
  for (;;) {
    const rows = await db
      .select({ id: media.id, brandId: media.brandId })
      .from(media)
      .where(eq(media.brandId, brandId))
      .orderBy(asc(media.id))
      .limit(batch)
    if (rows.length === 0) break
    for (const row of rows) {
      await deleteFiles(storage, keyOf(row))
      await db.delete(media).where(eq(media.id, row.id))
    }
  }
  const ofBrand = like(looseFiles.key, beginningWith(keyOf({ brandId, id: '' })))
  for (const { key } of await db.select().from(looseFiles).where(ofBrand)) {
    await deleteFiles(storage, key)
    await db.delete(looseFiles).where(eq(looseFiles.key, key))
  }
}
