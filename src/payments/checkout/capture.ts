import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { writeOutcomeOf } from '#gateway'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, invalid, notFound } from '#lib/errors.ts'
import { Currency, formatMoney } from '#lib/money.ts'
import { parseDecimalAmount } from '../amount.ts'
import type { CaptureDraft } from '../contract/payments.ts'
import { toProviderUnits } from '../provider-units.ts'
import { orderPayments } from '../schema.ts'
import { readPayment } from './create.ts'
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
  await auditedTransaction(call, async (tx) => {
    recordChange(tx, { object: 'payment', id, after: { captureAmount: Number(amount ?? payment.authorized) } })
  })
  try {
    await call.gateway.payments.capturePaymentIntent({
      organizationId,
      // The provider captures it once. A refusal isn’t replayed after the payment has changed.
      idempotencyKey: `${id}-${payment.version}-capture`,
      id: payment.paymentIntentId ?? '',
      amountToCapture: toProviderUnits(amount ?? payment.authorized, payment.currency),
    })
  } catch (error) {
    // What was done is read either way; an unknown outcome stays one for the caller.
    await syncPayment(call, id)
    const after = await readPayment(call.db, id)
    if (after.captured === 0n || writeOutcomeOf(error) === 'refused') throw error
    return after
  }
  await syncPayment(call, id)
  return readPayment(call.db, id)
}

const tooMuch = ({ authorized, currency }: PaymentRow, isTyped: boolean) =>
  isTyped
    ? invalid([
        {
          path: 'decimalAmount',
          message: `Must be at most ${formatMoney({ minor: authorized, currency: Currency.parse(currency) })}.`,
        },
      ])
    : invalid([{ path: 'amount', message: `Must be at most ${authorized}, what is authorized.` }])

/** The customer can’t pay it any more. @throws {Problem} 404, 409 `payment_state`, and the gateway’s */
export const requireOpen = (payment: PaymentRow): void => {
  if (!['unknown', 'requires_action', 'processing', 'authorized'].includes(payment.status))
    throw conflict('payment_state', 'The payment has ended already.', { state: payment.status })
}
