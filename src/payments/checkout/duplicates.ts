import { and, eq, inArray, isNull, ne, or } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { newId, randomToken } from '#lib/ids.ts'
import { raiseAction, resolveAction } from '#lib/raised-actions.ts'
import type { PaymentStatus } from '../contract/payments.ts'
import type { OrderNews } from '../orders/timeline.ts'
import { announceRefund } from '../refunds/announce.ts'
import { excessKind } from '../notification-kinds.ts'
import { amountText } from '../provider-amounts.ts'
import { disputes, orderPayments, refunds } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'
import type { Booked } from './entries.ts'
import { openStatuses, stateOf, takenStatuses } from './payment-state.ts'
import type { Snapshot } from './snapshot.ts'

type PaymentRow = typeof orderPayments.$inferSelect

/** The payment of the order that was paid first, when this one takes money as well. */
export async function findOriginal(tx: Database, payment: PaymentRow, status: PaymentStatus): Promise<string | null> {
  const { id, orderId, duplicateOf } = payment
  if (duplicateOf !== null || !takenStatuses.includes(status)) return duplicateOf
  // One that had ended takes money although another one is open: what is only held is released.
  const isLate = status !== 'succeeded' && !openStatuses.includes(payment.status)
  const [original] = await tx
    .select({ id: orderPayments.id })
    .from(orderPayments)
    .where(
      and(
        eq(orderPayments.orderId, orderId),
        ne(orderPayments.id, id),
        isNull(orderPayments.duplicateOf),
        or(
          eq(orderPayments.status, 'succeeded'),
          isLate ? inArray(orderPayments.status, [...openStatuses]) : undefined,
        ),
      ),
    )
  return original?.id ?? null
}

/** Others have paid on pages of the same link: each becomes a payment of its own, which is read next. */
export async function bookExtras(
  tx: Database,
  work: PaymentsWork,
  booked: Booked,
  { extras }: Pick<Snapshot, 'extras'>,
): Promise<OrderNews[]> {
  const { order, payment, at } = booked
  const news: OrderNews[] = []
  for (const { intent, sessionId } of extras) {
    const before: PaymentRow = {
      ...payment,
      id: newId(),
      duplicateOf: payment.duplicateOf ?? payment.id,
      checkoutSessionId: sessionId,
      paymentLinkId: null,
      paymentIntentId: null,
      chargeId: null,
      url: null,
      receiptToken: randomToken(),
      cardBrand: null,
      cardLastFour: null,
      createdAt: at,
      nextCheckAt: at,
      checks: 0,
      version: 1,
    }
    const state = stateOf(before, { closed: null, intent, charge: null })
    const [extra] = await tx
      .insert(orderPayments)
      .values({ ...before, ...state })
      .returning()
    if (extra) news.push(...(await returnDuplicate(tx, work, { order, payment: extra, at })))
  }
  return news
}

const causeOf = ({ id }: PaymentRow): string => `payments.paid-twice.${id}`

/** Has what a duplicate took refunded once, in full: the sweep sends it. People are told until it has succeeded. */
export async function returnDuplicate(tx: Database, work: PaymentsWork, booked: Booked): Promise<OrderNews[]> {
  const { order, payment } = booked
  if (payment.captured === 0n) return []
  const known = await tx.select().from(refunds).where(eq(refunds.paymentId, payment.id))
  const sumOf = (rows: typeof known) => rows.reduce((sum, { amount }) => sum + amount, 0n)
  if (sumOf(known.filter(({ status }) => status === 'succeeded')) >= payment.captured) {
    await resolveAction(tx, causeOf(payment))
    return []
  }
  const amount = amountText(payment.captured, payment.currency)
  await raiseAction(tx, {
    kind: excessKind,
    organizationId: order.organizationId,
    cause: causeOf(payment),
    title: `Order ${order.number} was paid twice`,
    reason: `A second payment of ${amount} (${payment.paymentIntentId}) is refunded in full, and this disappears when the refund has succeeded. If the refund fails, refund the payment at the payment provider.`,
    href: `/pay/orders/${order.id}`,
    actions: [
      { label: 'Check now', method: 'POST', href: `/api/payments/${payment.id}/check`, style: 'primary' },
      { label: 'See the order', method: 'GET', href: `/pay/orders/${order.id}` },
    ],
  })
  const left = payment.captured - sumOf(known.filter(({ status }) => status !== 'failed' && status !== 'cancelled'))
  const isTried = known.some(({ reason, requestedBy }) => reason === 'duplicate' && requestedBy === null)
  if (left <= 0n || isTried || (await isDisputed(tx, payment))) return []
  return [
    { kind: 'paid_twice', facts: { paymentId: payment.id, amount: Number(payment.captured) } },
    ...(await reserveReturn(tx, work, booked, left)),
  ]
}

async function isDisputed(tx: Database, { id }: PaymentRow): Promise<boolean> {
  const open = and(eq(disputes.paymentId, id), inArray(disputes.status, ['open', 'lost']))
  return (await tx.$count(disputes, open)) > 0
}

async function reserveReturn(
  tx: Database,
  work: PaymentsWork,
  { order, payment, at }: Booked,
  amount: bigint,
): Promise<OrderNews[]> {
  const [refund] = await tx
    .insert(refunds)
    .values({
      id: newId(),
      organizationId: order.organizationId,
      orderId: order.id,
      paymentId: payment.id,
      status: 'pending',
      amount,
      currency: order.currency,
      reason: 'duplicate',
      createdAt: at,
      nextCheckAt: at,
    })
    .returning()
  if (!refund) throw new Error('The refund was not inserted')
  await announceRefund(tx, work, refund, null)
  const facts = { refundId: refund.id, amount: Number(amount), reason: refund.reason }
  return [{ kind: 'refund_requested', facts }]
}
