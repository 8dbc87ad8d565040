import { eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { Package, type SubscriptionStatus } from '../../contract/subscriptions.ts'
import { subscriptions } from '../../schema.ts'
import { nextCheckOf, type PaymentsWork } from '../../work.ts'
import { sendNotices } from '../notices.ts'
import { findPrice } from '../prices.ts'
import type { SubscriptionRow } from '../rows.ts'
import { saveSubscription } from '../save.ts'
import { accessOf, nextStepOf } from '../state.ts'
import { storeInvoices } from './store-invoices.ts'
import type { ProviderSubscription, Snapshot } from './snapshot.ts'

const statuses: Readonly<Record<string, SubscriptionStatus>> = {
  incomplete: 'incomplete',
  incomplete_expired: 'canceled',
  trialing: 'trialing',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'unpaid',
  canceled: 'canceled',
  paused: 'paused',
}

const isLate = (status: SubscriptionStatus): boolean => status === 'past_due' || status === 'unpaid'

/**
 * Brings a subscription to what the provider says, on an audited transaction. Null when it changed after the snapshot was
 * read: read again.
 */
export async function applySnapshot(
  tx: Database,
  work: PaymentsWork,
  seen: SubscriptionRow,
  snapshot: Snapshot,
): Promise<SubscriptionRow | null> {
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.id, seen.id)).for('update')
  if (!row || row.version !== seen.version) return null
  const paid = await storeInvoices(tx, row, snapshot)
  const now = work.now()
  const { subscription } = snapshot
  const isAbandoned = snapshot.isAbandoned && row.status !== 'canceled'
  const changes = subscription
    ? { ...stateOf(row, subscription, snapshot, now), ...(await itemOf(tx, work, row, subscription)) }
    : isAbandoned && { status: 'canceled' as const, endedAt: now }
  const changed = Object.assign({}, row, changes)
  const checks = row.checks + 1
  const after = await saveSubscription(tx, work, row, {
    ...changes,
    access: accessOf(changed, now),
    checkedAt: now,
    checks,
    nextCheckAt:
      changed.status === 'incomplete' ? nextCheckOf(work, checks, { repeat: true }) : nextStepOf(changed, now),
  })
  await sendNotices(tx, work, after, { failing: snapshot.failing, paid })
  return after
}

function stateOf(row: SubscriptionRow, found: ProviderSubscription, { failing }: Snapshot, now: Date) {
  const status = statuses[found.status] ?? row.status
  const [item] = found.items
  const hasStarted =
    row.startedAt !== null ||
    (row.status !== 'canceled' && !['incomplete', 'incomplete_expired'].includes(found.status))
  return {
    status,
    providerSubscriptionId: found.id,
    providerCustomerId: found.customerId,
    startedAt: hasStarted ? (row.startedAt ?? found.startedAt) : null,
    trialEndsAt: found.trialEndsAt,
    currentPeriodStartsAt: item?.currentPeriodStartsAt ?? null,
    currentPeriodEndsAt: item?.currentPeriodEndsAt ?? null,
    cancelAtPeriodEnd: found.cancelAtPeriodEnd,
    cancelAt: found.cancelAt,
    endedAt: status === 'canceled' ? (found.endedAt ?? row.endedAt ?? now) : null,
    ...(isLate(status)
      ? {
          pastDueSince: row.pastDueSince ?? failing?.createdAt ?? now,
          attempts: failing?.attempts ?? row.attempts,
          nextAttemptAt: failing?.nextAttemptAt ?? null,
          lastFailure: failing?.lastFailure?.message ?? row.lastFailure,
        }
      : { pastDueSince: null, attempts: 0, nextAttemptAt: null, lastFailure: null }),
  }
}

/** Seats and package, which the billing portal can change as well. */
async function itemOf(
  tx: Database,
  { log }: PaymentsWork,
  row: SubscriptionRow,
  { items: [item] }: ProviderSubscription,
) {
  if (!item) return {}
  const seats = item.quantity !== null && item.quantity > 0 ? item.quantity : row.seats
  const price = await findPrice(tx, row.accountKey, item.priceId)
  if (price) return { seats, priceId: price.id, package: Package.parse(price.package) }
  log.warn('A subscription has a price at the provider that isn’t one of ours', { subscription: row.id })
  return { seats }
}
