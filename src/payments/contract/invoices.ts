import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Currency, Units } from '#lib/money.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { lineText, optionalField, plainText } from '#lib/text.ts'
import { Day, FormatLanguage, Timestamp } from '#lib/time.ts'
import { Address, AddressInput } from './address.ts'
import { OrderDraft, OrderLine, OrderStatus, TaxMode, TaxRounding } from './orders.ts'

const Amount = Units.describe('In the smallest unit of the currency.')

export const InvoiceKind = z.enum(['invoice', 'credit_note'])
export type InvoiceKind = z.output<typeof InvoiceKind>

export const InvoiceStatus = z.enum(['draft', 'open', 'paid', 'void', 'issued'])
export type InvoiceStatus = z.output<typeof InvoiceStatus>

const Buyer = z.object({
  name: optionalField(lineText(200)),
  email: optionalField(z.email('Enter an email address, such as ada@example.com.').max(254)),
  taxNumber: optionalField(lineText(40)).describe('Such as the VAT number DK38291746.'),
  address: AddressInput.optional(),
})

const OptionalFlag = optionalField(
  z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]),
)

const Terms = z.object({
  customerId: optionalField(Id).describe(
    'Its name, email, address and tax number are the buyer’s unless you send others.',
  ),
  buyer: Buyer.optional(),
  language: optionalField(FormatLanguage).describe('Of the PDF: the customer’s when not set, else en-GB.'),
  paymentDays: optionalField(z.coerce.number().int().min(0).max(365)).describe('Until it is due; 14 when not set.'),
  serviceFrom: optionalField(Day),
  serviceTo: optionalField(Day),
  reference: optionalField(lineText(100)).describe('Of the buyer, such as the number of its purchase order.'),
  note: optionalField(plainText(1_000).trim()).describe('Printed below the total.'),
})

const Charges = OrderDraft.pick({
  currency: true,
  lines: true,
  taxMode: true,
  taxRounding: true,
  discount: true,
}).extend({
  reverseCharge: OptionalFlag.describe(
    'Whether the buyer owes the VAT, which needs VAT numbers of two countries. When not set: for taxed lines between VAT numbers of two countries of the EU.',
  ),
})
export type InvoiceCharges = z.output<typeof Charges>

export const InvoiceDraft = Terms.extend(Charges.partial({ currency: true, lines: true }).shape).extend({
  orderId: optionalField(Id).describe('Invoices this order: its lines, currency and merchant are taken.'),
  merchantId: optionalField(Id).describe('The organization’s default merchant when not set.'),
  issue: OptionalFlag.describe('Issues it at once, instead of keeping a draft.'),
})
export type InvoiceDraft = z.output<typeof InvoiceDraft>

/** What a draft is replaced by; an order’s lines stay. */
export const InvoiceEdit = Terms.extend(Charges.partial({ currency: true, lines: true }).shape).extend({ id: Id })
export type InvoiceEdit = z.output<typeof InvoiceEdit>

export const InvoiceVoid = z.object({
  id: Id,
  reason: plainText(500).trim().min(1, 'Enter a reason.'),
  creditNote: OptionalFlag.describe('Also issues a credit note of the whole amount.'),
})

export const InvoiceSending = z.object({
  id: Id,
  to: optionalField(z.email('Enter an email address, such as ada@example.com.').max(254)).describe(
    'The buyer’s when not set.',
  ),
})

export const InvoicePayment = z.object({
  id: Id,
  paidOn: optionalField(Day).describe('Today when not set.'),
})

const place = z.object({ id: Id, name: z.string() })

export const Invoice = z.object({
  id: Id,
  kind: InvoiceKind,
  status: InvoiceStatus,
  number: z.string().nullable().describe('Null for a draft.'),
  orderId: Id.nullable(),
  invoiceId: Id.nullable().describe('That a credit note corrects.'),
  refundId: Id.nullable(),
  customerId: Id.nullable(),
  merchant: place,
  currency: z.string(),
  subtotal: Amount,
  discount: Amount,
  tax: Amount,
  total: Amount,
  credited: Amount.describe('By its credit notes.'),
  reverseCharge: z.boolean(),
  buyer: z.object({
    name: z.string().nullable(),
    email: z.string().nullable(),
    taxNumber: z.string().nullable(),
  }),
  issuedOn: z.iso.date().nullable(),
  dueOn: z.iso.date().nullable(),
  overdueDays: z.int().describe('0 unless it is open and its due date has passed.'),
  paidAt: Timestamp.nullable(),
  sentAt: Timestamp.nullable(),
  createdAt: Timestamp,
  version: z.int(),
})
export type Invoice = z.output<typeof Invoice>

const Party = z.object({ name: z.string(), address: Address.nullable(), taxNumber: z.string().nullable() })

