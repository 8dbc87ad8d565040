import { isAccountChanged } from '#gateway'
import type { ErasureWork } from '#lib/tenant-data.ts'
import { cancelNow } from '../subscriptions/cancel.ts'
import { listOpen } from '../subscriptions/rows.ts'

/** Of the organization itself, at the platform’s account. @throws {Problem} of the gateway */
export async function cancelOpenSubscriptions(work: ErasureWork, organizationId: string): Promise<void> {
  const { db } = work.database
  for (const row of await listOpen(db, organizationId))
    await cancelNow({ ...work, db }, row).catch((error: unknown) => {
      // Without the key of its account, another try can’t cancel it either.
      if (!isAccountChanged(error)) throw error
    })
}
