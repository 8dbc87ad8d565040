import { z } from 'zod'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'

// Amounts are integers of the provider's smallest unit: 1234 USD are $12.34, 1234 JPY are ¥1234, 1234 KWD are 1.234.

const Amount = z.int().describe('In the smallest unit of the currency.')
const CurrencyCode = z.string().describe('ISO 4217, in uppercase.')
const Metadata = z.record(z.string(), z.string())
const ObjectId = z.string().describe('Of the provider.')
const Reference = z.string().nullable().describe('The ID of another object of the provider.')
const Status = z.string().describe('As the provider names it.')
const Text = z.string().nullable()
const created = { createdAt: Timestamp }

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

const NextAction = z.object({ type: z.string(), url: Text.describe('Where the payer continues, if on a page.') })
const PaymentFailure = z.object({ code: Text, declineCode: Text, message: Text })

export const PaymentIntent = z.object({
  id: ObjectId,
  status: Status,
  amount: Amount,
  amountCapturable: Amount,
  amountReceived: Amount,
  currency: CurrencyCode,
  captureMethod: z.string(),
  clientSecret: Text.describe('With it, the payer’s browser confirms the payment.'),
  customerId: Reference,
  paymentMethodId: Reference,
  latestChargeId: Reference,
  nextAction: NextAction.nullable(),
  lastError: PaymentFailure.nullable(),
  cancellationReason: Text,
  canceledAt: Timestamp.nullable(),
  description: Text,
  transferGroup: Text,
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

export const ProviderRefund = z.object({
  id: ObjectId,
  status: Status.nullable(),
  amount: Amount,
  currency: CurrencyCode,
  reason: Text,
  failureReason: Text,
  chargeId: Reference,
  paymentIntentId: Reference,
  balanceTransactionId: Reference,
  failureBalanceTransactionId: Reference.describe('Of the amount that came back after the refund failed.'),
  metadata: Metadata,
  ...created,
})

export const PaymentCharge = z.object({
  id: ObjectId,
  status: Status,
  amount: Amount,
  amountCaptured: Amount,
  amountRefunded: Amount,
  captured: z.boolean(),
  disputed: z.boolean(),
  currency: CurrencyCode,
  customerId: Reference,
  paymentIntentId: Reference,
  paymentMethodId: Reference,
  balanceTransactionId: Reference,
  card: z.object({ brand: Text, lastFour: Text }).nullable(),
  failureCode: Text,
  failureMessage: Text,
  receiptUrl: Text,
  metadata: Metadata,
  ...created,
})

export const PaymentTransfer = z.object({
  id: ObjectId,
  amount: Amount,
  amountReversed: Amount,
  reversed: z.boolean(),
  currency: CurrencyCode,
  destinationId: Reference,
  sourceTransactionId: Reference,
  balanceTransactionId: Reference,
  transferGroup: Text,
  description: Text,
  metadata: Metadata,
  ...created,
})

export const PaymentTransferReversal = z.object({
  id: ObjectId,
  amount: Amount,
  currency: CurrencyCode,
  transferId: Reference,
  balanceTransactionId: Reference,
  metadata: Metadata,
  ...created,
})

export const PaymentPayout = z.object({
  id: ObjectId,
  status: Status,
  amount: Amount,
  currency: CurrencyCode,
  method: z.string(),
  type: z.string(),
  automatic: z.boolean(),
  arrivesAt: Timestamp.describe('When it is expected to arrive.'),
  failureCode: Text,
  failureMessage: Text,
  destinationId: Reference,
  balanceTransactionId: Reference,
  failureBalanceTransactionId: Reference,
  originalPayoutId: Reference,
  reversedById: Reference,
  statementDescriptor: Text,
  description: Text,
  metadata: Metadata,
  ...created,
})

export const PaymentDispute = z.object({
  id: ObjectId,
  status: Status,
  reason: z.string(),
  amount: Amount,
  currency: CurrencyCode,
  isChargeRefundable: z.boolean(),
  chargeId: Reference,
  paymentIntentId: Reference,
  balanceTransactionIds: z.array(ObjectId),
  evidence: z.object({
    dueBy: Timestamp.nullable(),
    isPastDue: z.boolean(),
    hasEvidence: z.boolean(),
    submissionCount: z.int(),
  }),
  metadata: Metadata,
  ...created,
})

export const PaymentBalanceTransaction = z.object({
  id: ObjectId,
  type: z.string(),
  reportingCategory: z.string(),
  status: Status,
  amount: Amount,
  fee: Amount,
  net: Amount,
  currency: CurrencyCode,
  exchangeRate: z.number().nullable(),
  fees: z.array(z.object({ type: z.string(), amount: Amount, currency: CurrencyCode, description: Text })),
  sourceId: Reference,
  description: Text,
  availableAt: Timestamp,
  ...created,
})

const Funds = z.object({ amount: Amount, currency: CurrencyCode })

export const PaymentBalance = z.object({ available: z.array(Funds), pending: z.array(Funds), liveMode: z.boolean() })

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

export const PaymentEvent = z.object({
  id: ObjectId,
  type: z.string(),
  apiVersion: Text,
  accountId: Reference.describe('Of a connected account.'),
  object: z.object({ id: Reference, type: z.string() }).describe('What it is about.'),
  pendingWebhooks: z.int().describe('Webhooks that have not been delivered yet.'),
  payload: z.string().describe('The JSON that the provider’s webhook has.'),
  liveMode: z.boolean(),
  ...created,
})

/** Types of events of the objects that payments are made of; `*` is every type of the provider. */
export const WebhookEvent = z.enum([
  '*',
  'checkout.session.async_payment_failed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.completed',
  'checkout.session.expired',
  'payment_intent.amount_capturable_updated',
  'payment_intent.canceled',
  'payment_intent.partially_funded',
  'payment_intent.payment_failed',
  'payment_intent.processing',
  'payment_intent.requires_action',
  'payment_intent.succeeded',
  'charge.captured',
  'charge.expired',
  'charge.failed',
  'charge.pending',
  'charge.refunded',
  'charge.succeeded',
  'charge.updated',
  'charge.dispute.closed',
  'charge.dispute.created',
  'charge.dispute.funds_reinstated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.updated',
  'charge.refund.updated',
  'refund.created',
  'refund.failed',
  'refund.updated',
  'payout.canceled',
  'payout.created',
  'payout.failed',
  'payout.paid',
  'payout.updated',
  'transfer.created',
  'transfer.reversed',
  'transfer.updated',
  'customer.subscription.created',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.trial_will_end',
  'customer.subscription.updated',
  'invoice.created',
  'invoice.finalized',
  'invoice.marked_uncollectible',
  'invoice.paid',
  'invoice.payment_action_required',
  'invoice.payment_failed',
  'invoice.updated',
  'invoice.voided',
])

export const ProviderWebhookEndpoint = z.object({
  id: ObjectId,
  url: z.string(),
  status: Status,
  enabledEvents: z.array(z.string()),
  description: Text,
  secret: Text.describe('Signs its events. Only returned when it is created.'),
  liveMode: z.boolean(),
  metadata: Metadata,
  ...created,
})

export const ProviderWebhookEndpointList = listOf(ProviderWebhookEndpoint)

/** Which credential is used, and the account that its key is of. The level is ours: no server can claim another one. */
export const PaymentAccountKey = z
  .string()
  .regex(/^(organization|platform|practice):acct_\w{1,60}(:test)?$/, 'Must be the accountKey of a payment account.')
  .describe('The level and the provider’s ID of the account; ends with `:test` for keys of its sandbox.')

export const PaymentAccount = z.object({
  provider: z.enum(['stripe', 'practice']),
  level: z
    .enum(['organization', 'platform', 'practice'])
    .describe('Whose credential is used: the organization’s own, the platform’s, or the practice provider’s.'),
  mode: z.enum(['live', 'test']),
  accountKey: PaymentAccountKey,
})

export const DeletedProviderObject = z.object({ id: ObjectId, deleted: z.boolean() })

export const PaymentCustomerList = listOf(PaymentCustomer)
export const PaymentMethodList = listOf(PaymentMethod)
export const ProviderRefundList = listOf(ProviderRefund)
export const CheckoutSessionList = listOf(CheckoutSession)
export const PaymentLinkList = listOf(PaymentLink)
export const PaymentIntentList = listOf(PaymentIntent)
export const PaymentTransferList = listOf(PaymentTransfer)
export const PaymentTransferReversalList = listOf(PaymentTransferReversal)
export const PaymentPayoutList = listOf(PaymentPayout)
export const PaymentDisputeList = listOf(PaymentDispute)
export const PaymentBalanceTransactionList = listOf(PaymentBalanceTransaction)
export const PaymentInvoiceList = listOf(PaymentInvoice)
export const PaymentSubscriptionList = listOf(PaymentSubscription)
export const PaymentEventList = listOf(PaymentEvent)
