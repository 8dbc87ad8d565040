import type { PaymentStatus } from '../contract/payments.ts'
import { fromProviderUnits } from '../provider-units.ts'
import type { orderPayments } from '../schema.ts'
import type { ProviderIntent } from './provider-intents.ts'
import type { Snapshot } from './snapshot.ts'

type PaymentRow = typeof orderPayments.$inferSelect

export const openStatuses: readonly PaymentStatus[] = ['unknown', 'requires_action', 'processing', 'authorized']

/** The customer’s money is taken or held. */
export const takenStatuses: readonly PaymentStatus[] = ['succeeded', 'authorized', 'processing']

const isEnded = (status: PaymentStatus): boolean => status !== 'succeeded' && !openStatuses.includes(status)

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
export function stateOf(
  payment: PaymentRow,
  { closed, intent, charge }: Pick<Snapshot, 'closed' | 'intent' | 'charge'>,
): State {
  const status = isDeclined(payment, intent) ? 'failed' : statusFrom(payment.status, closed, intent)
  const failure = intent?.lastError && status !== 'succeeded' && status !== 'authorized' ? intent.lastError : null
  return {
    status,
    authorized: intent && status === 'authorized' ? fromProviderUnits(intent.amountCapturable, intent.currency) : 0n,
    captured: intent && status === 'succeeded' ? fromProviderUnits(intent.amountReceived, intent.currency) : 0n,
    paymentIntentId: intent?.id ?? payment.paymentIntentId,
    chargeId: intent?.latestChargeId ?? payment.chargeId,
    cardBrand: charge?.card?.brand ?? payment.cardBrand,
    cardLastFour: charge?.card?.lastFour ?? payment.cardLastFour,
    ...(failure
      ? {
          failureCode: failure.declineCode ?? failure.code,
          failureMessage: failure.message ?? 'The payment was declined.',
        }
      : status === 'failed'
        ? { failureCode: payment.failureCode, failureMessage: payment.failureMessage }
        : { failureCode: null, failureMessage: null }),
  }
}

/** A saved payment method is charged once: nothing is left for the customer to do. */
const isDeclined = ({ providerPaymentMethodId, status }: PaymentRow, intent: ProviderIntent | null): boolean =>
  providerPaymentMethodId !== null &&
  (intent?.status === 'requires_payment_method' || (intent?.status === 'canceled' && status === 'failed'))

function statusFrom(before: PaymentStatus, closed: Snapshot['closed'], intent: ProviderIntent | null): PaymentStatus {
  switch (intent?.status) {
    case 'succeeded':
      return 'succeeded'
    case 'requires_capture':
      return 'authorized'
    case 'processing':
      return 'processing'
    default:
      return closed ?? (isEnded(before) ? before : 'requires_action')
  }
}
