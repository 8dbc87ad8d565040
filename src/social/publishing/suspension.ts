import { eq } from 'drizzle-orm'
import type { IdentityClient } from '#identity'
import type { DatabaseHandle } from '#lib/db.ts'
import { brands } from '../schema.ts'
import type { Suspension } from './prepare-attempt.ts'

interface SuspensionSource {
  database: DatabaseHandle
  identity: Pick<IdentityClient, 'isSuspended'>
}

/** Null when they can. Posts also wait while identity is unavailable (PLT-20, PLT-38). */
export async function getSuspension({ database, identity }: SuspensionSource, brandId: string): Promise<Suspension> {
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
