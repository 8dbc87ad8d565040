import { z } from 'zod'
import { Currency } from '#lib/money.ts'
import { paging } from '#lib/paginate.ts'
import { plainText } from '#lib/text.ts'
import { Instant } from '#lib/time.ts'

/** An ID of the provider with its prefix, such as `cus_…`. */
export const ObjectId = z
  .string()
  .regex(/^[a-z]{2,12}_[A-Za-z0-9_]{1,240}$/, 'Must be an ID of the payment provider, such as cus_123.')

/** Prices and products can have IDs that an account chose. */
export const OwnId = z.string().regex(/^[\w.:-]{1,255}$/, 'Must be an ID of the payment provider, such as price_123.')

/** A connected account, for which the call is made. */
export const Account = z
  .string()
  .regex(/^acct_[A-Za-z0-9_]{1,240}$/, 'Must be a connected account, such as acct_123.')
  .describe('The connected account for which it is done; the own one when not set.')
  .optional()

/** Bounded by the provider, which has lower limits for most currencies. */
const maxAmount = 999_999_999_999

export const Amount = z.int('Must be a whole number of the smallest unit, such as cents.').min(1).max(maxAmount)
export const AmountOrZero = z.int('Must be a whole number of the smallest unit, such as cents.').min(0).max(maxAmount)

export const CurrencyCode = Currency.transform((code) => code.toLowerCase())

const maxMetadata = 50

export const Metadata = z
  .record(plainText(40).min(1), plainText(500))
  .refine((entries) => Object.keys(entries).length <= maxMetadata, `Must have at most ${maxMetadata} entries.`)
  .describe('Of the caller, stored with the object.')

export const Text = (maxLength: number) => plainText(maxLength).min(1)
export const Url = z.url({ protocol: /^https?$/ }).max(2_000)
export const Quantity = z.int().min(1).max(1_000_000)
export const Email = z.email().max(512)

const Country = z.string().regex(/^[A-Z]{2}$/, 'Must be an ISO 3166 country code, such as DE.')

export const Address = z.object({
  line1: Text(500).optional(),
  line2: Text(500).optional(),
  city: Text(200).optional(),
  state: Text(200).optional(),
  postalCode: Text(40).optional(),
  country: Country.optional(),
})

export const Recurring = z.object({
  interval: z.enum(['day', 'week', 'month', 'year']),
  intervalCount: z.int().min(1).max(1095).optional(),
})

export const TaxBehavior = z.enum(['exclusive', 'inclusive', 'unspecified'])

export const Proration = z
  .enum(['create_prorations', 'always_invoice', 'none'])
  .describe('What is charged for the rest of the period.')

const ProductData = z.object({
  name: Text(250),
  description: Text(5_000).optional(),
  taxCode: Text(100).optional(),
  metadata: Metadata.optional(),
})

/** The check and the error of two fields of which one is required. */
const exactlyOne = <Key extends string>(
  first: Key,
  second: Key,
): [check: (value: { readonly [Name in Key]?: unknown }) => boolean, fault: { error: string; path: PropertyKey[] }] => [
  (value) => (value[first] === undefined) !== (value[second] === undefined),
  { error: `Send either ${first} or ${second}.`, path: [first] },
]

const PriceData = z
  .object({
    currency: CurrencyCode,
    unitAmount: AmountOrZero,
    product: OwnId.optional(),
    productData: ProductData.optional(),
    recurring: Recurring.optional(),
    taxBehavior: TaxBehavior.optional(),
  })
  .refine(...exactlyOne('product', 'productData'))

export const LineItem = z
  .object({ price: OwnId.optional(), priceData: PriceData.optional(), quantity: Quantity })
  .refine(...exactlyOne('price', 'priceData'))

export const priceOrigin = exactlyOne('product', 'productData')
export const refundOrigin = exactlyOne('paymentIntent', 'charge')

/** A page of the provider’s list: the cursor is the ID of the last object before it. */
export const listing = {
  limit: paging.limit,
  cursor: z
    .string()
    .regex(/^[a-z]{2,12}_\w{1,240}$/, 'Must be the nextCursor of a list.')
    .optional(),
}

/** Filters by creation. */
export const createdRange = {
  createdFrom: Instant.optional(),
  createdBefore: Instant.optional(),
}
