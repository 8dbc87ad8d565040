import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { emitOrderChange } from '../events.ts'
import { creditOrder, releasedOf } from '../invoices/credit-notes/credit.ts'
import { settleInvoice } from '../invoices/payment/follow-order.ts'
import { postTransactions } from '../ledger/post.ts'
import { publishOrder } from '../orders/orders.topic.ts'
import { statusOf } from '../orders/states.ts'
import { recordEvents, type OrderNews } from '../orders/timeline.ts'
import { endPaymentLost } from '../provider-account.ts'
import { disputes, orderPayments, orders, refunds } from '../schema.ts'
import { nextCheckOf, type PaymentsWork } from '../work.ts'
import { applyDisputes } from './apply-disputes.ts'
import { applyRefunds } from './apply-refunds.ts'
import { bookExtras, findOriginal, returnDuplicate } from './duplicates.ts'
import { postingsOf, type Booked } from './entries.ts'
import { emitPaymentFailed } from './events.ts'
import { openStatuses, stateOf } from './payment-state.ts'
import type { Snapshot } from './snapshot.ts'

type PaymentRow = typeof orderPayments.$inferSelect
type OrderRow = typeof orders.$inferSelect

/**
 * Brings payment, refunds, disputes, order and ledger to what the provider says, in one transaction. Null when the
 * payment changed after the snapshot was read: read again.
 */
export async function applySnapshot(
  tx: Database,
  work: PaymentsWork,
  seen: PaymentRow,
  snapshot: Snapshot,
): Promise<PaymentRow | null> {
  const locked = await lockPayment(tx, seen)
  if (!locked) return null
  const { order } = locked
  const at = work.now()
  const state = stateOf(locked.payment, snapshot)
  const duplicateOf = await findOriginal(tx, locked.payment, state.status)
  const isOpen = openStatuses.includes(state.status) || (snapshot.hasOpenPages && state.status === 'succeeded')
  const isBooked = isAllBooked(state, snapshot)
  const checks = locked.payment.checks + 1
  const [payment] = await tx
    .update(orderPayments)
    .set({
      ...state,
      duplicateOf,
      accountLostAt: null,
      checkedAt: at,
      checks,
      nextCheckAt: isOpen || !isBooked ? nextCheckOf(work, checks, { repeat: true }) : null,
      version: sql`${orderPayments.version} + 1`,
    })
    .where(eq(orderPayments.id, seen.id))
    .returning()
  if (!payment) return null
  if (locked.payment.accountLostAt !== null) await endPaymentLost(tx, work, payment)
  if (isNewlyDeclined(locked.payment, payment)) await emitPaymentFailed(tx, work, payment)
  const booked: Booked = { order, payment, at }
  const returned = await applyRefunds(tx, work, booked, snapshot)
  const disputed = await applyDisputes(tx, work, booked, snapshot)
  const captured = (snapshot.movements.get(payment.chargeId ?? '') ?? []).flatMap((each) =>
    postingsOf(booked, each, { amount: payment.captured }),
  )
  const after = await updateOrder(tx, work, order, [
    ...newsOf(locked.payment, payment, snapshot),
    ...returned.news,
    ...disputed.news,
    ...(await bookExtras(tx, work, booked, snapshot)),
    ...(payment.duplicateOf === null ? [] : await returnDuplicate(tx, work, booked)),
  ])
  await postTransactions(work, tx, [...captured, ...returned.postings, ...disputed.postings])
  const isReleased = releasedOf(after) > 0n && after.captured > order.captured
  if (isReleased || after.refunded > order.refunded) await creditOrder(tx, work, after)
  return payment
}

/** Movements of the provider’s balance can come later than what caused them. */
function isAllBooked({ captured, chargeId }: Pick<PaymentRow, 'captured' | 'chargeId'>, snapshot: Snapshot): boolean {
  const isChargeBooked = captured === 0n || (snapshot.movements.get(chargeId ?? '') ?? []).length > 0
  return (
    isChargeBooked &&
    snapshot.refunds.every(({ id, status }) => {
      const moved = snapshot.movements.get(id)?.length
      // Not read: booked before. A refund that ended without money has none, another one has both directions.
      if (moved === undefined) return true
      return status === 'succeeded' ? moved > 0 : moved !== 1 || !(status === 'failed' || status === 'canceled')
    })
  )
}

