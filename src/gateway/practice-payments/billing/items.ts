import { z } from 'zod'
import { currency } from '../catalog/currency.ts'
import { createPrice, recurring } from '../catalog/prices.ts'
import { get } from '../store/objects.ts'
import type { Stock, SubscriptionItem } from '../store/types.ts'
import { randomId, seconds, type PaymentsCall } from '../wire/call.ts'
import { invalidRequest } from '../wire/error.ts'
import { flag, integer, metadata, mergeMetadata, text } from '../wire/params.ts'
import { addInterval } from './period.ts'

const quantity = integer(0, 999_999).optional()

const priceData = z.strictObject({
  currency,
  product: text(),
  recurring,
  tax_behavior: z.enum(['exclusive', 'inclusive', 'unspecified']).optional(),
  unit_amount: integer().optional(),
})

export const newItem = z.strictObject({
  metadata: metadata.optional(),
  price: text().optional(),
  price_data: priceData.optional(),
  quantity,
})
type NewItem = z.output<typeof newItem>

export const changedItem = newItem.extend({ id: text().optional(), deleted: flag.optional() })
export type ChangedItem = z.output<typeof changedItem>

async function priceOf(call: PaymentsCall, { price, price_data }: NewItem, param: string): Promise<Stock['price']> {
  if ((price === undefined) === (price_data === undefined))
    throw invalidRequest('You must provide exactly one of `price` and `price_data`.', `${param}[price]`)
  const found = price
    ? (await get(call, 'price', price, `${param}[price]`)).data
    : price_data && (await createPrice(call, price_data))
  if (!found?.recurring)
    throw invalidRequest(
      `The price specified is set to \`type=one_time\` but this field only accepts prices with \`type=recurring\`.`,
      `${param}[price]`,
    )
  return found
}

export async function addItem(
  call: PaymentsCall,
  given: NewItem,
  param: string,
  { subscription, start }: { subscription: string; start: number },
): Promise<SubscriptionItem> {
  const price = await priceOf(call, given, param)
  const { interval = 'month', interval_count = 1 } = price.recurring ?? {}
  return {
    id: randomId('si', 14),
    object: 'subscription_item',
    billing_thresholds: null,
    created: seconds(call.now),
    current_period_end: addInterval(start, interval, interval_count),
    current_period_start: start,
    current_trial: null,
    discounts: [],
    metadata: mergeMetadata({}, given.metadata),
    plan: planOf(price),
    price,
    quantity: given.quantity ?? 1,
    subscription,
    tax_rates: [],
  }
}

const planOf = (price: Stock['price']): SubscriptionItem['plan'] => ({
  id: price.id,
  object: 'plan',
  active: price.active,
  amount: price.unit_amount,
  amount_decimal: price.unit_amount_decimal,
  billing_scheme: 'per_unit',
  created: price.created,
  currency: price.currency,
  interval: price.recurring?.interval ?? 'month',
  interval_count: price.recurring?.interval_count ?? 1,
  livemode: false,
  metadata: price.metadata,
  meter: null,
  nickname: price.nickname,
  product: price.product,
  tiers_mode: null,
  transform_usage: null,
  trial_period_days: null,
  usage_type: 'licensed',
})

/** The items after a change. @throws {StripeError} for items of another subscription, and when none is left */
export async function changeItems(
  call: PaymentsCall,
  subscription: Stock['subscription'],
  changes: readonly ChangedItem[],
): Promise<SubscriptionItem[]> {
  let items = subscription.items.data
  const start = items[0]?.current_period_start ?? seconds(call.now)
  for (const [at, { id, deleted, ...given }] of changes.entries()) {
    const param = `items[${at}]`
    const known = items.find((item) => item.id === id)
    if (id && !known) throw invalidRequest(`No such subscription_item: '${id}'`, `${param}[id]`, 'resource_missing')
    if (!known) items = [...items, await addItem(call, given, param, { subscription: subscription.id, start })]
    else if (deleted) items = items.filter((item) => item.id !== id)
    else {
      const price = given.price || given.price_data ? await priceOf(call, given, param) : known.price
      const changed = {
        ...known,
        price,
        plan: planOf(price),
        quantity: given.quantity ?? known.quantity,
        metadata: mergeMetadata(known.metadata, given.metadata),
      }
      items = items.map((item) => (item.id === id ? changed : item))
    }
  }
  if (items.length === 0) throw invalidRequest('A subscription must have at least one active plan.', 'items')
  if (new Set(items.map(({ price }) => price.currency)).size > 1)
    throw invalidRequest('All prices of a subscription must have the same currency.', 'items')
  return items
}
