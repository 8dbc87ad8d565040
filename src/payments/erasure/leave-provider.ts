import { auditedJobTransaction, recordChange } from '#lib/audit.ts'
import type { ErasureWork } from '#lib/tenant-data.ts'
import { listOpen } from '../subscriptions/rows.ts'
import { cancelOpenSubscriptions } from './cancel-subscription.ts'
import { closePayments, openPayments } from './close-payments.ts'
import { countTry } from './count-try.ts'
import { deleteEndpoints } from './delete-endpoints.ts'
import { forgetCustomers, type Forgetting } from './forget-customers.ts'
import { forgetSubscriber } from './forget-subscriber.ts'

/**
 * Before an organization’s rows are deleted: its customers can’t pay any more and are deleted there, it isn’t charged any
 * more, and its account sends no more events. After the last failed try its erasure goes on, and the log says what remains
 * open.
 *
 * @throws while it has to be tried again
 */
export async function leaveProvider(work: ErasureWork, organizationId: string, operation: string): Promise<void> {
  const { closed, errors, ...closing } = await closePayments(work, organizationId)
  const customers = closing.isComplete ? await forgetCustomers(work, organizationId) : noCustomers
  errors.push(...customers.errors)
  const isComplete = closing.isComplete && customers.isComplete
  await cancelOpenSubscriptions(work, organizationId)
    .then(() => forgetSubscriber(work, organizationId))
    .catch((error: unknown) => errors.push(error))
  if (isComplete) await deleteEndpoints(work, organizationId).catch((error: unknown) => errors.push(error))
  if (!isComplete || errors.length > 0) {
    const done = closed + customers.forgotten
    const isMoving = !isComplete && done > 0
    if (isMoving || !(await countTry(work, organizationId)))
      throw new AggregateError(
        errors,
        `${closed} open payments were closed, ${customers.forgotten} customers were deleted, ${errors.length} requests failed`,
      )
    work.log.error('An organization is erased although closing its payments failed', {
      organization: organizationId,
      error: String(errors[0]),
    })
  }
  await reportOpen(work, organizationId, operation)
}

const noCustomers: Forgetting = { forgotten: 0, errors: [], isComplete: false }

async function reportOpen({ database, log, now }: ErasureWork, organizationId: string, operation: string) {
  for (const subscription of await listOpen(database.db, organizationId)) {
    const { id, status, accountKey, providerSubscriptionId } = subscription
    log.warn('A subscription stays open at the provider', {
      subscription: id,
      status,
      accountKey,
      providerSubscriptionId,
    })
    await auditedJobTransaction(database, { operation, now }, async (tx) =>
      recordChange(tx, { object: 'subscription', id, organizationId, refused: true }),
    )
  }
  for await (const batch of openPayments(database.db, organizationId))
    await auditedJobTransaction(database, { operation, now }, async (tx) => {
      for (const { id, status, accountKey, checkoutSessionId, paymentLinkId, paymentIntentId } of batch) {
        const atProvider = { account: accountKey, checkoutSessionId, paymentLinkId, paymentIntentId }
        log.warn('A payment stays open at the provider', { payment: id, status, ...atProvider })
        recordChange(tx, { object: 'payment', id, organizationId, refused: true })
      }
    })
}
