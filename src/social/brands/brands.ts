import { and, asc, eq, ne, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf, requirePerson } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { conflict, Problem } from '#lib/errors.ts'
import { numberedPrefix, numberedSlug, slugOf } from '#lib/slug.ts'
import type { BrandDraft, BrandEdit } from '../contract.ts'
import { reportAccounts } from '../accounts/report.ts'
import { brands, connections } from '../schema.ts'
import { explainAbsence, reachedBrand } from '../access.ts'
import { policyOf } from '../review/policy.ts'
import { enqueueRecheck } from '../review/recheck.ts'
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
    if (draft.slug) throw slugTaken(draft.slug, await findFreeSlug(db, organizationId, draft.slug))
  }
}

/** Until the end of the transaction, the brand keeps its organization and policy. @throws {Problem} as `get` */
export async function hold(tx: Database, actor: Actor, id: string): Promise<BrandRow> {
  const [brand] = await tx.select().from(brands).where(ownBrand(actor, id)).for('share')
  if (!brand) throw await explainAbsence(tx, actor, 'brand', [id])
  return brand
}

/** Concurrent changes wait for the end of this transaction. @throws {Problem} 404 */
export async function lock({ db, actor }: Pick<BrandChangeCall, 'db' | 'actor'>, id: string): Promise<BrandRow> {
  const [brand] = await db.select().from(brands).where(ownBrand(actor, id)).for('update')
  if (!brand) throw await explainAbsence(db, actor, 'brand', [id])
  return brand
}

/** @throws {Problem} 403 for a key that changes the review policy, 404, and 409 when another brand has the slug */
export async function update(
  call: BrandChangeCall,
  { id, ...changes }: BrandEdit,
): Promise<{ before: BrandRow; after: BrandRow }> {
  const { db, actor } = call
  // Keys can't approve, so they can't lift what requires it either.
  if (changes.reviewPolicy) requirePerson(actor)
  const before = await lock(call, id)
  const { slug } = changes
  const taken = and(eq(brands.organizationId, before.organizationId), eq(brands.slug, slug ?? ''), ne(brands.id, id))
  if (slug !== undefined && (await db.$count(brands, taken)) > 0)
    throw slugTaken(slug, await findFreeSlug(db, before.organizationId, slug))
  try {
    const [after = before] = await db
      .update(brands)
      .set(mergeKept(before, changes))
      .where(ownBrand(actor, id))
      .returning()
    recordChange(db, { object: 'brand', id, before, after })
    if (!Bun.deepEquals(before.reviewPolicy, after.reviewPolicy)) await enqueueRecheck(db, call, id)
    if (after.name !== before.name) {
      await enqueueReport(call, [id])
      await reportAccounts(db, call, eq(connections.brandId, id))
    }
    return { before, after }
  } catch (error) {
    throw brokenConstraint(error) === 'brands_slug' ? slugTaken(slug ?? '') : error
  }
}

/** Networks and fields of the policy that are left out stay as they are. */
const mergeKept = (
  { hashtagPlacements, reviewPolicy }: BrandRow,
  { hashtagPlacements: placements, reviewPolicy: policy, ...changes }: Omit<BrandEdit, 'id'>,
) => ({
  ...changes,
  ...(placements && { hashtagPlacements: { ...hashtagPlacements, ...placements } }),
  ...(policy && { reviewPolicy: { ...policyOf(reviewPolicy), ...policy } }),
})

export const ownBrand = (actor: Actor, id: string) => and(eq(brands.id, id), reachedBrand(actor))

/** The first that no brand of the organization has, such as `acme-2`. Another caller can take it meanwhile. */
async function findFreeSlug(db: Database, organizationId: string, slug: string): Promise<string> {
  const prefix = numberedPrefix(slug)
  const rows = await db
    .select({ slug: brands.slug })
    .from(brands)
    .where(and(eq(brands.organizationId, organizationId), sql`starts_with(${brands.slug}, ${prefix})`))
  const taken = new Set(rows.map((row) => row.slug))
  for (let nth = 2; ; nth++) if (!taken.has(numberedSlug(slug, nth))) return numberedSlug(slug, nth)
}

function slugTaken(slug: string, available?: string): Problem {
  const suggestion = available === undefined ? 'Choose another slug.' : `Available: ${available}.`
  return new Problem(
    409,
    'slug_taken',
    `Another brand in this organization already uses the slug ${slug}. ${suggestion}`,
    {
      errors: [{ path: 'slug', message: `Taken. ${suggestion}` }],
      members: available === undefined ? {} : { available },
    },
  )
}
