import type { Stripe } from 'stripe'
import { z } from 'zod'
import { invalid } from '#lib/errors.ts'
import { Instant } from '#lib/time.ts'
import { PaymentSubscription, PaymentSubscriptionList } from '../../contract/payments.ts'
import { listing, Metadata, ObjectId, OwnId, Proration, Quantity } from '../fields.ts'
import { pageOf, pageParams } from '../lists.ts'
import { describeSubscription } from '../objects/subscriptions.ts'
import { paymentOperation } from '../operation.ts'
import { toParams } from '../params.ts'

const maxItems = 20
const Items = z
  .array(z.object({ price: OwnId, quantity: Quantity.optional() }))
  .min(1)
  .max(maxItems)

export const createPaymentSubscription = paymentOperation({
  route: 'POST /platform/payments/subscriptions',
  summary: 'Create a subscription at the payment provider',
  object: 'subscription',
  input: z.object({
    customer: ObjectId,
    items: Items,
    defaultPaymentMethod: ObjectId.optional(),
    paymentBehavior: z.enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete']).optional(),
    trialPeriodDays: z.int().min(1).max(730).optional(),
    cancelAtPeriodEnd: z.boolean().optional(),
    metadata: Metadata.optional(),
  }),
  output: PaymentSubscription,
  send: async (stripe, input, options) =>
    describeSubscription(await stripe.subscriptions.create(toParams(input), options)),
})

export const getPaymentSubscription = paymentOperation({
  route: 'GET /platform/payments/subscriptions/:id',
  summary: 'Get a subscription of the payment provider',
  object: 'subscription',
  input: z.object({ id: ObjectId }),
  output: PaymentSubscription,
  send: async (stripe, { id }, options) => describeSubscription(await stripe.subscriptions.retrieve(id, {}, options)),
})

export const listPaymentSubscriptions = paymentOperation({
  route: 'GET /platform/payments/subscriptions',
  summary: 'List subscriptions of the payment provider',
  object: 'subscription',
  input: z.object({
    ...listing,
    customer: ObjectId.optional(),
    status: z
      .enum(['all', 'active', 'past_due', 'unpaid', 'canceled', 'incomplete', 'trialing', 'paused'])
      .optional()
      .describe('Those that aren’t canceled when not set.'),
  }),
  output: PaymentSubscriptionList,
  send: async (stripe, { limit, cursor, ...filter }, options) =>
    pageOf(
      await stripe.subscriptions.list({ ...pageParams({ limit, cursor }), ...toParams(filter) }, options),
      describeSubscription,
    ),
})

export const updatePaymentSubscription = paymentOperation({
  route: 'PATCH /platform/payments/subscriptions/:id',
  summary: 'Update a subscription at the payment provider',
  object: 'subscription',
  input: z.object({
    id: ObjectId,
    cancelAtPeriodEnd: z.boolean().optional(),
    cancelAt: z
      .null()
      .optional()
      .describe('null takes back a cancellation that has a date. Not with `cancelAtPeriodEnd`.'),
    defaultPaymentMethod: ObjectId.optional(),
    items: z
      .array(z.object({ id: ObjectId, price: OwnId.optional(), quantity: Quantity.optional() }))
      .min(1)
      .max(maxItems)
      .optional()
      .describe('Existing items with what changes of them.'),
    prorationBehavior: Proration.optional(),
    prorationDate: Instant.optional().describe('That of a preview, so that the same is charged.'),
    paymentBehavior: z.enum(['allow_incomplete', 'error_if_incomplete', 'pending_if_incomplete']).optional(),
    trialEnd: Instant.optional(),
    metadata: Metadata.optional(),
  }),
  output: PaymentSubscription,
  send: async (stripe, { id, ...input }, options) => {
    if (input.cancelAt !== undefined && input.cancelAtPeriodEnd !== undefined)
      throw invalid([{ path: 'cancelAt', message: 'Must not be set together with cancelAtPeriodEnd.' }])
    return describeSubscription(await stripe.subscriptions.update(id, toParams(input), options))
  },
})

export const updateSubscriptionQuantity = paymentOperation({
  route: 'PATCH /platform/payments/subscriptions/:id/quantity',
  summary: 'Change the quantity of a subscription',
  object: 'subscription',
  input: z.object({
    id: ObjectId,
    quantity: z.int().min(0).max(1_000_000),
    item: ObjectId.optional().describe('Required when the subscription has several items.'),
    prorationBehavior: Proration.optional(),
  }),
  output: PaymentSubscription,
  send: async (stripe, { id, quantity, item, prorationBehavior }, options) => {
    const chosen = item ?? (await onlyItem(stripe, id))
    const params = toParams({ items: [{ id: chosen, quantity }], prorationBehavior })
    return describeSubscription(await stripe.subscriptions.update(id, params, options))
  },
})

/** @throws {Problem} 422 when it has several */
async function onlyItem(stripe: Stripe, id: string): Promise<string> {
  const { items } = await stripe.subscriptions.retrieve(id)
  const [first, second] = items.data
  if (first && !second) return first.id
  throw invalid([{ path: 'item', message: 'Required, since the subscription has several items.' }])
}

export const cancelPaymentSubscription = paymentOperation({
  route: 'POST /platform/payments/subscriptions/:id/cancel',
  summary: 'Cancel a subscription at the payment provider',
  ends: true,
  object: 'subscription',
  input: z.object({
    id: ObjectId,
    invoiceNow: z.boolean().optional().describe('Invoices what was used and not yet billed.'),
    prorate: z.boolean().optional().describe('Credits the rest of the period.'),
  }),
  output: PaymentSubscription,
  send: async (stripe, { id, ...input }, options) =>
    describeSubscription(await stripe.subscriptions.cancel(id, toParams(input), options)),
})
