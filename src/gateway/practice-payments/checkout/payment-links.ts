import type Stripe from 'stripe'
import { z } from 'zod'
import { emit } from '../store/events.ts'
import { listObjects, pageParams, wholeList } from '../store/list.ts'
import { get, insert, read, update } from '../store/objects.ts'
import type { Stock } from '../store/types.ts'
import { randomId, seconds, type PaymentsCall } from '../wire/call.ts'
import { invalidRequest } from '../wire/error.ts'
import { flag, integer, list, mergeMetadata, metadata, paramsOf, text } from '../wire/params.ts'
import { nothing, route } from '../wire/route.ts'
import { lineItemParams, priceItems, toLineItem } from './line-items.ts'
import { createSession, intentData, returnUrl, subscriptionData } from './sessions.ts'

const afterCompletion = z.strictObject({
  type: z.enum(['hosted_confirmation', 'redirect']),
  redirect: z.strictObject({ url: returnUrl }).optional(),
  hosted_confirmation: z.strictObject({ custom_message: text(500).optional() }).optional(),
})

const { receipt_email: _receipt, ...linkIntent } = intentData.shape

const shared = {
  after_completion: afterCompletion.optional(),
  inactive_message: text(500).optional(),
  metadata: metadata.optional(),
  payment_intent_data: z.strictObject(linkIntent).optional(),
  restrictions: z.strictObject({ completed_sessions: z.strictObject({ limit: integer(1) }) }).optional(),
}

const Create = paramsOf<Stripe.PaymentLinkCreateParams>()(
  z.strictObject({
    ...shared,
    customer_creation: z.enum(['always', 'if_required']).optional(),
    line_items: list(lineItemParams.extend({ quantity: integer(1, 999_999) }), 20),
    submit_type: z.enum(['auto', 'book', 'donate', 'pay', 'subscribe']).optional(),
    subscription_data: subscriptionData.optional(),
  }),
)
const Update = paramsOf<Stripe.PaymentLinkUpdateParams>()(
  z.strictObject({ active: flag.optional(), metadata: metadata.optional() }),
)
const List = paramsOf<Stripe.PaymentLinkListParams>()(z.strictObject({ ...pageParams, active: flag.optional() }))
const Items = paramsOf<Stripe.PaymentLinkListLineItemsParams>()(z.strictObject(pageParams))

type PaymentLink = Stock['payment_link']

async function createLink(call: PaymentsCall, params: z.output<typeof Create>): Promise<PaymentLink> {
  const items = await priceItems(call, params.line_items, 'line_items')
  const id = randomId('plink')
  const url = params.after_completion?.redirect?.url
  if (params.after_completion?.type === 'redirect' && !url)
    throw invalidRequest(
      'Missing required param: after_completion[redirect].',
      'after_completion[redirect]',
      'parameter_missing',
    )
  const link = await insert(
    call,
    'payment_link',
    {
      id,
      object: 'payment_link',
      active: true,
      after_completion: url
        ? { type: 'redirect', redirect: { url } }
        : { type: 'hosted_confirmation', hosted_confirmation: { custom_message: null } },
      allow_promotion_codes: false,
      application: null,
      application_fee_amount: null,
      application_fee_percent: null,
      automatic_tax: { enabled: false, liability: null },
      billing_address_collection: 'auto',
      consent_collection: null,
      currency: items[0]?.price.currency ?? 'usd',
      custom_fields: [],
      custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
      customer_creation: params.customer_creation ?? 'if_required',
      inactive_message: params.inactive_message ?? null,
      invoice_creation: null,
      livemode: false,
      managed_payments: null,
      metadata: mergeMetadata({}, params.metadata),
      on_behalf_of: null,
      payment_intent_data: null,
      payment_method_collection: 'always',
      payment_method_options: null,
      payment_method_types: null,
      phone_number_collection: { enabled: false },
      restrictions: params.restrictions
        ? { completed_sessions: { count: 0, limit: params.restrictions.completed_sessions.limit } }
        : null,
      shipping_address_collection: null,
      shipping_options: [],
      submit_type: params.submit_type ?? 'auto',
      subscription_data: null,
      tax_id_collection: { enabled: false, required: 'never' },
      transfer_data: null,
      url: `${call.origin}/dev/payments/links/${id}`,
    },
    {
      items: items.map(toLineItem),
      sold: items.map(({ price, quantity }) => ({ price: price.id, quantity })),
      isRecurring: items.some(({ price }) => price.recurring),
      intent: params.payment_intent_data ?? {},
      subscription: params.subscription_data ?? {},
      created: seconds(call.now),
    },
  )
  await emit(call, 'payment_link.created', link)
  return link
}

const Hidden = z.looseObject({
  items: z.array(z.looseObject({ id: z.string() })),
  sold: z.array(z.object({ price: z.string(), quantity: z.int() })),
  isRecurring: z.boolean(),
  intent: intentData,
  subscription: subscriptionData,
})

/** A checkout session for each visit. Null for a link that isn’t active. */
export async function openLink(call: PaymentsCall, id: string): Promise<Stock['checkout.session'] | null> {
  const { data: link, hidden } = await get(call, 'payment_link', id)
  const { sold, isRecurring, intent, subscription } = Hidden.parse(hidden)
  const limit = link.restrictions?.completed_sessions
  if (!link.active || (limit && limit.count >= limit.limit)) return null
  return createSession(
    call,
    {
      mode: isRecurring ? 'subscription' : 'payment',
      line_items: sold,
      metadata: link.metadata,
      payment_intent_data: isRecurring ? undefined : intent,
      subscription_data: isRecurring ? subscription : undefined,
      customer_creation: link.customer_creation === 'always' ? 'always' : 'if_required',
      success_url: link.after_completion.redirect?.url ?? `${call.origin}/dev/payments/thanks/{CHECKOUT_SESSION_ID}`,
    },
    id,
  )
}

export async function linkItems(call: PaymentsCall, id: string) {
  return Hidden.parse((await get(call, 'payment_link', id)).hidden).items
}

const path = '/v1/payment_links'

export const paymentLinkRoutes = [
  route('POST', path, Create, createLink),
  route('GET', path, List, (call, { active, ...page }) => listObjects(call, 'payment_link', path, page, { active })),
  route('GET', `${path}/:id`, nothing, (call, _, id = '') => read(call, 'payment_link', id)),
  route('POST', `${path}/:id`, Update, async (call, { active, metadata: change }, id = '') => {
    const { data } = await get(call, 'payment_link', id)
    const link = await update(call, 'payment_link', id, {
      ...(active !== undefined && { active }),
      metadata: mergeMetadata(data.metadata, change),
    })
    await emit(call, 'payment_link.updated', link)
    return link
  }),
  route('GET', `${path}/:id/line_items`, Items, async (call, _, id = '') =>
    wholeList(`${path}/${id}/line_items`, await linkItems(call, id)),
  ),
]
