import type Stripe from 'stripe'
import { z } from 'zod'
import { changesOf, emit } from '../store/events.ts'
import { datedPageParams, listObjects } from '../store/list.ts'
import { findAll, get, read, remove, update } from '../store/objects.ts'
import { seconds } from '../wire/call.ts'
import { invalidRequest } from '../wire/error.ts'
import { clearable, flag, list, mergeMetadata, metadata, paramsOf, text, webUrl } from '../wire/params.ts'
import { nothing, route } from '../wire/route.ts'
import { addProduct } from './add-product.ts'
import { currency } from './currency.ts'
import { createPrice, priceShape } from './prices.ts'

const shape = {
  active: flag.optional(),
  images: list(webUrl, 8).optional(),
  marketing_features: list(z.strictObject({ name: text(80) }), 15).optional(),
  shippable: flag.optional(),
  statement_descriptor: text(22).optional(),
  tax_code: text().optional(),
}

const Create = paramsOf<Stripe.ProductCreateParams>()(
  z.strictObject({
    ...shape,
    id: text(255).optional(),
    name: text(),
    description: text(40_000).optional(),
    metadata: metadata.optional(),
    unit_label: text(12).optional(),
    url: webUrl.optional(),
    default_price_data: z
      .strictObject({
        currency,
        unit_amount: priceShape.unit_amount,
        recurring: priceShape.recurring,
        tax_behavior: priceShape.tax_behavior,
        metadata: metadata.optional(),
      })
      .optional(),
  }),
)

const Update = paramsOf<Stripe.ProductUpdateParams>()(
  z.strictObject({
    ...shape,
    name: text().optional(),
    default_price: text().optional(),
    description: clearable(text(40_000)).optional(),
    metadata: clearable(metadata).optional(),
    unit_label: clearable(text(12)).optional(),
    url: clearable(webUrl).optional(),
  }),
)

const List = paramsOf<Stripe.ProductListParams>()(
  z.strictObject({
    ...datedPageParams,
    active: flag.optional(),
    ids: list(text()).optional(),
    shippable: flag.optional(),
    url: text().optional(),
  }),
)

export const productRoutes = [
  route('POST', '/v1/products', Create, async (call, { default_price_data, ...fields }) => {
    if (fields.id && (await findAll(call, 'product', { id: fields.id })).length > 0)
      throw invalidRequest('Product already exists.', 'id', 'resource_already_exists')
    const product = await addProduct(call, fields)
    if (!default_price_data) return product
    const price = await createPrice(call, { ...default_price_data, product: product.id })
    return update(call, 'product', product.id, { default_price: price.id })
  }),
  route('GET', '/v1/products', List, (call, { active, ids, shippable, url, ...page }) =>
    listObjects(call, 'product', '/v1/products', page, { active, shippable, url }, ids),
  ),
  route('GET', '/v1/products/:id', nothing, (call, _, id = '') => read(call, 'product', id)),
  route('POST', '/v1/products/:id', Update, async (call, { metadata: change, ...fields }, id = '') => {
    const { data } = await get(call, 'product', id)
    if (fields.default_price) await get(call, 'price', fields.default_price, 'default_price')
    const product = await update(call, 'product', id, {
      ...fields,
      metadata: mergeMetadata(data.metadata, change),
      updated: seconds(call.now),
    })
    await emit(call, 'product.updated', product, changesOf(data, product))
    return product
  }),
  route('DELETE', '/v1/products/:id', nothing, async (call, _, id = '') => {
    const { data } = await get(call, 'product', id)
    if ((await findAll(call, 'price', { product: id })).length > 0)
      throw invalidRequest('This product cannot be deleted because it has one or more user-created prices.')
    const removed = await remove(call, 'product', id)
    await emit(call, 'product.deleted', data)
    return removed
  }),
]
