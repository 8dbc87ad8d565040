import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { Units } from '#lib/money.ts'
import { emitWebhook, type EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { webhookEvent } from '#lib/outgoing-webhooks/event.ts'
import { Timestamp } from '#lib/time.ts'
import { DisputeStatus } from '../contract/payments.ts'
import type { disputes, orderPayments } from '../schema.ts'

const permission = 'payments:read'

const Dispute = z.object({
  disputeId: Id,
  orderId: Id,
  paymentId: Id,
  status: DisputeStatus,
  reason: z.string(),
  amount: Units,
  currency: z.string(),
  evidenceDueAt: Timestamp.nullable(),
})

const disputeOpened = webhookEvent({
  type: 'dispute.opened',
  summary: 'The bank of a customer took a payment back',
  permission,
  data: Dispute,
})

const disputeUpdated = webhookEvent({
  type: 'dispute.updated',
  summary: 'The status of a dispute changed',
  permission,
  data: Dispute.extend({ previousStatus: DisputeStatus }),
})

const paymentFailed = webhookEvent({
  type: 'payment.failed',
  summary: 'A payment was declined',
  permission,
  data: z.object({
    paymentId: Id,
    orderId: Id,
    amount: Units,
    currency: z.string(),
    code: z.string().nullable().describe('Of the provider, such as `insufficient_funds`.'),
    message: z.string().nullable(),
  }),
})

export const checkoutEvents = [disputeOpened, disputeUpdated, paymentFailed]

/** On the transaction of the change. `previous` is null for a new dispute. */
export async function emitDisputeChange(
  tx: Database,
  emitting: EmitDependencies,
  dispute: typeof disputes.$inferSelect,
  previous: DisputeStatus | null,
): Promise<void> {
  const { organizationId } = dispute
  const data = { ...dispute, disputeId: dispute.id }
  await (previous === null
    ? emitWebhook(tx, emitting, { organizationId, event: disputeOpened, data })
    : emitWebhook(tx, emitting, {
        organizationId,
        event: disputeUpdated,
        data: { ...data, previousStatus: previous },
      }))
}

/** On the transaction in which the decline was read. */
export const emitPaymentFailed = (
  tx: Database,
  emitting: EmitDependencies,
  payment: typeof orderPayments.$inferSelect,
): Promise<void> =>
  emitWebhook(tx, emitting, {
    organizationId: payment.organizationId,
    event: paymentFailed,
    data: { ...payment, paymentId: payment.id, code: payment.failureCode, message: payment.failureMessage },
  })
