import type { PaymentsWork } from '../../work.ts'
import { eq } from 'drizzle-orm'
import { subscriptions } from '../../schema.ts'
import { inAuditedTransaction, syncSubscription } from '../provider/sync.ts'
import { findSubscription, payerOf, type SubscriptionRow } from '../rows.ts'
import { saveSubscription } from '../save.ts'
import { checkoutBusy, isBeingSent } from './sending.ts'

/**
 * Ends a checkout that isn’t paid: its page can’t be used any more. @throws {Problem} 409 `subscription_busy` while its
 * creation is being sent, and of the gateway
 */
export async function closeCheckout(work: PaymentsWork, row: SubscriptionRow): Promise<SubscriptionRow> {
  const { payments } = work.gateway
  const { id, checkoutSessionId: session } = row
  const payer = payerOf(row)
  if (session !== null) {
    const { status } = await payments.getCheckoutSession({ ...payer, id: session })
    if (status === 'open')
      await payments.expireCheckoutSession({ ...payer, id: session, idempotencyKey: `${id}:expire` })
  }
  await syncSubscription(work, id)
  const after = await findSubscription(work.db, id)
  if (after.status !== 'incomplete') return after
  // Its first payment failed, so the provider ends the subscription that its page made.
  if (after.providerSubscriptionId !== null) {
    await payments.cancelSubscription({ ...payer, id: after.providerSubscriptionId, idempotencyKey: `${id}:cancel` })
    await syncSubscription(work, id)
    return findSubscription(work.db, id)
  }
  return inAuditedTransaction(work, async (tx) => {
    const [locked] = await tx.select().from(subscriptions).where(eq(subscriptions.id, id)).for('update')
    if (locked?.status !== 'incomplete') return locked ?? after
    if (isBeingSent(work, locked) || locked.checkoutSessionId !== session) throw checkoutBusy()
    return saveSubscription(tx, work, locked, { status: 'canceled', endedAt: work.now(), nextCheckAt: null })
  })
}
