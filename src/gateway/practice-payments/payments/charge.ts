import { feeOf, recordMovement } from '../balance/transactions.ts'
import { emit } from '../store/events.ts'
import { insert, update } from '../store/objects.ts'
import { schedule } from '../store/tasks.ts'
import type { Stock } from '../store/types.ts'
import { randomId, seconds, type PaymentsCall } from '../wire/call.ts'
import { cardOf, type CardDecline } from './cards.ts'
import type { Found } from '../store/objects.ts'

type Charge = Stock['charge']

interface ChargeFacts {
  intent: Stock['payment_intent']
  method: Found<'payment_method'>
  isCaptured: boolean
  decline?: CardDecline
  isAuthenticated: boolean
}

/** After a disputed payment. */
const disputeAfterMs = 300

/** Charges the card of a payment method, or fails to. */
export async function createCharge(call: PaymentsCall, facts: ChargeFacts): Promise<Charge> {
  const { intent, method, isCaptured, decline } = facts
  const id = randomId('ch')
  const amount = intent.amount
  const card = method.data.card
  const movement =
    isCaptured && !decline
      ? await recordMovement(call, {
          type: 'charge',
          amount,
          fee: feeOf(amount),
          currency: intent.currency,
          source: id,
        })
      : null
  const charge = await insert(call, 'charge', {
    id,
    object: 'charge',
    amount,
    amount_captured: movement ? amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: movement?.id ?? null,
    billing_details: { ...method.data.billing_details, tax_id: null },
    calculated_statement_descriptor: intent.statement_descriptor ?? 'PRACTICE',
    captured: movement !== null,
    created: seconds(call.now),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: outcomeOf(decline),
    paid: !decline,
    payment_intent: intent.id,
    payment_method: method.data.id,
    payment_method_details: {
      type: 'card',
      card: {
        amount_authorized: decline ? null : amount,
        authorization_code: decline ? null : '123456',
        brand: card?.brand ?? null,
        checks: {
          address_line1_check: null,
          address_postal_code_check: null,
          cvc_check: card?.checks?.cvc_check ?? null,
        },
        country: card?.country ?? null,
        electronic_commerce_indicator: null,
        exp_month: card?.exp_month ?? 12,
        exp_year: card?.exp_year ?? 2099,
        fingerprint: card?.fingerprint ?? null,
        funding: card?.funding ?? null,
        installments: null,
        last4: card?.last4 ?? null,
        mandate: null,
        network: card?.brand ?? null,
        network_transaction_id: null,
        regulated_status: 'unregulated',
        three_d_secure: facts.isAuthenticated
          ? {
              authentication_flow: 'challenge',
              electronic_commerce_indicator: '05',
              exemption_indicator: null,
              result: 'authenticated',
              result_reason: null,
              transaction_id: null,
              version: '2.2.0',
            }
          : null,
        transaction_link_id: null,
        wallet: null,
      },
    },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: decline ? null : `${call.origin}/dev/payments/receipts/${id}`,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: decline ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: intent.transfer_group,
  })
  await emit(call, decline ? 'charge.failed' : 'charge.succeeded', charge)
  if (movement) await scheduleDispute(call, charge, method)
  return charge
}

const outcomeOf = (decline: CardDecline | undefined): Charge['outcome'] => ({
  advice_code: decline ? 'try_again_later' : null,
  network_advice_code: null,
  network_decline_code: decline ? '02' : null,
  network_status: decline ? 'declined_by_network' : 'approved_by_network',
  reason: decline?.decline_code ?? null,
  risk_level: 'normal',
  risk_score: 20,
  seller_message: decline ? 'The bank did not return any further details with this decline.' : 'Payment complete.',
  type: decline ? 'issuer_declined' : 'authorized',
})

async function scheduleDispute(call: PaymentsCall, charge: Charge, { hidden }: Found<'payment_method'>) {
  if (cardOf(hidden).dispute) await schedule(call, 'open_dispute', charge.id, disputeAfterMs)
}

/** Captures an authorized charge. The rest of it is released. */
export async function captureCharge(
  call: PaymentsCall,
  charge: Charge,
  amount: number,
  method: Found<'payment_method'> | null,
): Promise<Charge> {
  const movement = await recordMovement(call, {
    type: 'charge',
    amount,
    fee: feeOf(amount),
    currency: charge.currency,
    source: charge.id,
  })
  const captured = await update(call, 'charge', charge.id, {
    amount_captured: amount,
    amount_refunded: charge.amount - amount,
    balance_transaction: movement.id,
    captured: true,
  })
  await emit(call, 'charge.captured', captured, { captured: false })
  if (method) await scheduleDispute(call, captured, method)
  return captured
}
