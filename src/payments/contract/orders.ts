import { z } from 'zod'
import { dayRange } from '#lib/days.ts'
import { Id } from '#lib/ids.ts'
import { Currency, Units, UnitsInput } from '#lib/money.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { lineText, optionalField, plainText } from '#lib/text.ts'
import { Instant, Timestamp } from '#lib/time.ts'
import { LedgerTransaction } from './ledger.ts'
import { Card, Decimal, Dispute, OrderPayment } from './payments.ts'
import { SavedPaymentMethod } from './payment-methods.ts'
import { Refund } from './refunds.ts'

export const OrderStatus = z.enum([
  'pending',
  'requires_action',
  'paid',
  'partially_refunded',
  'refunded',
  'disputed',
  'lost',
  'cancelled',
  'expired',
  'failed',
])
export type OrderStatus = z.output<typeof OrderStatus>

export const TaxMode = z.enum(['inclusive', 'exclusive'])
export type TaxMode = z.output<typeof TaxMode>

export const TaxRounding = z.enum(['line', 'order'])
export type TaxRounding = z.output<typeof TaxRounding>

/** Of any currency; most have a lower limit. */
const maxAmount = 999_999_999_999
const maxLines = 100

const Amount = Units.describe('In the smallest unit of the currency.')

export const Metadata = z
  .record(plainText(40).min(1), plainText(500))
  .refine((given) => Object.keys(given).length <= 20, 'Must have at most 20 keys.')

const UnitAmount = UnitsInput.refine(
  (units) => units >= 0n && units <= BigInt(maxAmount),
  `Must be from 0 to ${maxAmount}.`,
)

const TaxRate = z
  .union([z.number(), z.string().trim()])
  .transform(String)
  .pipe(
    z.string().regex(/^\d{1,3}(\.\d{1,4})?$/, 'Must be a percentage with up to 4 decimal places, such as 7 or 8.875.'),
  )
  .refine((percent) => Number(percent) <= 100, 'Must be at most 100.')

const Discount = UnitsInput.refine((units) => units >= 0n, 'Must be at least 0.')

const OrderLineInput = z
  .object({
    name: lineText(250).min(1, 'Enter a name.'),
    quantity: z.coerce.number().int().min(1).max(1_000_000).default(1),
    unitAmount: UnitAmount.optional().describe(
      'The price of one, in the smallest unit of the currency. Required unless price is sent.',
    ),
    price: Decimal.describe('The price of one as a decimal number, such as 3.50, instead of unitAmount.'),
    taxRate: optionalField(TaxRate).describe('Percent; no tax when not set.'),
    discount: Discount.optional().describe('An amount off this line, before tax is added.'),
  })
  .refine(({ unitAmount, price }) => unitAmount === undefined || price === undefined, {
    error: 'Send either a price or unitAmount.',
    path: ['price'],
  })

const BlankLine = z.object({ name: z.literal(''), price: z.literal('') })

/** Without the lines of a form that are left empty. */
const withoutBlankLines = (lines: unknown): unknown =>
  Array.isArray(lines) ? lines.filter((line: unknown) => !BlankLine.safeParse(line).success) : lines

export const OrderDraft = z.object({
  currency: Currency,
  lines: z.preprocess(withoutBlankLines, z.array(OrderLineInput).min(1, 'Add at least one line.').max(maxLines)),
  taxMode: TaxMode.default('inclusive').describe('Whether the prices include tax.'),
  taxRounding: TaxRounding.default('line').describe('Tax is rounded per line, or once per tax rate of the order.'),
  discount: Discount.optional().describe('An amount off the order, spread over its lines.'),
  customer: z
    .object({
      email: optionalField(z.email('Enter an email address, such as ada@example.com.').max(254)),
      name: optionalField(lineText(200)),
    })
    .optional(),
  customerId: optionalField(Id).describe(
    'A customer of the organization, whose email address and name are the defaults.',
  ),
  merchantId: Id.optional().describe('The organization’s default merchant when not set.'),
  venueId: Id.optional(),
  metadata: Metadata.optional(),
  expiresAt: Instant.optional().describe('When an order that isn’t paid expires: from 30 minutes to 90 days from now.'),
})
export type OrderDraft = z.output<typeof OrderDraft>

