import type Stripe from 'stripe'
import { z } from 'zod'
import { recordMovement } from '../balance/transactions.ts'
import { emit } from '../store/events.ts'
import { datedPageParams, listObjects } from '../store/list.ts'
import { find, get, insert, read, update } from '../store/objects.ts'
import type { Stock } from '../store/types.ts'
import { randomId, seconds, type PaymentsCall } from '../wire/call.ts'
import { invalidRequest } from '../wire/error.ts'
import { clearable, flag, mergeMetadata, metadata, paramsOf, text } from '../wire/params.ts'
import { nothing, route } from '../wire/route.ts'
import { cardOf } from './cards.ts'

const evidenceNames = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_tracking_number',
  'uncategorized_text',
] as const

const Update = paramsOf<Stripe.DisputeUpdateParams>()(
  z.strictObject({
    evidence: z.partialRecord(z.enum(evidenceNames), text(20_000)).optional(),
    metadata: clearable(metadata).optional(),
    submit: flag.optional(),
  }),
)
const List = paramsOf<Stripe.DisputeListParams>()(
  z.strictObject({ ...datedPageParams, charge: text().optional(), payment_intent: text().optional() }),
)

type Dispute = Stock['dispute']

const emptyEvidence: Dispute['evidence'] = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
}

/** In the minor unit of the charge’s currency. */
const disputeFee = 1500
const answerDays = 7

/** The customer’s bank disputes a charge, and takes the amount back unless it only inquires. */
export async function openDispute(call: PaymentsCall, chargeId: string): Promise<void> {
  const charge = (await find(call, 'charge', chargeId))?.data
  const method = charge?.payment_method ? await find(call, 'payment_method', charge.payment_method) : null
  const { dispute: kind } = cardOf(method?.hidden ?? {})
  const amount = charge ? charge.amount - charge.amount_refunded : 0
  if (!charge || !kind || amount === 0 || charge.disputed) return
  const id = randomId('du')
  const movements = kind.isInquiry
    ? []
    : [
        await recordMovement(call, {
          type: 'adjustment',
          category: 'dispute',
          amount: -amount,
          fee: disputeFee,
          currency: charge.currency,
          source: id,
        }),
      ]
  const dispute = await insert(call, 'dispute', {
    id,
    object: 'dispute',
    amount,
    balance_transactions: movements,
    charge: charge.id,
    created: seconds(call.now),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: emptyEvidence,
    evidence_details: {
      due_by: seconds(call.now) + answerDays * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: 'manual',
    is_charge_refundable: kind.isInquiry ?? false,
    livemode: false,
    metadata: {},
    network_reason_code: '10.4',
    payment_intent: charge.payment_intent,
    payment_method_details: {
      type: 'card',
      card: {
        brand: method?.data.card?.brand ?? 'visa',
        case_type: kind.isInquiry ? 'inquiry' : 'chargeback',
        network: method?.data.card?.brand ?? 'visa',
        network_reason_code: '10.4',
      },
    },
    reason: kind.reason,
    status: kind.isInquiry ? 'warning_needs_response' : 'needs_response',
  })
  const disputed = await update(call, 'charge', charge.id, { disputed: !kind.isInquiry })
  await emit(call, 'charge.dispute.created', dispute)
  if (kind.isInquiry) return
  await emit(call, 'charge.dispute.funds_withdrawn', dispute)
  await emit(call, 'charge.updated', disputed, { disputed: false })
}

/** A lost dispute’s amount was already taken; that of a won one comes back, without the fee. */
async function closeDispute(call: PaymentsCall, dispute: Dispute, isWon: boolean): Promise<Dispute> {
  const isInquiry = dispute.status.startsWith('warning')
  const back =
    isWon && !isInquiry
      ? await recordMovement(call, {
          type: 'adjustment',
          category: 'dispute_reversal',
          amount: dispute.amount,
          currency: dispute.currency,
          source: dispute.id,
        })
      : null
  const closed = await update(call, 'dispute', dispute.id, {
    status: isInquiry ? 'warning_closed' : isWon ? 'won' : 'lost',
    balance_transactions: back ? [...dispute.balance_transactions, back] : dispute.balance_transactions,
  })
  await emit(call, 'charge.dispute.closed', closed, { status: dispute.status })
  if (back) await emit(call, 'charge.dispute.funds_reinstated', closed)
  return closed
}

const isOpen = ({ status }: Dispute): boolean => status.endsWith('needs_response')

export const disputeRoutes = [
  route('GET', '/v1/disputes', List, (call, { charge, payment_intent, ...page }) =>
    listObjects(call, 'dispute', '/v1/disputes', page, { charge, payment_intent }),
  ),
  route('GET', '/v1/disputes/:id', nothing, (call, _, id = '') => read(call, 'dispute', id)),
  route('POST', '/v1/disputes/:id', Update, async (call, { evidence, metadata: change, submit = true }, id = '') => {
    const { data } = await get(call, 'dispute', id)
    if (evidence && !isOpen(data)) throw invalidRequest('This dispute is already closed or under review.', 'evidence')
    const isSubmitted = evidence !== undefined && submit
    const dispute = await update(call, 'dispute', id, {
      metadata: mergeMetadata(data.metadata, change),
      ...(evidence && {
        evidence: { ...data.evidence, ...evidence },
        evidence_details: {
          ...data.evidence_details,
          has_evidence: true,
          submission_count: data.evidence_details.submission_count + Number(isSubmitted),
          submission_method: isSubmitted ? 'manual' : 'not_submitted',
        },
      }),
      ...(isSubmitted && { status: data.status.replace('needs_response', 'under_review') }),
    })
    await emit(call, 'charge.dispute.updated', dispute, { status: data.status })
    const verdict = isSubmitted ? evidence.uncategorized_text : undefined
    if (verdict === 'winning_evidence') return closeDispute(call, dispute, true)
    return verdict === 'losing_evidence' ? closeDispute(call, dispute, false) : dispute
  }),
  route('POST', '/v1/disputes/:id/close', nothing, async (call, _, id = '') => {
    const { data } = await get(call, 'dispute', id)
    if (!isOpen(data)) throw invalidRequest('This dispute is already closed.')
    return closeDispute(call, data, false)
  }),
]
