import type Stripe from 'stripe'
import { z } from 'zod'
import { checkAmount, currency } from '../catalog/currency.ts'
import { changesOf, emit } from '../store/events.ts'
import { datedPageParams, listObjects } from '../store/list.ts'
import { get, insert, read, update, type Found } from '../store/objects.ts'
import type { Stock } from '../store/types.ts'
import { randomId, seconds, type PaymentsCall } from '../wire/call.ts'
import { invalidRequest, Refusal } from '../wire/error.ts'
import {
  clearable,
  email,
  flag,
  integer,
  list,
  mergeMetadata,
  metadata,
  paramsOf,
  text,
  webUrl,
} from '../wire/params.ts'
import { route } from '../wire/route.ts'
import { cancelIntent } from './cancel.ts'
import { captureCharge } from './charge.ts'
import { capturableAmount, confirm, unexpectedState } from './confirm.ts'
import { afterSuccess } from './outcome.ts'
import { createPaymentMethod, paymentMethodData, usePaymentMethod } from './payment-methods.ts'

const methodTypes = list(z.enum(['card']), 10)
const futureUsage = z.enum(['on_session', 'off_session'])

const shared = {
  description: text(1000).optional(),
  payment_method: text().optional(),
  payment_method_data: paymentMethodData.optional(),
  receipt_email: email.optional(),
  setup_future_usage: futureUsage.optional(),
  statement_descriptor: text(22).optional(),
  statement_descriptor_suffix: text(22).optional(),
  transfer_group: text(200).optional(),
  capture_method: z.enum(['automatic', 'automatic_async', 'manual']).optional(),
}

const confirmation = {
  error_on_requires_action: flag.optional(),
  off_session: flag.optional(),
  return_url: webUrl.optional(),
  use_stripe_sdk: flag.optional(),
}

const automatic = z.strictObject({ enabled: flag, allow_redirects: z.enum(['always', 'never']).optional() })

const Create = paramsOf<Stripe.PaymentIntentCreateParams>()(
  z.strictObject({
    ...shared,
    ...confirmation,
    amount: integer(1),
    currency,
    allowed_payment_method_types: methodTypes.optional(),
    automatic_payment_methods: automatic.optional(),
    confirm: flag.optional(),
    confirmation_method: z.enum(['automatic', 'manual']).optional(),
    customer: text().optional(),
    metadata: metadata.optional(),
  }),
)

const Update = paramsOf<Stripe.PaymentIntentUpdateParams>()(
  z.strictObject({
    ...shared,
    amount: integer(1).optional(),
    currency: currency.optional(),
    customer: text().optional(),
    metadata: clearable(metadata).optional(),
    receipt_email: clearable(email).optional(),
  }),
)

const Confirm = paramsOf<Stripe.PaymentIntentConfirmParams>()(
  z.strictObject({
    ...confirmation,
    capture_method: shared.capture_method,
    payment_method: shared.payment_method,
    payment_method_data: shared.payment_method_data,
    receipt_email: clearable(email).optional(),
    setup_future_usage: futureUsage.optional(),
  }),
)

const Capture = paramsOf<Stripe.PaymentIntentCaptureParams>()(
  z.strictObject({
    amount_to_capture: integer(1).optional(),
    final_capture: flag.optional(),
    metadata: clearable(metadata).optional(),
    statement_descriptor: text(22).optional(),
    statement_descriptor_suffix: text(22).optional(),
  }),
)

const Cancel = paramsOf<Stripe.PaymentIntentCancelParams>()(
  z.strictObject({
    cancellation_reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned']).optional(),
  }),
)

const List = paramsOf<Stripe.PaymentIntentListParams>()(
  z.strictObject({ ...datedPageParams, customer: text().optional() }),
)

type Intent = Stock['payment_intent']

export interface IntentFields extends Partial<
  Pick<
    Intent,
    | 'customer'
    | 'description'
    | 'receipt_email'
    | 'setup_future_usage'
    | 'statement_descriptor'
    | 'statement_descriptor_suffix'
    | 'transfer_group'
    | 'capture_method'
    | 'confirmation_method'
    | 'automatic_payment_methods'
    | 'payment_method'
  >
