import { eq } from 'drizzle-orm'
import type { IdentityClient } from '#identity'
import type { DatabaseHandle } from '#lib/db.ts'
import { brands } from '../schema.ts'
import type { Suspension } from './fence.ts'

interface Asking {
  database: DatabaseHandle
  identity: Pick<IdentityClient, 'isSuspended'>
}

/**
 * Why no post of the brand's organization is sent now; null when posts are sent. Posts wait while the organization is
 * suspended (PLT-38), and while identity can't say whether it is (PLT-20).
 */
export async function suspensionOf({ database, identity }: Asking, brandId: string): Promise<Suspension> {
  const [brand] = await database.db
    .select({ organizationId: brands.organizationId })
    .from(brands)
    .where(eq(brands.id, brandId))
  if (!brand) return null
  return identity.isSuspended(brand.organizationId).then(
    (suspended) => (suspended ? 'workspace_suspended' : null),
    () => 'identity_unavailable',
  )
}
