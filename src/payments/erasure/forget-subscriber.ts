import { and, eq, isNotNull } from 'drizzle-orm'
import { isAccountChanged } from '#gateway'
import type { ErasureWork } from '#lib/tenant-data.ts'
import { deleteAtProvider } from '../customers/methods/forget.ts'
import { subscriptions } from '../schema.ts'

/**
 * Deletes the customers that the organization’s own subscriptions had, at the platform’s account. Their invoices stay there.
 * @throws {Problem} of the gateway
 */
export async function forgetSubscriber(work: ErasureWork, organizationId: string): Promise<void> {
  const { accountKey, providerCustomerId } = subscriptions
  const rows = await work.database.db
    .selectDistinct({ accountKey, id: providerCustomerId })
    .from(subscriptions)
    .where(and(eq(subscriptions.organizationId, organizationId), isNotNull(providerCustomerId)))
  for (const row of rows) {
    if (row.id === null) continue
    const customer = { organizationId, accountKey: row.accountKey, id: row.id }
    await deleteAtProvider(work, customer, organizationId).catch((error: unknown) => {
      // Without the key of its account, another try can’t delete it either.
      if (!isAccountChanged(error)) throw error
    })
  }
}
