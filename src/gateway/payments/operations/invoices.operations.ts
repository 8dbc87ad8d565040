import { z } from 'zod'
import { Instant } from '#lib/time.ts'
import { InvoicePreview, PaymentInvoice, PaymentInvoiceList } from '../../contract/payments.ts'
import { CurrencyCode, listing, ObjectId, OwnId, Proration } from '../fields.ts'
import { pageOf, pageParams } from '../lists.ts'
import { describeInvoice, describePreview } from '../objects/invoices.ts'
import { paymentOperation } from '../operation.ts'
import { toParams } from '../params.ts'

/** Why a payment of it failed is in its payment intent. */
const withPayments = 'payments.data.payment.payment_intent'

export const getPaymentInvoice = paymentOperation({
  route: 'GET /platform/payments/invoices/:id',
  summary: 'Get an invoice of the payment provider',
  object: 'invoice',
  input: z.object({ id: ObjectId }),
  output: PaymentInvoice,
  send: async (stripe, { id }, options) =>
    describeInvoice(await stripe.invoices.retrieve(id, { expand: [withPayments] }, options)),
})

export const listPaymentInvoices = paymentOperation({
  route: 'GET /platform/payments/invoices',
  summary: 'List invoices of the payment provider',
  object: 'invoice',
  input: z.object({
    ...listing,
    customer: ObjectId.optional(),
    subscription: ObjectId.optional(),
    status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
  }),
  output: PaymentInvoiceList,
  send: async (stripe, { limit, cursor, ...filter }, options) =>
    pageOf(
      await stripe.invoices.list({ ...pageParams({ limit, cursor }), ...toParams(filter) }, options),
      describeInvoice,
    ),
})

const maxItems = 20

const PreviewInput = z.object({
  customer: ObjectId.optional(),
  subscription: ObjectId.optional(),
  currency: CurrencyCode.optional(),
  subscriptionDetails: z
    .object({
      items: z
        .array(
          z.object({
            id: ObjectId.optional().describe('Of an existing item.'),
            price: OwnId.optional(),
            quantity: z.int().min(0).max(1_000_000).optional(),
            deleted: z.boolean().optional(),
          }),
        )
        .min(1)
        .max(maxItems)
        .optional(),
      prorationBehavior: Proration.optional(),
      prorationDate: Instant.optional(),
      cancelAtPeriodEnd: z.boolean().optional(),
    })
    .optional()
    .describe('The change whose invoice is previewed.'),
})

export const previewInvoice = paymentOperation({
  route: 'POST /platform/payments/invoices/preview',
  summary: 'Preview an invoice of the payment provider',
  object: 'invoice',
  input: PreviewInput.refine(({ customer, subscription }) => customer !== undefined || subscription !== undefined, {
    error: 'Required unless subscription is sent.',
    path: ['customer'],
  }),
  output: InvoicePreview,
  send: async (stripe, input, options) =>
    describePreview(await stripe.invoices.createPreview(toParams(input), options)),
})
