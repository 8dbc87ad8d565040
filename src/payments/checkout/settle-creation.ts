import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { transact, type Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { raiseAction, resolveAction } from '#lib/raised-actions.ts'
import { unknownPaymentKind } from '../notification-kinds.ts'
import { isPayable } from '../orders/states.ts'
import type { OrderNews } from '../orders/timeline.ts'
import { amountText } from '../provider-amounts.ts'
import { orderPayments, orders } from '../schema.ts'
import { nextCheckOf, type PaymentsWork } from '../work.ts'
import { updateOrder } from './apply.ts'
import { closeAtProvider } from './close-at-provider.ts'
import type { Made } from './make-at-provider.ts'
import { openStatuses } from './payment-state.ts'

type PaymentRow = typeof orderPayments.$inferSelect
type OrderRow = typeof orders.$inferSelect

const notCreatedCode = 'not_created'

/** Of a payment that ends without having been at the provider. */
export const notCreated = (): Problem =>
  new Problem(409, notCreatedCode, 'The payment was never created at the payment provider.')

const causeOf = (id: string): string => `payments.payment-unknown.${id}`

/**
 * Stores the outcome of a creation, once. What was made counts more than a failure that was stored before; if it can’t be
 * paid any more, it is closed again.
 */
export async function settleCreation(work: PaymentsWork, payment: PaymentRow, result: Made | Problem): Promise<void> {
  const stray = await transact(work.db, async (tx) => {
    const [order] = await tx.select().from(orders).where(eq(orders.id, payment.orderId)).for('update')
    const [current] = await tx.select().from(orderPayments).where(eq(orderPayments.id, payment.id)).for('update')
    if (!order || !current) return null
    if (result instanceof Problem) {
      if (current.status === 'unknown') await fail(tx, work, order, current, result)
      return null
    }
    if (current.status !== 'unknown' && !isWithoutObject(current)) return null
    const isOpen = current.status === 'unknown' || (await canBeOpen(tx, order, current))
    const after = await open(tx, work, { order, payment: current, made: result, isOpen })
    return isOpen ? null : after
  })
  if (stray) await closeAtProvider(work, stray)
}

const isWithoutObject = (row: PaymentRow): boolean =>
  row.status === 'failed' && (row.checkoutSessionId ?? row.paymentLinkId ?? row.paymentIntentId) === null

/** A payment that was ended on purpose, or replaced by another one, isn’t opened again. */
async function canBeOpen(tx: Database, order: OrderRow, { id, failureCode }: PaymentRow): Promise<boolean> {
  if (failureCode === notCreatedCode || !isPayable(order.status)) return false
  const others = and(
    eq(orderPayments.orderId, order.id),
    ne(orderPayments.id, id),
    isNull(orderPayments.duplicateOf),
    inArray(orderPayments.status, [...openStatuses]),
  )
  return (await tx.$count(orderPayments, others)) === 0
}

async function fail(
  tx: Database,
  work: PaymentsWork,
  order: OrderRow,
  payment: PaymentRow,
  { code, message }: Problem,
): Promise<void> {
  await store(tx, work, payment, { status: 'failed', failureCode: code, failureMessage: message, nextCheckAt: null })
  const facts = { ...factsOf(payment), code, message }
  await updateOrder(tx, work, order, [
    code === notCreatedCode ? { kind: 'payment_cancelled', facts } : { kind: 'payment_failed', facts },
  ])
}

interface Opened {
  order: OrderRow
  payment: PaymentRow
  made: Made
  isOpen: boolean
}

async function open(tx: Database, work: PaymentsWork, { order, payment, made, isOpen }: Opened): Promise<PaymentRow> {
  const after = await store(tx, work, payment, {
    checkoutSessionId: made.checkoutSessionId ?? null,
    paymentLinkId: made.paymentLinkId ?? null,
    paymentIntentId: made.paymentIntentId ?? null,
    url: made.url,
    expiresAt: made.expiresAt,
    ...(isOpen
      ? { status: 'requires_action', failureCode: null, failureMessage: null, nextCheckAt: nextCheckOf(work, 0) }
      : { nextCheckAt: work.now() }),
  })
  const news: OrderNews = { kind: 'payment_created', facts: factsOf(payment), by: payment.createdBy }
  await updateOrder(tx, work, order, isOpen ? [news] : [])
  return after
}

const factsOf = ({ id, mode, amount, providerPaymentMethodId, cardBrand, cardLastFour }: PaymentRow) => ({
  paymentId: id,
  mode,
  amount: Number(amount),
  ...(providerPaymentMethodId !== null && { card: cardBrand, lastFour: cardLastFour }),
})

async function store(
  tx: Database,
  work: PaymentsWork,
  { id }: PaymentRow,
  set: Partial<typeof orderPayments.$inferInsert>,
): Promise<PaymentRow> {
  const [after] = await tx
    .update(orderPayments)
    .set({ ...set, checks: 0, checkedAt: work.now(), version: sql`${orderPayments.version} + 1` })
    .where(eq(orderPayments.id, id))
    .returning()
  if (!after) throw new Error('The locked payment is gone')
  await resolveAction(tx, causeOf(id))
  return after
}

/** One look that had no result. After the last one, people have to find out. */
export async function postpone(work: PaymentsWork, { id, orderId }: PaymentRow): Promise<void> {
  await transact(work.db, async (tx) => {
    const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for('update')
    const [payment] = await tx.select().from(orderPayments).where(eq(orderPayments.id, id)).for('update')
    if (!order || payment?.status !== 'unknown' || !isDue(work, payment)) return
    const nextCheckAt = nextCheckOf(work, payment.checks)
    await tx
      .update(orderPayments)
      .set({ checks: payment.checks + 1, checkedAt: work.now(), nextCheckAt })
      .where(eq(orderPayments.id, id))
    if (payment.checks === 0)
      await updateOrder(tx, work, order, [{ kind: 'payment_unknown', facts: { paymentId: id } }])
    if (nextCheckAt === null) await raiseUnknown(tx, order, payment)
  })
}

/** Looks in between, by people and repeated jobs, don’t use up those of the sweep. */
function isDue({ config, now }: PaymentsWork, { checks, checkedAt }: PaymentRow): boolean {
  const seconds = config.PAYMENTS_SWEEP_S[checks - 1] ?? 0
  return checkedAt === null || now().getTime() >= checkedAt.getTime() + seconds * 1_000
}

const raiseUnknown = (
  tx: Database,
  order: OrderRow,
  { id, organizationId, amount, currency, checks, providerPaymentMethodId }: PaymentRow,
) =>
  raiseAction(tx, {
    kind: unknownPaymentKind,
    organizationId,
    cause: causeOf(id),
    title:
      providerPaymentMethodId === null
        ? `Find out whether a payment link of ${amountText(amount, currency)} was created`
        : `Find out whether a saved card was charged ${amountText(amount, currency)}`,
    reason: `The payment provider didn’t respond when a payment for order ${order.number} was created, and ${checks} checks since had no result. Check again, or look for the order’s number at the provider. Cancel the payment to create another one.`,
    href: `/pay/orders/${order.id}`,
    actions: [
      { label: 'Check now', method: 'POST', href: `/api/payments/${id}/check`, style: 'primary' },
      {
        label: 'Cancel the payment',
        method: 'POST',
        href: `/api/payments/${id}/cancel`,
        confirm: 'Cancel this payment? Another one can be created for the order then.',
      },
      { label: 'See the order', method: 'GET', href: `/pay/orders/${order.id}` },
    ],
  })
