import { asc, eq, sql } from 'drizzle-orm'
import { writeOutcomeOf } from '#gateway'
import { transact, type Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { updateOrder } from './apply.ts'
import type { OrderNews } from '../orders/timeline.ts'
import { toProviderUnits } from '../provider-units.ts'
import { orderLines, orderPayments, orders } from '../schema.ts'
import { nextCheckOf, type PaymentsWork } from '../work.ts'

type PaymentRow = typeof orderPayments.$inferSelect
type OrderRow = typeof orders.$inferSelect
type LineRow = typeof orderLines.$inferSelect

interface Made {
  checkoutSessionId?: string
  paymentLinkId?: string
  paymentIntentId?: string
  url: string | null
  expiresAt: Date | null
  clientSecret: string | null
}

const minute = 60_000
/** Of the provider’s page to pay on. */
const openMs = { min: 31 * minute, max: 23 * 60 * minute }

export type Creation = { outcome: 'created'; clientSecret: string | null } | { outcome: 'unknown' }

/**
 * Creates what the customer pays with at the provider. The payment’s ID is the idempotency key, so a repetition after a
 * lost response makes nothing new. @throws {Problem} what the provider refused; the payment has failed then
 */
export async function createAtProvider(work: PaymentsWork, payment: PaymentRow): Promise<Creation> {
  const { order, lines } = await readOrder(work.db, payment.orderId)
  try {
    const made = await create(work, payment, order, lines)
    await settle(work, payment, made)
    return { outcome: 'created', clientSecret: made.clientSecret }
  } catch (error) {
    if (writeOutcomeOf(error) === 'refused' && error instanceof Problem) {
      await settle(work, payment, error)
      throw error
    }
    work.log.warn('The outcome of a payment’s creation is unknown', { payment: payment.id, error: String(error) })
    await postpone(work, payment)
    return { outcome: 'unknown' }
  }
}

/** Repeats a creation whose outcome is unknown; a refusal ends it. */
export async function resumeCreation(work: PaymentsWork, payment: PaymentRow): Promise<void> {
  const creation = await createAtProvider(work, payment).catch((error: unknown) => {
    if (error instanceof Problem && writeOutcomeOf(error) === 'refused') return null
    throw error
  })
  if (creation?.outcome === 'unknown') throw unknownOutcome()
}

const unknownOutcome = (): Problem =>
  new Problem(
    502,
    'outcome_unknown',
    'The payment provider didn’t respond. We check again later, and never charge twice.',
  )

async function readOrder(db: Database, orderId: string): Promise<{ order: OrderRow; lines: LineRow[] }> {
  const [[order], lines] = await Promise.all([
    db.select().from(orders).where(eq(orders.id, orderId)),
    db.select().from(orderLines).where(eq(orderLines.orderId, orderId)).orderBy(asc(orderLines.position)),
  ])
  if (!order) throw new Error('The order of a payment is gone')
  return { order, lines }
}

async function create(work: PaymentsWork, payment: PaymentRow, order: OrderRow, lines: LineRow[]): Promise<Made> {
  const { payments } = work.gateway
  const metadata = { organizationId: order.organizationId, orderId: order.id, paymentId: payment.id }
  const payer = { organizationId: order.organizationId, idempotencyKey: payment.id }
  const intent = {
    captureMethod: payment.captureMethod,
    description: `Order ${order.number}`,
    transferGroup: order.id,
    metadata,
  }
  if (payment.mode === 'intent') {
    const made = await payments.createPaymentIntent({
      ...payer,
      ...intent,
      amount: toProviderUnits(payment.amount, payment.currency),
      currency: payment.currency,
      automaticPaymentMethods: { enabled: true },
      ...(order.customerEmail !== null && { receiptEmail: order.customerEmail }),
    })
    return { paymentIntentId: made.id, url: null, expiresAt: order.expiresAt, clientSecret: made.clientSecret }
  }
  const lineItems = lines.map((line) => lineItemOf(line, order.currency))
  if (payment.mode === 'link') {
    const made = await payments.createPaymentLink({
      ...payer,
      lineItems,
      paymentIntentData: intent,
      restrictions: { completedSessions: { limit: 1 } },
      metadata,
      ...(payment.successUrl !== null && {
        afterCompletion: { type: 'redirect' as const, redirect: { url: payment.successUrl } },
      }),
    })
    return { paymentLinkId: made.id, url: made.url, expiresAt: order.expiresAt, clientSecret: null }
  }
  const made = await payments.createCheckoutSession({
    ...payer,
    mode: 'payment',
    lineItems,
    paymentIntentData: intent,
    metadata,
    clientReferenceId: order.id,
    successUrl: payment.successUrl ?? '',
    expiresAt: expiryOf(payment, order),
    ...(payment.cancelUrl !== null && { cancelUrl: payment.cancelUrl }),
    ...(order.customerEmail !== null && { customerEmail: order.customerEmail }),
  })
  return { checkoutSessionId: made.id, url: made.url, expiresAt: made.expiresAt, clientSecret: null }
}

/** Of the row only, so that a repeated request is the same. */
function expiryOf(payment: PaymentRow, order: OrderRow): string {
  const from = payment.createdAt.getTime()
  const latest = from + openMs.max
  const wanted = order.expiresAt ? Math.max(order.expiresAt.getTime(), from + openMs.min) : latest
  return new Date(Math.min(wanted, latest)).toISOString()
}

/** A line as the customer sees it there; one whose total isn’t quantity × price is a single item. */
function lineItemOf({ name, quantity, unitAmount, total }: LineRow, currency: string) {
  const isPlain = BigInt(quantity) * unitAmount === total
  return {
    quantity: isPlain ? quantity : 1,
    priceData: {
      currency,
      unitAmount: toProviderUnits(isPlain ? unitAmount : total, currency),
      productData: { name: isPlain || quantity === 1 ? name : `${quantity} × ${name}` },
    },
  }
}

/** In one transaction with the order, unless another server did it meanwhile. */
async function settle(work: PaymentsWork, payment: PaymentRow, result: Made | Problem): Promise<void> {
  await transact(work.db, async (tx) => {
    const [order] = await tx.select().from(orders).where(eq(orders.id, payment.orderId)).for('update')
    const [current] = await tx.select().from(orderPayments).where(eq(orderPayments.id, payment.id)).for('update')
    if (!order || current?.status !== 'unknown') return
    const isRefused = result instanceof Problem
    await tx
      .update(orderPayments)
      .set({
        ...(isRefused
          ? { status: 'failed' as const, failureCode: result.code, failureMessage: result.message, nextCheckAt: null }
          : {
              status: 'requires_action' as const,
              checkoutSessionId: result.checkoutSessionId ?? null,
              paymentLinkId: result.paymentLinkId ?? null,
              paymentIntentId: result.paymentIntentId ?? null,
              url: result.url,
              expiresAt: result.expiresAt,
              nextCheckAt: nextCheckOf(work, 0),
            }),
        checks: 0,
        checkedAt: work.now(),
        version: sql`${orderPayments.version} + 1`,
      })
      .where(eq(orderPayments.id, payment.id))
    const facts = { paymentId: payment.id, mode: payment.mode, amount: Number(payment.amount) }
    const news: OrderNews = isRefused
      ? { kind: 'payment_failed', facts: { ...facts, code: result.code, message: result.message } }
      : { kind: 'payment_created', facts, by: payment.createdBy }
    await updateOrder(tx, work, order, [news])
  })
}

async function postpone(work: PaymentsWork, { id, orderId, checks }: PaymentRow): Promise<void> {
  await transact(work.db, async (tx) => {
    const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for('update')
    const changed = await tx
      .update(orderPayments)
      .set({ checks: checks + 1, checkedAt: work.now(), nextCheckAt: nextCheckOf(work, checks, { repeat: true }) })
      .where(sql`${orderPayments.id} = ${id} AND ${orderPayments.status} = 'unknown'`)
      .returning({ id: orderPayments.id })
    if (order && changed.length > 0)
      await updateOrder(tx, work, order, checks === 0 ? [{ kind: 'payment_unknown', facts: { paymentId: id } }] : [])
  })
}
