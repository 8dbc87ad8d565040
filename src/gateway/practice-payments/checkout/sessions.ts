import type Stripe from 'stripe'
import { z } from 'zod'
import { checkAmount, currency } from '../catalog/currency.ts'
import { emit } from '../store/events.ts'
import { datedPageParams, listObjects, pageParams, wholeList } from '../store/list.ts'
import { find, get, insert, read, update } from '../store/objects.ts'
import { schedule } from '../store/tasks.ts'
import type { Stock } from '../store/types.ts'
import { randomId, seconds, type PaymentsCall } from '../wire/call.ts'
import { invalidRequest } from '../wire/error.ts'
import { clearable, email, integer, list, mergeMetadata, metadata, paramsOf, text } from '../wire/params.ts'
import { nothing, route } from '../wire/route.ts'
import { lineItemParams, priceItems, toLineItem, totalOf, type PricedItem } from './line-items.ts'

export const returnUrl = z
  .string()
  .max(5000)
  .refine((url) => /^https?:$/.test(URL.parse(url.replaceAll(/[{}]/g, ''))?.protocol ?? ''), 'Not a valid URL')

const statement = { statement_descriptor: text(22).optional(), statement_descriptor_suffix: text(22).optional() }

export const intentData = z.strictObject({
  ...statement,
  capture_method: z.enum(['automatic', 'automatic_async', 'manual']).optional(),
  description: text(1000).optional(),
  metadata: metadata.optional(),
  receipt_email: email.optional(),
  setup_future_usage: z.enum(['on_session', 'off_session']).optional(),
  transfer_group: text(200).optional(),
})

export const subscriptionData = z.strictObject({
  description: text(500).optional(),
  metadata: metadata.optional(),
  trial_period_days: integer(1, 730).optional(),
})

const Create = paramsOf<Stripe.Checkout.SessionCreateParams>()(
  z.strictObject({
    allowed_payment_method_types: list(z.enum(['card']), 10).optional(),
    billing_address_collection: z.enum(['auto', 'required']).optional(),
    cancel_url: returnUrl.optional(),
    client_reference_id: text(200).optional(),
    currency: currency.optional(),
    customer: text().optional(),
    customer_creation: z.enum(['always', 'if_required']).optional(),
    customer_email: email.optional(),
    expires_at: integer().optional(),
    line_items: list(lineItemParams, 100).optional(),
    locale: text(10).optional(),
    metadata: metadata.optional(),
    mode: z.enum(['payment', 'setup', 'subscription']).default('payment'),
    payment_intent_data: intentData.optional(),
    setup_intent_data: z.strictObject({ description: text().optional(), metadata: metadata.optional() }).optional(),
    submit_type: z.enum(['auto', 'book', 'donate', 'pay', 'subscribe']).optional(),
    subscription_data: subscriptionData.optional(),
    success_url: returnUrl.optional(),
    ui_mode: z.enum(['hosted_page']).optional(),
  }),
)

const Update = paramsOf<Stripe.Checkout.SessionUpdateParams>()(
  z.strictObject({ metadata: clearable(metadata).optional() }),
)

const List = paramsOf<Stripe.Checkout.SessionListParams>()(
  z.strictObject({
    ...datedPageParams,
    customer: text().optional(),
    payment_intent: text().optional(),
    payment_link: text().optional(),
    status: z.enum(['complete', 'expired', 'open']).optional(),
    subscription: text().optional(),
  }),
)
const Items = paramsOf<Stripe.Checkout.SessionListLineItemsParams>()(z.strictObject(pageParams))

type SessionParams = z.output<typeof Create>
type Session = Stock['checkout.session']

const day = 24 * 3600
const lifetime = { min: 1800 - 60, max: day + 60, usual: day }

function expiryOf({ now }: PaymentsCall, wanted: number | undefined): number {
  const at = wanted ?? seconds(now) + lifetime.usual
  const left = at - seconds(now)
  if (left < lifetime.min)
    throw invalidRequest(
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
      'expires_at',
    )
  if (left > lifetime.max)
    throw invalidRequest(
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
      'expires_at',
    )
  return at
}

function checkMode({ mode, currency: code }: SessionParams, items: readonly PricedItem[]): void {
  const hasRecurring = items.some(({ price }) => price.recurring)
  if (mode === 'setup' && items.length > 0)
    throw invalidRequest('`line_items` cannot be used in `setup` mode.', 'line_items')
  if (mode !== 'setup' && items.length === 0)
    throw invalidRequest(`Missing required param: line_items.`, 'line_items', 'parameter_missing')
  if (mode === 'payment' && hasRecurring)
    throw invalidRequest(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
      'line_items',
    )
  if (mode === 'subscription' && !items.every(({ price }) => price.recurring))
    throw invalidRequest(
      'You must provide only recurring prices in `subscription` mode: the practice payments don’t add one-time prices.',
      'mode',
    )
  const own = items[0]?.price.currency
  if (code && own && own !== code) throw invalidRequest(`The prices are not in ${code}.`, 'currency')
}

