import type Stripe from 'stripe'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { usePaymentMethod } from '../payments/payment-methods.ts'
import { changesOf, emit } from '../store/events.ts'
import { datedPageParams, listObjects, pageParams, wholeList } from '../store/list.ts'
import { findAll, get, read, update } from '../store/objects.ts'
import type { Stock, SubscriptionItem } from '../store/types.ts'
import { paymentObjects } from '../schema.ts'
import { seconds, type PaymentsCall } from '../wire/call.ts'
import { invalidRequest, resourceMissing } from '../wire/error.ts'
import { clearable, flag, integer, list, mergeMetadata, metadata, paramsOf, text } from '../wire/params.ts'
import { nothing, route } from '../wire/route.ts'
import { changeSubscriptionItems, prorationBehavior } from './change.ts'
import { changedItem, newItem } from './items.ts'
import { endSubscription } from './renew.ts'
import { createSubscription, trialEndOf } from './subscription.ts'

const paymentBehavior = z.enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete'])

const shared = {
  cancel_at_period_end: flag.optional(),
  default_payment_method: text().optional(),
  metadata: clearable(metadata).optional(),
  off_session: flag.optional(),
  payment_behavior: paymentBehavior.optional(),
  proration_behavior: prorationBehavior.optional(),
}

const Create = paramsOf<Stripe.SubscriptionCreateParams>()(
  z.strictObject({
    ...shared,
    collection_method: z.enum(['charge_automatically']).optional(),
    customer: text(),
    description: text(500).optional(),
    items: list(newItem, 20),
    trial_end: integer().optional(),
    trial_period_days: integer(1, 730).optional(),
  }),
)
const Update = paramsOf<Stripe.SubscriptionUpdateParams>()(
  z.strictObject({
    ...shared,
    cancel_at: clearable(z.enum(['max_period_end', 'min_period_end'])).optional(),
    description: clearable(text(500)).optional(),
    items: list(changedItem, 20).optional(),
    proration_date: integer().optional(),
  }),
)
const Cancel = paramsOf<Stripe.SubscriptionCancelParams>()(
  z.strictObject({
    cancellation_details: z.strictObject({ comment: clearable(text()).optional() }).optional(),
    invoice_now: flag.optional(),
    prorate: flag.optional(),
  }),
)
const List = paramsOf<Stripe.SubscriptionListParams>()(
  z.strictObject({
    ...datedPageParams,
    customer: text().optional(),
    price: text().optional(),
    status: z
      .enum(['active', 'all', 'canceled', 'ended', 'incomplete', 'incomplete_expired', 'past_due', 'trialing'])
      .optional(),
  }),
)
const ListItems = paramsOf<Stripe.SubscriptionItemListParams>()(z.strictObject({ ...pageParams, subscription: text() }))
const UpdateItem = paramsOf<Stripe.SubscriptionItemUpdateParams>()(
  z.strictObject({
    metadata: metadata.optional(),
    payment_behavior: paymentBehavior.optional(),
    price: text().optional(),
    proration_behavior: prorationBehavior.optional(),
    proration_date: integer().optional(),
    quantity: integer(0, 999_999).optional(),
  }),
)

type Subscription = Stock['subscription']

const path = '/v1/subscriptions'

async function getOpen(call: PaymentsCall, id: string): Promise<Subscription> {
  const { data } = await get(call, 'subscription', id)
  if (data.ended_at !== null)
    throw invalidRequest('A canceled subscription can only update its cancellation_details and metadata.')
  return data
}

/** Of a date without the flag, as the portal sets it, and the flag. @throws {StripeError} for both at once */
function cancellationOf(
  call: PaymentsCall,
  { items, cancel_at_period_end: hasFlag }: Subscription,
  { cancel_at: at, cancel_at_period_end: ends }: z.output<typeof Update>,
): Partial<Subscription> {
  if (at !== undefined && ends !== undefined)
    throw invalidRequest('Received both cancel_at_period_end and cancel_at parameters. Please pass in only one.')
  if (at === null || (ends === false && hasFlag))
    return { cancel_at: null, cancel_at_period_end: false, canceled_at: null }
  if (at === undefined && !ends) return {}
  const periodEnds = items.data.map((item) => item.current_period_end)
  const isLast = at === 'max_period_end'
  return {
    cancel_at: isLast ? Math.max(...periodEnds) : Math.min(...periodEnds),
    cancel_at_period_end: ends ?? false,
    canceled_at: seconds(call.now),
  }
}

