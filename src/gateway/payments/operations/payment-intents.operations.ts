import { z } from 'zod'
import { PaymentIntent, PaymentIntentList } from '../../contract/payments.ts'
import {
  Amount,
  AmountOrZero,
  createdRange,
  CurrencyCode,
  Email,
  listing,
  Metadata,
  ObjectId,
  Text,
  Url,
} from '../fields.ts'
import { pageOf, pageParams } from '../lists.ts'
import { describeIntent } from '../objects/payments.ts'
import { paymentOperation } from '../operation.ts'
import { toParams } from '../params.ts'

const object = 'payment intent'

export const createPaymentIntent = paymentOperation({
  route: 'POST /platform/payments/payment-intents',
  summary: 'Create a payment intent',
  object,
  input: z.object({
    amount: Amount,
    currency: CurrencyCode,
    customer: ObjectId.optional(),
    paymentMethod: ObjectId.optional(),
    automaticPaymentMethods: z
      .object({ enabled: z.boolean(), allowRedirects: z.enum(['always', 'never']).optional() })
      .optional(),
    captureMethod: z.enum(['automatic', 'automatic_async', 'manual']).optional(),
    confirm: z.boolean().optional(),
    offSession: z.boolean().optional().describe('The payer isn’t there: a second factor is refused.'),
    setupFutureUsage: z.enum(['off_session', 'on_session']).optional(),
    returnUrl: Url.optional(),
    description: Text(1_000).optional(),
    receiptEmail: Email.optional(),
    statementDescriptorSuffix: Text(22).optional(),
    transferGroup: Text(250).optional(),
    metadata: Metadata.optional(),
  }),
  output: PaymentIntent,
  send: async (stripe, input, options) => describeIntent(await stripe.paymentIntents.create(toParams(input), options)),
})

export const getPaymentIntent = paymentOperation({
  route: 'GET /platform/payments/payment-intents/:id',
  summary: 'Get a payment intent',
  object,
  input: z.object({ id: ObjectId }),
  output: PaymentIntent,
  send: async (stripe, { id }, options) => describeIntent(await stripe.paymentIntents.retrieve(id, {}, options)),
})

export const listPaymentIntents = paymentOperation({
  route: 'GET /platform/payments/payment-intents',
  summary: 'List payment intents',
  object,
  input: z.object({ ...listing, ...createdRange, customer: ObjectId.optional() }),
  output: PaymentIntentList,
  send: async (stripe, { customer, ...range }, options) =>
    pageOf(
      await stripe.paymentIntents.list({ ...pageParams(range), ...(customer && { customer }) }, options),
      describeIntent,
    ),
})

export const confirmPaymentIntent = paymentOperation({
  route: 'POST /platform/payments/payment-intents/:id/confirm',
  summary: 'Confirm a payment intent',
  object,
  input: z.object({
    id: ObjectId,
    paymentMethod: ObjectId.optional(),
    offSession: z.boolean().optional(),
    returnUrl: Url.optional(),
  }),
  output: PaymentIntent,
  send: async (stripe, { id, ...input }, options) =>
    describeIntent(await stripe.paymentIntents.confirm(id, toParams(input), options)),
})

export const capturePaymentIntent = paymentOperation({
  route: 'POST /platform/payments/payment-intents/:id/capture',
  summary: 'Capture a payment intent',
  object,
  input: z.object({
    id: ObjectId,
    amountToCapture: AmountOrZero.optional().describe('All of it when not set.'),
    finalCapture: z.boolean().optional().describe('false keeps the rest authorized, where the card allows it.'),
    metadata: Metadata.optional(),
  }),
  output: PaymentIntent,
  send: async (stripe, { id, ...input }, options) =>
    describeIntent(await stripe.paymentIntents.capture(id, toParams(input), options)),
})

export const cancelPaymentIntent = paymentOperation({
  route: 'POST /platform/payments/payment-intents/:id/cancel',
  summary: 'Cancel a payment intent',
  ends: true,
  object,
  input: z.object({
    id: ObjectId,
    cancellationReason: z.enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  }),
  output: PaymentIntent,
  send: async (stripe, { id, ...input }, options) =>
    describeIntent(await stripe.paymentIntents.cancel(id, toParams(input), options)),
})
