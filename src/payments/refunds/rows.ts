import { and, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { conflict, notFound, type Problem } from '#lib/errors.ts'
import { disputes, orders, refunds, type orderPayments } from '../schema.ts'

export type RefundRow = typeof refunds.$inferSelect
export type OrderRow = typeof orders.$inferSelect

/** @throws {Problem} 404 for another organization’s */
export async function findRefund(db: Database, organizationId: string, id: string): Promise<RefundRow> {
  const [row] = await db
    .select()
    .from(refunds)
    .where(and(eq(refunds.id, id), eq(refunds.organizationId, organizationId)))
  if (!row) throw notFound('refund')
  return row
}

/** Undefined when it was erased. */
export async function readRefund(db: Database, id: string): Promise<RefundRow | undefined> {
  const [row] = await db.select().from(refunds).where(eq(refunds.id, id))
  return row
}

/** Its order first, as everything that changes orders does. */
export async function lockRefund(
  tx: Database,
  { id, orderId }: Pick<RefundRow, 'id' | 'orderId'>,
): Promise<{ order: OrderRow; refund: RefundRow } | null> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for('update')
  const [refund] = await tx.select().from(refunds).where(eq(refunds.id, id)).for('update')
  return order && refund ? { order, refund } : null
}

export const readDisputes = (
  db: Database,
  { id, orderId }: Pick<typeof orderPayments.$inferSelect, 'id' | 'orderId'>,
): Promise<(typeof disputes.$inferSelect)[]> =>
  db
    .select()
    .from(disputes)
    .where(and(eq(disputes.orderId, orderId), eq(disputes.paymentId, id)))

/** Sent, or about to be, without a response that says what became of it. */
export const isUnclear = ({ status, providerRefundId }: RefundRow): boolean =>
  status === 'unknown' || (status === 'pending' && providerRefundId === null)

export const refundState = ({ status }: RefundRow, detail: string): Problem =>
  conflict('refund_state', detail, { state: status })
