import { and, eq, isNull, sql } from 'drizzle-orm'
import { responsibleOf, type Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { maxRefunds, type RefundDraft } from '../contract/refunds.ts'
import { publishOrder } from '../orders/orders.topic.ts'
import { illegalMove, isRefundable, refundableOf } from '../orders/states.ts'
import { recordEvents } from '../orders/timeline.ts'
import { orderLines, orderPayments, orders, refunds } from '../schema.ts'
import { personBehind } from '../second-person.ts'
import { ceilingFor, ceilingWindowMs } from '../settings/ceilings.ts'
import { readSettings } from '../settings/settings.ts'
import { readDisputes } from './rows.ts'
import { priceRefund } from './amounts.ts'
import { announceRefund, raiseApproval } from './announce.ts'
import { leaseEnd } from './lease.ts'

type RefundRow = typeof refunds.$inferSelect
type OrderRow = typeof orders.$inferSelect
type ReserveCall = Pick<Call<unknown, Actor>, 'actor' | 'now' | 'config' | 'events' | 'queue'>

/**
 * Stores a refund and takes its amount from what is left, before the provider hears of it. @throws {Problem} 404, 409
 * `order_state`, 422 `refund_exceeds_captured`
 */
export async function reserveRefund(tx: Database, call: ReserveCall, draft: RefundDraft): Promise<RefundRow> {
  const { actor, now } = call
  const organizationId = organizationOf(actor, 'transactions:refund')
  const order = await lockOrder(tx, organizationId, draft.orderId)
  const [known, lines, [payment]] = await Promise.all([
    tx.select().from(refunds).where(eq(refunds.orderId, order.id)),
    tx.select().from(orderLines).where(eq(orderLines.orderId, order.id)),
    tx
      .select()
      .from(orderPayments)
      .where(
        and(
          eq(orderPayments.orderId, order.id),
          eq(orderPayments.status, 'succeeded'),
          isNull(orderPayments.duplicateOf),
        ),
      ),
  ])
  const disputed = payment ? await readDisputes(tx, payment) : []
  const counted = known.filter(
    ({ status, paymentId }) => paymentId === payment?.id && status !== 'failed' && status !== 'cancelled',
  )
  const refundsReserved = counted.reduce((sum, { amount }) => sum + amount, 0n)
  const left = refundableOf({ captured: order.captured, refundsReserved }, disputed)
  if (!isRefundable(order.status, left)) throw illegalMove(order.status)
  const priced = priceRefund(draft, {
    currency: order.currency,
    left,
    lines,
    refunded: counted.flatMap((refund) => [...refund.lines]),
  })
  if (!payment) throw new Error('A captured order has no successful payment')
  if (known.length >= maxRefunds)
    throw conflict('too_many_refunds', `An order can have at most ${maxRefunds} refunds.`, { limit: maxRefunds })
  const at = now()
  const responsibleId = responsibleOf(actor)
  const settings = await readSettings(tx, organizationId)
  const ceiling = ceilingFor(settings, { of: 'refunds', currency: order.currency, person: responsibleId })
  const isAboveCeiling = ceiling !== null && priced.amount + unapprovedOf(counted, responsibleId, at) > ceiling
  const [refund] = await tx
    .insert(refunds)
    .values({
      id: newId(),
      organizationId,
      orderId: order.id,
      paymentId: payment.id,
      status: isAboveCeiling ? 'needs_approval' : 'pending',
      ...priced,
      currency: order.currency,
      reason: draft.reason,
      note: draft.note ?? null,
      requestedBy: actor.principal.id,
      responsibleId,
      createdAt: at,
      nextCheckAt: isAboveCeiling ? null : leaseEnd(call),
    })
    .returning()
  if (!refund) throw new Error('The refund was not inserted')
  await reserve(tx, order, refund)
  const facts = { refundId: refund.id, amount: Number(refund.amount), reason: refund.reason, status: refund.status }
  await recordEvents(tx, { orderId: order.id, organizationId, at }, [
    { kind: 'refund_requested', facts, by: actor.principal.id },
  ])
  await announceRefund(tx, call, refund, null)
  if (isAboveCeiling) await raiseApproval(tx, order, refund, ceiling)
  await publishOrder(call, tx, order)
  recordChange(tx, {
    object: 'refund',
    id: refund.id,
    after: { ...facts, orderId: order.id, currency: order.currency },
  })
  return refund
}

/** What one person got refunded without an approval in the last 24 hours. */
const unapprovedOf = (known: readonly RefundRow[], person: string, at: Date): bigint =>
  known
    .filter((refund) => personBehind(refund) === person && refund.status !== 'needs_approval')
    .filter(({ decidedBy, createdAt }) => decidedBy === null && createdAt.getTime() > at.getTime() - ceilingWindowMs)
    .reduce((sum, { amount }) => sum + amount, 0n)

/** @throws {Problem} 404 */
async function lockOrder(tx: Database, organizationId: string, id: string): Promise<OrderRow> {
  const [order] = await tx
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), eq(orders.organizationId, organizationId)))
    .for('update')
  if (!order) throw notFound('order')
  return order
}

/** Added to the stored amount: a constraint refuses more than was captured, whatever was computed. */
async function reserve(tx: Database, order: OrderRow, { amount }: RefundRow): Promise<void> {
  await tx
    .update(orders)
    .set({ refundsReserved: sql`${orders.refundsReserved} + ${amount}`, version: sql`${orders.version} + 1` })
    .where(eq(orders.id, order.id))
}
