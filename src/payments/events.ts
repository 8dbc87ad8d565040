import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { Units } from '#lib/money.ts'
import { emitWebhook, type EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { webhookEvent } from '#lib/outgoing-webhooks/event.ts'
import { OrderStatus } from './contract/orders.ts'
import { RefundReason, RefundStatus } from './contract/refunds.ts'
import type { orders, refunds } from './schema.ts'

type OrderRow = typeof orders.$inferSelect
type RefundRow = typeof refunds.$inferSelect

const orderChanged = webhookEvent({
  type: 'order.updated',
  summary: 'The status of an order changed',
  permission: 'payments:read',
  data: z.object({
    orderId: Id,
    number: z.string(),
    status: OrderStatus,
    previousStatus: OrderStatus.nullable(),
    currency: z.string(),
    total: Units,
    captured: Units,
    refunded: Units,
  }),
})

const refundChanged = webhookEvent({
  type: 'refund.updated',
  summary: 'The status of a refund changed',
  permission: 'payments:read',
  data: z.object({
    refundId: Id,
    orderId: Id,
    paymentId: Id,
    status: RefundStatus,
    previousStatus: RefundStatus.nullable(),
    amount: Units,
    currency: z.string(),
    reason: RefundReason,
    failureReason: z.string().nullable(),
  }),
})

export const paymentsEvents = [orderChanged, refundChanged]

/** On the transaction of the change. `previous` is null for a new order. */
export const emitOrderChange = (
  tx: Database,
  emitting: EmitDependencies,
  order: OrderRow,
  previous: OrderStatus | null,
): Promise<void> =>
  emitWebhook(tx, emitting, {
    organizationId: order.organizationId,
    event: orderChanged,
    data: { ...order, orderId: order.id, previousStatus: previous },
  })

/** On the transaction of the change. `previous` is null for a new refund. */
export const emitRefundChange = (
  tx: Database,
  emitting: EmitDependencies,
  refund: RefundRow,
  previous: RefundStatus | null,
): Promise<void> =>
  emitWebhook(tx, emitting, {
    organizationId: refund.organizationId,
    event: refundChanged,
    data: { ...refund, refundId: refund.id, previousStatus: previous },
  })
