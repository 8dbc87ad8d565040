import { z } from 'zod'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'
import { created, Amount, CurrencyCode, Metadata, ObjectId, Reference, Status, Text } from './fields.ts'

const Recurring = z.object({ interval: z.string(), intervalCount: z.int() })

export const PaymentPrice = z.object({
  id: ObjectId,
  productId: ObjectId,
  active: z.boolean(),
  currency: CurrencyCode,
  unitAmount: Amount.nullable(),
  recurring: Recurring.nullable().describe('Null for a single payment.'),
  taxBehavior: Text,
  lookupKey: Text,
  nickname: Text,
  metadata: Metadata,
  ...created,
})

export const CheckoutSession = z.object({
  id: ObjectId,
  url: Text.describe('Of the page to pay on, while it is open.'),
  mode: z.string(),
  status: Status.nullable(),
  paymentStatus: Status,
  currency: CurrencyCode.nullable(),
  amountSubtotal: Amount.nullable(),
  amountTotal: Amount.nullable(),
  customerId: Reference,
  customerEmail: Text,
  paymentIntentId: Reference,
  setupIntentId: Reference,
  subscriptionId: Reference,
  clientReferenceId: Text,
  metadata: Metadata,
  expiresAt: Timestamp,
  ...created,
})

export const PaymentLink = z.object({
  id: ObjectId,
  url: z.string(),
  active: z.boolean(),
  currency: CurrencyCode,
  metadata: Metadata,
})

export const CheckoutSessionList = listOf(CheckoutSession)
export const PaymentLinkList = listOf(PaymentLink)
