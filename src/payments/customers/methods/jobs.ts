import { and, asc, eq, lte } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { job } from '#lib/job.ts'
import type { Queue } from '#lib/queue.ts'
import { ignoreLostAccount } from '../../provider-account.ts'
import { providerCustomers } from '../../schema.ts'
import { turnOf } from '../../turns.ts'
import { nextCheckOf } from '../../work.ts'
import { rowIs } from './provider-customers.ts'
import { syncProviderCustomer } from './sync.ts'

export const syncProviderCustomerJob = job({
  name: 'payments.sync-provider-customer',
  input: z.object({ customerId: Id, accountKey: z.string(), organizationId: Id }),
  concurrency: 3,
  perTenant: { of: ({ organizationId }) => organizationId, concurrency: 2 },
  retries: 2,
  uniqueBy: ({ customerId, accountKey }) => `${customerId} ${accountKey}`,
  run: ({ input, database, ...work }) =>
    syncProviderCustomer({ ...work, db: database.db }, input).catch(ignoreLostAccount),
})

/** Has the provider follow a change of the customer. In its transaction. */
export async function enqueueSync(
  tx: Database,
  { queue }: { queue: Queue },
  { id, organizationId }: { id: string; organizationId: string },
): Promise<void> {
  const rows = await tx
    .select({ accountKey: providerCustomers.accountKey })
    .from(providerCustomers)
    .where(eq(providerCustomers.customerId, id))
  for (const { accountKey } of rows)
    await queue.enqueue(tx, syncProviderCustomerJob, { customerId: id, accountKey, organizationId })
}

const batch = 100

/** Customers of the provider that have to be read again, and those for which an attempt failed. */
export const sweepProviderCustomers = job({
  name: 'payments.sweep-provider-customers',
  input: z.object({}),
  retries: 0,
  run: async ({ database, queue, config, now }) => {
    const { customerId, accountKey, organizationId, checks, nextCheckAt } = providerCustomers
    const due = await database.db
      .select({ customerId, accountKey, organizationId, checks })
      .from(providerCustomers)
      .where(lte(nextCheckAt, now()))
      .orderBy(turnOf(providerCustomers), asc(nextCheckAt))
      .limit(batch)
    for (const { checks: failed, ...input } of due)
      await database.transaction(async (tx) => {
        await tx
          .update(providerCustomers)
          .set({ nextCheckAt: nextCheckOf({ config, now }, failed + 1, { repeat: true }) })
          .where(and(rowIs(input), eq(checks, failed)))
        await queue.enqueue(tx, syncProviderCustomerJob, input)
      })
  },
})
