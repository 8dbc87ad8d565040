import type { PaymentStatus } from '../contract/payments.ts'
import { fromProviderUnits } from '../provider-units.ts'
import type { orderPayments } from '../schema.ts'
import type { ProviderIntent, Snapshot } from './snapshot.ts'

type PaymentRow = typeof orderPayments.$inferSelect

type State = Pick<
  PaymentRow,
  | 'status'
  | 'authorized'
  | 'captured'
  | 'paymentIntentId'
  | 'chargeId'
  | 'cardBrand'
  | 'cardLastFour'
  | 'failureCode'
  | 'failureMessage'
>

/** What the provider’s objects say of our payment. */
export function stateOf(payment: PaymentRow, { closed, intent, charge }: Snapshot): State {
  const status = statusFrom(payment.status, closed, intent)
  const failure = intent?.lastError && status !== 'succeeded' && status !== 'authorized' ? intent.lastError : null
  return {
    status,
    authorized: intent && status === 'authorized' ? fromProviderUnits(intent.amountCapturable, intent.currency) : 0n,
    captured: intent && status === 'succeeded' ? fromProviderUnits(intent.amountReceived, intent.currency) : 0n,
    paymentIntentId: intent?.id ?? payment.paymentIntentId,
    chargeId: intent?.latestChargeId ?? payment.chargeId,
    cardBrand: charge?.card?.brand ?? payment.cardBrand,
    cardLastFour: charge?.card?.lastFour ?? payment.cardLastFour,
    failureCode: failure ? (failure.declineCode ?? failure.code) : null,
    failureMessage: failure ? (failure.message ?? 'The payment was declined.') : null,
  }
}

function statusFrom(before: PaymentStatus, closed: Snapshot['closed'], intent: ProviderIntent | null): PaymentStatus {
  switch (intent?.status) {
    case 'succeeded':
      return 'succeeded'
    case 'requires_capture':
      return 'authorized'
    case 'processing':
      return 'processing'
    default:
      return closed ?? (before === 'failed' ? 'failed' : 'requires_action')
  }
}
