import { eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { brands } from '../../schema.ts'

/** To which the brand of an account belongs now. */
export async function findOrganization(db: Database, { brandId }: { brandId: string }): Promise<string> {
  const [brand] = await db.select({ id: brands.organizationId }).from(brands).where(eq(brands.id, brandId))
  if (!brand) throw new Error('The brand of an account was deleted')
  return brand.id
}
