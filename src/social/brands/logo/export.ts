import { eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { TenantFile } from '#lib/tenant-data.ts'
import { brandLogos, brands } from '../../schema.ts'

/** One at a time: together they can be hundreds of megabytes. */
export async function* exportLogos(db: Database, organizationId: string): AsyncGenerator<TenantFile> {
  const found = await db
    .select({ brandId: brandLogos.brandId })
    .from(brandLogos)
    .innerJoin(brands, eq(brands.id, brandLogos.brandId))
    .where(eq(brands.organizationId, organizationId))
  for (const { brandId } of found) {
    const [row] = await db.select().from(brandLogos).where(eq(brandLogos.brandId, brandId))
    if (row) yield { name: `${brandId}.webp`, content: new Blob([new Uint8Array(row.image)]) }
  }
}
