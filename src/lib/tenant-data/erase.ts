import type { Database } from '../db.ts'
import { deleteInBatches } from '../db/delete-in-batches.ts'
import type { ErasureWork, Tenant, TenantData } from '../tenant-data.ts'

export async function deleteRows(
  db: Database,
  declared: readonly TenantData[],
  tenant: Tenant,
  id: string,
): Promise<void> {
  for (const { table, rows, erasure } of declared)
    if (erasure[tenant] === 'delete' && rows[tenant]) await deleteInBatches(db, table, rows[tenant](id))
}

/**
 * In the order of declaration, without a transaction, since steps call other servers: after a failure, call it again.
 */
export const eraseOrganizationData = (work: ErasureWork, declared: readonly TenantData[], id: string): Promise<void> =>
  eraseData(work, declared, { tenant: 'organization', id })

/** The same for a person. */
export const erasePersonData = (work: ErasureWork, declared: readonly TenantData[], id: string): Promise<void> =>
  eraseData(work, declared, { tenant: 'person', id })

async function eraseData(
  work: ErasureWork,
  declared: readonly TenantData[],
  { tenant, id }: { tenant: Tenant; id: string },
): Promise<void> {
  for (const declaration of declared) {
    const erase = declaration.erasure[tenant]
    if (typeof erase === 'function') await erase(work, id)
    else await deleteRows(work.database.db, [declaration], tenant, id)
  }
}
