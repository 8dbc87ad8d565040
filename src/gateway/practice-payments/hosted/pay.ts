import { z } from 'zod'
import { createCustomer } from '../catalog/customers.ts'
import { intentOf } from '../billing/invoice.ts'
import { createSubscription, trialEndOf } from '../billing/subscription.ts'
import { completeSession } from '../checkout/complete.ts'
import { detailsOf, subscriptionData } from '../checkout/sessions.ts'
import { get, update, type Found } from '../store/objects.ts'
import type { Stock } from '../store/types.ts'
import type { PaymentsCall } from '../wire/call.ts'
import { Refusal } from '../wire/error.ts'
import { confirm } from '../payments/confirm.ts'
import { createIntent } from '../payments/payment-intents.ts'
import { textOfRefusal } from './visit.ts'
import { attach, createPaymentMethod } from '../payments/payment-methods.ts'
import { confirmSetup, createSetup } from '../payments/setup-intents.ts'

export interface Buyer {
  email: string
  number: string
}

/** Where the buyer goes next, or what went wrong. */
export type Outcome = { next: string } | { error: string }

const IntentData = z.looseObject({ metadata: z.record(z.string(), z.string()).optional() })
const SetupData = z.looseObject({ metadata: z.record(z.string(), z.string()).optional() })
const Hidden = z.looseObject({ intent: IntentData, setup: SetupData, intentId: z.string().optional() })

type Session = Found<'checkout.session'>

export const returnAddress = (url: string | null, id: string): string =>
  (url ?? '/').replaceAll('{CHECKOUT_SESSION_ID}', id)

/** The buyer pays an open session with a test card. */
export async function payCheckout(call: PaymentsCall, session: Session, buyer: Buyer): Promise<Outcome> {
  const { data } = session
  const method = await createPaymentMethod(call, {
    card: { number: buyer.number, exp_month: 12, exp_year: call.now.getUTCFullYear() + 3, cvc: '123' },
    billing_details: { email: buyer.email },
  }).catch(textOfRefusal)
  if (typeof method === 'string') return { error: method }
  const needed = data.mode === 'subscription' ? 'always' : data.customer_creation
  const customer = data.customer ?? (await addCustomer(call, needed, buyer))
  await update(call, 'checkout.session', data.id, {
    customer,
    customer_details: detailsOf(buyer.email, null),
    collected_information: null,
  })
  const used = { data: method, hidden: { number: buyer.number.replaceAll(/\D/g, '') } }
  const returnUrl = `${call.origin}/dev/payments/checkout/${data.id}`
  if (data.mode === 'subscription')
    return subscribe(call, session, { customer: customer ?? '', method: used, returnUrl })
  const result =
    data.mode === 'setup'
      ? await confirmSetup(call, await setupFor(call, session, customer), used, { returnUrl })
      : await confirm(call, await intentFor(call, session, customer), { method: used, returnUrl })
  return outcomeOf(result, data)
}

function outcomeOf(
  result: Stock['payment_intent'] | Stock['setup_intent'] | Refusal,
  { success_url, id }: Session['data'],
): Outcome {
  if (result instanceof Refusal) return { error: String(result.error['message']) }
  return { next: result.next_action?.redirect_to_url?.url ?? returnAddress(success_url, id) }
}

interface Subscriber {
  customer: string
  method: Found<'payment_method'>
  returnUrl: string
}

const SubscriptionData = z.looseObject({
  items: z.array(z.looseObject({ price: z.looseObject({ id: z.string() }), quantity: z.int() })),
  subscription: subscriptionData,
  subscriptionId: z.string().optional(),
})

/** One subscription for all attempts of a session. Without a first payment the card is only saved. */
async function subscribe(
  call: PaymentsCall,
  { data, hidden }: Session,
  { customer, method, returnUrl }: Subscriber,
): Promise<Outcome> {
  const { items, subscription: fields, subscriptionId } = SubscriptionData.parse(hidden)
  const subscription = subscriptionId
    ? (await get(call, 'subscription', subscriptionId)).data
    : await createSubscription(call, {
        customer,
        items: items.map(({ price, quantity }) => ({ price: price.id, quantity })),
        description: fields.description,
        metadata: fields.metadata,
        trial_end: trialEndOf(call, fields.trial_period_days),
        payment_behavior: 'default_incomplete',
      })
  const invoice = subscription.latest_invoice ?? ''
  await update(
    call,
    'checkout.session',
    data.id,
    { subscription: subscription.id, invoice },
    { subscriptionId: subscription.id },
  )
  const intent = await intentOf(call, invoice)
  if (!intent) {
    await attach(call, method, customer)
    await update(call, 'subscription', subscription.id, { default_payment_method: method.data.id })
    await completeSession(call, data.id, {})
    return { next: returnAddress(data.success_url, data.id) }
  }
  const own = await update(call, 'payment_intent', intent.data.id, {}, { session: data.id })
  const bound = { data: own, hidden: { ...intent.hidden, session: data.id } }
  return outcomeOf(await confirm(call, bound, { method, returnUrl }), data)
}

async function addCustomer(call: PaymentsCall, creation: string | null, { email }: Buyer): Promise<string | null> {
  return creation === 'always' ? (await createCustomer(call, { email })).id : null
}

async function setupFor(
  call: PaymentsCall,
  { data, hidden }: Session,
  customer: string | null,
): Promise<Found<'setup_intent'>> {
  const { setup: fields, intentId } = Hidden.parse(hidden)
  if (intentId) return get(call, 'setup_intent', intentId)
  const own = { session: data.id }
  const intent = await createSetup(call, { ...fields, customer }, own)
  await update(call, 'checkout.session', data.id, {}, { intentId: intent.id })
  return { data: intent, hidden: own }
}

/** One payment intent for all attempts of a session. */
async function intentFor(
  call: PaymentsCall,
  { data, hidden }: Session,
  customer: string | null,
): Promise<Found<'payment_intent'>> {
  const { intent: fields, intentId } = Hidden.parse(hidden)
  if (intentId) return get(call, 'payment_intent', intentId)
  const own = { session: data.id }
  const intent = await createIntent(
    call,
    { ...fields, amount: data.amount_total ?? 0, currency: data.currency ?? 'usd', customer },
    own,
  )
  await update(call, 'checkout.session', data.id, { payment_intent: intent.id }, { intentId: intent.id })
  return { data: intent, hidden: own }
}
