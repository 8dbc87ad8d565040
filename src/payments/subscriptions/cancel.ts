import type { PaymentsWork } from '../work.ts'
import { newId } from '#lib/ids.ts'
import { closeCheckout } from './checkout/close.ts'
import { syncSubscription } from './provider/sync.ts'
import { findSubscription, payerOf, providerIdOf, wrongState, type SubscriptionRow } from './rows.ts'

/** At the end of the paid period; a checkout at once. @throws {Problem} 404, 409 for one that has ended, of the gateway */
export async function cancelAtPeriodEnd(
  work: PaymentsWork,
  { id, resume }: { id: string; resume: boolean },
): Promise<SubscriptionRow> {
  const seen = await findSubscription(work.db, id)
  // How to resume depends on how it was canceled: the event of a cancellation in the portal may still be on its way.
  if (resume && seen.providerSubscriptionId !== null) await syncSubscription(work, id)
  const row = await findSubscription(work.db, id)
  if (row.status === 'canceled') throw wrongState(row, 'This subscription has ended. Subscribe again instead.')
  if (row.status === 'incomplete') {
    if (resume) throw wrongState(row, 'This subscription isn’t canceled.')
    return closeCheckout(work, row)
  }
  // The same state again, so it needs no key of its own.
  await work.gateway.payments.updateSubscription({
    ...payerOf(row),
    id: providerIdOf(row),
    idempotencyKey: newId(),
    ...cancellationOf(row, resume),
  })
  await syncSubscription(work, id)
  return findSubscription(work.db, id)
}

/** Stripe’s portal sets a date without the flag, which clearing the flag leaves in place; both in one request are refused. */
const cancellationOf = ({ cancelAtPeriodEnd: hasFlag, cancelAt }: SubscriptionRow, resume: boolean) =>
  resume && !hasFlag && cancelAt !== null ? { cancelAt: null } : { cancelAtPeriodEnd: !resume }

/** At once, without a credit: the owner is gone. @throws {Problem} of the gateway */
export async function cancelNow(work: PaymentsWork, row: SubscriptionRow): Promise<void> {
  if (row.status === 'incomplete') {
    await closeCheckout(work, row)
    return
  }
  await work.gateway.payments.cancelSubscription({
    ...payerOf(row),
    id: providerIdOf(row),
    idempotencyKey: `${row.id}:cancel`,
  })
  await syncSubscription(work, row.id)
}
