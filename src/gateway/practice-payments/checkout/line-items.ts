import { z } from 'zod'
import { currency } from '../catalog/currency.ts'
import { addProduct } from '../catalog/add-product.ts'
import { createPrice, priceShape } from '../catalog/prices.ts'
import { get } from '../store/objects.ts'
import type { Stock } from '../store/types.ts'
import { randomId, type PaymentsCall } from '../wire/call.ts'
import { invalidRequest } from '../wire/error.ts'
import { integer, list, metadata, text, webUrl } from '../wire/params.ts'

export const lineItemParams = z.strictObject({
  price: text().optional(),
  price_data: z
    .strictObject({
      ...priceShape,
      currency,
      product: text().optional(),
      product_data: z
        .strictObject({
          name: text(),
          description: text().optional(),
          images: list(webUrl, 8).optional(),
          metadata: metadata.optional(),
          tax_code: text().optional(),
          unit_label: text(12).optional(),
        })
        .optional(),
    })
    .optional(),
  quantity: integer(0, 999_999).optional(),
})

type LineItemParams = z.output<typeof lineItemParams>

export interface PricedItem {
  price: Stock['price']
  quantity: number
  description: string
}

/** @throws {StripeError} for prices that don’t exist or have several currencies */
export async function priceItems(
  call: PaymentsCall,
  given: readonly LineItemParams[],
  param: string,
): Promise<PricedItem[]> {
  const items: PricedItem[] = []
  for (const [at, { price: id, price_data, quantity = 1 }] of given.entries()) {
    const place = `${param}[${at}]`
    if ((id === undefined) === (price_data === undefined))
      throw invalidRequest(`You must specify either \`price\` or \`price_data\` for ${place}.`, `${place}[price]`)
    const price = id
      ? (await get(call, 'price', id, `${place}[price]`)).data
      : await priceFrom(call, price_data ?? { currency: '' }, place)
    if (!price.active) throw invalidRequest('The price specified is inactive.', `${place}[price]`)
    const { data: product } = await get(call, 'product', price.product ?? '')
    items.push({ price, quantity, description: product.name })
  }
  if (new Set(items.map(({ price }) => price.currency)).size > 1)
    throw invalidRequest('All prices must have the same currency.', param)
  return items
}

async function priceFrom(call: PaymentsCall, data: NonNullable<LineItemParams['price_data']>, place: string) {
  const { product, product_data, ...fields } = data
  if ((product === undefined) === (product_data === undefined))
    throw invalidRequest(
      `You must provide exactly one of \`product\` and \`product_data\` for ${place}.`,
      `${place}[price_data][product]`,
    )
  if (product) await get(call, 'product', product, `${place}[price_data][product]`)
  const owner = product ?? (product_data ? (await addProduct(call, product_data)).id : '')
  const price = await createPrice(call, { ...fields, product: owner })
  return price
}

export const totalOf = (items: readonly PricedItem[]): number =>
  items.reduce((sum, { price, quantity }) => sum + (price.unit_amount ?? 0) * quantity, 0)

export const toLineItem = ({ price, quantity, description }: PricedItem) => {
  const amount = (price.unit_amount ?? 0) * quantity
  return {
    id: randomId('li'),
    object: 'item' as const,
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description,
    metadata: {},
    price,
    quantity,
  }
}
