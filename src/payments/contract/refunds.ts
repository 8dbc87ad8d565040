import { z } from 'zod'
import { dayRange } from '#lib/days.ts'
import { Id } from '#lib/ids.ts'
import { Currency, Units, UnitsInput } from '#lib/money.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { optionalField, plainText, withoutEmpty } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'
import { Decimal } from './payments.ts'

const Amount = Units.describe('In the smallest unit of the currency.')

/** Of one order, with those that failed. */
export const maxRefunds = 1_000

export const RefundStatus = z.enum(['needs_approval', 'pending', 'unknown', 'succeeded', 'failed', 'cancelled'])
export type RefundStatus = z.output<typeof RefundStatus>

export const RefundReason = z.enum(['requested_by_customer', 'duplicate', 'fraudulent', 'damaged', 'quality', 'other'])
export type RefundReason = z.output<typeof RefundReason>

export const RefundDraft = z
  .object({
    orderId: Id,
    amount: UnitsInput.refine((units) => units > 0n, 'Must be more than 0.')
      .optional()
      .describe('All that is left when neither an amount nor lines are set.'),
    decimalAmount: Decimal.describe('A decimal number, such as 12.40, instead of amount.'),
    lines: withoutEmpty(
      z
        .array(z.object({ position: z.coerce.number().int().min(1), quantity: z.coerce.number().int().min(1) }))
        .min(1, 'Choose at least one line.')
        .max(100)
        .optional(),
      'quantity',
    ).describe('What is refunded, each with its share of tax and discounts.'),
    reason: RefundReason.default('requested_by_customer'),
    note: optionalField(plainText(1_000).trim()),
  })
  .refine(
    ({ amount, decimalAmount, lines }) =>
      [amount, decimalAmount, lines].filter((given) => given !== undefined).length <= 1,
    {
      error: 'Send either an amount or lines.',
      path: ['amount'],
    },
  )
export type RefundDraft = z.output<typeof RefundDraft>

export const Refund = z.object({
  id: Id,
  orderId: Id,
  paymentId: Id,
  status: RefundStatus.describe('`unknown`: the provider’s response was lost. We keep asking and never guess.'),
  amount: Amount,
  currency: z.string(),
  reason: RefundReason,
  note: z.string().nullable(),
  lines: z.array(z.object({ position: z.int(), quantity: z.int(), amount: z.int() })),
  failureReason: z
    .string()
    .nullable()
    .describe('Why it failed or was declined, or why an unknown one isn’t sent again.'),
  requestedBy: Id.nullable(),
  decidedBy: Id.nullable(),
  decidedAt: Timestamp.nullable(),
  confirmedAlone: Timestamp.nullable().describe(
    'When the owner confirmed it with a second factor, because no one else holds the permission.',
  ),
  providerReference: z.string().nullable(),
  createdAt: Timestamp,
  settledAt: Timestamp.nullable(),
  checkedAt: Timestamp.nullable(),
  nextCheckAt: Timestamp.nullable(),
})
export type Refund = z.output<typeof Refund>

/** What a second person decides about. */
export const RefundApprovalFacts = z.object({
  items: z.array(z.object({ name: z.string(), quantity: z.int() })),
  paid: Amount,
  refunded: Amount.describe('Of the order, before this refund.'),
  balanceAfter: Amount.describe('What the provider holds for the merchant in this currency afterwards.'),
  ceiling: Amount.nullable().describe('Refunds above it need a second person.'),
})

export const RefundDetails = Refund.extend({
  orderNumber: z.string(),
  requestedByName: z.string().nullable(),
  decidedByName: z.string().nullable(),
  accountLostAt: Timestamp.nullable().describe('Since when no key of the account of its payment is stored.'),
  approval: RefundApprovalFacts.nullable().describe('While it waits for an approval.'),
  customer: z.object({ email: z.string().nullable(), name: z.string().nullable() }),
  can: z.object({
    approve: z.boolean(),
    confirmAlone: z.boolean().describe('Approval needs a second factor, since no one else can approve.'),
    decline: z.boolean(),
    cancel: z.boolean(),
    check: z.boolean(),
    retry: z.boolean().describe('Send one whose outcome is unknown again.'),
    resolve: z.boolean().describe('Say what became of one whose outcome is unknown.'),
  }),
})
export type RefundDetails = z.output<typeof RefundDetails>

export const RefundFilter = z.object({
  orderId: optionalField(Id),
  status: optionalField(RefundStatus),
  reason: optionalField(RefundReason),
  requestedBy: optionalField(Id),
  currency: optionalField(Currency),
  q: optionalField(plainText(200).trim()).describe('The beginning of an order’s number or of its customer.'),
  ...dayRange,
  ...paging,
})
export type RefundFilter = z.output<typeof RefundFilter>

export const RefundList = listOf(RefundDetails).extend({
  currencies: z.array(z.string()).describe('Of the latest 1,000 refunds, the most used first.'),
  waiting: z
    .array(RefundDetails)
    .describe('On the first page: the oldest 5 that need an approval, regardless of filters.'),
  can: z.object({ create: z.boolean() }),
})
export type RefundList = z.output<typeof RefundList>

export const RefundCounts = z
  .object({ all: z.int(), byStatus: z.partialRecord(RefundStatus, z.int()) })
  .describe('Each counted up to 1,001.')
export type RefundCounts = z.output<typeof RefundCounts>

export const RefundApproval = z.object({
  id: Id,
  code: optionalField(plainText(100)).describe(
    'Of your authenticator app, or a recovery code. Needed when no one else can approve.',
  ),
})

export const RefundDecline = z.object({ id: Id, note: optionalField(plainText(1_000).trim()) })

export const RefundDecision = z
  .object({
    id: Id,
    outcome: z
      .enum(['made', 'not_made'])
      .describe(
        '`not_made`: it has failed, and its amount can be refunded again. `made`: as another refund at the provider.',
      ),
    providerRefundId: optionalField(plainText(255).trim()).describe('Such as re_…, when it was made.'),
  })
  .refine(({ outcome, providerRefundId }) => (outcome === 'made') === (providerRefundId !== undefined), {
    error: 'Needed when it was made, and only then.',
    path: ['providerRefundId'],
  })
export type RefundDecision = z.output<typeof RefundDecision>
