import type Stripe from 'stripe'
import { z } from 'zod'
import { get } from '../store/objects.ts'
import type { Stock, SubscriptionItem } from '../store/types.ts'
import { randomId, seconds, type PaymentsCall } from '../wire/call.ts'
import { invalidRequest } from '../wire/error.ts'
import { flag, integer, list, paramsOf, text } from '../wire/params.ts'
import { pendingLines, prorationBehavior, prorationDate } from './change.ts'
import { draftInvoice } from './draft.ts'
import { addItem, changedItem, changeItems } from './items.ts'
import { periodLines, prorate } from './lines.ts'
import { nextPeriod } from './renew.ts'

export const previewParams = paramsOf<Stripe.InvoiceCreatePreviewParams>()(
  z.strictObject({
    customer: text().optional(),
    preview_mode: z.enum(['next', 'recurring']).optional(),
    subscription: text().optional(),
    subscription_details: z
      .strictObject({
        cancel_at_period_end: flag.optional(),
        items: list(changedItem, 20).optional(),
        proration_behavior: prorationBehavior.optional(),
        proration_date: integer().optional(),
      })
      .optional(),
  }),
)

type Params = z.output<typeof previewParams>

/** The next invoice of a subscription, or the first of a new one. Only prices from `price_data` are stored. */
export async function previewInvoice(call: PaymentsCall, params: Params): Promise<Stock['invoice']> {
  return params.subscription ? previewChange(call, params.subscription, params) : previewNew(call, params)
}

async function previewNew(call: PaymentsCall, { customer = '', subscription_details: details }: Params) {
  if (customer) await get(call, 'customer', customer, 'customer')
  const start = seconds(call.now)
  const items: SubscriptionItem[] = []
  for (const [at, { id: _id, deleted: _deleted, ...given }] of (details?.items ?? []).entries())
    items.push(await addItem(call, given, `subscription_details[items][${at}]`, { subscription: '', start }))
  const [first] = items
  if (!first)
    throw invalidRequest(
      'You must specify `subscription` or `subscription_details[items]`.',
      'subscription_details[items]',
    )
  const lines = (await periodLines(call, items)).map((line) => ({ ...line, subscription: null }))
  const { currency } = first.price
  return draftInvoice(
    call,
    { customer, subscription: null, lines, currency, reason: 'upcoming', start, end: start },
    randomId('upcoming_in'),
  )
}

async function previewChange(call: PaymentsCall, id: string, { customer, preview_mode, subscription_details }: Params) {
  const { data: subscription } = await get(call, 'subscription', id, 'subscription')
  if (customer && customer !== subscription.customer)
    throw invalidRequest('The subscription belongs to another customer.', 'customer')
  const {
    items: changes = [],
    proration_behavior: behavior = 'create_prorations',
    ...details
  } = subscription_details ?? {}
  const items = await changeItems(call, subscription, changes)
  const at = prorationDate(call, subscription, details.proration_date)
  const isFree = behavior === 'none' || subscription.status === 'trialing'
  const prorations = isFree ? [] : await prorate(call, subscription.items.data, items, at)
  const pending = preview_mode === 'recurring' ? [] : [...(await pendingLines(call, id)), ...prorations]
  const isNow = behavior === 'always_invoice' && prorations.length > 0 && preview_mode !== 'recurring'
  const isEnding = subscription.cancel_at_period_end || subscription.cancel_at !== null
  const ends = details.cancel_at_period_end ?? isEnding
  const next = nextPeriod({ ...subscription, items: { ...subscription.items, data: items } })
  const lines = isNow || ends ? pending : [...pending, ...(await periodLines(call, next))]
  return draftInvoice(
    call,
    {
      customer: subscription.customer ?? '',
      subscription: id,
      lines,
      currency: subscription.currency,
      reason: 'upcoming',
      start: items[0]?.current_period_start ?? at,
      end: items[0]?.current_period_end ?? at,
    },
    randomId('upcoming_in'),
  )
}
