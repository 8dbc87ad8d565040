import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Units, UnitsInput } from '#lib/money.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { optionalField, plainText } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'

const Amount = Units.describe('In the smallest unit of the currency.')

export const PaymentMode = z.enum(['checkout', 'intent', 'link'])
export type PaymentMode = z.output<typeof PaymentMode>

export const CaptureMethod = z.enum(['automatic', 'manual'])
export type CaptureMethod = z.output<typeof CaptureMethod>

export const PaymentStatus = z.enum([
  'unknown',
  'requires_action',
  'processing',
  'authorized',
  'succeeded',
  'cancelled',
  'expired',
  'failed',
])
export type PaymentStatus = z.output<typeof PaymentStatus>

export const DisputeStatus = z.enum(['open', 'won', 'lost', 'closed'])
export type DisputeStatus = z.output<typeof DisputeStatus>

/** An amount of a form. */
export const Decimal = optionalField(z.string().trim().max(30))

export const WebUrl = z.url({ protocol: /^https?$/, error: 'Must be an http(s) URL.' }).max(2_000)

export const PaymentDraft = z.object({
  orderId: Id,
  mode: PaymentMode.default('checkout').describe(
    'checkout: a page of the provider, for a day. link: such a page that stays open as long as the order. intent: for your own page, with the provider’s library.',
  ),
  captureMethod: CaptureMethod.default('automatic').describe('manual: only reserved, until you capture it.'),
  paymentMethodId: optionalField(Id).describe(
    'Charges a saved payment method of the order’s customer at once, without the customer. The mode is intent then.',
  ),
  successUrl: WebUrl.optional().describe('Where the customer goes after paying; a receipt page when not set.'),
  cancelUrl: WebUrl.optional(),
})
export type PaymentDraft = z.output<typeof PaymentDraft>

export const Card = z.object({ brand: z.string(), lastFour: z.string() })

export const OrderPayment = z.object({
  id: Id,
  orderId: Id,
  duplicateOf: Id.nullable().describe('The payment that had paid the order already: this one is refunded in full.'),
  mode: PaymentMode,
  captureMethod: CaptureMethod,
  status: PaymentStatus.describe('`unknown`: the provider’s response was lost. We keep asking and never guess.'),
  amount: Amount,
  currency: z.string(),
  authorized: Amount,
  captured: Amount,
  checkoutUrl: z.string().nullable().describe('Where the customer pays, while it is open.'),
  card: Card.nullable(),
  failure: z.object({ code: z.string().nullable(), message: z.string() }).nullable(),
  providerReference: z.string().nullable().describe('The provider’s ID of its payment.'),
  expiresAt: Timestamp.nullable(),
  createdAt: Timestamp,
  checkedAt: Timestamp.nullable().describe('When its state at the provider was read last.'),
  nextCheckAt: Timestamp.nullable(),
  accountLostAt: Timestamp.nullable().describe('Since when no key of the account that it was made at is stored.'),
})
export type OrderPayment = z.output<typeof OrderPayment>

export const NewOrderPayment = OrderPayment.extend({
  clientSecret: z
    .string()
    .nullable()
    .optional()
    .describe('With it, your page confirms a payment of the mode intent. Only returned here.'),
  insteadOf: z
    .object({ paymentId: Id, code: z.literal('authentication_required') })
    .nullable()
    .optional()
    .describe('The charge of a saved payment method that the customer has to confirm, on this payment’s page.'),
})

export const OrderPaymentList = listOf(OrderPayment)
export type OrderPaymentList = z.output<typeof OrderPaymentList>

export const PaymentFilter = z.object({
  orderId: optionalField(Id),
  status: optionalField(PaymentStatus),
  ...paging,
})

export const CaptureDraft = z.object({
  id: Id,
  amount: UnitsInput.refine((units) => units > 0n, 'Must be more than 0.')
    .optional()
    .describe('At most what is authorized, and all of it when not set. The rest is released.'),
  decimalAmount: Decimal.describe('A decimal number, such as 12.40, instead of amount.'),
})

export const Dispute = z.object({
  id: Id,
  orderId: Id,
  status: DisputeStatus,
  reason: z.string(),
  amount: Amount,
  currency: z.string(),
  evidenceDueAt: Timestamp.nullable(),
  openedAt: Timestamp,
  closedAt: Timestamp.nullable(),
  providerReference: z.string(),
})
export type Dispute = z.output<typeof Dispute>

export const DisputeEvidence = z.object({
  id: Id,
  explanation: plainText(20_000)
    .min(1, 'Enter why the payment was right.')
    .describe('Why the payment was right. The bank gets it once.'),
})
