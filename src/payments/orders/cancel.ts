import { and, eq, inArray, sql } from 'drizzle-orm'
import { transact, type Database } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import { emitOrderChange } from '../events.ts'
import { invoices, orderPayments, orders } from '../schema.ts'
import { closePayment } from '../checkout/close.ts'
import type { PaymentsWork } from '../work.ts'
import { publishOrder } from './orders.topic.ts'
import { requireMove } from './states.ts'
import { recordEvents } from './timeline.ts'

type OrderRow = typeof orders.$inferSelect

/**
 * Ends an order that isn’t paid: its open payment is closed at the provider first. @throws {Problem} 409 `order_state`,
 * also when it was paid meanwhile, `order_invoiced`, `payment_busy`, and the gateway’s while that isn’t certain
 */
export async function closeOrder(
  work: PaymentsWork,
  order: OrderRow,
  as: 'cancelled' | 'expired',
  { by = null, forInvoice = false, within = (run) => transact(work.db, run) }: Closing = {},
): Promise<OrderRow> {
  requireMove(order.status, as)
  if (!forInvoice) await refuseInvoiced(work.db, order.id)
  const open = await work.db
    .select()
    .from(orderPayments)
    .where(and(eq(orderPayments.orderId, order.id), inArray(orderPayments.status, [...openStatuses])))
  for (const payment of open) await closePayment(work, payment)
  return within(async (tx) => {
    const [current] = await tx.select().from(orders).where(eq(orders.id, order.id)).for('update')
    if (!current) throw new Error('The order is gone')
    requireMove(current.status, as)
    if (!forInvoice) await refuseInvoiced(tx, current.id)
    await refuseOpenPayments(tx, current.id)
    const at = work.now()
    const [closed] = await tx
      .update(orders)
      .set({ status: as, closedAt: at, version: sql`${orders.version} + 1` })
      .where(eq(orders.id, order.id))
      .returning()
    if (!closed) throw new Error('The locked order is gone')
    await recordEvents(tx, { orderId: order.id, organizationId: order.organizationId, at }, [{ kind: as, by }])
    await emitOrderChange(tx, work, closed, current.status)
    await publishOrder(work, tx, closed)
    return closed
  })
}

interface Closing {
  by?: string | null
  /** That the order was created to pay, and which ends with it. */
  forInvoice?: boolean
  within?: (run: (tx: Database) => Promise<OrderRow>) => Promise<OrderRow>
}

const openStatuses = ['unknown', 'requires_action', 'processing', 'authorized'] as const

/** A creation whose outcome isn’t known yet, or a payment created since: it could still be paid. */
async function refuseOpenPayments(tx: Database, orderId: string): Promise<void> {
  const open = await tx.$count(
    orderPayments,
    and(eq(orderPayments.orderId, orderId), inArray(orderPayments.status, [...openStatuses])),
  )
  if (open > 0) throw conflict('payment_busy', 'A payment of this order is still being created. Try again in a moment.')
}

/** The buyer owes what an open invoice asks for, and could no longer pay it. */
async function refuseInvoiced(db: Database, orderId: string): Promise<void> {
  const [invoice] = await db
    .select({ id: invoices.id, number: invoices.number })
    .from(invoices)
    .where(and(eq(invoices.orderId, orderId), eq(invoices.kind, 'invoice'), eq(invoices.status, 'open')))
  if (!invoice) return
  const detail = `Invoice ${invoice.number} of this order is open. Void the invoice first.`
  throw conflict('order_invoiced', detail, { invoiceId: invoice.id, number: invoice.number })
}
