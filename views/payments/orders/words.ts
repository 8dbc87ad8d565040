import { capitalize } from '#lib/text.ts'
import type {
  Dispute,
  Order,
  OrderPayment,
  OrderStatus,
  Refund,
  RefundReason,
  SavedPaymentMethod,
} from '#payments/types'
import type { StatusLook } from '#views/ui/marks.tsx'

export const orderStates: Record<OrderStatus, StatusLook> = {
  pending: { state: 'waiting', icon: 'clock', word: 'Pending' },
  requires_action: { state: 'waiting', icon: 'circle-dot', word: 'Requires action' },
  paid: { state: 'published', icon: 'circle-check', word: 'Paid' },
  partially_refunded: { state: 'scheduled', icon: 'undo-2', word: 'Partially refunded' },
  refunded: { state: 'draft', icon: 'undo-2', word: 'Refunded' },
  disputed: { state: 'failed', icon: 'shield-alert', word: 'Disputed' },
  lost: { state: 'failed', icon: 'circle-slash', word: 'Lost' },
  cancelled: { state: 'draft', icon: 'circle-slash', word: 'Canceled' },
  expired: { state: 'draft', icon: 'timer-off', word: 'Expired' },
  failed: { state: 'failed', icon: 'circle-alert', word: 'Failed' },
}

export const paymentStates: Record<OrderPayment['status'], StatusLook> = {
  unknown: { state: 'waiting', icon: 'circle-help', word: 'Outcome unknown' },
  requires_action: { state: 'waiting', icon: 'circle-dot', word: 'Waits for the customer' },
  processing: { state: 'sending', icon: 'hourglass', word: 'Processing' },
  authorized: { state: 'scheduled', icon: 'shield-check', word: 'Authorized' },
  succeeded: { state: 'published', icon: 'circle-check', word: 'Succeeded' },
  cancelled: { state: 'draft', icon: 'circle-slash', word: 'Canceled' },
  expired: { state: 'draft', icon: 'timer-off', word: 'Expired' },
  failed: { state: 'failed', icon: 'circle-alert', word: 'Failed' },
}

export const refundStates: Record<Refund['status'], StatusLook> = {
  needs_approval: { state: 'waiting', icon: 'users', word: 'Needs approval' },
  pending: { state: 'waiting', icon: 'clock', word: 'Pending' },
  unknown: { state: 'waiting', icon: 'circle-help', word: 'Outcome unknown' },
  succeeded: { state: 'published', icon: 'circle-check', word: 'Succeeded' },
  failed: { state: 'failed', icon: 'circle-alert', word: 'Failed' },
  cancelled: { state: 'draft', icon: 'circle-slash', word: 'Canceled' },
}

export const disputeStates: Record<Dispute['status'], StatusLook> = {
  open: { state: 'failed', icon: 'shield-alert', word: 'Open' },
  won: { state: 'published', icon: 'circle-check', word: 'Won' },
  lost: { state: 'failed', icon: 'circle-slash', word: 'Lost' },
  closed: { state: 'draft', icon: 'circle-dashed', word: 'Closed' },
}

export const paymentModes: Record<OrderPayment['mode'], string> = {
  checkout: 'Checkout page',
  link: 'Payment link',
  intent: 'Payment on your page',
}

export const refundReasons: Record<RefundReason, string> = {
  requested_by_customer: 'Requested by customer',
  duplicate: 'Duplicate',
  fraudulent: 'Fraudulent',
  damaged: 'Damaged or missing',
  quality: 'Quality',
  other: 'Other',
}

const brands: Record<string, string> = {
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  discover: 'Discover',
  eftpos_au: 'Eftpos',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}

/** `visa` is Visa. */
export const brandName = (brand: string): string => brands[brand] ?? 'Card'

export const cardText = (card: Order['card']): string => (card ? `${brandName(card.brand)} ${card.lastFour}` : '–')

/** `Visa ending 4242`. */
export const methodText = ({
  type,
  brand,
  lastFour,
}: Pick<SavedPaymentMethod, 'type' | 'brand' | 'lastFour'>): string =>
  brand !== null && lastFour !== null ? `${brandName(brand)} ending ${lastFour}` : capitalize(type.replaceAll('_', ' '))

interface Named {
  customer: Pick<Order['customer'], 'name' | 'email'>
}

export const customerText = ({ customer: { name, email } }: Named): string => name ?? email ?? 'Guest'

/** `product_not_received` is Product not received. */
export const disputeReason = (reason: string): string => capitalize(reason.replaceAll('_', ' '))
