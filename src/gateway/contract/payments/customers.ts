import { z } from 'zod'
import { listOf } from '#lib/paginate.ts'
import { created, Amount, CurrencyCode, Metadata, ObjectId, Reference, Status, Text } from './fields.ts'
import { NextAction, PaymentFailure } from './charges.ts'

export const PaymentCustomer = z.object({
  id: ObjectId,
  email: Text,
  name: Text,
  phone: Text,
  description: Text,
  balance: Amount.describe('Negative for a credit that invoices use first.'),
  currency: CurrencyCode.nullable(),
  defaultPaymentMethodId: Reference.describe('Of its invoices.'),
  metadata: Metadata,
  deleted: z.boolean(),
  ...created,
})

export const PaymentMethod = z.object({
  id: ObjectId,
  type: z.string(),
  customerId: Reference,
  card: z
    .object({
      brand: z.string(),
      lastFour: z.string(),
      expMonth: z.int(),
      expYear: z.int(),
      funding: z.string(),
      country: Text,
    })
    .nullable(),
  billingName: Text,
  billingEmail: Text,
  metadata: Metadata,
  ...created,
})

export const SetupIntent = z.object({
  id: ObjectId,
  status: Status,
  usage: z.string(),
  clientSecret: Text.describe('With it, the payer’s browser confirms the payment method.'),
  customerId: Reference,
  paymentMethodId: Reference,
  nextAction: NextAction.nullable(),
  lastError: PaymentFailure.nullable(),
  cancellationReason: Text,
  metadata: Metadata,
  ...created,
})

export const PaymentCustomerList = listOf(PaymentCustomer)
export const PaymentMethodList = listOf(PaymentMethod)
