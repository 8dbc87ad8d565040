import { z } from 'zod'
import { PaymentMethod, PaymentMethodList, SetupIntent } from '../../contract/payments.ts'
import { listing, Metadata, ObjectId, Text, Url } from '../fields.ts'
import { pageOf, pageParams } from '../lists.ts'
import { describePaymentMethod } from '../objects/customers.ts'
import { describeSetup } from '../objects/payments.ts'
import { paymentOperation } from '../operation.ts'
import { toParams } from '../params.ts'

export const createSetupIntent = paymentOperation({
  route: 'POST /platform/payments/setup-intents',
  summary: 'Create a setup intent',
  object: 'setup intent',
  input: z.object({
    customer: ObjectId.optional(),
    paymentMethod: ObjectId.optional(),
    automaticPaymentMethods: z
      .object({ enabled: z.boolean(), allowRedirects: z.enum(['always', 'never']).optional() })
      .optional(),
    usage: z.enum(['off_session', 'on_session']).optional(),
    confirm: z.boolean().optional(),
    returnUrl: Url.optional(),
    description: Text(1_000).optional(),
    metadata: Metadata.optional(),
  }),
  output: SetupIntent,
  send: async (stripe, input, options) => describeSetup(await stripe.setupIntents.create(toParams(input), options)),
})

export const getSetupIntent = paymentOperation({
  route: 'GET /platform/payments/setup-intents/:id',
  summary: 'Get a setup intent',
  object: 'setup intent',
  input: z.object({ id: ObjectId }),
  output: SetupIntent,
  send: async (stripe, { id }, options) => describeSetup(await stripe.setupIntents.retrieve(id, {}, options)),
})

export const cancelSetupIntent = paymentOperation({
  route: 'POST /platform/payments/setup-intents/:id/cancel',
  summary: 'Cancel a setup intent',
  object: 'setup intent',
  input: z.object({
    id: ObjectId,
    cancellationReason: z.enum(['abandoned', 'duplicate', 'requested_by_customer']).optional(),
  }),
  output: SetupIntent,
  send: async (stripe, { id, ...input }, options) =>
    describeSetup(await stripe.setupIntents.cancel(id, toParams(input), options)),
})

export const listPaymentMethods = paymentOperation({
  route: 'GET /platform/payments/payment-methods',
  summary: 'List payment methods of a customer',
  object: 'customer',
  input: z.object({
    ...listing,
    customer: ObjectId,
    type: z.enum(['card', 'sepa_debit', 'link', 'paypal']).optional(),
  }),
  output: PaymentMethodList,
  send: async (stripe, { limit, cursor, ...filter }, options) =>
    pageOf(
      await stripe.paymentMethods.list({ ...pageParams({ limit, cursor }), ...toParams(filter) }, options),
      describePaymentMethod,
    ),
})

export const detachPaymentMethod = paymentOperation({
  route: 'POST /platform/payments/payment-methods/:id/detach',
  summary: 'Detach a payment method from its customer',
  ends: true,
  object: 'payment method',
  input: z.object({ id: ObjectId }),
  output: PaymentMethod,
  send: async (stripe, { id }, options) => describePaymentMethod(await stripe.paymentMethods.detach(id, {}, options)),
})