/** @throws {StripeError} */
export async function createSession(
  call: PaymentsCall,
  params: SessionParams,
  paymentLink: string | null = null,
): Promise<Session> {
  if (!params.success_url)
    throw invalidRequest('Missing required param: success_url.', 'success_url', 'parameter_missing')
  if (params.customer && params.customer_email)
    throw invalidRequest('You may only specify one of these parameters: customer, customer_email.', 'customer')
  const customer = params.customer ? (await get(call, 'customer', params.customer, 'customer')).data : null
  const items = await priceItems(call, params.line_items ?? [], 'line_items')
  checkMode(params, items)
  const total = params.mode === 'setup' ? null : totalOf(items)
  const code = items[0]?.price.currency ?? params.currency ?? null
  if (params.mode === 'payment' && total && code) checkAmount(total, code, 'line_items')
  const id = randomId('cs_test', 48)
  const expires_at = expiryOf(call, params.expires_at)
  const session = await insert(
    call,
    'checkout.session',
    {
      id,
      object: 'checkout.session',
      adaptive_pricing: null,
      after_expiration: null,
      allow_promotion_codes: null,
      allowed_payment_method_types: params.allowed_payment_method_types ?? null,
      amount_subtotal: total,
      amount_total: total,
      automatic_tax: { enabled: false, liability: null, provider: null, status: null },
      billing_address_collection: params.billing_address_collection ?? null,
      cancel_url: params.cancel_url ?? null,
      client_reference_id: params.client_reference_id ?? null,
      client_secret: null,
      collected_information: null,
      consent: null,
      consent_collection: null,
      created: seconds(call.now),
      currency: code,
      currency_conversion: null,
      custom_fields: [],
      custom_text: {
        after_submit: null,
        shipping_address: null,
        submit: null,
        terms_of_service_acceptance: null,
      },
      customer: customer?.id ?? null,
      customer_account: null,
      customer_creation: customer ? null : (params.customer_creation ?? 'if_required'),
      customer_details:
        (customer?.email ?? params.customer_email)
          ? detailsOf(customer?.email ?? params.customer_email ?? null, null)
          : null,
      customer_email: params.customer_email ?? null,
      discounts: [],
      expires_at,
      integration_identifier: null,
      invoice: null,
      invoice_creation: null,
      livemode: false,
      locale: params.locale ?? null,
      managed_payments: null,
      metadata: mergeMetadata({}, params.metadata),
      mode: params.mode,
      origin_context: null,
      payment_intent: null,
      payment_link: paymentLink,
      payment_method_collection: params.mode === 'payment' ? 'if_required' : 'always',
      payment_method_configuration_details: null,
      payment_method_options: {},
      payment_method_types: ['card'],
      payment_status: params.mode === 'setup' ? 'no_payment_required' : 'unpaid',
      permissions: null,
      recovered_from: null,
      saved_payment_method_options: null,
      setup_intent: null,
      shipping_address_collection: null,
      shipping_cost: null,
      shipping_options: [],
      status: 'open',
      submit_type: params.submit_type ?? null,
      subscription: null,
      success_url: params.success_url,
      total_details: total === null ? null : { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
      ui_mode: 'hosted_page',
      url: `${call.origin}/dev/payments/checkout/${id}`,
      wallet_options: null,
    },
    {
      items: items.map(toLineItem),
      intent: params.payment_intent_data ?? {},
      setup: params.setup_intent_data ?? {},
      subscription: params.subscription_data ?? {},
      platform: call.platform,
    },
  )
  await schedule(call, 'expire_session', id, (expires_at - seconds(call.now)) * 1000)
  return session
}

export const detailsOf = (address: string | null, name: string | null): NonNullable<Session['customer_details']> => ({
  address: null,
  business_name: null,
  email: address,
  individual_name: null,
  name,
  phone: null,
  tax_exempt: 'none',
  tax_ids: [],
})

const Hidden = z.object({ items: z.array(z.looseObject({ id: z.string() })) })

export async function sessionItems(call: PaymentsCall, id: string) {
  const { hidden } = await get(call, 'checkout.session', id)
  return Hidden.parse(hidden).items
}

export async function expireSession(call: PaymentsCall, id: string): Promise<Session | null> {
  const found = await find(call, 'checkout.session', id)
  if (found?.data.status !== 'open') return null
  const expired = await update(call, 'checkout.session', id, { status: 'expired', url: null })
  await emit(call, 'checkout.session.expired', expired)
  return expired
}

const path = '/v1/checkout/sessions'

export const sessionRoutes = [
  route('POST', path, Create, (call, params) => createSession(call, params)),
  route('GET', path, List, (call, { customer, payment_intent, payment_link, status, subscription, ...page }) =>
    listObjects(call, 'checkout.session', path, page, { customer, payment_intent, payment_link, status, subscription }),
  ),
  route('GET', `${path}/:id`, nothing, (call, _, id = '') => read(call, 'checkout.session', id)),
  route('POST', `${path}/:id`, Update, async (call, fields, id = '') => {
    const { data } = await get(call, 'checkout.session', id)
    return update(call, 'checkout.session', id, { metadata: mergeMetadata(data.metadata ?? {}, fields.metadata) })
  }),
  route('GET', `${path}/:id/line_items`, Items, async (call, { limit = 10, starting_after }, id = '') => {
    const items = await sessionItems(call, id)
    const from = starting_after ? items.findIndex((item) => item.id === starting_after) + 1 : 0
    const shown = items.slice(from, from + limit)
    return { ...wholeList(`${path}/${id}/line_items`, shown), has_more: items.length > from + limit }
  }),
  route('POST', `${path}/:id/expire`, nothing, async (call, _, id = '') => {
    await get(call, 'checkout.session', id)
    const expired = await expireSession(call, id)
    if (expired) return expired
    throw invalidRequest('Only Checkout Sessions with a status in ["open"] can be expired.', undefined)
  }),
]
