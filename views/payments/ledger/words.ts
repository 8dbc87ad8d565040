import type { LedgerAccount, LedgerDifference, LedgerKind } from '#payments/types'

export const accountOrder: readonly LedgerAccount[] = [
  'clearing',
  'float',
  'fees',
  'merchant',
  'refunds_in_transit',
  'disputes_held',
  'settlements_payable',
  'conversion',
  'bank',
  'top_ups',
  'reserves',
  'adjustments',
  'opening',
  'suspense',
  'corrections',
]

export const accountNames: Record<LedgerAccount, string> = {
  clearing: 'Provider clearing',
  fees: 'Provider fees',
  merchant: 'Merchant',
  refunds_in_transit: 'Refunds in transit',
  disputes_held: 'Disputes held',
  float: 'Float',
  settlements_payable: 'Settlements payable',
  conversion: 'Currency conversion',
  bank: 'Bank account',
  top_ups: 'Top-ups',
  reserves: 'Provider reserves',
  adjustments: 'Provider adjustments',
  opening: 'Opening balance',
  suspense: 'Not assigned',
  corrections: 'Corrections',
}

export const kindNames: Record<LedgerKind, string> = {
  capture: 'Payment captured',
  refund_created: 'Refund created',
  refund_settled: 'Refund completed',
  refund_reversed: 'Refund reversed',
  refund_failed: 'Refund failed',
  dispute_opened: 'Dispute opened',
  dispute_won: 'Dispute won',
  dispute_lost: 'Dispute lost',
  settlement_sent: 'Settlement item sent',
  transfer: 'Transfer',
  transfer_reversed: 'Transfer reversed',
  payout: 'Payout',
  payout_returned: 'Payout returned',
  fee: 'Fee',
  conversion: 'Currency converted',
  bank_payout: 'Payout to bank',
  bank_payout_returned: 'Payout to bank returned',
  top_up: 'Top-up',
  top_up_reversed: 'Top-up reversed',
  reserve: 'Reserve changed',
  opening_balance: 'Opening balance',
  unassigned: 'Not assigned',
  assigned: 'Assigned',
  adjustment: 'Adjustment',
  correction: 'Correction',
}

export const differenceNames: Record<LedgerDifference['kind'], string> = {
  unbalanced: 'The entries don’t sum to zero',
  hash: 'The transaction was changed',
  link: 'The transaction before it was replaced',
  missing: 'Transactions were removed',
  head: 'The last transactions were removed or added',
  orphan: 'The transaction of an entry was removed',
  balance: 'A stored balance isn’t the sum of its entries',
}

/** `c40d…91be`. */
export const shortHash = (hash: string): string => `${hash.slice(0, 4)}…${hash.slice(-4)}`
