import type Stripe from 'stripe'
import { z } from 'zod'
import { changesOf, emit } from '../store/events.ts'
import { listObjects, pageParams } from '../store/list.ts'
import { find, get, insert, update, type Found } from '../store/objects.ts'
import type { Stock } from '../store/types.ts'
import { randomId, seconds, type PaymentsCall } from '../wire/call.ts'
import { invalidRequest, resourceMissing, StripeError } from '../wire/error.ts'
import { address, clearable, email, integer, mergeMetadata, metadata, paramsOf, text } from '../wire/params.ts'
import { nothing, route } from '../wire/route.ts'
import { cardByAlias, cardByNumber, cardOf, type CardDecline, type TestCard } from './cards.ts'

const billingDetails = z.strictObject({
  address: clearable(address).optional(),
  email: clearable(email).optional(),
  name: clearable(text()).optional(),
  phone: clearable(text()).optional(),
})

const card = z.strictObject({
  number: text(25).optional(),
  exp_month: integer(1, 12).optional(),
  exp_year: integer(0, 9999).optional(),
  cvc: text(4).optional(),
  token: text().optional(),
})

export const paymentMethodData = z.strictObject({
  type: z.enum(['card']),
  billing_details: billingDetails.optional(),
  metadata: metadata.optional(),
  card: card.optional(),
})

const Create = paramsOf<Stripe.PaymentMethodCreateParams>()(
  z.strictObject({
    ...paymentMethodData.shape,
    allow_redisplay: z.enum(['always', 'limited', 'unspecified']).optional(),
  }),
)

const Update = paramsOf<Stripe.PaymentMethodUpdateParams>()(
  z.strictObject({
    billing_details: billingDetails.optional(),
    metadata: clearable(metadata).optional(),
    card: z.strictObject({ exp_month: integer(1, 12).optional(), exp_year: integer(2000, 9999).optional() }).optional(),
  }),
)

const List = paramsOf<Stripe.PaymentMethodListParams>()(
  z.strictObject({ ...pageParams, customer: text().optional(), type: z.enum(['card']).optional() }),
)
const Attach = paramsOf<Stripe.PaymentMethodAttachParams>()(z.strictObject({ customer: text() }))

type MethodData = Omit<z.output<typeof paymentMethodData>, 'type'>

/** @throws {StripeError} 402 for a number that isn’t that of a test card */
export async function createPaymentMethod(call: PaymentsCall, fields: MethodData): Promise<Stock['payment_method']> {
  const given = fields.card
  if (!given?.number && !given?.token)
    throw invalidRequest('Missing required param: card.', 'card', 'parameter_missing')
  const found = given.token ? cardByAlias(given.token) : cardByNumber(given.number ?? '')
  if (!found && given.token) throw resourceMissing('token', given.token, 'card[token]')
  if (!found) throw invalidRequest('Your card number is incorrect.', 'card[number]', 'incorrect_number')
  return insertMethod(call, found, fields)
}

async function insertMethod(
  call: PaymentsCall,
  found: TestCard,
  { billing_details: billing, metadata: given, card: entered }: MethodData,
): Promise<Stock['payment_method']> {
  const nextYear = call.now.getUTCFullYear() + 1
  return insert(
    call,
    'payment_method',
    {
      id: randomId('pm'),
      object: 'payment_method',
      allow_redisplay: 'unspecified',
      billing_details: { ...emptyBilling, ...billing, address: fullAddress(billing?.address) },
      card: {
        brand: found.brand,
        checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: entered?.cvc ? 'pass' : null },
        country: found.country,
        display_brand: found.brand,
        exp_month: entered?.exp_month ?? 12,
        exp_year: entered?.exp_year ? (entered.exp_year % 100) + 2000 : nextYear,
        fingerprint: Bun.hash(found.number).toString(36).padEnd(16, '0').slice(0, 16),
        funding: 'credit',
        generated_from: null,
        last4: found.number.slice(-4),
        networks: { available: [found.brand], preferred: null },
        regulated_status: 'unregulated',
        three_d_secure_usage: { supported: true },
        wallet: null,
      },
      created: seconds(call.now),
      customer: null,
      customer_account: null,
      livemode: false,
      metadata: mergeMetadata({}, given),
      type: 'card',
    },
    { number: found.number },
  )
}