const InvoiceTax = z.object({
  rate: z.string().describe('Percent, such as 7.'),
  net: Amount,
  tax: Amount,
  total: Amount,
})

const InvoiceEventKind = z.enum(['created', 'issued', 'sent', 'paid', 'paid_outside', 'credited', 'voided', 'overdue'])

export const InvoiceDetails = Invoice.extend({
  taxMode: TaxMode,
  taxRounding: TaxRounding,
  language: z.string(),
  seller: Party.describe('As it was when issued.'),
  buyer: Invoice.shape.buyer.extend({ address: Address.nullable() }),
  lines: z.array(OrderLine),
  taxes: z.array(InvoiceTax),
  reference: z.string().nullable(),
  note: z.string().nullable(),
  reason: z.string().nullable().describe('Of a credit note.'),
  paymentDays: z.int(),
  serviceFrom: z.iso.date().nullable(),
  serviceTo: z.iso.date().nullable(),
  issuedAt: Timestamp.nullable(),
  paidOutside: z.boolean().describe('Such as by bank transfer.'),
  voidedAt: Timestamp.nullable(),
  voidReason: z.string().nullable(),
  sentTo: z.string().nullable(),
  original: z.object({ id: Id, number: z.string(), issuedOn: z.iso.date() }).nullable(),
  creditNotes: z.array(
    z.object({ id: Id, number: z.string().nullable(), total: Amount, issuedOn: z.iso.date().nullable() }),
  ),
  order: z.object({ id: Id, number: z.string(), status: OrderStatus, captured: Amount }).nullable(),
  timeline: z
    .array(
      z.object({
        kind: InvoiceEventKind,
        at: Timestamp,
        detail: z.string().nullable(),
        byName: z.string().nullable(),
      }),
    )
    .describe('Newest first.'),
  can: z.object({
    edit: z.boolean(),
    issue: z.boolean(),
    send: z.boolean(),
    pay: z.boolean(),
    markPaid: z.boolean(),
    void: z.boolean(),
  }),
})
export type InvoiceDetails = z.output<typeof InvoiceDetails>

export const InvoiceTab = z.enum(['draft', 'open', 'overdue', 'paid', 'void', 'credit_note'])
export type InvoiceTab = z.output<typeof InvoiceTab>

export const InvoiceFilter = z.object({
  status: optionalField(InvoiceTab),
  q: optionalField(plainText(200).trim().min(1)).describe(
    'Beginnings of words of the number, and of the buyer’s email address or name.',
  ),
  email: optionalField(z.email().max(254)).describe('Of the buyer.'),
  currency: optionalField(Currency),
  merchantId: optionalField(Id),
  customerId: optionalField(Id),
  orderId: optionalField(Id),
  from: optionalField(Day).describe('Issued on this day or later.'),
  to: optionalField(Day).describe('Inclusive.'),
  ...paging,
})
export type InvoiceFilter = z.output<typeof InvoiceFilter>

export const InvoiceList = listOf(Invoice).extend({ can: z.object({ create: z.boolean() }) })
export type InvoiceList = z.output<typeof InvoiceList>

export const InvoiceCounts = z
  .object({ all: z.int(), byStatus: z.partialRecord(InvoiceTab, z.int()) })
  .describe('Each counted up to 1,001.')
export type InvoiceCounts = z.output<typeof InvoiceCounts>

export const InvoiceSeries = z.object({
  merchant: place,
  kind: InvoiceKind,
  year: z.int(),
  first: z.string(),
  last: z.string(),
  count: z.int(),
  missing: z.array(z.int()).describe('Numbers of the sequence that no document has: at most 100. Always empty.'),
})
export type InvoiceSeries = z.output<typeof InvoiceSeries>

export const InvoiceNumbering = z.object({
  complete: z.boolean().describe('Whether no number is missing in any series.'),
  series: z.array(InvoiceSeries),
})
export type InvoiceNumbering = z.output<typeof InvoiceNumbering>

const Waiting = z.object({ currency: z.string(), amount: Amount, count: z.int() })

export const InvoiceSummary = z.object({
  open: z.array(Waiting),
  overdue: z.array(Waiting.extend({ oldestDays: z.int() })),
  numbering: InvoiceNumbering.extend({ series: z.array(InvoiceSeries.omit({ missing: true })) }),
})
export type InvoiceSummary = z.output<typeof InvoiceSummary>

export const InvoicePaymentLink = z.object({
  orderId: Id,
  url: z.string().nullable().describe('Null while the provider’s response isn’t there.'),
})

export const InvoiceFilterOptions = z.object({
  currencies: z.array(z.string()).describe('Of the latest 1,000 invoices.'),
  merchants: z.array(place),
})
export type InvoiceFilterOptions = z.output<typeof InvoiceFilterOptions>