/** @throws {StripeError} for a subscription that has ended */
export async function updateSubscription(
  call: PaymentsCall,
  params: z.output<typeof Update>,
  id = '',
): Promise<Subscription> {
  const before = await getOpen(call, id)
  const { items, metadata: change, default_payment_method, description } = params
  const method = default_payment_method && (await usePaymentMethod(call, default_payment_method)).data.id
  const changed = await update(call, 'subscription', id, {
    ...(description !== undefined && { description }),
    ...(method && { default_payment_method: method }),
    ...cancellationOf(call, before, params),
    metadata: mergeMetadata(before.metadata, change),
  })
  if (items) return changeSubscriptionItems(call, changed, { ...params, items })
  await emit(call, 'customer.subscription.updated', changed, changesOf(before, changed))
  return changed
}

async function findItem(call: PaymentsCall, id: string): Promise<{ owner: Subscription; item: SubscriptionItem }> {
  const [found] = await findAll(call, 'subscription', { items: { data: [{ id }] } })
  const item = found?.items.data.find((each) => each.id === id)
  if (!found || !item) throw resourceMissing('subscription_item', id)
  return { owner: await getOpen(call, found.id), item }
}

const statuses = { all: [], ended: ['canceled', 'incomplete_expired'] } as const

export const subscriptionRoutes = [
  route('POST', path, Create, async (call, { trial_period_days, trial_end, default_payment_method, ...fields }) => {
    const method = default_payment_method && (await usePaymentMethod(call, default_payment_method)).data.id
    return createSubscription(call, {
      ...fields,
      ...(method && { default_payment_method: method }),
      trial_end: trial_end ?? trialEndOf(call, trial_period_days),
    })
  }),
  route('GET', path, List, (call, { customer, price, status, ...page }) => {
    const wanted = status === 'all' || status === 'ended' ? statuses[status] : status ? [status] : null
    const state = sql`${paymentObjects.data} ->> 'status'`
    return listObjects(call, 'subscription', path, page, { customer }, undefined, [
      wanted === null
        ? sql`${state} <> 'canceled'`
        : wanted.length > 0
          ? sql`${state} = ANY(ARRAY[${sql.join(
              wanted.map((each) => sql`${each}`),
              sql`, `,
            )}])`
          : undefined,
      price
        ? sql`${paymentObjects.data} @> ${JSON.stringify({ items: { data: [{ price: { id: price } }] } })}::text::jsonb`
        : undefined,
    ])
  }),
  route('GET', `${path}/:id`, nothing, (call, _, id = '') => read(call, 'subscription', id)),
  route('POST', `${path}/:id`, Update, updateSubscription),
  route('DELETE', `${path}/:id`, Cancel, async (call, _, id = '') => {
    await endSubscription(call, await getOpen(call, id))
    return (await get(call, 'subscription', id)).data
  }),
  route('GET', '/v1/subscription_items', ListItems, async (call, { subscription }) => {
    const { data } = await get(call, 'subscription', subscription, 'subscription')
    return wholeList('/v1/subscription_items', data.items.data)
  }),
  route('GET', '/v1/subscription_items/:id', nothing, async (call, _, id = '') => (await findItem(call, id)).item),
  route('POST', '/v1/subscription_items/:id', UpdateItem, async (call, fields, id = '') => {
    const { owner } = await findItem(call, id)
    const { metadata: change, price, quantity, ...rest } = fields
    const items = [{ id, metadata: change, price, quantity }]
    const changed = await changeSubscriptionItems(call, owner, { ...rest, items })
    return changed.items.data.find((each) => each.id === id)
  }),
]
