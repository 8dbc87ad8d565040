import { eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { TenantFile } from '#lib/tenant-data.ts'
import { organizationLogos } from '../../schema.ts'

export async function* exportLogo(db: Database, organizationId: string): AsyncGenerator<TenantFile> {
  const [row] = await db.select().from(organizationLogos).where(eq(organizationLogos.organizationId, organizationId))
  if (row) yield { name: 'logo.webp', content: new Blob([new Uint8Array(row.image)]) }
}
