import type { Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { orderEvents } from '../schema.ts'

export type OrderEventKind =
  | 'created'
  | 'payment_created'
  | 'payment_unknown'
  | 'payment_declined'
  | 'payment_failed'
  | 'authenticated'
  | 'authorized'
  | 'captured'
  | 'paid_twice'
  | 'released'
  | 'payment_cancelled'
  | 'payment_expired'
  | 'cancelled'
  | 'expired'
  | 'refund_requested'
  | 'refund_approved'
  | 'refund_declined'
  | 'refund_sent'
  | 'refund_unknown'
  | 'refund_succeeded'
  | 'refund_failed'
  | 'refund_cancelled'
  | 'refund_not_made'
  | 'refund_made_elsewhere'
  | 'dispute_opened'
  | 'dispute_won'
  | 'dispute_lost'
  | 'dispute_closed'

export interface OrderNews {
  kind: OrderEventKind
  facts?: Record<string, string | number | null>
  by?: string | null
}

/** Adds to an order’s timeline, in the transaction of the change. */
export async function recordEvents(
  tx: Database,
  { orderId, organizationId, at }: { orderId: string; organizationId: string; at: Date },
  news: readonly OrderNews[],
): Promise<void> {
  if (news.length === 0) return
  await tx
    .insert(orderEvents)
    .values(
      news.map(({ kind, facts = {}, by = null }) => ({ id: newId(), orderId, organizationId, kind, facts, by, at })),
    )
}
