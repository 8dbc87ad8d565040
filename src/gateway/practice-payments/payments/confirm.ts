import { checkStep } from '../catalog/currency.ts'
import { changesOf, emit } from '../store/events.ts'
import { find, update, type Found } from '../store/objects.ts'
import type { Stock } from '../store/types.ts'
import type { PaymentsCall } from '../wire/call.ts'
import { invalidRequest, Refusal } from '../wire/error.ts'
import { cardOf, type CardDecline } from './cards.ts'
import { createCharge } from './charge.ts'
import { afterFailure, afterSuccess } from './outcome.ts'
import { attach } from './payment-methods.ts'

type Intent = Stock['payment_intent']

export interface Confirmation {
  method: Found<'payment_method'>
  isOffSession?: boolean
  errorOnAction?: boolean
  returnUrl?: string
  /** The customer passed 3-D Secure. */
  isAuthenticated?: boolean
}

const confirmable = ['requires_payment_method', 'requires_confirmation', 'requires_action']

/** @throws {StripeError} unless the payment intent can be confirmed */
function requireConfirmable(intent: Intent): void {
  if (confirmable.includes(intent.status)) return
  throw unexpectedState(
    intent,
    intent.status === 'succeeded'
      ? 'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.'
      : `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be confirmed: ${confirmable.join(', ')}.`,
  )
}

export const unexpectedState = (intent: Intent, message: string) =>
  invalidRequest(message, undefined, 'payment_intent_unexpected_state', intent)

/** Charges the payment method, unless it has to be authenticated first. A decline is a refusal whose charge remains. */
export async function confirm(
  call: PaymentsCall,
  { data: before, hidden }: Found<'payment_intent'>,
  confirmation: Confirmation,
): Promise<Intent | Refusal> {
  requireConfirmable(before)
  const { method, returnUrl, isAuthenticated = false } = confirmation
  const card = cardOf(method.hidden)
  const payment_method = method.data.id
  const isSetUp = method.hidden['isSetUp'] === true
  const needsAction = card.authentication === 'always' || (card.authentication === 'once' && !isSetUp)
  if (needsAction && !isAuthenticated && confirmation.isOffSession)
    return decline(call, before, method, authenticationRequired, false)
  if (needsAction && !isAuthenticated && confirmation.errorOnAction)
    return decline(call, before, method, authenticationRequired, false)
  if (needsAction && !isAuthenticated) {
    const url = `${call.origin}/dev/payments/authenticate/${before.id}`
    const intent = await update(
      call,
      'payment_intent',
      before.id,
      {
        status: 'requires_action',
        payment_method,
        last_payment_error: null,
        next_action: returnUrl
          ? { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url } }
          : { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url } },
      },
      { returnUrl: returnUrl ?? hidden['returnUrl'] ?? null },
    )
    await emit(call, 'payment_intent.requires_action', intent, changesOf(before, intent))
    return intent
  }
  if (card.decline) return decline(call, before, method, card.decline, isAuthenticated)
  return succeed(call, before, method, isAuthenticated)
}

const authenticationRequired: CardDecline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
}

async function succeed(
  call: PaymentsCall,
  before: Intent,
  method: Found<'payment_method'>,
  isAuthenticated: boolean,
): Promise<Intent> {
  const isCaptured = before.capture_method !== 'manual'
  const charge = await createCharge(call, { intent: before, method, isCaptured, isAuthenticated })
  if (before.setup_future_usage && before.customer && !method.data.customer) await attach(call, method, before.customer)
  const intent = await update(call, 'payment_intent', before.id, {
    status: isCaptured ? 'succeeded' : 'requires_capture',
    amount_received: isCaptured ? before.amount : 0,
    amount_capturable: isCaptured ? 0 : before.amount,
    latest_charge: charge.id,
    payment_method: method.data.id,
    last_payment_error: null,
    next_action: null,
  })
  await emit(call, isCaptured ? 'payment_intent.succeeded' : 'payment_intent.amount_capturable_updated', intent)
  await afterSuccess(call, intent)
  return intent
}

/** The failed charge and the reason remain, and the payment method has to be chosen again. */
async function decline(
  call: PaymentsCall,
  before: Intent,
  method: Found<'payment_method'>,
  reason: CardDecline,
  isAuthenticated: boolean,
): Promise<Refusal> {
  const charge = await createCharge(call, {
    intent: before,
    method,
    isCaptured: false,
    isAuthenticated,
    decline: reason,
  })
  return fail(call, before, method, { type: 'card_error', ...reason, charge: charge.id }, { latest_charge: charge.id })
}

async function fail(
  call: PaymentsCall,
  before: Intent,
  { data: method }: Found<'payment_method'>,
  error: { type: 'card_error' | 'invalid_request_error'; code: string; message: string; charge?: string },
  change: Partial<Intent>,
): Promise<Refusal> {
  const intent = await update(call, 'payment_intent', before.id, {
    ...change,
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_payment_error: { ...error, payment_method: Object.assign({}, method) },
  })
  await emit(call, 'payment_intent.payment_failed', intent)
  await afterFailure(call, intent)
  return new Refusal(402, { ...error, payment_intent: intent, payment_method: method })
}

/** The customer completed 3-D Secure, or failed to. */
export async function finishAuthentication(
  call: PaymentsCall,
  found: Found<'payment_intent'>,
  passed: boolean,
): Promise<Intent | Refusal> {
  const { data: intent } = found
  const method = intent.payment_method ? await find(call, 'payment_method', intent.payment_method) : null
  if (intent.status !== 'requires_action' || !method)
    throw unexpectedState(intent, 'This payment doesn’t require authentication.')
  if (passed) return confirm(call, found, { method, isAuthenticated: true })
  const error = {
    type: 'invalid_request_error' as const,
    code: 'payment_intent_authentication_failure',
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
  }
  return fail(call, intent, method, error, {})
}

/** @throws {StripeError} unless the amount can be captured */
export function capturableAmount(intent: Intent, wanted: number | undefined): number {
  if (intent.status !== 'requires_capture')
    throw unexpectedState(
      intent,
      `This PaymentIntent could not be captured because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be captured: requires_capture.`,
    )
  const amount = wanted ?? intent.amount_capturable
  checkStep(amount, intent.currency, { param: 'amount_to_capture' })
  if (amount > intent.amount_capturable)
    throw invalidRequest(
      'The amount to capture must be less than or equal to the amount capturable.',
      'amount_to_capture',
      'amount_too_large',
    )
  return amount
}
