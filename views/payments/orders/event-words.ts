import type { OrderEvent } from '#payments/types'
import type { IconName } from '#views/ui/icon.tsx'
import type { State } from '#views/ui/marks.tsx'
import { money } from '../money.ts'
import { brandName, disputeReason, refundReasons } from './words.ts'

export interface EventWords {
  title: string
  detail?: string
  icon: IconName
  /** The color of its mark. */
  state?: State
}

interface Facts {
  amount: string
  fee: string | null
  card: string | null
  message: string | null
  reason: string | null
}

type Describe = (facts: Facts) => EventWords

const reasonNames: Record<string, string | undefined> = refundReasons

const events: Record<string, Describe | undefined> = {
  created: () => ({ title: 'Order created', icon: 'shopping-bag' }),
  payment_created: ({ card }) =>
    card
      ? { title: 'Saved card charged', detail: `${card}, without the customer.`, icon: 'credit-card' }
      : { title: 'Payment created', detail: 'The customer can pay.', icon: 'link' },
  payment_unknown: () => ({
    title: 'The provider’s response was lost',
    detail: 'We ask again until the outcome is certain.',
    icon: 'circle-help',
    state: 'waiting',
  }),
  payment_declined: ({ message }) => ({
    title: 'Payment declined',
    detail: message ?? undefined,
    icon: 'circle-alert',
    state: 'failed',
  }),
  payment_failed: ({ message }) => ({
    title: 'Payment refused by the provider',
    detail: message ?? undefined,
    icon: 'circle-alert',
    state: 'failed',
  }),
  authenticated: () => ({ title: '3-D Secure completed', icon: 'shield-check', state: 'scheduled' }),
  authorized: ({ amount, card }) => ({
    title: `${amount} authorized`,
    detail: card ? `${card}. Capture it to get the money.` : 'Capture it to get the money.',
    icon: 'shield-check',
    state: 'scheduled',
  }),
  captured: ({ amount, fee, card }) => ({
    title: 'Paid',
    detail: `${[`${amount} captured`, fee && `fee ${fee}`, card].filter(Boolean).join(', ')}.`,
    icon: 'check',
    state: 'published',
  }),
  paid_twice: ({ amount }) => ({
    title: 'Paid twice',
    detail: `A second payment of ${amount} is refunded in full.`,
    icon: 'circle-alert',
    state: 'failed',
  }),
  released: ({ amount }) => ({
    title: `${amount} released`,
    detail: 'It was reserved and not captured.',
    icon: 'undo-2',
  }),
  payment_cancelled: () => ({ title: 'Payment canceled', icon: 'circle-slash' }),
  payment_expired: () => ({ title: 'Payment link expired', icon: 'timer-off' }),
  cancelled: () => ({ title: 'Order canceled', icon: 'circle-slash' }),
  expired: () => ({ title: 'Order expired', icon: 'timer-off' }),
  refund_requested: ({ amount, reason }) => ({
    title: `Refund of ${amount} requested`,
    detail: reason ? `${reasonNames[reason] ?? reason}.` : undefined,
    icon: 'undo-2',
    state: 'waiting',
  }),
  refund_approved: ({ amount }) => ({ title: `Refund of ${amount} approved`, icon: 'check', state: 'published' }),
  refund_declined: ({ amount, reason }) => ({
    title: `Refund of ${amount} declined`,
    detail: reason ?? undefined,
    icon: 'x',
  }),
  refund_sent: ({ amount }) => ({ title: `Refund of ${amount} pending`, icon: 'undo-2', state: 'waiting' }),
  refund_unknown: ({ amount }) => ({
    title: `Outcome of the refund of ${amount} unknown`,
    detail: 'We ask again until it is certain. Nothing is sent twice.',
    icon: 'circle-help',
    state: 'waiting',
  }),
  refund_succeeded: ({ amount }) => ({ title: `Refund of ${amount} succeeded`, icon: 'undo-2', state: 'published' }),
  refund_failed: ({ amount, reason }) => ({
    title: `Refund of ${amount} failed`,
    detail: reason ? `Reason of the provider: ${reason.replaceAll('_', ' ')}.` : undefined,
    icon: 'circle-alert',
    state: 'failed',
  }),
  refund_not_made: ({ amount }) => ({
    title: `Refund of ${amount} not made`,
    detail: 'A person looked it up at the provider.',
    icon: 'circle-alert',
    state: 'failed',
  }),
  refund_made_elsewhere: ({ amount }) => ({
    title: `Refund of ${amount} was made at the provider`,
    detail: 'Another refund there takes its place.',
    icon: 'undo-2',
  }),
  refund_cancelled: ({ amount }) => ({ title: `Refund of ${amount} canceled`, icon: 'circle-slash' }),
  dispute_opened: ({ amount, reason }) => ({
    title: `Dispute of ${amount} opened`,
    detail: reason ? `${disputeReason(reason)}.` : undefined,
    icon: 'shield-alert',
    state: 'failed',
  }),
  dispute_won: ({ amount }) => ({ title: `Dispute of ${amount} won`, icon: 'shield-check', state: 'published' }),
  dispute_lost: ({ amount }) => ({ title: `Dispute of ${amount} lost`, icon: 'shield-alert', state: 'failed' }),
  dispute_closed: ({ amount }) => ({ title: `Dispute of ${amount} closed`, icon: 'shield-check' }),
}

export function describeEvent({ kind, facts }: Pick<OrderEvent, 'kind' | 'facts'>, currency: string): EventWords {
  const units = (value: string | number | null | undefined) =>
    typeof value === 'number' ? money(value, currency) : null
  const text = (value: string | number | null | undefined) => (typeof value === 'string' && value ? value : null)
  const [brand, lastFour] = [text(facts['card']), text(facts['lastFour'])]
  const describe = events[kind]
  if (!describe) return { title: kind.replaceAll('_', ' '), icon: 'circle-dot' }
  return describe({
    amount: units(facts['amount']) ?? '',
    fee: facts['fee'] === 0 ? null : units(facts['fee']),
    card: brand && lastFour ? `${brandName(brand)} ending ${lastFour}` : null,
    message: text(facts['message']),
    reason: text(facts['reason']),
  })
}
