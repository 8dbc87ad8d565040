import { z } from 'zod'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'
import { created, Amount, CurrencyCode, Metadata, ObjectId, Reference, Status, Text } from './fields.ts'

export const NextAction = z.object({ type: z.string(), url: Text.describe('Where the payer continues, if on a page.') })
export const PaymentFailure = z.object({ code: Text, declineCode: Text, message: Text })

export const PaymentIntent = z.object({
  id: ObjectId,
  status: Status,
  amount: Amount,
  amountCapturable: Amount,
  amountReceived: Amount,
  currency: CurrencyCode,
  captureMethod: z.string(),
  clientSecret: Text.describe('With it, the payer’s browser confirms the payment.'),
  customerId: Reference,
  paymentMethodId: Reference,
  latestChargeId: Reference,
  nextAction: NextAction.nullable(),
  lastError: PaymentFailure.nullable(),
  cancellationReason: Text,
  canceledAt: Timestamp.nullable(),
  description: Text,
  transferGroup: Text,
  metadata: Metadata,
  ...created,
})

export const PaymentCharge = z.object({
  id: ObjectId,
  status: Status,
  amount: Amount,
  amountCaptured: Amount,
  amountRefunded: Amount,
  captured: z.boolean(),
  disputed: z.boolean(),
  currency: CurrencyCode,
  customerId: Reference,
  paymentIntentId: Reference,
  paymentMethodId: Reference,
  balanceTransactionId: Reference,
  card: z.object({ brand: Text, lastFour: Text }).nullable(),
  failureCode: Text,
  failureMessage: Text,
  receiptUrl: Text,
  metadata: Metadata,
  ...created,
})

export const ProviderRefund = z.object({
  id: ObjectId,
  status: Status.nullable(),
  amount: Amount,
  currency: CurrencyCode,
  reason: Text,
  failureReason: Text,
  chargeId: Reference,
  paymentIntentId: Reference,
  balanceTransactionId: Reference,
  failureBalanceTransactionId: Reference.describe('Of the amount that came back after the refund failed.'),
  metadata: Metadata,
  ...created,
})

export const PaymentDispute = z.object({
  id: ObjectId,
  status: Status,
  reason: z.string(),
  amount: Amount,
  currency: CurrencyCode,
  isChargeRefundable: z.boolean(),
  chargeId: Reference,
  paymentIntentId: Reference,
  balanceTransactionIds: z.array(ObjectId),
  evidence: z.object({
    dueBy: Timestamp.nullable(),
    isPastDue: z.boolean(),
    hasEvidence: z.boolean(),
    submissionCount: z.int(),
  }),
  metadata: Metadata,
  ...created,
})

export const PaymentIntentList = listOf(PaymentIntent)
export const ProviderRefundList = listOf(ProviderRefund)
export const PaymentDisputeList = listOf(PaymentDispute)
