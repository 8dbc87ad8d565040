import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { TenantFile } from '#lib/tenant-data.ts'
import { brands, uploads } from '../schema.ts'
import { fileName } from './parts.ts'

export async function* exportVideos(db: Database, organizationId: string): AsyncGenerator<TenantFile> {
  const own = db.select({ id: brands.id }).from(brands).where(eq(brands.organizationId, organizationId))
  const rows = await db
    .select()
    .from(uploads)
    .where(and(inArray(uploads.brandId, own), isNotNull(uploads.fileId)))
    .orderBy(asc(uploads.id))
  for (const { id, brandId, fileId, contentType } of rows)
    if (fileId) yield { name: `${id}.${extensionOf(contentType)}`, key: fileName(brandId, fileId) }
}

const extensionOf = (contentType: string | null): string =>
  contentType === 'video/quicktime' ? 'mov' : (contentType?.replace('video/', '') ?? 'bin')