const emptyBilling = { email: null, name: null, phone: null, tax_id: null }

export const fullAddress = (given: z.output<typeof address> | null | undefined): Stripe.Address => ({
  city: given?.city ?? null,
  country: given?.country ?? null,
  line1: given?.line1 ?? null,
  line2: given?.line2 ?? null,
  postal_code: given?.postal_code ?? null,
  state: given?.state ?? null,
})

/** `pm_card_visa` and the like become a payment method of their own. @throws {StripeError} */
export async function usePaymentMethod(
  call: PaymentsCall,
  id: string,
  param = 'payment_method',
): Promise<Found<'payment_method'>> {
  const found = await find(call, 'payment_method', id)
  if (found) return found
  const alias = cardByAlias(id)
  if (!alias) throw resourceMissing('PaymentMethod', id, param)
  const data = await insertMethod(call, alias, {})
  return { data, hidden: { number: alias.number } }
}

/** @throws {StripeError} 402 for a card that declines its setup */
export async function attach(
  call: PaymentsCall,
  { data, hidden }: Found<'payment_method'>,
  customer: string,
): Promise<Stock['payment_method']> {
  if (data.customer === customer) return data
  if (data.customer)
    throw invalidRequest(
      'The payment method you provided has already been attached to a customer.',
      'payment_method',
      'payment_method_unexpected_state',
    )
  const { decline, declinesSetup } = cardOf(hidden)
  if (decline && declinesSetup) throw declinedCard(decline)
  const attached = await update(call, 'payment_method', data.id, { customer })
  await emit(call, 'payment_method.attached', attached)
  return attached
}

const declinedCard = ({ message, ...facts }: CardDecline) =>
  new StripeError(402, message, { type: 'card_error', ...facts })

export const paymentMethodRoutes = [
  route('POST', '/v1/payment_methods', Create, (call, fields) => createPaymentMethod(call, fields)),
  route('GET', '/v1/payment_methods', List, (call, { customer, type, ...page }) =>
    listObjects(call, 'payment_method', '/v1/payment_methods', page, { customer, type }),
  ),
  route(
    'GET',
    '/v1/payment_methods/:id',
    nothing,
    async (call, _, id = '') => (await usePaymentMethod(call, id, 'id')).data,
  ),
  route('POST', '/v1/payment_methods/:id', Update, async (call, fields, id = '') => {
    const { data } = await get(call, 'payment_method', id)
    const { billing_details: billing } = fields
    const changed = await update(call, 'payment_method', id, {
      billing_details: {
        ...data.billing_details,
        ...billing,
        address: billing?.address ? fullAddress(billing.address) : data.billing_details.address,
      },
      metadata: mergeMetadata(data.metadata ?? {}, fields.metadata),
      ...(data.card && { card: { ...data.card, ...fields.card } }),
    })
    await emit(call, 'payment_method.updated', changed, changesOf(data, changed))
    return changed
  }),
  route('POST', '/v1/payment_methods/:id/attach', Attach, async (call, { customer }, id = '') => {
    await get(call, 'customer', customer, 'customer')
    return attach(call, await usePaymentMethod(call, id, 'id'), customer)
  }),
  route('POST', '/v1/payment_methods/:id/detach', nothing, async (call, _, id = '') => {
    const { data } = await get(call, 'payment_method', id)
    if (!data.customer)
      throw invalidRequest('The payment method you provided is not attached to a customer so detachment is impossible.')
    const detached = await update(call, 'payment_method', id, { customer: null })
    await emit(call, 'payment_method.detached', detached, { customer: data.customer })
    return detached
  }),
]
