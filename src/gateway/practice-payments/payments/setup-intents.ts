import type Stripe from 'stripe'
import { z } from 'zod'
import { completeSession } from '../checkout/complete.ts'
import { emit } from '../store/events.ts'
import { datedPageParams, listObjects } from '../store/list.ts'
import { find, get, insert, read, update, type Found } from '../store/objects.ts'
import type { Stock } from '../store/types.ts'
import { randomId, seconds, type PaymentsCall } from '../wire/call.ts'
import { invalidRequest, Refusal } from '../wire/error.ts'
import { clearable, flag, list, mergeMetadata, metadata, paramsOf, text, webUrl } from '../wire/params.ts'
import { route } from '../wire/route.ts'
import { cardOf } from './cards.ts'
import { attach, createPaymentMethod, paymentMethodData, usePaymentMethod } from './payment-methods.ts'

const shared = {
  description: text(1000).optional(),
  payment_method: text().optional(),
  payment_method_data: paymentMethodData.optional(),
}
const confirmation = { return_url: webUrl.optional(), use_stripe_sdk: flag.optional() }

const Create = paramsOf<Stripe.SetupIntentCreateParams>()(
  z.strictObject({
    ...shared,
    ...confirmation,
    allowed_payment_method_types: list(z.enum(['card']), 10).optional(),
    automatic_payment_methods: z
      .strictObject({ enabled: flag, allow_redirects: z.enum(['always', 'never']).optional() })
      .optional(),
    confirm: flag.optional(),
    customer: text().optional(),
    metadata: metadata.optional(),
    usage: z.enum(['off_session', 'on_session']).optional(),
  }),
)
const Update = paramsOf<Stripe.SetupIntentUpdateParams>()(
  z.strictObject({ ...shared, customer: text().optional(), metadata: clearable(metadata).optional() }),
)
const Confirm = paramsOf<Stripe.SetupIntentConfirmParams>()(
  z.strictObject({
    ...confirmation,
    payment_method: shared.payment_method,
    payment_method_data: shared.payment_method_data,
  }),
)
const Cancel = paramsOf<Stripe.SetupIntentCancelParams>()(
  z.strictObject({ cancellation_reason: z.enum(['abandoned', 'requested_by_customer', 'duplicate']).optional() }),
)
const List = paramsOf<Stripe.SetupIntentListParams>()(
  z.strictObject({ ...datedPageParams, customer: text().optional(), payment_method: text().optional() }),
)

type Intent = Stock['setup_intent']

interface SetupFields {
  customer?: string | null
  description?: string
  metadata?: Record<string, string>
  payment_method?: string
  usage?: string
}

export async function createSetup(
  call: PaymentsCall,
  fields: SetupFields,
  hidden: Record<string, unknown> = {},
): Promise<Intent> {
  const id = randomId('seti')
  const intent = await insert(
    call,
    'setup_intent',
    {
      id,
      object: 'setup_intent',
      allowed_payment_method_types: null,
      application: null,
      automatic_payment_methods: null,
      cancellation_reason: null,
      client_secret: `${id}_secret_${randomId('x').slice(2)}`,
      created: seconds(call.now),
      customer: fields.customer ?? null,
      customer_account: null,
      description: fields.description ?? null,
      excluded_payment_method_types: null,
      last_setup_error: null,
      latest_attempt: null,
      livemode: false,
      mandate: null,
      metadata: mergeMetadata({}, fields.metadata),
      next_action: null,
      on_behalf_of: null,
      payment_method: fields.payment_method ?? null,
      payment_method_configuration_details: null,
      payment_method_options: {},
      payment_method_types: ['card'],
      single_use_mandate: null,
      status: fields.payment_method ? 'requires_confirmation' : 'requires_payment_method',
      usage: fields.usage ?? 'off_session',
    },
    hidden,
  )
  await emit(call, 'setup_intent.created', intent)
  return intent
}

interface Confirmation {
  returnUrl?: string
  isAuthenticated?: boolean
}

const open = ['requires_payment_method', 'requires_confirmation', 'requires_action']

