import { and, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { drawLogo, type Logo, type LogoUpload } from '#lib/images/logo.ts'
import { explainAbsence, reachedBrand } from '../../access.ts'
import { brandLogos, brands } from '../../schema.ts'
import { get, ownBrand, type BrandRow } from '../brands.ts'

/** @throws {Problem} 404, 422 for other files, 429 and 503 */
export async function setLogo(call: Call<LogoUpload, Actor>): Promise<BrandRow> {
  const { actor, input, config, now } = call
  await get(call.db, actor, input.id)
  const { image, sha256 } = await drawLogo({
    file: input.file,
    organizationId: organizationOf(actor),
    waitMs: config.IMAGE_WAIT_MS,
  })
  return auditedTransaction(call, async (tx) => {
    const brand = await change({ ...call, db: tx }, sha256)
    const changed = { image, updatedAt: now() }
    await tx
      .insert(brandLogos)
      .values({ brandId: input.id, ...changed })
      .onConflictDoUpdate({ target: brandLogos.brandId, set: changed })
    return brand
  })
}

/** @throws {Problem} 404 */
export async function removeLogo(call: Call<{ id: string }, Actor>): Promise<BrandRow> {
  // First, since it locks the brand as `setLogo` does.
  const brand = await change(call, null)
  await call.db.delete(brandLogos).where(eq(brandLogos.brandId, brand.id))
  return brand
}

type ChangeCall = Pick<Call<{ id: string }, Actor>, 'db' | 'actor' | 'input'>

async function change({ db, actor, input: { id } }: ChangeCall, logoSha256: string | null): Promise<BrandRow> {
  const [before] = await db.select().from(brands).where(ownBrand(actor, id)).for('update')
  if (!before) throw await explainAbsence(db, actor, 'brand', [id])
  const [after = before] = await db.update(brands).set({ logoSha256 }).where(eq(brands.id, id)).returning()
  recordChange(db, { object: 'brand', id, before, after })
  return after
}

/** For guests, who are no actors. @throws {Problem} 404 without a logo */
export async function readLogoOfBrand(db: Database, id: string): Promise<Logo> {
  const [row] = await db
    .select({ image: brandLogos.image, sha256: brands.logoSha256 })
    .from(brands)
    .innerJoin(brandLogos, eq(brandLogos.brandId, brands.id))
    .where(eq(brands.id, id))
  if (!row?.sha256) throw notFound('logo')
  return { image: row.image, sha256: row.sha256 }
}

/** @throws {Problem} 404 */
export async function readLogo({ db, actor }: Pick<Call<unknown, Actor>, 'db' | 'actor'>, id: string): Promise<Logo> {
  const [row] = await db
    .select({ image: brandLogos.image, sha256: brands.logoSha256 })
    .from(brands)
    .leftJoin(brandLogos, eq(brandLogos.brandId, brands.id))
    .where(and(eq(brands.id, id), reachedBrand(actor)))
  if (!row) throw await explainAbsence(db, actor, 'brand', [id])
  const { image, sha256 } = row
  if (!image || !sha256) throw notFound('logo')
  return { image, sha256 }
}
