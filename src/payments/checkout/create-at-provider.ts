import { eq } from 'drizzle-orm'
import { isAccountChanged, writeOutcomeOf } from '#gateway'
import { Problem } from '#lib/errors.ts'
import { isPayable } from '../orders/states.ts'
import { isKeyKnown } from '../provider-keys.ts'
import { orderPayments, orders } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'
import { findCreation } from './find-creation.ts'
import { makeAtProvider, type Made } from './make-at-provider.ts'
import { notCreated, postpone, settleCreation } from './settle-creation.ts'

type PaymentRow = typeof orderPayments.$inferSelect

export type Creation = { outcome: 'created'; clientSecret: string | null } | { outcome: 'unknown' }

/**
 * Creates what the customer pays with at the provider, for the first time. @throws {Problem} what the provider refused;
 * the payment has failed then
 */
export async function createAtProvider(work: PaymentsWork, payment: PaymentRow): Promise<Creation> {
  try {
    const made = await makeAtProvider(work, payment)
    await settleCreation(work, payment, made)
    return { outcome: 'created', clientSecret: made.clientSecret }
  } catch (error) {
    const declined = declinedIn(error, payment)
    if (declined) {
      await settleCreation(work, payment, declined)
      throw error
    }
    if (writeOutcomeOf(error) === 'refused' && error instanceof Problem) {
      await settleCreation(work, payment, error)
      throw error
    }
    work.log.warn('The outcome of a payment’s creation is unknown', { payment: payment.id, error: String(error) })
    await postpone(work, payment)
    return { outcome: 'unknown' }
  }
}

/**
 * Finds out what became of a creation, and repeats one that isn’t at the provider. @throws {Problem} 502 while it isn’t
 * known
 */
export async function resumeCreation(work: PaymentsWork, payment: PaymentRow): Promise<void> {
  try {
    await settleCreation(work, payment, (await findCreation(work, payment)) ?? (await repeat(work, payment)))
  } catch (error) {
    if (isAccountChanged(error)) throw error
    await postpone(work, payment)
    work.log.warn('The outcome of a payment’s creation is unknown', { payment: payment.id, error: String(error) })
    throw unknownOutcome(error)
  }
}

/**
 * Ends a payment whose creation has no outcome yet, without creating it. It stays as it is while a server can still be
 * waiting for the provider. @throws {Problem} of the gateway
 */
export async function endUnknown(work: PaymentsWork, payment: PaymentRow): Promise<void> {
  const found = await findCreation(work, payment)
  if (found) await settleCreation(work, payment, found)
  else if (!isBeingCreated(work, payment)) await settleCreation(work, payment, notCreated())
}

/** Whether a server can still be waiting for the provider. */
export const isBeingCreated = (
  { config, now }: Pick<PaymentsWork, 'config' | 'now'>,
  { status, createdAt }: PaymentRow,
): boolean => status === 'unknown' && now().getTime() - createdAt.getTime() < 2 * config.PAYMENTS_TIMEOUT_MS

/** What a charge that was declined left at the provider: it is read, and closed, next. */
function declinedIn(error: unknown, { providerPaymentMethodId, expiresAt }: PaymentRow): Made | null {
  if (providerPaymentMethodId === null || !(error instanceof Problem) || error.status !== 402) return null
  const paymentIntentId = error.options.members?.['paymentIntentId']
  return typeof paymentIntentId === 'string' ? { paymentIntentId, url: null, expiresAt, clientSecret: null } : null
}

/** With the same key. Its refusal proves nothing about the first request, until that isn’t found either. */
async function repeat(work: PaymentsWork, payment: PaymentRow): Promise<Made | Problem> {
  const [order] = await work.db.select({ status: orders.status }).from(orders).where(eq(orders.id, payment.orderId))
  if (!order || !isPayable(order.status) || !isKeyKnown(payment.createdAt, work.now())) return notCreated()
  try {
    return await makeAtProvider(work, payment)
  } catch (error) {
    if (!(error instanceof Problem) || !isAnswerOfProvider(error)) throw error
    return (await findCreation(work, payment)) ?? error
  }
}

/** To this request. A limit or a missing credential says nothing about what an earlier one did. */
const isAnswerOfProvider = ({ status, code }: Problem): boolean => status === 402 || code === 'provider_refused'

const unknownOutcome = (cause: unknown): Problem =>
  new Problem(
    502,
    'outcome_unknown',
    'The payment provider didn’t respond. We check again later, and never charge twice.',
    { cause },
  )
