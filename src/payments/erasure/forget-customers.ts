import { and, asc, eq, gt, or } from 'drizzle-orm'
import { isAccountChanged } from '#gateway'
import { forEachSettled } from '#lib/each.ts'
import type { ErasureWork } from '#lib/tenant-data.ts'
import { forgetAtProvider } from '../customers/methods/forget.ts'
import { providerCustomers } from '../schema.ts'

type ProviderCustomer = typeof providerCustomers.$inferSelect

/** Of one run for one organization: a provider that doesn’t respond must not hold up the others. */
const limits = { batchSize: 100, concurrency: 4, failuresInRow: 10, ms: 5 * 60_000 }

export interface Forgetting {
  forgotten: number
  /** What another try can delete. */
  errors: unknown[]
  /** Whether each customer was tried. */
  isComplete: boolean
}

/** Deletes the organization’s customers at the provider. What can’t be deleted without a key that is gone isn’t tried again. */
export async function forgetCustomers(work: ErasureWork, organizationId: string): Promise<Forgetting> {
  const { db } = work.database
  const forgetting: Forgetting = { forgotten: 0, errors: [], isComplete: false }
  const endsAt = Date.now() + limits.ms
  let failuresInRow = 0
  const isOver = () => Date.now() > endsAt || failuresInRow >= limits.failuresInRow
  const forget = async (row: ProviderCustomer) => {
    if (isOver()) return
    await forgetAtProvider({ ...work, db }, row).then(
      () => {
        failuresInRow = 0
        forgetting.forgotten += 1
      },
      (error: unknown) => {
        if (isAccountChanged(error)) return
        failuresInRow += 1
        forgetting.errors.push(error)
      },
    )
  }
  for await (const batch of customersOf(work, organizationId)) {
    await forEachSettled(batch, forget, limits.concurrency)
    if (isOver()) return forgetting
  }
  return { ...forgetting, isComplete: true }
}

async function* customersOf({ database: { db } }: ErasureWork, organizationId: string) {
  const { customerId, accountKey } = providerCustomers
  let last: ProviderCustomer | undefined
  do {
    const batch: ProviderCustomer[] = await db
      .select()
      .from(providerCustomers)
      .where(
        and(
          eq(providerCustomers.organizationId, organizationId),
          last &&
            or(gt(customerId, last.customerId), and(eq(customerId, last.customerId), gt(accountKey, last.accountKey))),
        ),
      )
      .orderBy(asc(customerId), asc(accountKey))
      .limit(limits.batchSize)
    last = batch.at(-1)
    if (last) yield batch
  } while (last)
}
