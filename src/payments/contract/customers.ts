import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Units } from '#lib/money.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { lineText, nullableField, optionalField, plainText } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'
import { Address, AddressInput } from './address.ts'
import { Country } from './countries.ts'
import { Metadata, Order, OrderStatus } from './orders.ts'
import { OrderPayment } from './payments.ts'

export const CustomerKind = z.enum(['individual', 'company'])
export type CustomerKind = z.output<typeof CustomerKind>

const Amount = Units.describe('In the smallest unit of the currency.')

const Name = nullableField(lineText(200))
const Email = nullableField(z.email('Enter an email address, such as ada@example.com.').max(254))
const Phone = nullableField(
  z
    .string()
    .trim()
    .regex(/^[+\d][\d ()./-]{2,29}$/, 'Must be a phone number, such as +49 30 5550184.'),
)
const TaxNumber = nullableField(lineText(40))
const Language = nullableField(
  z.string().regex(/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/, 'Must be a language, such as de or pt-BR.'),
)
const Note = nullableField(plainText(2_000).trim())

export const CustomerDraft = z.object({
  kind: CustomerKind.default('individual'),
  name: Name.default(null).describe('Of the person or company; required unless email is sent.'),
  email: Email.default(null),
  phone: Phone.default(null),
  address: AddressInput.default(null),
  taxNumber: TaxNumber.default(null).describe('VAT numbers of the EU are checked for their format.'),
  language: Language.default(null).describe('Of mails and invoices.'),
  note: Note.default(null).describe('Only for the organization’s members.'),
  metadata: Metadata.default({}),
})
export type CustomerDraft = z.output<typeof CustomerDraft>

export const CustomerEdit = z.object({
  id: Id,
  version: z.coerce.number().int().optional().describe('That was edited; like If-Match.'),
  kind: CustomerKind.optional(),
  name: Name.optional(),
  email: Email.optional(),
  phone: Phone.optional(),
  address: AddressInput.optional().describe('Replaces all of it.'),
  taxNumber: TaxNumber.optional(),
  language: Language.optional(),
  note: Note.optional(),
  metadata: Metadata.optional().describe('Replaces all of it.'),
})
export type CustomerEdit = z.output<typeof CustomerEdit>

const CustomerTotal = z.object({
  currency: z.string(),
  orders: z.int(),
  captured: Amount,
  refunded: Amount,
  spent: Amount.describe('Captured and not refunded.'),
})

export const Customer = z.object({
  id: Id,
  kind: CustomerKind,
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  address: Address.nullable(),
  taxNumber: z.string().nullable(),
  language: z.string().nullable(),
  note: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  archivedAt: Timestamp.nullable(),
  erasedAt: Timestamp.nullable().describe('When its personal data was deleted.'),
  createdAt: Timestamp,
  totals: z.array(CustomerTotal).describe('By currency.'),
  lastOrderAt: Timestamp.nullable(),
  attention: OrderStatus.nullable().describe('Of the latest order that needs an action.'),
  version: z.int(),
  can: z.object({ update: z.boolean() }),
})
export type Customer = z.output<typeof Customer>

export const CustomerDetails = Customer.extend({
  latestOrders: z.array(Order),
  latestPayments: z.array(OrderPayment).describe('Of these orders.'),
  openDisputes: z.int(),
})
export type CustomerDetails = z.output<typeof CustomerDetails>

export const CustomerFilter = z.object({
  q: optionalField(plainText(200).trim().min(1)).describe('Beginnings of words of the name, email or tax number.'),
  kind: optionalField(CustomerKind),
  country: optionalField(Country),
  attention: optionalField(z.enum(['open'])).describe('open: only with an order that needs an action.'),
  state: optionalField(z.enum(['active', 'archived'])).describe('Both when not set.'),
  ...paging,
})
export type CustomerFilter = z.output<typeof CustomerFilter>

export const CustomerList = listOf(Customer).extend({ can: z.object({ create: z.boolean() }) })
export type CustomerList = z.output<typeof CustomerList>

export const CustomerCounts = z
  .object({ all: z.int(), companies: z.int(), attention: z.int(), archived: z.int() })
  .describe('Each counted up to 1,001; all but archived are active customers.')
export type CustomerCounts = z.output<typeof CustomerCounts>
