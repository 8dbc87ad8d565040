import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Currency, Units, UnitsInput } from '#lib/money.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { lineText, optionalField } from '#lib/text.ts'
import { Instant, Timestamp } from '#lib/time.ts'

/** `free`: the yearly verification of a free workspace. */
export const Package = z.enum(['three', 'five', 'ten', 'everything', 'free'])
export type Package = z.output<typeof Package>

const OwnerType = z
  .enum(['organization', 'checkout'])
  .describe('`checkout`: of the seller, until its organization exists.')
export type OwnerType = z.output<typeof OwnerType>

export const SubscriptionStatus = z
  .enum(['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'canceled', 'paused'])
  .describe('`incomplete`: not paid yet; `unpaid`: no payment is tried anymore.')
export type SubscriptionStatus = z.output<typeof SubscriptionStatus>

export const SubscriptionAccess = z
  .enum(['none', 'full', 'read_only', 'ended'])
  .describe(
    'What the package gives now. `read_only`: no more apps or members, 14 days after a payment failed; `none`: before the first payment.',
  )
export type SubscriptionAccess = z.output<typeof SubscriptionAccess>

const maxSeats = 10_000
const Seats = z.int('Must be a whole number.').min(1, 'Must be at least 1.').max(maxSeats, 'Must be at most 10,000.')
const Amount = Units.describe('In the smallest unit of the currency.')
const Url = z.url({ protocol: /^https?$/, error: 'Must be an http(s) URL.' }).max(2_000)

export const PackagePrice = z.object({
  package: Package,
  currency: z.string(),
  unitAmount: Amount.describe('Per seat and month.'),
  interval: z.enum(['month', 'year']),
  activeFrom: Timestamp,
})

export const PackageList = listOf(PackagePrice)

export const PackagePriceDraft = z.object({
  package: Package,
  currency: Currency.default(Currency.parse('EUR')),
  unitAmount: UnitsInput.refine((amount) => amount > 0n, 'Must be more than 0.').describe(
    'Per seat and month, in the smallest unit of the currency.',
  ),
  activeFrom: Instant.optional().describe('Now when not set. A price that is active can’t be changed or removed.'),
})
export type PackagePriceDraft = z.output<typeof PackagePriceDraft>

export const SubscriptionCheckout = z.object({
  package: Package,
  seats: Seats,
  ownerType: OwnerType.default('organization'),
  ownerId: Id,
  currency: Currency.default(Currency.parse('EUR')),
  email: z.email('Enter an email address, such as ada@example.com.').max(254),
  name: lineText(200).min(1),
  trialDays: z.int().min(1).max(90).optional(),
  successUrl: Url,
  cancelUrl: Url,
})
export type SubscriptionCheckout = z.output<typeof SubscriptionCheckout>

const Dunning = z
  .object({
    pastDueSince: Timestamp,
    attempts: z.int(),
    nextAttemptAt: Timestamp.nullable().describe('null when no payment is tried anymore.'),
    lastFailure: z.string().nullable(),
    readOnlyAt: Timestamp,
  })
  .describe('Since a payment failed.')

export const Subscription = z.object({
  id: Id,
  ownerType: OwnerType,
  ownerId: Id,
  package: Package,
  seats: z.int(),
  currency: z.string(),
  unitAmount: Amount.describe('Per seat and month. Subscribers keep the price that they subscribed at.'),
  status: SubscriptionStatus,
  access: SubscriptionAccess,
  trialEndsAt: Timestamp.nullable(),
  currentPeriodStartsAt: Timestamp.nullable(),
  currentPeriodEndsAt: Timestamp.nullable(),
  cancelAtPeriodEnd: z.boolean().describe('Whether it was canceled, here or on the payment provider’s pages.'),
  cancelAt: Timestamp.nullable().describe('When a canceled one ends.'),
  endedAt: Timestamp.nullable(),
  keptUntil: Timestamp.nullable().describe('Until when nothing may be deleted, after it ended or became read-only.'),
  dunning: Dunning.nullable(),
  createdAt: Timestamp,
})
export type Subscription = z.output<typeof Subscription>

export const SubscriptionCheckoutResult = z.object({
  subscription: Subscription,
  checkoutUrl: z.string().nullable().describe('Of the page to pay on; null when a saved payment method was charged.'),
  expiresAt: Timestamp.nullable(),
})

export const SubscriptionFilter = z.object({ ownerType: OwnerType.default('organization'), ownerId: Id, ...paging })
export const SubscriptionList = listOf(Subscription)
export const CurrentSubscription = z.object({
  subscription: Subscription.nullable().describe('The open one, else the last that ended.'),
})

const change = { package: Package.optional(), seats: Seats.optional() }

export const SubscriptionPreviewInput = z.object({ subscriptionId: Id, ...change })
export type SubscriptionPreviewInput = z.output<typeof SubscriptionPreviewInput>

const ProrationDate = z.object({ prorationDate: Timestamp.describe('Send it with the change.') })

export const SubscriptionPreview = ProrationDate.extend({
  subscriptionId: Id,
  package: Package,
  seats: z.int(),
  unitAmount: Amount,
  currency: z.string(),
  lines: z.array(z.object({ description: z.string().nullable(), amount: z.int() })),
  total: z.int().describe('Of the lines; negative for a credit, which reduces the next invoices.'),
  amountDue: Amount.describe('What the change charges now.'),
  monthlyTotal: Amount.describe('Of later invoices, without credits.'),
  validUntil: Timestamp,
})

export const SubscriptionChange = z.object({
  id: Id,
  ...change,
  prorationDate: Instant.describe('Of the preview.'),
  amountDue: z.int().min(0).describe('Of the preview: another amount is never charged.'),
})
export type SubscriptionChange = z.output<typeof SubscriptionChange>

export const SubscriptionCancellation = z.object({
  id: Id,
  resume: z.boolean().default(false).describe('Whether a cancellation is taken back instead.'),
})

export const SubscriptionOwner = z.object({ id: Id, organizationId: Id })

export const SubscriptionState = z.object({
  sequence: z.int().min(0).describe('Of the last change that was sent to the dashboard.'),
  subscription: Subscription,
  checkoutUrl: z.string().nullable(),
})

export const SubscriptionPortal = z.object({ url: z.string() })
export const SubscriptionPortalInput = z.object({ id: Id, returnUrl: Url })

export const SubscriptionPayer = z.object({
  name: z.string().nullable(),
  email: z.string().nullable().describe('Where the provider sends invoices.'),
  method: z
    .object({
      type: z.string().describe('Such as `card` or `sepa_debit`.'),
      brand: z.string().nullable(),
      lastFour: z.string().nullable(),
      expiry: z
        .object({ month: z.int(), year: z.int(), state: z.enum(['valid', 'soon', 'expired']) })
        .nullable()
        .describe('`soon`: within 60 days.'),
    })
    .nullable()
    .describe('Charged for the next invoice; null where none is saved.'),
})

const SubscriptionInvoice = z.object({
  id: Id,
  number: z.string().nullable(),
  status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']),
  reason: z.string().nullable(),
  currency: z.string(),
  total: z.int(),
  amountDue: Amount,
  amountPaid: Amount,
  attempts: z.int(),
  periodStartsAt: Timestamp,
  periodEndsAt: Timestamp,
  url: z.string().nullable(),
  pdfUrl: z.string().nullable(),
  issuedAt: Timestamp,
  paidAt: Timestamp.nullable(),
})

export const SubscriptionInvoiceFilter = z.object({ id: Id, ...paging })
export const SubscriptionInvoiceList = listOf(SubscriptionInvoice)

export const SubscriptionEventType = z.enum([
  'subscription.started',
  'subscription.updated',
  'subscription.past_due',
  'subscription.read_only',
  'subscription.recovered',
  'subscription.canceled',
])
export type SubscriptionEventType = z.output<typeof SubscriptionEventType>

/**
 * What the dashboard receives at `POST /api/internal/subscription-webhooks`: the whole state after a change. Sequences can be missing. It can come
 * twice; one whose sequence isn’t higher than the last of its subscription is ignored.
 */
export const SubscriptionWebhook = z.strictObject({
  id: Id,
  type: SubscriptionEventType,
  sequence: z.int().min(1),
  ownerType: OwnerType,
  ownerId: Id,
  subscription: z.strictObject(Subscription.shape),
})
export type SubscriptionWebhook = z.output<typeof SubscriptionWebhook>

export const ForwardState = z
  .enum(['waiting', 'delivered', 'superseded', 'failed'])
  .describe('`superseded`: a later change was delivered before.')
export type ForwardState = z.output<typeof ForwardState>

export const SubscriptionForward = z.object({
  id: Id,
  subscriptionId: Id,
  sequence: z.int(),
  type: SubscriptionEventType,
  state: ForwardState,
  attempts: z.int(),
  lastStatus: z.int().nullable(),
  problem: z.string().nullable().describe('null for all but super admins.'),
  nextAttemptAt: Timestamp.nullable(),
  createdAt: Timestamp,
  settledAt: Timestamp.nullable(),
})

export const SubscriptionForwardFilter = z.object({ state: optionalField(ForwardState), ...paging })
export type SubscriptionForwardFilter = z.output<typeof SubscriptionForwardFilter>
export const SubscriptionForwardList = listOf(SubscriptionForward)