> {
  amount: number
  currency: string
  metadata?: Record<string, string>
}

export async function createIntent(
  call: PaymentsCall,
  fields: IntentFields,
  hidden: Record<string, unknown> = {},
): Promise<Intent> {
  checkAmount(fields.amount, fields.currency)
  const id = randomId('pi')
  const intent = await insert(
    call,
    'payment_intent',
    {
      id,
      object: 'payment_intent',
      allowed_payment_method_types: null,
      amount: fields.amount,
      amount_capturable: 0,
      amount_details: { tip: {} },
      amount_received: 0,
      application: null,
      application_fee_amount: null,
      automatic_payment_methods: fields.automatic_payment_methods ?? null,
      canceled_at: null,
      cancellation_reason: null,
      capture_method: fields.capture_method ?? 'automatic_async',
      client_secret: `${id}_secret_${randomId('x').slice(2)}`,
      confirmation_method: fields.confirmation_method ?? 'automatic',
      created: seconds(call.now),
      currency: fields.currency,
      customer: fields.customer ?? null,
      customer_account: null,
      description: fields.description ?? null,
      excluded_payment_method_types: null,
      last_payment_error: null,
      latest_charge: null,
      livemode: false,
      managed_payments: null,
      metadata: mergeMetadata({}, fields.metadata),
      next_action: null,
      on_behalf_of: null,
      payment_method: fields.payment_method ?? null,
      payment_method_configuration_details: null,
      payment_method_options: {
        card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
      },
      payment_method_types: ['card'],
      payment_record: null,
      processing: null,
      receipt_email: fields.receipt_email ?? null,
      review: null,
      setup_future_usage: fields.setup_future_usage ?? null,
      shipping: null,
      source: null,
      statement_descriptor: fields.statement_descriptor ?? null,
      statement_descriptor_suffix: fields.statement_descriptor_suffix ?? null,
      status: fields.payment_method ? 'requires_confirmation' : 'requires_payment_method',
      transfer_data: null,
      transfer_group: fields.transfer_group ?? null,
    },
    hidden,
  )
  await emit(call, 'payment_intent.created', intent)
  return intent
}

interface MethodFields {
  payment_method?: string
  payment_method_data?: z.output<typeof paymentMethodData>
}

async function chooseMethod(call: PaymentsCall, fields: MethodFields, customer: string | null, known: string | null) {
  if (fields.payment_method && fields.payment_method_data)
    throw invalidRequest(
      'You may only specify one of these parameters: payment_method, payment_method_data.',
      'payment_method',
    )
  const id = fields.payment_method_data
    ? (await createPaymentMethod(call, fields.payment_method_data)).id
    : (fields.payment_method ?? known)
  const method = id === null ? null : await usePaymentMethod(call, id)
  if (method?.data.customer && method.data.customer !== customer)
    throw invalidRequest(
      'The provided PaymentMethod cannot be attached. To reuse a PaymentMethod, you must attach it to a Customer first.',
      'payment_method',
    )
  return method
}

interface ConfirmFields {
  off_session?: boolean
  error_on_requires_action?: boolean
  return_url?: string
}

function confirmIntent(
  call: PaymentsCall,
  found: Found<'payment_intent'>,
  method: Found<'payment_method'> | null,
  fields: ConfirmFields,
): Promise<Intent | Refusal> {
  if (!method)
    throw unexpectedState(
      found.data,
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
    )
  return confirm(call, found, {
    method,
    isOffSession: fields.off_session,
    errorOnAction: fields.error_on_requires_action,
    returnUrl: fields.return_url,
  })
}

