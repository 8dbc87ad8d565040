import type { Stripe } from 'stripe'
import type { z } from 'zod'
import type {
  CheckoutSession,
  PaymentCharge,
  PaymentDispute,
  PaymentIntent,
  PaymentLink,
  ProviderRefund,
  SetupIntent,
} from '../../contract/payments.ts'
import { codeOf, failureOf, idOf, nextActionOf, optionalCode, optionalTime, timeOf } from './parts.ts'

export const describeSession = (session: Stripe.Checkout.Session): z.input<typeof CheckoutSession> => ({
  id: session.id,
  url: session.url,
  mode: session.mode,
  status: session.status,
  paymentStatus: session.payment_status,
  currency: optionalCode(session.currency),
  amountSubtotal: session.amount_subtotal,
  amountTotal: session.amount_total,
  customerId: idOf(session.customer),
  customerEmail: session.customer_details?.email ?? session.customer_email,
  paymentIntentId: idOf(session.payment_intent),
  setupIntentId: idOf(session.setup_intent),
  subscriptionId: idOf(session.subscription),
  clientReferenceId: session.client_reference_id,
  metadata: session.metadata ?? {},
  expiresAt: timeOf(session.expires_at),
  createdAt: timeOf(session.created),
})

export const describeLink = ({
  id,
  url,
  active,
  currency,
  metadata,
}: Stripe.PaymentLink): z.input<typeof PaymentLink> => ({ id, url, active, currency: codeOf(currency), metadata })

export const describeIntent = (intent: Stripe.PaymentIntent): z.input<typeof PaymentIntent> => ({
  id: intent.id,
  status: intent.status,
  amount: intent.amount,
  amountCapturable: intent.amount_capturable,
  amountReceived: intent.amount_received,
  currency: codeOf(intent.currency),
  captureMethod: intent.capture_method,
  clientSecret: intent.client_secret,
  customerId: idOf(intent.customer),
  paymentMethodId: idOf(intent.payment_method),
  latestChargeId: idOf(intent.latest_charge),
  nextAction: nextActionOf(intent.next_action),
  lastError: failureOf(intent.last_payment_error),
  cancellationReason: intent.cancellation_reason,
  canceledAt: optionalTime(intent.canceled_at),
  description: intent.description,
  transferGroup: intent.transfer_group,
  metadata: intent.metadata,
  createdAt: timeOf(intent.created),
})

export function describeCharge(charge: Stripe.Charge): z.input<typeof PaymentCharge> {
  const card = charge.payment_method_details?.card
  return {
    id: charge.id,
    status: charge.status,
    amount: charge.amount,
    amountCaptured: charge.amount_captured,
    amountRefunded: charge.amount_refunded,
    captured: charge.captured,
    disputed: charge.disputed,
    currency: codeOf(charge.currency),
    customerId: idOf(charge.customer),
    paymentIntentId: idOf(charge.payment_intent),
    paymentMethodId: charge.payment_method,
    balanceTransactionId: idOf(charge.balance_transaction),
    card: card ? { brand: card.brand, lastFour: card.last4 } : null,
    failureCode: charge.failure_code,
    failureMessage: charge.failure_message,
    receiptUrl: charge.receipt_url,
    metadata: charge.metadata,
    createdAt: timeOf(charge.created),
  }
}

export const describeSetup = (intent: Stripe.SetupIntent): z.input<typeof SetupIntent> => ({
  id: intent.id,
  status: intent.status,
  usage: intent.usage,
  clientSecret: intent.client_secret,
  customerId: idOf(intent.customer),
  paymentMethodId: idOf(intent.payment_method),
  nextAction: nextActionOf(intent.next_action),
  lastError: failureOf(intent.last_setup_error),
  cancellationReason: intent.cancellation_reason,
  metadata: intent.metadata ?? {},
  createdAt: timeOf(intent.created),
})

export const describeRefund = (refund: Stripe.Refund): z.input<typeof ProviderRefund> => ({
  id: refund.id,
  status: refund.status,
  amount: refund.amount,
  currency: codeOf(refund.currency),
  reason: refund.reason,
  failureReason: refund.failure_reason ?? null,
  chargeId: idOf(refund.charge),
  paymentIntentId: idOf(refund.payment_intent),
  balanceTransactionId: idOf(refund.balance_transaction),
  failureBalanceTransactionId: idOf(refund.failure_balance_transaction),
  metadata: refund.metadata ?? {},
  createdAt: timeOf(refund.created),
})

export const describeDispute = (dispute: Stripe.Dispute): z.input<typeof PaymentDispute> => ({
  id: dispute.id,
  status: dispute.status,
  reason: dispute.reason,
  amount: dispute.amount,
  currency: codeOf(dispute.currency),
  isChargeRefundable: dispute.is_charge_refundable,
  chargeId: idOf(dispute.charge),
  paymentIntentId: idOf(dispute.payment_intent),
  balanceTransactionIds: dispute.balance_transactions.map(({ id }) => id),
  evidence: {
    dueBy: optionalTime(dispute.evidence_details.due_by),
    isPastDue: dispute.evidence_details.past_due,
    hasEvidence: dispute.evidence_details.has_evidence,
    submissionCount: dispute.evidence_details.submission_count,
  },
  metadata: dispute.metadata,
  createdAt: timeOf(dispute.created),
})
