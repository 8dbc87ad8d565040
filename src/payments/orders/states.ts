import { conflict, type Problem } from '#lib/errors.ts'
import type { OrderStatus } from '../contract/orders.ts'
import type { DisputeStatus, PaymentStatus } from '../contract/payments.ts'

/** The states that can follow each one (PAY-10). */
export const orderMoves: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  pending: ['requires_action', 'paid', 'cancelled', 'expired', 'failed'],
  requires_action: ['pending', 'paid', 'cancelled', 'expired', 'failed'],
  // The customer can try another card.
  failed: ['pending', 'requires_action', 'paid', 'cancelled', 'expired'],
  paid: ['partially_refunded', 'refunded', 'disputed', 'lost'],
  // A refund that succeeded can still fail.
  partially_refunded: ['paid', 'refunded', 'disputed', 'lost'],
  refunded: ['paid', 'partially_refunded', 'disputed', 'lost'],
  disputed: ['paid', 'partially_refunded', 'refunded', 'lost'],
  lost: ['disputed', 'paid', 'partially_refunded', 'refunded'],
  cancelled: [],
  expired: [],
}

export const isPayable = (status: OrderStatus): boolean =>
  orderMoves[status].includes('requires_action') || status === 'requires_action'

export const isInvoiceable = (status: OrderStatus): boolean => status !== 'cancelled' && status !== 'expired'

/** Nothing was captured of the other ones. What was lost in disputes isn’t the merchant’s to give back, and while a dispute is open nothing of it is. */
export const isRefundable = (status: OrderStatus, left: bigint): boolean =>
  status === 'paid' || status === 'partially_refunded' || status === 'refunded' || (status === 'lost' && left > 0n)

/** What can still be refunded, without what other refunds have reserved and disputes have lost. */
export function refundableOf(
  { captured, refundsReserved }: { captured: bigint; refundsReserved: bigint },
  disputes: readonly { status: DisputeStatus; amount: bigint }[],
): bigint {
  const lost = disputes.reduce((sum, { status, amount }) => (status === 'lost' ? sum + amount : sum), 0n)
  const left = captured - refundsReserved - lost
  return left > 0n ? left : 0n
}

/** @throws {Problem} 409 `order_state` with the moves that are allowed */
export function requireMove(from: OrderStatus, to: OrderStatus): void {
  if (!orderMoves[from].includes(to)) throw illegalMove(from)
}

export const illegalMove = (from: OrderStatus): Problem =>
  conflict('order_state', `The order is ${from.replaceAll('_', ' ')}, so this can’t be done.`, {
    state: from,
    allowed: orderMoves[from],
  })

export interface OrderFacts {
  captured: bigint
  refunded: bigint
  /** When no money came. */
  closedAs: 'cancelled' | 'expired' | null
  payments: readonly { status: PaymentStatus; declined: boolean }[]
  disputes: readonly { status: DisputeStatus }[]
}

const open: readonly PaymentStatus[] = ['unknown', 'requires_action', 'processing', 'authorized']

/** From facts only, so that news of the provider leads to the same state in any order. */
export function statusOf({ captured, refunded, closedAs, payments, disputes }: OrderFacts): OrderStatus {
  if (disputes.some(({ status }) => status === 'lost')) return 'lost'
  if (disputes.some(({ status }) => status === 'open')) return 'disputed'
  if (captured > 0n) return refunded === 0n ? 'paid' : refunded < captured ? 'partially_refunded' : 'refunded'
  if (closedAs) return closedAs
  const last = payments.find(({ status }) => open.includes(status)) ?? payments.at(-1)
  if (last?.declined && last.status !== 'processing' && last.status !== 'authorized') return 'failed'
  return last && open.includes(last.status) ? 'requires_action' : 'pending'
}
