import { eq } from 'drizzle-orm'
import type { IdentityClient } from '#identity'
import type { DatabaseHandle } from '#lib/db.ts'
import { brands } from '../schema.ts'

interface Asking {
  database: DatabaseHandle
  identity: Pick<IdentityClient, 'isSuspended'>
}

/** Whether the brand's organization is suspended: its posts wait then, and go out when that is lifted (PLT-38). */
export async function isSuspended({ database, identity }: Asking, brandId: string): Promise<boolean> {
  const [brand] = await database.db
    .select({ organizationId: brands.organizationId })
    .from(brands)
    .where(eq(brands.id, brandId))
  return brand !== undefined && identity.isSuspended(brand.organizationId)
}
