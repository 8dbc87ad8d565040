import { z } from 'zod'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'
import { created, Amount, CurrencyCode, Metadata, ObjectId, Reference, Status, Text } from './fields.ts'
import { PaymentFailure } from './charges.ts'

export const PaymentSubscription = z.object({
  id: ObjectId,
  status: Status,
  customerId: ObjectId,
  currency: CurrencyCode,
  items: z.array(
    z.object({
      id: ObjectId,
      priceId: ObjectId,
      productId: ObjectId,
      quantity: z.int().nullable(),
      currentPeriodStartsAt: Timestamp,
      currentPeriodEndsAt: Timestamp,
    }),
  ),
  cancelAtPeriodEnd: z.boolean(),
  cancelAt: Timestamp.nullable(),
  canceledAt: Timestamp.nullable(),
  startedAt: Timestamp,
  endedAt: Timestamp.nullable(),
  trialEndsAt: Timestamp.nullable(),
  latestInvoiceId: Reference,
  defaultPaymentMethodId: Reference,
  metadata: Metadata,
  ...created,
})

export const PaymentInvoice = z.object({
  id: ObjectId,
  number: Text,
  status: Status.nullable(),
  reason: Text.describe('Why it was made, such as `subscription_cycle`.'),
  customerId: Reference,
  subscriptionId: Reference,
  currency: CurrencyCode,
  subtotal: Amount,
  total: Amount,
  tax: Amount,
  amountDue: Amount,
  amountPaid: Amount,
  amountRemaining: Amount,
  attempts: z.int().describe('At its payment.'),
  nextAttemptAt: Timestamp.nullable(),
  lastFailure: PaymentFailure.nullable().describe('Of its payment. Only of a single invoice, not in lists.'),
  paymentIntentId: Reference.describe('Of its successful payment. Only of a single invoice, not in lists.'),
  url: Text.describe('Of the page to pay on.'),
  pdfUrl: Text,
  periodStartsAt: Timestamp,
  periodEndsAt: Timestamp,
  paidAt: Timestamp.nullable(),
  ...created,
})

export const InvoicePreview = z.object({
  currency: CurrencyCode,
  subtotal: Amount,
  total: Amount,
  tax: Amount,
  discount: Amount,
  amountDue: Amount,
  periodStartsAt: Timestamp,
  periodEndsAt: Timestamp,
  lines: z.array(
    z.object({
      description: Text,
      amount: Amount,
      quantity: z.int().nullable(),
      priceId: Reference,
      isProration: z.boolean(),
      periodStartsAt: Timestamp,
      periodEndsAt: Timestamp,
    }),
  ),
  hasMoreLines: z.boolean(),
})

export const BillingPortalSession = z.object({
  id: ObjectId,
  url: z.string(),
  customerId: ObjectId,
  returnUrl: Text,
  ...created,
})

export const PaymentSubscriptionList = listOf(PaymentSubscription)
export const PaymentInvoiceList = listOf(PaymentInvoice)
