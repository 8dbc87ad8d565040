import { emit } from '../store/events.ts'
import { find, get, update, type Found } from '../store/objects.ts'
import type { Stock } from '../store/types.ts'
import { seconds, type PaymentsCall } from '../wire/call.ts'
import { unexpectedState } from './confirm.ts'

type Intent = Stock['payment_intent']

const cancelable = [
  'requires_payment_method',
  'requires_capture',
  'requires_confirmation',
  'requires_action',
  'processing',
]

/** An authorized amount is released. @throws {StripeError} unless it can be canceled */
export async function cancelIntent(
  call: PaymentsCall,
  { data, hidden }: Found<'payment_intent'>,
  reason: Intent['cancellation_reason'],
): Promise<Intent> {
  if (!cancelable.includes(data.status))
    throw unexpectedState(
      data,
      `You cannot cancel this PaymentIntent because it has a status of ${data.status}. Only a PaymentIntent with one of the following statuses may be canceled: ${cancelable.join(', ')}.`,
    )
  const session = hidden['session']
  const open = typeof session === 'string' ? await find(call, 'checkout.session', session) : null
  if (open?.data.status === 'open')
    throw unexpectedState(
      data,
      'You cannot cancel this PaymentIntent because it was created by a Checkout Session that is open. Expire the session instead.',
    )
  if (data.status === 'requires_capture' && data.latest_charge) {
    const { data: charge } = await get(call, 'charge', data.latest_charge)
    const released = await update(call, 'charge', charge.id, { amount_refunded: charge.amount, refunded: true })
    await emit(call, 'charge.refunded', released, { amount_refunded: 0, refunded: false })
  }
  const intent = await update(call, 'payment_intent', data.id, {
    status: 'canceled',
    amount_capturable: 0,
    canceled_at: seconds(call.now),
    cancellation_reason: reason,
    next_action: null,
  })
  await emit(call, 'payment_intent.canceled', intent)
  return intent
}
