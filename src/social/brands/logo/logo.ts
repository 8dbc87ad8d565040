import { eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { notFound } from '#lib/errors.ts'
import { prepare } from '#lib/images/prepare.ts'
import { explainAbsence } from '../../access.ts'
import { brandLogos, brands } from '../../schema.ts'
import { get, ownBrand, type BrandRow } from '../brands.ts'
import type { LogoUpload } from './contract.ts'

/** Drawn again from its pixels, and small. @throws {Problem} 404, 422 for other files, 429 and 503 */
export async function setLogo(call: Call<LogoUpload, Actor>): Promise<BrandRow> {
  const { actor, input, config, now } = call
  await get(call.db, actor, input.id)
  const file = new Uint8Array(await input.file.arrayBuffer())
  const { thumb } = await prepare({ file, organizationId: organizationOf(actor), waitMs: config.IMAGE_WAIT_MS })
  const logoSha256 = new Bun.CryptoHasher('sha256').update(thumb.data).digest('hex')
  return auditedTransaction(call, async (tx) => {
    const brand = await change({ ...call, db: tx }, logoSha256)
    const changed = { image: thumb.data, updatedAt: now() }
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

interface Logo {
  image: Uint8Array
  sha256: string
}

/** @throws {Problem} 404 */
export async function readLogo({ db, actor }: Pick<Call<unknown, Actor>, 'db' | 'actor'>, id: string): Promise<Logo> {
  const { logoSha256: sha256 } = await get(db, actor, id)
  const [row] = await db.select({ image: brandLogos.image }).from(brandLogos).where(eq(brandLogos.brandId, id))
  if (!row || !sha256) throw notFound('logo')
  return { image: row.image, sha256 }
}
