import { z } from 'zod'
import { ProviderRefund, ProviderRefundList } from '../../contract/payments.ts'
import { Amount, createdRange, listing, Metadata, ObjectId, refundOrigin } from '../fields.ts'
import { pageOf, pageParams } from '../lists.ts'
import { describeRefund } from '../objects/payments.ts'
import { paymentOperation } from '../operation.ts'
import { toParams } from '../params.ts'

export const createProviderRefund = paymentOperation({
  route: 'POST /platform/payments/refunds',
  summary: 'Create a refund at the payment provider',
  object: 'refund',
  input: z
    .object({
      paymentIntent: ObjectId.optional(),
      charge: ObjectId.optional(),
      amount: Amount.optional().describe('All that is left when not set.'),
      reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
      reverseTransfer: z.boolean().optional(),
      metadata: Metadata.optional(),
    })
    .refine(...refundOrigin),
  output: ProviderRefund,
  send: async (stripe, input, options) => describeRefund(await stripe.refunds.create(toParams(input), options)),
})

export const getProviderRefund = paymentOperation({
  route: 'GET /platform/payments/refunds/:id',
  summary: 'Get a refund of the payment provider',
  object: 'refund',
  input: z.object({ id: ObjectId }),
  output: ProviderRefund,
  send: async (stripe, { id }, options) => describeRefund(await stripe.refunds.retrieve(id, {}, options)),
})

export const listProviderRefunds = paymentOperation({
  route: 'GET /platform/payments/refunds',
  summary: 'List refunds of the payment provider',
  object: 'refund',
  input: z.object({
    ...listing,
    ...createdRange,
    paymentIntent: ObjectId.optional(),
    charge: ObjectId.optional(),
  }),
  output: ProviderRefundList,
  send: async (stripe, { limit, cursor, createdFrom, createdBefore, ...filter }, options) =>
    pageOf(
      await stripe.refunds.list(
        { ...pageParams({ limit, cursor, createdFrom, createdBefore }), ...toParams(filter) },
        options,
      ),
      describeRefund,
    ),
})

export const cancelProviderRefund = paymentOperation({
  route: 'POST /platform/payments/refunds/:id/cancel',
  summary: 'Cancel a refund that requires an action',
  object: 'refund',
  input: z.object({ id: ObjectId }),
  output: ProviderRefund,
  send: async (stripe, { id }, options) => describeRefund(await stripe.refunds.cancel(id, {}, options)),
})
