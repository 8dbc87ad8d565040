import { and, eq, inArray } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, notFound, Problem } from '#lib/errors.ts'
import { newId, randomToken } from '#lib/ids.ts'
import { logFault } from '#lib/log/fault.ts'
import type { PaymentDraft } from '../contract/payments.ts'
import { chooseMethod } from '../customers/methods/choose.ts'
import { illegalMove, isPayable } from '../orders/states.ts'
import { findOrder } from '../orders/read.ts'
import { requirePayable } from '../provider-amounts.ts'
import { orderPayments, orders } from '../schema.ts'
import { ensureEndpoint } from '../webhooks/ensure-endpoint.ts'
import { nextCheckOf } from '../work.ts'
import { closePayment } from './close.ts'
import { createAtProvider, isBeingCreated } from './create-at-provider.ts'
import { syncPayment } from './sync.ts'

type PaymentRow = typeof orderPayments.$inferSelect
type OrderRow = typeof orders.$inferSelect
type PaymentsCall = Call<unknown, Actor>

const openStatuses = ['unknown', 'requires_action', 'processing', 'authorized'] as const

interface Created {
  payment: PaymentRow
  isNew: boolean
  clientSecret: string | null
  insteadOf?: { paymentId: string; code: 'authentication_required' }
}

const maxAttempts = 3

/**
 * One payment of an order is open at a time. The same draft again returns it; another one closes it first.
 * @throws {Problem} 404, 409 `order_state`, `payment_authorized`, 422 for an amount or currency that the provider
 * doesn’t take, and what it refused
 */
export async function createPayment(call: PaymentsCall, draft: PaymentDraft): Promise<Created> {
  const organizationId = organizationOf(call.actor, 'payments:create')
  requirePayable(await findOrder(call.db, organizationId, draft.orderId))
  await ensureEndpoint(call, organizationId)
  const { accountKey } = await call.gateway.payments.getAccount({ organizationId })
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const found = await auditedTransaction(call, (tx) => insertOrFind(tx, call, draft, accountKey))
    if (found.isNew && found.payment.providerPaymentMethodId !== null) return charge(call, draft, found.payment)
    if (found.isNew) {
      const creation = await createAtProvider(call, found.payment)
      const clientSecret = creation.outcome === 'created' ? creation.clientSecret : null
      return { payment: await readPayment(call.db, found.payment.id), isNew: true, clientSecret }
    }
    const isRecent = isBeingCreated(call, found.payment)
    const isHere = (found.payment.accountKey ?? accountKey) === accountKey
    if (isHere && isSame(found.payment, draft) && (isRecent || found.payment.status === 'requires_action'))
      return { ...found, clientSecret: null }
    if (isRecent) throw busy()
    if (found.payment.status === 'authorized' || found.payment.status === 'processing')
      throw conflict(
        'payment_authorized',
        'The customer has already authorized a payment of this order. Capture it, or cancel it first.',
        { paymentId: found.payment.id },
      )
    await closePayment(call, found.payment)
  }
  throw busy()
}

/**
 * A saved payment method. When its bank wants the customer to confirm, a page for that is created instead.
 * @throws {Problem} 402 `card_declined`
 */
async function charge(call: PaymentsCall, draft: PaymentDraft, { id: paymentId }: PaymentRow): Promise<Created> {
  const readNow = () =>
    syncPayment(call, paymentId).catch((error: unknown) => logFault(call.log, 'reading a charge', error, { paymentId }))
  try {
    const { outcome } = await createAtProvider(call, await readPayment(call.db, paymentId))
    if (outcome === 'created') await readNow()
    return { payment: await readPayment(call.db, paymentId), isNew: true, clientSecret: null }
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 402) throw error
    await readNow()
    const { code, message, options } = error
    if (code !== 'authentication_required')
      throw new Problem(402, 'card_declined', message, {
        members: { ...options.members, paymentId, reason: code },
      })
    const { paymentMethodId: _, ...page } = draft
    const created = await createPayment(call, { ...page, mode: 'checkout' })
    return { ...created, insteadOf: { paymentId, code } }
  }
}

const busy = () => conflict('payment_busy', 'Another payment for this order is being created. Try again in a moment.')

async function insertOrFind(
  tx: Database,
  call: PaymentsCall,
  draft: PaymentDraft,
  accountKey: string,
): Promise<{ payment: PaymentRow; isNew: boolean }> {
  const organizationId = organizationOf(call.actor, 'payments:create')
  const [order] = await tx
    .select()
    .from(orders)
    .where(and(eq(orders.id, draft.orderId), eq(orders.organizationId, organizationId)))
    .for('update')
  if (!order) throw notFound('order')
  if (!isPayable(order.status)) throw illegalMove(order.status)
  const method = draft.paymentMethodId ? await chooseMethod(tx, order, draft.paymentMethodId, accountKey) : null
  const [open] = await tx
    .select()
    .from(orderPayments)
    .where(and(eq(orderPayments.orderId, order.id), inArray(orderPayments.status, [...openStatuses])))
  if (open) return { payment: open, isNew: false }
  const wanted = { ...draft, ...(method && { mode: 'intent' as const }) }
  const payment = await insertPayment(tx, call, order, { draft: wanted, accountKey, method })
  recordChange(tx, {
    object: 'payment',
    id: payment.id,
    after: { orderId: order.id, mode: payment.mode, amount: Number(payment.amount), currency: payment.currency },
  })
  return { payment, isNew: true }
}

interface Inserted {
  draft: PaymentDraft
  accountKey: string
  method: Awaited<ReturnType<typeof chooseMethod>> | null
}

/** Before the provider is called: what it did for this row can then always be found. */
async function insertPayment(
  tx: Database,
  { actor, config, now, request }: PaymentsCall,
  order: OrderRow,
  { draft: { mode, captureMethod, successUrl, cancelUrl }, accountKey, method }: Inserted,
): Promise<PaymentRow> {
  const receiptToken = randomToken()
  const origin = config.PAY_APP_URL ?? config.PUBLIC_URL ?? request.url.origin
  const [payment] = await tx
    .insert(orderPayments)
    .values({
      id: newId(),
      organizationId: order.organizationId,
      orderId: order.id,
      accountKey,
      mode,
      captureMethod,
      ...method,
      status: 'unknown',
      amount: order.total,
      currency: order.currency,
      successUrl: successUrl ?? new URL(`/pay/receipts/${receiptToken}`, origin).href,
      cancelUrl: cancelUrl ?? null,
      receiptToken,
      createdBy: actor.principal.id,
      createdAt: now(),
      nextCheckAt: nextCheckOf({ config, now }, 0),
    })
    .returning()
  if (!payment) throw new Error('The payment was not inserted')
  return payment
}

const isSame = (
  open: PaymentRow,
  { mode, captureMethod, successUrl, cancelUrl, paymentMethodId }: PaymentDraft,
): boolean =>
  open.mode === mode &&
  mode !== 'intent' &&
  paymentMethodId === undefined &&
  open.captureMethod === captureMethod &&
  (successUrl === undefined || open.successUrl === successUrl) &&
  (cancelUrl ?? null) === open.cancelUrl

export async function readPayment(db: Database, id: string): Promise<PaymentRow> {
  const [row] = await db.select().from(orderPayments).where(eq(orderPayments.id, id))
  if (!row) throw notFound('payment')
  return row
}
