import type Stripe from 'stripe'
import { z } from 'zod'
import { changesOf, emit } from '../store/events.ts'
import { datedPageParams, listObjects } from '../store/list.ts'
import { findAll, get, insert, read, update } from '../store/objects.ts'
import type { Stock } from '../store/types.ts'
import { randomId, seconds, type PaymentsCall } from '../wire/call.ts'
import { invalidRequest } from '../wire/error.ts'
import { clearable, flag, integer, list, mergeMetadata, metadata, paramsOf, text } from '../wire/params.ts'
import { nothing, route } from '../wire/route.ts'
import { addProduct } from './add-product.ts'
import { currency } from './currency.ts'

export const recurring = z.strictObject({
  interval: z.enum(['day', 'week', 'month', 'year']),
  interval_count: integer(1, 365).optional(),
})

export const priceShape = {
  unit_amount: integer().optional(),
  recurring: recurring.optional(),
  tax_behavior: z.enum(['exclusive', 'inclusive', 'unspecified']).optional(),
}

const Create = paramsOf<Stripe.PriceCreateParams>()(
  z.strictObject({
    ...priceShape,
    currency,
    active: flag.optional(),
    billing_scheme: z.enum(['per_unit']).optional(),
    lookup_key: text(200).optional(),
    metadata: metadata.optional(),
    nickname: text().optional(),
    product: text().optional(),
    product_data: z
      .strictObject({
        id: text().optional(),
        name: text(),
        active: flag.optional(),
        metadata: metadata.optional(),
        statement_descriptor: text(22).optional(),
        unit_label: text(12).optional(),
      })
      .optional(),
    transfer_lookup_key: flag.optional(),
  }),
)

const Update = paramsOf<Stripe.PriceUpdateParams>()(
  z.strictObject({
    active: flag.optional(),
    lookup_key: text(200).optional(),
    metadata: clearable(metadata).optional(),
    nickname: text().optional(),
    tax_behavior: priceShape.tax_behavior,
    transfer_lookup_key: flag.optional(),
  }),
)

const List = paramsOf<Stripe.PriceListParams>()(
  z.strictObject({
    ...datedPageParams,
    active: flag.optional(),
    currency: currency.optional(),
    lookup_keys: list(text(), 10).optional(),
    product: text().optional(),
    type: z.enum(['one_time', 'recurring']).optional(),
  }),
)

interface PriceFields {
  currency: string
  product: string
  unit_amount?: number
  recurring?: z.output<typeof recurring>
  tax_behavior?: Stock['price']['tax_behavior']
  active?: boolean
  lookup_key?: string
  metadata?: Record<string, string>
  nickname?: string
}

export async function createPrice(call: PaymentsCall, fields: PriceFields): Promise<Stock['price']> {
  if (fields.unit_amount === undefined)
    throw invalidRequest('Prices require an `unit_amount` or `unit_amount_decimal` parameter to be set.', 'unit_amount')
  const price = await insert(call, 'price', {
    id: randomId('price'),
    object: 'price',
    active: fields.active ?? true,
    billing_scheme: 'per_unit',
    created: seconds(call.now),
    currency: fields.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: fields.lookup_key ?? null,
    metadata: mergeMetadata({}, fields.metadata),
    nickname: fields.nickname ?? null,
    product: fields.product,
    recurring: fields.recurring
      ? {
          interval: fields.recurring.interval,
          interval_count: fields.recurring.interval_count ?? 1,
          meter: null,
          trial_period_days: null,
          usage_type: 'licensed',
        }
      : null,
    tax_behavior: fields.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: fields.recurring ? 'recurring' : 'one_time',
    unit_amount: fields.unit_amount,
    unit_amount_decimal: String(fields.unit_amount),
  })
  await emit(call, 'price.created', price)
  return price
}

/** @throws {StripeError} when another price has the key, unless it is to be moved */
async function claimLookupKey(call: PaymentsCall, key: string | undefined, transfers: boolean | undefined) {
  if (key === undefined) return
  const [other] = await findAll(call, 'price', { lookup_key: key })
  if (!other) return
  if (!transfers) throw invalidRequest(`A price (\`${other.id}\`) already uses that lookup key.`, 'lookup_key')
  await update(call, 'price', other.id, { lookup_key: null })
}

export const priceRoutes = [
  route('POST', '/v1/prices', Create, async (call, { product, product_data, transfer_lookup_key, ...fields }) => {
    if ((product === undefined) === (product_data === undefined))
      throw invalidRequest('You must provide exactly one of `product` and `product_data`.', 'product')
    await claimLookupKey(call, fields.lookup_key, transfer_lookup_key)
    if (product !== undefined) await get(call, 'product', product, 'product')
    const owner = product ?? (product_data ? (await addProduct(call, product_data)).id : '')
    return createPrice(call, { ...fields, product: owner })
  }),
  route('GET', '/v1/prices', List, async (call, { active, currency: code, lookup_keys, product, type, ...page }) => {
    const keyed =
      lookup_keys && (await Promise.all(lookup_keys.map((key) => findAll(call, 'price', { lookup_key: key }))))
    const ids = keyed?.flat().map(({ id }) => id)
    return listObjects(call, 'price', '/v1/prices', page, { active, currency: code, product, type }, ids)
  }),
  route('GET', '/v1/prices/:id', nothing, (call, _, id = '') => read(call, 'price', id)),
  route(
    'POST',
    '/v1/prices/:id',
    Update,
    async (call, { metadata: change, transfer_lookup_key, ...fields }, id = '') => {
      const { data } = await get(call, 'price', id)
      if (fields.lookup_key !== data.lookup_key) await claimLookupKey(call, fields.lookup_key, transfer_lookup_key)
      const price = await update(call, 'price', id, { ...fields, metadata: mergeMetadata(data.metadata, change) })
      await emit(call, 'price.updated', price, changesOf(data, price))
      return price
    },
  ),
]
