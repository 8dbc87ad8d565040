import { z } from 'zod'
import { Instant } from '#lib/time.ts'
import { CheckoutSession, CheckoutSessionList, PaymentLink, PaymentLinkList } from '../../contract/payments.ts'
import { createdRange, CurrencyCode, Email, LineItem, listing, Metadata, ObjectId, Text, Url } from '../fields.ts'
import { pageOf, pageParams } from '../lists.ts'
import { describeLink, describeSession } from '../objects/payments.ts'
import { paymentOperation } from '../operation.ts'
import { toParams } from '../params.ts'

const maxLines = 100
const LineItems = z.array(LineItem).min(1).max(maxLines)
const captureMethod = z.enum(['automatic', 'automatic_async', 'manual'])

const PaymentIntentData = z.object({
  captureMethod: captureMethod.optional(),
  description: Text(1_000).optional(),
  setupFutureUsage: z.enum(['off_session', 'on_session']).optional(),
  transferGroup: Text(250).optional(),
  metadata: Metadata.optional(),
})

export const createCheckoutSession = paymentOperation({
  route: 'POST /platform/payments/checkout/sessions',
  summary: 'Create a checkout session',
  object: 'checkout session',
  input: z
    .object({
      mode: z.enum(['payment', 'setup', 'subscription']),
      lineItems: LineItems.optional().describe('Required unless the mode is setup.'),
      currency: CurrencyCode.optional().describe('Required in the mode setup.'),
      successUrl: Url,
      cancelUrl: Url.optional(),
      customer: ObjectId.optional(),
      customerEmail: Email.optional(),
      clientReferenceId: Text(200).optional(),
      paymentIntentData: PaymentIntentData.optional(),
      subscriptionData: z
        .object({ trialPeriodDays: z.int().min(1).max(730).optional(), metadata: Metadata.optional() })
        .optional(),
      expiresAt: Instant.optional().describe('From 30 minutes to 24 hours from now; 24 hours when not set.'),
      locale: z
        .string()
        .regex(/^(auto|[a-z]{2,3}(-[A-Z0-9]{2,3})?)$/, 'Must be a language, such as de or pt-BR, or auto.')
        .optional(),
      metadata: Metadata.optional(),
    })
    .refine(({ mode, lineItems }) => (mode === 'setup') === (lineItems === undefined), {
      error: 'Required, except in the mode setup.',
      path: ['lineItems'],
    })
    .refine(({ mode, currency }) => (mode === 'setup') === (currency !== undefined), {
      error: 'Required in the mode setup, and refused in other ones.',
      path: ['currency'],
    })
    .refine(({ customer, customerEmail }) => customer === undefined || customerEmail === undefined, {
      error: 'Send either customer or customerEmail.',
      path: ['customerEmail'],
    }),
  output: CheckoutSession,
  send: async (stripe, input, options) =>
    describeSession(await stripe.checkout.sessions.create(toParams(input), options)),
})

export const getCheckoutSession = paymentOperation({
  route: 'GET /platform/payments/checkout/sessions/:id',
  summary: 'Get a checkout session',
  object: 'checkout session',
  input: z.object({ id: ObjectId }),
  output: CheckoutSession,
  send: async (stripe, { id }, options) => describeSession(await stripe.checkout.sessions.retrieve(id, {}, options)),
})

export const listCheckoutSessions = paymentOperation({
  route: 'GET /platform/payments/checkout/sessions',
  summary: 'List checkout sessions',
  object: 'checkout session',
  input: z.object({
    ...listing,
    ...createdRange,
    paymentIntent: ObjectId.optional(),
    paymentLink: ObjectId.optional(),
    status: z.enum(['open', 'complete', 'expired']).optional(),
  }),
  output: CheckoutSessionList,
  send: async (stripe, { limit, cursor, createdFrom, createdBefore, ...filter }, options) =>
    pageOf(
      await stripe.checkout.sessions.list(
        { ...pageParams({ limit, cursor, createdFrom, createdBefore }), ...toParams(filter) },
        options,
      ),
      describeSession,
    ),
})

export const expireCheckoutSession = paymentOperation({
  route: 'POST /platform/payments/checkout/sessions/:id/expire',
  summary: 'Expire a checkout session',
  ends: true,
  object: 'checkout session',
  input: z.object({ id: ObjectId }),
  output: CheckoutSession,
  send: async (stripe, { id }, options) => describeSession(await stripe.checkout.sessions.expire(id, {}, options)),
})

export const createPaymentLink = paymentOperation({
  route: 'POST /platform/payments/payment-links',
  summary: 'Create a payment link',
  object: 'payment link',
  input: z.object({
    lineItems: LineItems,
    afterCompletion: z
      .object({ type: z.literal('redirect'), redirect: z.object({ url: Url }) })
      .optional()
      .describe('Where the payer goes; a page of the provider when not set.'),
    restrictions: z
      .object({ completedSessions: z.object({ limit: z.int().min(1).max(1_000_000) }) })
      .optional()
      .describe('How often it can be paid.'),
    paymentIntentData: PaymentIntentData.optional(),
    metadata: Metadata.optional(),
  }),
  output: PaymentLink,
  send: async (stripe, input, options) => describeLink(await stripe.paymentLinks.create(toParams(input), options)),
})

export const getPaymentLink = paymentOperation({
  route: 'GET /platform/payments/payment-links/:id',
  summary: 'Get a payment link',
  object: 'payment link',
  input: z.object({ id: ObjectId }),
  output: PaymentLink,
  send: async (stripe, { id }, options) => describeLink(await stripe.paymentLinks.retrieve(id, {}, options)),
})

export const listPaymentLinks = paymentOperation({
  route: 'GET /platform/payments/payment-links',
  summary: 'List payment links',
  object: 'payment link',
  input: z.object(listing),
  output: PaymentLinkList,
  send: async (stripe, page, options) =>
    pageOf(await stripe.paymentLinks.list(pageParams(page), options), describeLink),
})

export const updatePaymentLink = paymentOperation({
  route: 'PATCH /platform/payments/payment-links/:id',
  summary: 'Update a payment link',
  ends: true,
  object: 'payment link',
  input: z.object({ id: ObjectId, active: z.boolean().optional(), metadata: Metadata.optional() }),
  output: PaymentLink,
  send: async (stripe, { id, ...input }, options) =>
    describeLink(await stripe.paymentLinks.update(id, toParams(input), options)),
})
