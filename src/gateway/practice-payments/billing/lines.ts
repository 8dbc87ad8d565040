import { find } from '../store/objects.ts'
import type { InvoiceLine, SubscriptionItem } from '../store/types.ts'
import { randomId, type PaymentsCall } from '../wire/call.ts'

interface LineFacts {
  amount: number
  description: string
  start: number
  end: number
  isProration: boolean
}

const toLine = (item: SubscriptionItem, facts: LineFacts): InvoiceLine => ({
  id: randomId('il'),
  object: 'line_item',
  amount: facts.amount,
  currency: item.price.currency,
  description: facts.description,
  discount_amounts: [],
  discountable: !facts.isProration,
  discounts: [],
  invoice: null,
  livemode: false,
  metadata: {},
  parent: {
    invoice_item_details: null,
    subscription_item_details: {
      invoice_item: null,
      proration: facts.isProration,
      proration_details: facts.isProration ? { credited_items: null } : null,
      subscription: item.subscription,
      subscription_item: item.id,
    },
    type: 'subscription_item_details',
  },
  period: { start: facts.start, end: facts.end },
  pretax_credit_amounts: [],
  pricing: {
    type: 'price_details',
    price_details: { price: item.price.id, product: item.price.product ?? '' },
    unit_amount_decimal: item.price.unit_amount_decimal,
  },
  quantity: item.quantity ?? 1,
  quantity_decimal: String(item.quantity ?? 1),
  subscription: item.subscription,
  subtotal: facts.amount,
  taxes: [],
})

const amountOf = ({ price, quantity = 1 }: SubscriptionItem): number => (price.unit_amount ?? 0) * quantity

async function nameOf(call: PaymentsCall, { price, quantity = 1 }: SubscriptionItem): Promise<string> {
  const product = price.product ? await find(call, 'product', price.product, 'read') : null
  return `${quantity} × ${product?.data.name ?? 'Subscription'}`
}

/** For a whole period of each item. */
export const periodLines = (
  call: PaymentsCall,
  items: readonly SubscriptionItem[],
  { isTrial = false }: { isTrial?: boolean } = {},
): Promise<InvoiceLine[]> =>
  Promise.all(
    items.map(async (item) =>
      toLine(item, {
        amount: isTrial ? 0 : amountOf(item),
        description: `${isTrial ? 'Trial period for ' : ''}${await nameOf(call, item)}`,
        start: item.current_period_start,
        end: item.current_period_end,
        isProration: false,
      }),
    ),
  )

/** Credits for unused time of what changed, and what replaces it costs until the period ends. */
export async function prorate(
  call: PaymentsCall,
  before: readonly SubscriptionItem[],
  after: readonly SubscriptionItem[],
  at: number,
): Promise<InvoiceLine[]> {
  const day = new Date(at * 1000).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const part = async (item: SubscriptionItem, sign: 1 | -1): Promise<InvoiceLine> => {
    const { current_period_start: start, current_period_end: end } = item
    const left = Math.min(Math.max((end - at) / (end - start), 0), 1)
    return toLine(item, {
      amount: sign * Math.round(amountOf(item) * left),
      description: `${sign === 1 ? 'Remaining' : 'Unused'} time on ${await nameOf(call, item)} ${sign === 1 ? 'from' : 'after'} ${day}`,
      start: at,
      end,
      isProration: true,
    })
  }
  const isSame = (a: SubscriptionItem | undefined, b: SubscriptionItem) =>
    a !== undefined && a.price.id === b.price.id && a.quantity === b.quantity
  const lines: InvoiceLine[] = []
  for (const item of before)
    if (
      !isSame(
        after.find(({ id }) => id === item.id),
        item,
      )
    )
      lines.push(await part(item, -1))
  for (const item of after)
    if (
      !isSame(
        before.find(({ id }) => id === item.id),
        item,
      )
    )
      lines.push(await part(item, 1))
  return lines
}
