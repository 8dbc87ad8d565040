import type { Posting } from '../ledger/post.ts'
import { fromProviderUnits } from '../provider-units.ts'
import type { OrderNews } from '../orders/timeline.ts'
import type { orderPayments, orders, refunds, disputes } from '../schema.ts'
import type { Movement } from './snapshot.ts'

type Row<Table extends { $inferSelect: unknown }> = Table['$inferSelect']

export interface Booked {
  order: Row<typeof orders>
  payment: Row<typeof orderPayments>
  at: Date
}

/** What a part of a snapshot means for the order’s timeline and the ledger. */
export interface Applied {
  news: OrderNews[]
  postings: Posting[]
}

type Account = Posting['entries'][number]['account']
type Kind = Posting['kind']

const about = ({ order, at }: Booked) => ({
  organizationId: order.organizationId,
  merchantId: order.merchantId,
  venueId: order.venueId,
  orderId: order.id,
  at,
})

/** The account that a movement of the provider’s balance is booked against, and the kind of its transaction. */
const counterparts: Readonly<Record<string, readonly [Kind, Account]>> = {
  charge: ['capture', 'merchant'],
  payment: ['capture', 'merchant'],
  refund: ['refund_settled', 'refunds_in_transit'],
  payment_refund: ['refund_settled', 'refunds_in_transit'],
  refund_failure: ['refund_failed', 'refunds_in_transit'],
  payment_failure_refund: ['refund_failed', 'refunds_in_transit'],
  dispute: ['dispute_opened', 'disputes_held'],
  dispute_reversal: ['dispute_won', 'disputes_held'],
}

/** The provider’s balance has changed, whatever for: people correct it. */
const unknownMovement = ['adjustment', 'corrections'] as const

interface Origin {
  refundId?: string
  disputeId?: string
  /** In the order’s currency. */
  amount: bigint
}

/** A movement of the provider’s balance: what it changed there, its fee, and what it was for. */
export function postingsOf(booked: Booked, movement: Movement, { amount: own, ...of }: Origin): Posting[] {
  const { order } = booked
  const [kind, account] = counterparts[movement.reportingCategory] ?? counterparts[movement.type] ?? unknownMovement
  const shared = { ...about(booked), ...of, at: movement.createdAt, providerTransactionId: movement.id }
  const amount = fromProviderUnits(movement.amount, movement.currency)
  const fee = fromProviderUnits(movement.fee, movement.currency)
  if (amount === 0n && fee === 0n) return []
  const isConverted = movement.currency !== order.currency
  const moved: Posting = {
    ...shared,
    kind,
    currency: movement.currency,
    entries: [
      { account: 'clearing', amount: amount - fee },
      { account: 'fees', amount: fee },
      { account: isConverted ? 'conversion' : account, amount: -amount },
    ],
  }
  if (!isConverted) return [moved]
  // The provider keeps another currency: its rate is between the two.
  const converted = movement.amount < 0 ? -own : own
  const entries = [
    { account: 'conversion' as const, amount: converted },
    { account, amount: -converted },
  ]
  return [moved, { ...shared, kind: 'conversion', currency: order.currency, entries }]
}

/** Owed to the customer instead of the merchant, from when the refund is sent until the provider has taken it. */
export const refundSent = (booked: Booked, { id, amount, currency }: Row<typeof refunds>): Posting => ({
  ...about(booked),
  kind: 'refund_created',
  currency,
  refundId: id,
  entries: [
    { account: 'merchant', amount },
    { account: 'refunds_in_transit', amount: -amount },
  ],
})

/** The refund failed or was cancelled: the merchant has the money again. */
export const refundReversed = (booked: Booked, { id, amount, currency }: Row<typeof refunds>): Posting => ({
  ...about(booked),
  kind: 'refund_reversed',
  currency,
  refundId: id,
  entries: [
    { account: 'refunds_in_transit', amount },
    { account: 'merchant', amount: -amount },
  ],
})

/** What was held for a dispute is lost; `held` is negative when a lost dispute is reopened. */
export const disputeLost = (
  booked: Booked,
  { id, currency }: Pick<Row<typeof disputes>, 'id' | 'currency'>,
  withdrawn: Movement,
  held: bigint,
): Posting => ({
  ...about(booked),
  providerTransactionId: withdrawn.id,
  kind: held > 0n ? 'dispute_lost' : 'adjustment',
  currency,
  disputeId: id,
  entries: [
    { account: 'merchant', amount: held },
    { account: 'disputes_held', amount: -held },
  ],
})