/** Saves the card, unless it has to be authenticated first or declines. */
export async function confirmSetup(
  call: PaymentsCall,
  { data: before, hidden }: Found<'setup_intent'>,
  method: Found<'payment_method'> | null,
  { returnUrl, isAuthenticated = false }: Confirmation,
): Promise<Intent | Refusal> {
  if (!open.includes(before.status))
    throw invalidRequest(
      `You cannot confirm this SetupIntent because it has a status of ${before.status}.`,
      undefined,
      'setup_intent_unexpected_state',
    )
  if (!method)
    throw invalidRequest(
      "You cannot confirm this SetupIntent because it's missing a payment method.",
      'payment_method',
      'setup_intent_unexpected_state',
    )
  const card = cardOf(method.hidden)
  const payment_method = method.data.id
  if (card.authentication && !isAuthenticated) {
    const url = `${call.origin}/dev/payments/authenticate/${before.id}`
    const intent = await update(
      call,
      'setup_intent',
      before.id,
      {
        status: 'requires_action',
        payment_method,
        next_action: returnUrl
          ? { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url } }
          : { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url } },
      },
      { returnUrl: returnUrl ?? hidden['returnUrl'] ?? null },
    )
    await emit(call, 'setup_intent.requires_action', intent)
    return intent
  }
  if (card.decline && card.declinesSetup)
    return failSetup(call, before, method, { type: 'card_error', ...card.decline })
  if (before.customer) await attach(call, method, before.customer)
  await update(call, 'payment_method', payment_method, {}, { isSetUp: true })
  const intent = await update(call, 'setup_intent', before.id, {
    status: 'succeeded',
    payment_method,
    last_setup_error: null,
    next_action: null,
  })
  await emit(call, 'setup_intent.succeeded', intent)
  const session = hidden['session']
  if (typeof session === 'string') await completeSession(call, session, { setup_intent: intent.id })
  return intent
}

async function failSetup(
  call: PaymentsCall,
  before: Intent,
  { data: method }: Found<'payment_method'>,
  error: { type: 'card_error' | 'invalid_request_error'; code: string; message: string },
): Promise<Refusal> {
  const intent = await update(call, 'setup_intent', before.id, {
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_setup_error: { ...error, payment_method: Object.assign({}, method) },
  })
  await emit(call, 'setup_intent.setup_failed', intent)
  return new Refusal(402, { ...error, setup_intent: intent, payment_method: method })
}

/** The customer completed 3-D Secure, or failed to. */
export async function finishSetup(call: PaymentsCall, found: Found<'setup_intent'>, passed: boolean): Promise<void> {
  const { payment_method: id } = found.data
  const method = id ? await find(call, 'payment_method', id) : null
  if (!method) return
  if (passed) await confirmSetup(call, found, method, { isAuthenticated: true })
  else
    await failSetup(call, found.data, method, {
      type: 'invalid_request_error',
      code: 'setup_intent_authentication_failure',
      message: 'The latest attempt to set up the payment method has failed because authentication failed.',
    })
}

interface MethodFields {
  payment_method?: string
  payment_method_data?: z.output<typeof paymentMethodData>
}

async function chooseMethod(call: PaymentsCall, fields: MethodFields, known: string | null) {
  const id = fields.payment_method_data
    ? (await createPaymentMethod(call, fields.payment_method_data)).id
    : (fields.payment_method ?? known)
  return id === null ? null : usePaymentMethod(call, id)
}

const path = '/v1/setup_intents'

export const setupIntentRoutes = [
  route('POST', path, Create, async (call, { confirm, return_url, ...fields }) => {
    if (fields.customer) await get(call, 'customer', fields.customer, 'customer')
    const method = await chooseMethod(call, fields, null)
    const data = await createSetup(call, { ...fields, payment_method: method?.data.id })
    return confirm ? confirmSetup(call, { data, hidden: {} }, method, { returnUrl: return_url }) : data
  }),
  route('GET', path, List, (call, { customer, payment_method, ...page }) =>
    listObjects(call, 'setup_intent', path, page, { customer, payment_method }),
  ),
  route('GET', `${path}/:id`, z.strictObject({ client_secret: text().optional() }), (call, _, id = '') =>
    read(call, 'setup_intent', id),
  ),
  route('POST', `${path}/:id`, Update, async (call, { metadata: change, ...fields }, id = '') => {
    const { data } = await get(call, 'setup_intent', id)
    const method = await chooseMethod(call, fields, null)
    return update(call, 'setup_intent', id, {
      ...(fields.description && { description: fields.description }),
      ...(fields.customer && { customer: fields.customer }),
      metadata: mergeMetadata(data.metadata ?? {}, change),
      ...(method && { payment_method: method.data.id, status: 'requires_confirmation' }),
    })
  }),
  route('POST', `${path}/:id/confirm`, Confirm, async (call, fields, id = '') => {
    const found = await get(call, 'setup_intent', id)
    const method = await chooseMethod(call, fields, found.data.payment_method)
    return confirmSetup(call, found, method, { returnUrl: fields.return_url })
  }),
  route('POST', `${path}/:id/cancel`, Cancel, async (call, { cancellation_reason = null }, id = '') => {
    const { data } = await get(call, 'setup_intent', id)
    if (!open.includes(data.status))
      throw invalidRequest(
        `You cannot cancel this SetupIntent because it has a status of ${data.status}.`,
        undefined,
        'setup_intent_unexpected_state',
      )
    const intent = await update(call, 'setup_intent', id, {
      status: 'canceled',
      cancellation_reason,
      next_action: null,
    })
    await emit(call, 'setup_intent.canceled', intent)
    return intent
  }),
]
