import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Currency } from '#lib/money.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { lineText, nullableField, optionalField } from '#lib/text.ts'
import { TimeZone, Timestamp } from '#lib/time.ts'
import { Address, AddressInput } from './address.ts'

const Name = lineText(100).min(1, 'Enter a name.')
const LegalName = nullableField(lineText(200))
const TaxNumber = nullableField(lineText(40))

const InvoicePrefix = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9][A-Z0-9-]{0,11}$/, 'Must be 1 to 12 letters, digits and hyphens, such as INV.')
  .refine((prefix) => !prefix.endsWith('-CN'), 'Must not end in -CN, as the numbers of credit notes do.')

const Version = z.coerce.number().int().optional().describe('That was edited; like If-Match.')
const can = z.object({ update: z.boolean() })

const State = optionalField(z.enum(['active', 'archived'])).describe('Both when not set.')

export const Merchant = z.object({
  id: Id,
  name: z.string(),
  legalName: z.string().nullable().describe('On invoices and statements; the name when null.'),
  address: Address.nullable(),
  taxNumber: z.string().nullable(),
  invoicePrefix: z.string().describe('What the numbers of its invoices begin with.'),
  timeZone: z.string().describe('Of its days in reports.'),
  defaultCurrency: z.string(),
  isDefault: z.boolean().describe('Orders without a merchant belong to it.'),
  archivedAt: Timestamp.nullable().describe('New orders are refused from then on.'),
  createdAt: Timestamp,
  version: z.int(),
  can,
})
export type Merchant = z.output<typeof Merchant>

export const MerchantDraft = z.object({
  name: Name,
  legalName: LegalName.default(null),
  address: AddressInput.default(null),
  taxNumber: TaxNumber.default(null).describe('VAT numbers of the EU are checked for their format.'),
  invoicePrefix: optionalField(InvoicePrefix).describe(
    'Unique in the organization, also among those that documents were issued under; made of the name when not set.',
  ),
  timeZone: TimeZone.default('UTC'),
  defaultCurrency: Currency.default(Currency.parse('EUR')),
})
export type MerchantDraft = z.output<typeof MerchantDraft>

export const MerchantEdit = z.object({
  id: Id,
  version: Version,
  name: Name.optional(),
  legalName: LegalName.optional(),
  address: AddressInput.optional().describe('Replaces all of it.'),
  taxNumber: TaxNumber.optional(),
  invoicePrefix: InvoicePrefix.optional(),
  timeZone: TimeZone.optional(),
  defaultCurrency: Currency.optional(),
})
export type MerchantEdit = z.output<typeof MerchantEdit>

export const MerchantFilter = z.object({ state: State, ...paging })
export type MerchantFilter = z.output<typeof MerchantFilter>

export const MerchantList = listOf(Merchant).extend({
  can: z.object({ create: z.boolean(), readVenues: z.boolean(), readSales: z.boolean() }),
})
export type MerchantList = z.output<typeof MerchantList>

export const Venue = z.object({
  id: Id,
  merchant: z.object({ id: Id, name: z.string() }),
  name: z.string(),
  address: Address.nullable(),
  timeZone: z.string().nullable().describe('The merchant’s when null.'),
  archivedAt: Timestamp.nullable().describe('New orders are refused from then on.'),
  createdAt: Timestamp,
  version: z.int(),
  can,
})
export type Venue = z.output<typeof Venue>

const VenueTimeZone = nullableField(TimeZone)

export const VenueDraft = z.object({
  merchantId: Id,
  name: Name,
  address: AddressInput.default(null),
  timeZone: VenueTimeZone.default(null),
})
export type VenueDraft = z.output<typeof VenueDraft>

export const VenueEdit = z.object({
  id: Id,
  version: Version,
  name: Name.optional(),
  address: AddressInput.optional().describe('Replaces all of it.'),
  timeZone: VenueTimeZone.optional(),
})
export type VenueEdit = z.output<typeof VenueEdit>

export const VenueFilter = z.object({ merchantId: optionalField(Id), state: State, ...paging })
export type VenueFilter = z.output<typeof VenueFilter>

export const VenueList = listOf(Venue).extend({ can: z.object({ create: z.boolean(), readSales: z.boolean() }) })
export type VenueList = z.output<typeof VenueList>

export const VenueSales = z.object({
  items: z.array(
    z.object({
      merchantId: Id,
      venueId: Id.nullable(),
      currency: z.string(),
      orders: z.int().describe('That were paid.'),
      takings: z.int().describe('Captured and not refunded, in the smallest unit of the currency.'),
    }),
  ),
})
export type VenueSales = z.output<typeof VenueSales>
