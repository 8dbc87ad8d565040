import { asc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { countWithinQuota } from '#lib/limits.ts'
import { syncShared } from '../checkout/shared-sync.ts'
import type { OrderStatus } from '../contract/orders.ts'
import type { Receipt, ReceiptStatus } from '../contract/receipts.ts'
import { defaultMerchantName } from '../orders/merchants.ts'
import { taxesOf } from '../orders/totals.ts'
import { merchants, orderLines, orderPayments, orders } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'

type PaymentRow = typeof orderPayments.$inferSelect

/** Milliseconds for which the state of an open payment isn’t read again for a receipt. */
const freshMs = 5_000

const open: readonly PaymentRow['status'][] = ['unknown', 'requires_action', 'processing']

/** Reads an open payment from the provider first. @throws {Problem} 404 */
export async function readReceipt(work: PaymentsWork, token: string): Promise<z.input<typeof Receipt>> {
  const payment = await findPayment(work.db, token)
  const isCertain = await refresh(work, payment)
  const [found] = await work.db
    .select({ order: orders, payment: orderPayments, merchant: merchants.name })
    .from(orderPayments)
    .innerJoin(orders, eq(orders.id, orderPayments.orderId))
    .innerJoin(merchants, eq(merchants.id, orders.merchantId))
    .where(eq(orderPayments.id, payment.id))
  if (!found) throw notFound('receipt')
  const { order } = found
  const lines = await work.db
    .select()
    .from(orderLines)
    .where(eq(orderLines.orderId, order.id))
    .orderBy(asc(orderLines.position))
  return {
    ...order,
    status: isCertain ? statusOf(order.status, found.payment.status) : 'confirming',
    shop: found.merchant === defaultMerchantName ? null : found.merchant,
    lines,
    taxes: taxesOf(lines),
    paid: order.captured,
  }
}

async function findPayment(db: Database, token: string): Promise<PaymentRow> {
  const [payment] = await db.select().from(orderPayments).where(eq(orderPayments.receiptToken, token))
  if (!payment) throw notFound('receipt')
  return payment
}

/** False while the provider’s state isn’t known. */
async function refresh(work: PaymentsWork, { id, status, checkedAt, createdAt }: PaymentRow): Promise<boolean> {
  if (!open.includes(status)) return true
  const isNew = checkedAt === null || checkedAt.getTime() - createdAt.getTime() < freshMs
  if (!isNew && work.now().getTime() - checkedAt.getTime() < freshMs) return status !== 'unknown'
  if (!(await claimRead(work.db, id, checkedAt))) return false
  return syncShared(work, id).then(
    () => true,
    (error: unknown) => {
      work.log.warn('A payment could not be read for its receipt', { payment: id, error: String(error) })
      return false
    },
  )
}

/** Once per interval until a read succeeds: anyone with the link can open it again and again while the provider fails. */
const claimRead = (db: Database, id: string, checkedAt: Date | null): Promise<boolean> =>
  countWithinQuota(db, {
    name: 'receipts',
    subject: `${id} ${checkedAt?.getTime() ?? ''}`,
    max: 1,
    windowMs: freshMs,
  })

function statusOf(order: OrderStatus, payment: PaymentRow['status']): ReceiptStatus {
  switch (order) {
    case 'disputed':
    case 'lost':
      return 'paid'
    case 'pending':
      return payment === 'cancelled' || payment === 'expired' ? payment : 'unpaid'
    case 'requires_action':
      if (payment === 'authorized') return 'authorized'
      return payment === 'processing' || payment === 'unknown' ? 'confirming' : 'unpaid'
    default:
      return order
  }
}
