import { transact } from '#lib/db.ts'
import { raiseAction } from '#lib/raised-actions.ts'
import { subscriptionKind } from '../../notification-kinds.ts'
import type { PaymentsWork } from '../../work.ts'
import { payerOf, type SubscriptionRow } from '../rows.ts'
import { lateCause } from './late-action.ts'
import { readSnapshot, type Snapshot } from './snapshot.ts'

const ended = new Set(['canceled', 'incomplete_expired'])

/**
 * Cancels what a creation made at the provider after its checkout had been replaced or given up, and lets super admins see
 * what it charged. @throws {Problem} of the gateway
 */
export async function endLate(work: PaymentsWork, row: SubscriptionRow, snapshot: Snapshot): Promise<Snapshot> {
  const { subscription } = snapshot
  if (row.status !== 'canceled' || !subscription || ended.has(subscription.status)) return snapshot
  const { id, accountKey } = row
  const adminsId = await work.identity.adminOrganizationId()
  work.log.error('A canceled subscription is active at the provider', {
    subscription: id,
    accountKey,
    providerSubscriptionId: subscription.id,
  })
  if (adminsId !== null)
    await transact(work.db, (tx) =>
      raiseAction(tx, {
        kind: subscriptionKind,
        organizationId: adminsId,
        cause: lateCause(id),
        title: 'A subscription began after its checkout was canceled',
        reason: `${subscription.id} of ${row.name} is canceled at the payment provider. Refund there what it charged.`,
        href: '/pay/webhooks',
        actions: [{ label: 'See the events', method: 'GET', href: '/pay/webhooks' }],
      }),
    )
  await work.gateway.payments.cancelSubscription({
    ...payerOf(row),
    id: subscription.id,
    idempotencyKey: `${id}:cancel`,
  })
  return readSnapshot(work, row)
}
