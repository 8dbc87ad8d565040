import type { Database } from '#lib/db.ts'
import { raiseAction, resolveAction } from '#lib/raised-actions.ts'
import type { RefundStatus } from '../contract/refunds.ts'
import { emitRefundChange } from '../events.ts'
import { refundApprovalKind, unknownPaymentKind } from '../notification-kinds.ts'
import type { orders, refunds } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'
import { amountText } from '../provider-amounts.ts'

type RefundRow = typeof refunds.$inferSelect
type OrderRow = typeof orders.$inferSelect

const approvalCause = (id: string): string => `payments.refund-approval.${id}`
const unknownCause = (id: string): string => `payments.refund-unknown.${id}`

/**
 * Tells webhooks about a new status, and updates what people have to do, in the transaction of the change.
 * @param previous Null for a new refund
 */
export async function announceRefund(
  tx: Database,
  work: Pick<PaymentsWork, 'events' | 'queue' | 'now'>,
  refund: RefundRow,
  previous: RefundStatus | null,
): Promise<void> {
  if (refund.status === previous) return
  await emitRefundChange(tx, work, refund, previous)
  if (previous === 'needs_approval') await resolveAction(tx, approvalCause(refund.id))
  if (previous === 'unknown') await resolveAction(tx, unknownCause(refund.id))
}

export const raiseApproval = (
  tx: Database,
  order: OrderRow,
  { id, organizationId, amount, currency, reason, note }: RefundRow,
  ceiling: bigint,
): Promise<void> =>
  raiseAction(tx, {
    kind: refundApprovalKind,
    organizationId,
    cause: approvalCause(id),
    title: `Approve a ${amountText(amount, currency)} refund`,
    reason: [
      `Order ${order.number}, ${reason.replaceAll('_', ' ')}.`,
      ceiling === 0n
        ? 'Every refund needs a second person.'
        : `Refunds above ${amountText(ceiling, currency)} need a second person.`,
      ...(note ? [`“${note}”`] : []),
    ].join(' '),
    href: `/pay/refunds/${id}`,
    actions: [
      {
        label: `Approve ${amountText(amount, currency)}`,
        method: 'POST',
        href: `/api/refunds/${id}/approve`,
        style: 'primary',
      },
      {
        label: 'Decline',
        method: 'POST',
        href: `/api/refunds/${id}/decline`,
        fields: [{ name: 'note', label: 'Note (optional)', type: 'text' }],
      },
      { label: 'Review', method: 'GET', href: `/pay/refunds/${id}` },
    ],
  })

/** After the last sweep, or when it can’t be sent again: people have to find out. */
export const raiseUnknown = (
  tx: Database,
  order: OrderRow,
  { id, organizationId, amount, currency, checks, failureReason }: RefundRow,
): Promise<void> =>
  raiseAction(tx, {
    kind: unknownPaymentKind,
    organizationId,
    cause: unknownCause(id),
    title: `Find out whether a ${amountText(amount, currency)} refund was made`,
    reason: [
      `The payment provider didn’t respond to the refund for order ${order.number}${checks > 0 ? `, and ${checks} checks since had no result` : ''}.`,
      ...(failureReason === null ? [] : [failureReason, 'To avoid refunding twice, it isn’t sent again.']),
      'Look it up at the provider, then say on its page whether it was made.',
    ].join(' '),
    href: `/pay/refunds/${id}`,
    actions: [
      { label: 'Check now', method: 'POST', href: `/api/refunds/${id}/check`, style: 'primary' },
      {
        label: 'Mark as made',
        method: 'POST',
        href: `/api/refunds/${id}/resolve`,
        body: { outcome: 'made' },
        fields: [{ name: 'providerRefundId', label: 'ID of the refund at the provider, such as re_…', type: 'text' }],
      },
      {
        label: 'Mark as not made',
        method: 'POST',
        href: `/api/refunds/${id}/resolve`,
        body: { outcome: 'not_made' },
        confirm: 'The refund fails, and its amount can be refunded again. If it was made after all, it is paid twice.',
      },
      { label: 'See the refund', method: 'GET', href: `/pay/refunds/${id}` },
    ],
  })
