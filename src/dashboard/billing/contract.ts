import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { optionalField } from '#lib/text.ts'
import { Instant } from '#lib/time.ts'
import { CheckoutPackage, CheckoutSeats } from '../checkout/contract.ts'
import { ReceivedSubscription } from '../checkout/subscription-change.ts'

const time = z.iso.datetime()
/** ISO 4217. */
const CurrencyCode = z.string().regex(/^[A-Z]{3}$/)
const amount = z.int().describe('In the smallest unit of the currency.')

const BillingSubscription = ReceivedSubscription.pick({
  id: true,
  package: true,
  seats: true,
  unitAmount: true,
  status: true,
  trialEndsAt: true,
  currentPeriodEndsAt: true,
  cancelAtPeriodEnd: true,
  cancelAt: true,
  endedAt: true,
  keptUntil: true,
  dunning: true,
}).extend({
  currency: CurrencyCode,
  access: ReceivedSubscription.shape.access.describe(
    '`read_only`: no more apps or members; `ended`: paid apps are suspended. Nothing is deleted.',
  ),
})

const BillingInvoice = z.object({
  id: Id,
  number: z.string().nullable(),
  status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']),
  currency: CurrencyCode,
  total: amount,
  url: z.string().nullable(),
  pdfUrl: z.string().nullable(),
  issuedAt: time,
})

const PlannedInvoice = z
  .object({
    at: time,
    currency: CurrencyCode,
    amount: amount.describe('The price of the package and its seats, before taxes and credits.'),
  })
  .describe('null where none is planned, such as after a cancellation.')

export const Billing = z.object({
  organizationId: Id,
  subscription: BillingSubscription.nullable(),
  invoices: z.array(BillingInvoice).describe('The newest 20.'),
  plannedInvoice: PlannedInvoice.nullable(),
  prices: z.array(z.object({ package: CheckoutPackage, currency: CurrencyCode, unitAmount: amount })),
  isConfirming: z
    .boolean()
    .describe('With `ordered`: whether the payment or its seats aren’t confirmed yet. Read again.'),
  apps: z.object({ used: z.int(), allowed: z.int().nullable().describe('null: unlimited.') }),
  seats: z.object({ used: z.int(), paid: z.int().nullable().describe('null: unlimited.') }),
})
export type Billing = z.output<typeof Billing>

export const BillingPayer = z.object({
  organizationId: Id,
  name: z.string().nullable(),
  email: z.string().nullable().describe('Where invoices are sent.'),
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
export type BillingPayer = z.output<typeof BillingPayer>

/** Since browsers come back from the payment page before its event arrives. */
export const OrderedFlag = z
  .union([z.boolean(), z.stringbool()])
  .default(false)
  .describe('After a payment: an open order is checked at the payment provider first.')

export const BillingQuery = z.object({ id: Id, ordered: OrderedFlag })

export const BillingChoice = z.object({
  id: Id,
  package: optionalField(CheckoutPackage.exclude(['free'])),
  seats: optionalField(CheckoutSeats),
})

export const BillingPreview = z.object({
  organizationId: Id,
  package: CheckoutPackage,
  seats: z.int(),
  currency: CurrencyCode,
  lines: z.array(z.object({ description: z.string().nullable(), amount })),
  total: amount.describe('Of the lines; negative for a credit.'),
  amountDue: amount.describe('What the change charges now.'),
  monthlyTotal: amount,
  prorationDate: time.describe('Send it with the change.'),
  validUntil: time,
})
export type BillingPreview = z.output<typeof BillingPreview>

export const BillingChange = BillingChoice.extend({
  prorationDate: Instant.describe('Of the preview.'),
  amountDue: z.coerce.number().int().min(0).describe('Of the preview: another amount is never charged.'),
})

export const BillingOrder = z.object({
  id: Id,
  package: CheckoutPackage.exclude(['free']),
  seats: CheckoutSeats,
})

export const BillingCancellation = z.object({
  id: Id,
  resume: z
    .union([z.boolean(), z.stringbool()])
    .default(false)
    .describe('Whether a cancellation is taken back instead.'),
})

export const BillingAddress = z.object({ url: z.string() })

export const SeatReconciliation = z.object({
  checked: z.int(),
  differences: z.array(
    z.object({
      organizationId: Id,
      access: z
        .enum(['full', 'read_only', 'ended'])
        .describe('What it pays for. `ended` where only a free plan is left.'),
      used: z.int(),
      paid: z.int().nullable().describe('Seats that it has now; null: unlimited.'),
      wrong: z
        .array(z.enum(['mode', 'paidAppCount', 'appSlugs', 'seats', 'standing', 'apps']))
        .describe('What differed and was set right. Empty when only more seats are in use than paid.'),
    }),
  ),
})
