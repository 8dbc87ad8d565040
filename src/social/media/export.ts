import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { TenantFile } from '#lib/tenant-data.ts'
import { brands, media } from '../schema.ts'
import { extensionOf, variantKey, keyOf } from './files.ts'

const batchSize = 500

export async function* exportMedia(db: Database, organizationId: string): AsyncGenerator<TenantFile> {
  const own = db.select({ id: brands.id }).from(brands).where(eq(brands.organizationId, organizationId))
  let after: string | undefined
  do {
    const rows: Pick<typeof media.$inferSelect, 'id' | 'brandId' | 'contentType'>[] = await db
      .select({ id: media.id, brandId: media.brandId, contentType: media.contentType })
      .from(media)
      .where(and(inArray(media.brandId, own), after ? gt(media.id, after) : undefined))
      .orderBy(asc(media.id))
      .limit(batchSize)
    for (const row of rows)
      yield { name: `${row.id}.${extensionOf(row.contentType)}`, key: variantKey(keyOf(row), 'original') }
    after = rows.length === batchSize ? rows.at(-1)?.id : undefined
  } while (after)
}
