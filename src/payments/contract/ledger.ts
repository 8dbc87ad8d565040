import { z } from 'zod'

export const LedgerAccount = z.enum([
  'clearing',
  'fees',
  'merchant',
  'refunds_in_transit',
  'disputes_held',
  'float',
  'settlements_payable',
  'conversion',
  'corrections',
])
export type LedgerAccount = z.output<typeof LedgerAccount>

export const LedgerKind = z.enum([
  'capture',
  'refund_created',
  'refund_settled',
  'refund_reversed',
  'refund_failed',
  'dispute_opened',
  'dispute_won',
  'dispute_lost',
  'settlement_sent',
  'transfer',
  'transfer_reversed',
  'payout',
  'payout_returned',
  'fee',
  'conversion',
  'adjustment',
  'correction',
])
export type LedgerKind = z.output<typeof LedgerKind>
