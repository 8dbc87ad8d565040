import { and, asc, eq, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import { numberedSlug, slugOf } from '#lib/slug.ts'
import type { BrandDraft, BrandEdit } from '../contract.ts'
import { reportAccounts } from '../accounts/report.ts'
import { brands, connections } from '../schema.ts'
import { explainAbsence, reachedBrand } from '../access.ts'
import { enqueueReport } from './report.ts'

export type BrandRow = typeof brands.$inferSelect

type BrandChangeCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'queue' | 'identity'>

export const list = (db: Database, actor: Actor): Promise<BrandRow[]> =>
  db.select().from(brands).where(reachedBrand(actor)).orderBy(asc(brands.name), asc(brands.id))

export const countBrands = (db: Database, organizationId: string): Promise<number> =>
  db.$count(brands, eq(brands.organizationId, organizationId))

/** @throws {Problem} 404 when it is absent or another organization's, 403 when it is read-only */
export async function get(db: Database, actor: Actor, id: string): Promise<BrandRow> {
  const [brand] = await db.select().from(brands).where(ownBrand(actor, id))
  if (!brand) throw await explainAbsence(db, actor, 'brand', [id])
  return brand
}

/** Per organization. */
const maxBrands = 500

/** Concurrent callers wait for the end of this transaction. @throws {Problem} 409 `too_many_brands` */
export async function requireRoomForBrand(tx: Database, organizationId: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`brands ${organizationId}`}, 0))`)
  if ((await countBrands(tx, organizationId)) < maxBrands) return
  throw conflict('too_many_brands', `An organization can have at most ${maxBrands} brands.`)
}

/** Without a slug, the first free one of the name is used. @throws {Problem} 409 when the given slug is taken */
export async function create(call: BrandChangeCall, draft: BrandDraft): Promise<BrandRow> {
  const { db, actor } = call
  const organizationId = organizationOf(actor)
  await requireRoomForBrand(db, organizationId)
  for (let nth = 1; ; nth++) {
    const slug = draft.slug ?? numberedSlug(slugOf(draft.name, 'brand'), nth)
    const [created] = await db
      .insert(brands)
      .values({ ...draft, organizationId, slug })
      .onConflictDoNothing()
      .returning()
    if (created) {
      recordChange(db, { object: 'brand', id: created.id, after: created })
      await enqueueReport(call, [created.id])
      return created
    }
    if (draft.slug) throw slugTaken(draft.slug)
  }
}

/** Concurrent changes wait for the end of this transaction. @throws {Problem} 404 */
export async function lock({ db, actor }: Pick<BrandChangeCall, 'db' | 'actor'>, id: string): Promise<BrandRow> {
  const [brand] = await db.select().from(brands).where(ownBrand(actor, id)).for('update')
  if (!brand) throw await explainAbsence(db, actor, 'brand', [id])
  return brand
}

/** @throws {Problem} 404, and 409 when another brand has the slug */
export async function update(
  call: BrandChangeCall,
  { id, ...changes }: BrandEdit,
): Promise<{ before: BrandRow; after: BrandRow }> {
  const { db, actor } = call
  const before = await lock(call, id)
  try {
    const [after = before] = await db.update(brands).set(changes).where(ownBrand(actor, id)).returning()
    recordChange(db, { object: 'brand', id, before, after })
    if (after.name !== before.name) {
      await enqueueReport(call, [id])
      await reportAccounts(db, call, eq(connections.brandId, id))
    }
    return { before, after }
  } catch (error) {
    throw brokenConstraint(error) === 'brands_slug' ? slugTaken(changes.slug ?? '') : error
  }
}

export const ownBrand = (actor: Actor, id: string) => and(eq(brands.id, id), reachedBrand(actor))

const slugTaken = (slug: string) =>
  conflict('slug_taken', `Another brand in this organization already uses the slug ${slug}. Choose another slug.`)
