import type Stripe from 'stripe'
import { z } from 'zod'
import { recordMovement } from '../balance/transactions.ts'
import { checkStep, formatAmount } from '../catalog/currency.ts'
import { emit } from '../store/events.ts'
import { datedPageParams, listObjects } from '../store/list.ts'
import { find, get, insert, read, update } from '../store/objects.ts'
import { schedule } from '../store/tasks.ts'
import type { Stock } from '../store/types.ts'
import { randomId, seconds, type PaymentsCall } from '../wire/call.ts'
import { invalidRequest } from '../wire/error.ts'
import { clearable, integer, mergeMetadata, metadata, paramsOf, text } from '../wire/params.ts'
import { nothing, route } from '../wire/route.ts'
import { cardOf } from './cards.ts'

const Create = paramsOf<Stripe.RefundCreateParams>()(
  z.strictObject({
    amount: integer(1).optional(),
    charge: text().optional(),
    metadata: clearable(metadata).optional(),
    payment_intent: text().optional(),
    reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  }),
)
const Update = paramsOf<Stripe.RefundUpdateParams>()(z.strictObject({ metadata: clearable(metadata).optional() }))
const List = paramsOf<Stripe.RefundListParams>()(
  z.strictObject({ ...datedPageParams, charge: text().optional(), payment_intent: text().optional() }),
)

type Charge = Stock['charge']
type Refund = Stock['refund']
type RefundParams = z.output<typeof Create>

/** Of refunds whose outcome comes later. */
const settleAfterMs = 300

/** Locked: refunds at the same time can’t exceed the charge together. @throws {StripeError} */
async function chargeToRefund(call: PaymentsCall, { charge, payment_intent }: RefundParams): Promise<Charge> {
  if ((charge === undefined) === (payment_intent === undefined))
    throw invalidRequest('One of the following params should be provided for this request: payment_intent or charge.')
  if (charge) return (await get(call, 'charge', charge, 'charge', 'lock')).data
  const { data } = await get(call, 'payment_intent', payment_intent ?? '', 'payment_intent')
  const paid = data.latest_charge ? (await find(call, 'charge', data.latest_charge))?.data : null
  if (paid?.status === 'succeeded') return paid
  throw invalidRequest(
    `This PaymentIntent (${data.id}) does not have a successful charge to refund.`,
    'payment_intent',
    'payment_intent_unexpected_state',
  )
}

function refundableAmount(charge: Charge, wanted: number | undefined): number {
  const left = charge.amount - charge.amount_refunded
  if (charge.status !== 'succeeded' || !charge.captured)
    throw invalidRequest(`Charge ${charge.id} has not been captured. Cancel its payment intent instead.`, 'charge')
  if (charge.disputed)
    throw invalidRequest(
      `Charge ${charge.id} has been charged back; cannot issue a refund.`,
      undefined,
      'charge_disputed',
    )
  if (left === 0)
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, undefined, 'charge_already_refunded')
  const amount = wanted ?? left
  checkStep(amount, charge.currency)
  if (amount <= left) return amount
  const shown = (value: number) => formatAmount(value, charge.currency)
  throw invalidRequest(
    `Refund amount (${shown(amount)}) is greater than unrefunded amount on charge (${shown(left)})`,
    'amount',
  )
}

async function createRefund(call: PaymentsCall, params: RefundParams): Promise<Refund> {
  const charge = await chargeToRefund(call, params)
  const amount = refundableAmount(charge, params.amount)
  const method = charge.payment_method ? await find(call, 'payment_method', charge.payment_method) : null
  const outcome = cardOf(method?.hidden ?? {}).refund
  const id = randomId('re')
  const movement = await recordMovement(call, {
    type: 'refund',
    amount: -amount,
    currency: charge.currency,
    source: id,
  })
  const refund = await insert(call, 'refund', {
    id,
    object: 'refund',
    amount,
    balance_transaction: movement.id,
    charge: charge.id,
    created: seconds(call.now),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: {
      type: 'card',
      card: { type: 'refund', reference_status: 'pending', reference_type: 'acquirer_reference_number' },
    },
    metadata: mergeMetadata({}, params.metadata),
    ...(outcome === 'pending' && { pending_reason: 'processing' }),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: params.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: outcome === 'pending' ? 'pending' : 'succeeded',
    transfer_reversal: null,
  })
  await emit(call, 'refund.created', refund)
  await changeRefunded(call, charge, amount)
  if (outcome) await schedule(call, 'settle_refund', id, settleAfterMs)
  return refund
}

async function changeRefunded(call: PaymentsCall, charge: Charge, by: number): Promise<void> {
  const amount_refunded = charge.amount_refunded + by
  const refunded = amount_refunded === charge.amount
  const changed = await update(call, 'charge', charge.id, { amount_refunded, refunded })
  if (by > 0)
    await emit(call, 'charge.refunded', changed, {
      amount_refunded: charge.amount_refunded,
      ...(refunded && { refunded: false }),
    })
}

/** A pending refund succeeds; one that will fail does so after it succeeded, and its amount comes back. */
export async function settleRefund(call: PaymentsCall, id: string): Promise<void> {
  // Charges are locked before their refunds, as by new refunds.
  const known = await find(call, 'refund', id, 'read')
  const charge = known && (await find(call, 'charge', known.data.charge ?? ''))
  const refund = await find(call, 'refund', id)
  if (!refund || !charge) return
  const { data } = refund
  if (data.status === 'pending') {
    const settled = await update(call, 'refund', id, { status: 'succeeded' })
    await emit(call, 'refund.updated', settled, { status: 'pending' })
    await emit(call, 'charge.refund.updated', settled, { status: 'pending' })
    return
  }
  if (data.status !== 'succeeded') return
  const movement = await recordMovement(call, {
    type: 'refund_failure',
    amount: data.amount,
    currency: data.currency,
    source: id,
  })
  const failed = await update(call, 'refund', id, {
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
    failure_balance_transaction: movement.id,
  })
  await changeRefunded(call, charge.data, -data.amount)
  await emit(call, 'refund.failed', failed, { status: 'succeeded' })
  await emit(call, 'charge.refund.updated', failed, { status: 'succeeded' })
}

export const refundRoutes = [
  route('POST', '/v1/refunds', Create, createRefund),
  route('GET', '/v1/refunds', List, (call, { charge, payment_intent, ...page }) =>
    listObjects(call, 'refund', '/v1/refunds', page, { charge, payment_intent }),
  ),
  route('GET', '/v1/refunds/:id', nothing, (call, _, id = '') => read(call, 'refund', id)),
  route('POST', '/v1/refunds/:id', Update, async (call, fields, id = '') => {
    const { data } = await get(call, 'refund', id)
    const refund = await update(call, 'refund', id, { metadata: mergeMetadata(data.metadata ?? {}, fields.metadata) })
    await emit(call, 'refund.updated', refund, { metadata: data.metadata })
    return refund
  }),
  route('POST', '/v1/refunds/:id/cancel', nothing, async (call, _, id = '') => {
    const { data } = await get(call, 'refund', id)
    throw invalidRequest(
      `Refund ${id} can’t be canceled: only refunds that require an action can, and it is ${data.status}.`,
    )
  }),
]