export const OrderLine = z.object({
  position: z.int(),
  name: z.string(),
  quantity: z.int(),
  unitAmount: Amount,
  discount: Amount,
  taxRate: z.string().describe('Percent, such as 7.'),
  tax: Amount,
  total: Amount.describe('With tax and after discounts.'),
})
export type OrderLine = z.output<typeof OrderLine>

const place = z.object({ id: Id, name: z.string() })

export const Order = z.object({
  id: Id,
  number: z.string(),
  status: OrderStatus,
  currency: z.string(),
  subtotal: Amount,
  discount: Amount,
  tax: Amount,
  total: Amount,
  authorized: Amount.describe('Reserved on the customer’s card, and not captured.'),
  captured: Amount,
  refunded: Amount,
  customer: z.object({ id: Id.nullable(), email: z.string().nullable(), name: z.string().nullable() }),
  merchant: place,
  venue: place.nullable(),
  card: Card.nullable().describe('That it was paid with, or tried last.'),
  metadata: z.record(z.string(), z.string()),
  expiresAt: Timestamp.nullable(),
  createdAt: Timestamp,
  paidAt: Timestamp.nullable(),
  closedAt: Timestamp.nullable().describe('When it was canceled, expired or failed.'),
  version: z.int(),
})
export type Order = z.output<typeof Order>

export const OrderEvent = z.object({
  id: Id,
  kind: z.string().describe('Such as `created`, `payment_created`, `captured`, `refund_succeeded`.'),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  by: Id.nullable(),
  byName: z.string().nullable(),
  at: Timestamp,
})
export type OrderEvent = z.output<typeof OrderEvent>

export const TaxLine = z.object({ rate: z.string(), amount: Amount })

export const OrderMovement = LedgerTransaction.pick({
  id: true,
  sequence: true,
  kind: true,
  currency: true,
  at: true,
  merchantName: true,
  refundId: true,
  disputeId: true,
  providerReference: true,
  note: true,
  entries: true,
})
export type OrderMovement = z.output<typeof OrderMovement>

export const OrderDetails = Order.extend({
  taxMode: TaxMode,
  taxRounding: TaxRounding,
  lines: z.array(OrderLine),
  taxes: z.array(TaxLine).describe('Tax of each rate.'),
  payments: z.array(OrderPayment),
  refunds: z.array(Refund),
  disputes: z.array(Dispute),
  timeline: z.array(OrderEvent).describe('Newest first.'),
  ledger: z
    .array(OrderMovement)
    .nullable()
    .describe('Its latest 100 ledger transactions, newest first; null without the permission transactions:read.'),
  invoice: z
    .object({ id: Id, number: z.string().nullable().describe('Null for a draft.') })
    .nullable()
    .describe('That isn’t void; null without the permission invoices:read.'),
  savedMethods: z
    .array(SavedPaymentMethod.omit({ isUsable: true }))
    .describe('Of its customer, while the order can be charged to one of them; at most 20, the default first.'),
  refundable: Amount.describe('What refunds can still be created for.'),
  can: z.object({
    pay: z.boolean(),
    cancel: z.boolean(),
    capture: z.boolean(),
    refund: z.boolean(),
    invoice: z.boolean(),
  }),
})
export type OrderDetails = z.output<typeof OrderDetails>

export const OrderFilter = z.object({
  status: optionalField(OrderStatus),
  q: optionalField(plainText(200).trim().min(1)).describe(
    'Beginnings of words of the number, and of the customer’s email address or name.',
  ),
  currency: optionalField(Currency),
  merchantId: optionalField(Id),
  venueId: optionalField(Id),
  customerId: optionalField(Id),
  ...dayRange,
  ...paging,
})
export type OrderFilter = z.output<typeof OrderFilter>

export const OrderFilterOptions = z.object({
  currencies: z.array(z.string()).describe('Of the latest 1,000 orders, the most used first.'),
  merchants: z.array(place),
  venues: z.array(place.extend({ merchantId: Id })),
})
export type OrderFilterOptions = z.output<typeof OrderFilterOptions>

export const OrderList = listOf(Order).extend({
  can: z.object({ create: z.boolean(), refund: z.boolean(), chooseCustomer: z.boolean() }),
})
export type OrderList = z.output<typeof OrderList>

export const OrderCounts = z
  .object({
    all: z.int(),
    byStatus: z.partialRecord(OrderStatus, z.int()),
  })
  .describe('Each counted up to 1,001.')
export type OrderCounts = z.output<typeof OrderCounts>