function requireChangeable(intent: Intent, fields: object): void {
  const isOpen = ['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status)
  const fixed = ['amount', 'currency', 'customer', 'payment_method', 'payment_method_data', 'capture_method']
  const changed = fixed.find((name) => name in fields)
  if (isOpen || !changed) return
  throw unexpectedState(
    intent,
    `This PaymentIntent's ${changed} could not be updated because it has a status of ${intent.status}. You may only update the ${changed} of a PaymentIntent with one of the following statuses: requires_payment_method, requires_confirmation, requires_action.`,
  )
}

export const paymentIntentRoutes = [
  route('POST', '/v1/payment_intents', Create, async (call, given) => {
    const { confirm: confirms, payment_method, payment_method_data, automatic_payment_methods, ...fields } = given
    if (fields.customer) await get(call, 'customer', fields.customer, 'customer')
    if (!confirms && (fields.off_session !== undefined || fields.error_on_requires_action !== undefined))
      throw invalidRequest('This parameter can only be used when confirm is true.', 'off_session')
    const method = await chooseMethod(call, { payment_method, payment_method_data }, fields.customer ?? null, null)
    const intent = await createIntent(call, {
      ...fields,
      payment_method: method?.data.id ?? null,
      automatic_payment_methods: automatic_payment_methods ?? null,
    })
    if (!confirms) return intent
    return confirmIntent(call, { data: intent, hidden: {} }, method, fields)
  }),
  route('GET', '/v1/payment_intents', List, (call, { customer, ...page }) =>
    listObjects(call, 'payment_intent', '/v1/payment_intents', page, { customer }),
  ),
  route(
    'GET',
    '/v1/payment_intents/:id',
    z.strictObject({ client_secret: text().optional() }),
    (call, _params, id = '') => read(call, 'payment_intent', id),
  ),
  route('POST', '/v1/payment_intents/:id', Update, async (call, fields, id = '') => {
    const { data } = await get(call, 'payment_intent', id)
    requireChangeable(data, fields)
    const { metadata: change, payment_method, payment_method_data, ...rest } = fields
    if (rest.customer) await get(call, 'customer', rest.customer, 'customer')
    if (rest.amount !== undefined || rest.currency !== undefined)
      checkAmount(rest.amount ?? data.amount, rest.currency ?? data.currency)
    const method = await chooseMethod(
      call,
      { payment_method, payment_method_data },
      rest.customer ?? data.customer,
      null,
    )
    return update(call, 'payment_intent', id, {
      ...rest,
      metadata: mergeMetadata(data.metadata, change),
      ...(method && { payment_method: method.data.id, status: 'requires_confirmation', next_action: null }),
    })
  }),
  route('POST', '/v1/payment_intents/:id/confirm', Confirm, async (call, fields, id = '') => {
    const found = await get(call, 'payment_intent', id)
    const { receipt_email, setup_future_usage, capture_method } = fields
    const method = await chooseMethod(call, fields, found.data.customer, found.data.payment_method)
    const data = await update(call, 'payment_intent', id, {
      ...(receipt_email !== undefined && { receipt_email }),
      ...(setup_future_usage && { setup_future_usage }),
      ...(capture_method && { capture_method }),
    })
    return confirmIntent(call, { data, hidden: found.hidden }, method, fields)
  }),
  route('POST', '/v1/payment_intents/:id/capture', Capture, async (call, fields, id = '') => {
    const { data } = await get(call, 'payment_intent', id)
    const amount = capturableAmount(data, fields.amount_to_capture)
    const { data: charge } = await get(call, 'charge', data.latest_charge ?? '')
    const method = data.payment_method ? await usePaymentMethod(call, data.payment_method) : null
    await captureCharge(call, charge, amount, method)
    const intent = await update(call, 'payment_intent', id, {
      status: 'succeeded',
      amount_capturable: 0,
      amount_received: amount,
      metadata: mergeMetadata(data.metadata, fields.metadata),
    })
    await emit(call, 'payment_intent.succeeded', intent, changesOf(data, intent))
    await afterSuccess(call, intent)
    return intent
  }),
  route('POST', '/v1/payment_intents/:id/cancel', Cancel, async (call, { cancellation_reason }, id = '') =>
    cancelIntent(call, await get(call, 'payment_intent', id), cancellation_reason ?? null),
  ),
]
