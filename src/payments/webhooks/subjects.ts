import type { PaymentsWork } from '../work.ts'
import { syncShared } from '../checkout/shared-sync.ts'
import { readAllMethods } from '../customers/methods/sync.ts'
import { syncSentItem } from '../settlements/sync.ts'
import { syncSubscription } from '../subscriptions/provider/sync.ts'

/** Our rows that events can be about. Refunds and disputes are read with their payment. */
export type SubjectKind = 'payment' | 'item' | 'customer' | 'subscription'

/**
 * Reads the current state of an event’s object at the provider and applies it, so the order of events doesn’t matter.
 *
 * @param intentId Of the payment intent that the event names
 */
type Sync = (work: PaymentsWork, id: string, intentId: string | undefined) => Promise<unknown>

export const syncs: Readonly<Partial<Record<SubjectKind, Sync>>> = {
  payment: syncShared,
  item: syncSentItem,
  customer: readAllMethods,
  subscription: syncSubscription,
}
