import { z } from 'zod'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'
import { created, Amount, CurrencyCode, Metadata, ObjectId, Reference, Status, Text } from './fields.ts'

export const PaymentTransfer = z.object({
  id: ObjectId,
  amount: Amount,
  amountReversed: Amount,
  reversed: z.boolean(),
  currency: CurrencyCode,
  destinationId: Reference,
  sourceTransactionId: Reference,
  balanceTransactionId: Reference,
  transferGroup: Text,
  description: Text,
  metadata: Metadata,
  ...created,
})

export const PaymentTransferReversal = z.object({
  id: ObjectId,
  amount: Amount,
  currency: CurrencyCode,
  transferId: Reference,
  balanceTransactionId: Reference,
  metadata: Metadata,
  ...created,
})

export const PaymentPayout = z.object({
  id: ObjectId,
  status: Status,
  amount: Amount,
  currency: CurrencyCode,
  method: z.string(),
  type: z.string(),
  automatic: z.boolean(),
  arrivesAt: Timestamp.describe('When it is expected to arrive.'),
  failureCode: Text,
  failureMessage: Text,
  destinationId: Reference,
  balanceTransactionId: Reference,
  failureBalanceTransactionId: Reference,
  originalPayoutId: Reference,
  reversedById: Reference,
  statementDescriptor: Text,
  description: Text,
  metadata: Metadata,
  ...created,
})

export const PaymentBalanceTransaction = z.object({
  id: ObjectId,
  type: z.string(),
  reportingCategory: z.string(),
  status: Status,
  amount: Amount,
  fee: Amount,
  net: Amount,
  currency: CurrencyCode,
  exchangeRate: z.number().nullable(),
  fees: z.array(z.object({ type: z.string(), amount: Amount, currency: CurrencyCode, description: Text })),
  sourceId: Reference,
  description: Text,
  availableAt: Timestamp,
  ...created,
})

const Funds = z.object({ amount: Amount, currency: CurrencyCode })

export const PaymentBalance = z.object({ available: z.array(Funds), pending: z.array(Funds), liveMode: z.boolean() })

export const PaymentTransferList = listOf(PaymentTransfer)
export const PaymentTransferReversalList = listOf(PaymentTransferReversal)
export const PaymentPayoutList = listOf(PaymentPayout)
export const PaymentBalanceTransactionList = listOf(PaymentBalanceTransaction)