/** Its order first, as everything that changes orders does; null when it changed since. */
async function lockPayment(tx: Database, seen: PaymentRow): Promise<{ order: OrderRow; payment: PaymentRow } | null> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, seen.orderId)).for('update')
  const [payment] = await tx.select().from(orderPayments).where(eq(orderPayments.id, seen.id)).for('update')
  return order && payment && payment.version === seen.version ? { order, payment } : null
}

/** Amounts and status of a locked order from its payments, refunds and disputes, without those of duplicates. */
export async function updateOrder(
  tx: Database,
  work: Pick<PaymentsWork, 'now' | 'events' | 'queue'>,
  order: OrderRow,
  news: readonly OrderNews[],
): Promise<OrderRow> {
  const [paid, returned, disputed] = await Promise.all([
    tx
      .select()
      .from(orderPayments)
      .where(and(eq(orderPayments.orderId, order.id), isNull(orderPayments.duplicateOf)))
      .orderBy(asc(orderPayments.id)),
    tx
      .select({
        refunded: sql`coalesce(sum(${refunds.amount}) FILTER (WHERE ${refunds.status} = 'succeeded'), 0)`.mapWith(
          BigInt,
        ),
        reserved:
          sql`coalesce(sum(${refunds.amount}) FILTER (WHERE ${refunds.status} NOT IN ('failed', 'cancelled')), 0)`.mapWith(
            BigInt,
          ),
      })
      .from(refunds)
      .innerJoin(orderPayments, eq(orderPayments.id, refunds.paymentId))
      .where(and(eq(refunds.orderId, order.id), isNull(orderPayments.duplicateOf))),
    tx
      .select({ status: disputes.status })
      .from(disputes)
      .innerJoin(orderPayments, eq(orderPayments.id, disputes.paymentId))
      .where(and(eq(disputes.orderId, order.id), isNull(orderPayments.duplicateOf))),
  ])
  const sumOf = (field: 'authorized' | 'captured') => paid.reduce((sum, row) => sum + row[field], 0n)
  const captured = sumOf('captured')
  const refunded = returned[0]?.refunded ?? 0n
  // Refunds that were made at the provider itself can leave less than others have reserved.
  const reserved = returned[0]?.reserved ?? 0n
  const status = statusOf({
    captured,
    refunded,
    closedAs: order.status === 'cancelled' || order.status === 'expired' ? order.status : null,
    payments: paid.map((row) => ({ status: row.status, declined: row.failureMessage !== null })),
    disputes: disputed,
  })
  const at = work.now()
  const [after] = await tx
    .update(orders)
    .set({
      status,
      authorized: sumOf('authorized'),
      captured,
      refunded,
      refundsReserved: reserved < captured ? reserved : captured,
      paidAt: order.paidAt ?? (captured > 0n ? at : null),
      version: sql`${orders.version} + 1`,
    })
    .where(eq(orders.id, order.id))
    .returning()
  if (!after) throw new Error('The locked order is gone')
  await recordEvents(tx, { orderId: order.id, organizationId: order.organizationId, at }, news)
  if (status !== order.status) await emitOrderChange(tx, work, after, order.status)
  await settleInvoice(tx, work, { before: order, after })
  await publishOrder(work, tx, order)
  return after
}

const isNewlyDeclined = (before: PaymentRow, after: PaymentRow): boolean =>
  after.failureMessage !== null && after.failureMessage !== before.failureMessage

function newsOf(before: PaymentRow, after: PaymentRow, { movements }: Snapshot): OrderNews[] {
  const card = { card: after.cardBrand, lastFour: after.cardLastFour }
  const news: OrderNews[] = []
  const fee = (movements.get(after.chargeId ?? '') ?? []).reduce((sum, movement) => sum + movement.fee, 0)
  if (after.authorized > 0n && before.authorized === 0n)
    news.push({ kind: 'authorized', facts: { amount: Number(after.authorized), ...card } })
  if (after.captured > 0n && before.captured === 0n)
    news.push({ kind: 'captured', facts: { amount: Number(after.captured), fee, ...card } })
  if (after.captured > 0n && before.authorized > after.captured)
    news.push({ kind: 'released', facts: { amount: Number(before.authorized - after.captured) } })
  if (isNewlyDeclined(before, after))
    news.push({ kind: 'payment_declined', facts: { code: after.failureCode, message: after.failureMessage } })
  if (after.status !== before.status && after.status === 'expired') news.push({ kind: 'payment_expired' })
  if (after.status !== before.status && after.status === 'cancelled') news.push({ kind: 'payment_cancelled' })
  return news
}
