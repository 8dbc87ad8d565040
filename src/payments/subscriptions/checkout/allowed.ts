import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { conflict } from '#lib/errors.ts'
import type { SubscriptionCheckout } from '../../contract/subscriptions.ts'
import { subscriptionInvoices, subscriptions } from '../../schema.ts'
import { requireUnused } from '../changes/quote.ts'
import { syncSubscription } from '../provider/sync.ts'

type AllowedCall = Call<unknown, Actor>

/**
 * Whether the organization can subscribe, by what it had before. @throws {Problem} 409 `seats_in_use`, `invoice_unpaid`,
 * `trial_used`
 */
export async function requireAllowed(call: AllowedCall, draft: SubscriptionCheckout): Promise<void> {
  if (draft.ownerType === 'checkout') return
  await requireUnused(call, draft.ownerId, draft.seats)
  await requirePaid(call, draft.ownerId)
  if (draft.trialDays !== undefined) await requireNoTrial(call, draft.ownerId)
}

async function requireNoTrial({ db }: AllowedCall, ownerId: string): Promise<void> {
  const [started] = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.organizationId, ownerId), isNotNull(subscriptions.startedAt)))
    .limit(1)
  if (started)
    throw conflict('trial_used', 'This organization had a subscription before. Subscribe without trialDays.', {
      subscriptionId: started.id,
    })
}

async function requirePaid(call: AllowedCall, ownerId: string): Promise<void> {
  const stored = await findUnpaid(call, ownerId)
  if (!stored) return
  // It can have been paid or voided since.
  await syncSubscription(call, stored.subscriptionId)
  const unpaid = await findUnpaid(call, ownerId)
  if (unpaid)
    throw conflict('invoice_unpaid', 'An invoice of an earlier subscription is unpaid. Pay it first.', { ...unpaid })
}

async function findUnpaid({ db }: AllowedCall, ownerId: string) {
  const { subscriptionId, url, organizationId, status } = subscriptionInvoices
  const [unpaid] = await db
    .select({ subscriptionId, url })
    .from(subscriptionInvoices)
    .innerJoin(subscriptions, eq(subscriptions.id, subscriptionId))
    .where(
      and(eq(organizationId, ownerId), isNotNull(subscriptions.startedAt), inArray(status, ['open', 'uncollectible'])),
    )
    .limit(1)
  return unpaid
}
