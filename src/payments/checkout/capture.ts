import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { writeOutcomeOf } from '#gateway'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, invalid, notFound, Problem } from '#lib/errors.ts'
import { Currency, formatMoney } from '#lib/money.ts'
import { parseDecimalAmount } from '../amount.ts'
import type { CaptureDraft } from '../contract/payments.ts'
import { payerOf, withAccount } from '../provider-account.ts'
import { requireAmount } from '../provider-amounts.ts'
import { toProviderUnits } from '../provider-units.ts'
import { orderPayments } from '../schema.ts'
import { readPayment } from './create.ts'
import { openStatuses } from './payment-state.ts'
import { syncPayment } from './sync.ts'

type PaymentRow = typeof orderPayments.$inferSelect
type PaymentsCall = Call<unknown, Actor>

/** @throws {Problem} 404 for another organization’s */
export async function findPayment(db: Database, organizationId: string, id: string): Promise<PaymentRow> {
  const [row] = await db
    .select()
    .from(orderPayments)
    .where(and(eq(orderPayments.id, id), eq(orderPayments.organizationId, organizationId)))
  if (!row) throw notFound('payment')
  return row
}

/**
 * Takes what was authorized, or a part of it, for good: the rest is released. @throws {Problem} 404, 409
 * `payment_state`, 422 for more than was authorized, and the gateway’s
 */
export async function capturePayment(
  call: PaymentsCall,
  { id, decimalAmount, ...draft }: z.output<typeof CaptureDraft>,
): Promise<PaymentRow> {
  const organizationId = organizationOf(call.actor, 'transactions:write')
  const payment = await findPayment(call.db, organizationId, id)
  if (payment.status !== 'authorized')
    throw conflict('payment_state', 'Only an authorized payment can be captured.', { state: payment.status })
  const typed =
    decimalAmount === undefined
      ? undefined
      : parseDecimalAmount(decimalAmount, payment.currency, { path: 'decimalAmount', least: 1n })
  const amount = draft.amount ?? typed
  if (amount !== undefined && amount > payment.authorized) throw tooMuch(payment, draft.amount === undefined)
  const wanted = amount ?? payment.authorized
  requireAmount(wanted, payment.currency, draft.amount === undefined ? 'decimalAmount' : 'amount')
  await auditedTransaction(call, async (tx) => {
    recordChange(tx, { object: 'payment', id, after: { captureAmount: Number(wanted) } })
  })
  try {
    await call.gateway.payments.capturePaymentIntent({
      ...payerOf(await withAccount(call, payment)),
      // The provider captures it once. A refusal isn’t replayed after the payment has changed.
      idempotencyKey: `${id}-${payment.version}-capture`,
      id: payment.paymentIntentId ?? '',
      amountToCapture: toProviderUnits(wanted, payment.currency),
    })
  } catch (error) {
    // What was done is read either way; an unknown outcome stays one for the caller.
    await syncPayment(call, id)
    const after = await readPayment(call.db, id)
    if (after.captured === 0n) throw isUnderWay(error) ? underWay(after) : error
    if (after.captured === wanted && writeOutcomeOf(error) !== 'refused') return after
    throw conflict('payment_state', 'The payment was captured meanwhile.', { state: after.status })
  }
  await syncPayment(call, id)
  return readPayment(call.db, id)
}

/** Another capture has the same idempotency key. */
const isUnderWay = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'idempotency_in_progress' || error.code === 'idempotency_conflict')

const underWay = ({ status }: PaymentRow): Problem =>
  conflict('payment_state', 'Another capture of this payment is under way. Try again in a moment.', { state: status })

const tooMuch = ({ authorized, currency }: PaymentRow, isTyped: boolean) =>
  isTyped
    ? invalid([
        {
          path: 'decimalAmount',
          message: `Must be at most ${formatMoney({ minor: authorized, currency: Currency.parse(currency) })}.`,
        },
      ])
    : invalid([{ path: 'amount', message: `Must be at most ${authorized}, what is authorized.` }])

/** After it was to be canceled. @throws {Problem} 409 `payment_state` */
export const requireClosed = ({ status }: PaymentRow): void => {
  const why =
    status === 'unknown'
      ? 'The payment is still being created. Try again in a moment.'
      : status === 'succeeded'
        ? 'The customer has paid it meanwhile. Refund it instead.'
        : openStatuses.includes(status)
          ? 'The payment provider doesn’t cancel this payment now. Try again later.'
          : null
  if (why !== null) throw conflict('payment_state', why, { state: status })
}

/** The customer can’t pay it any more. @throws {Problem} 404, 409 `payment_state`, and the gateway’s */
export const requireOpen = (payment: PaymentRow): void => {
  if (!openStatuses.includes(payment.status))
    throw conflict('payment_state', 'The payment has ended already.', { state: payment.status })
}
