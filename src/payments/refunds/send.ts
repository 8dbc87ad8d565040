import { and, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { writeOutcomeOf } from '#gateway'
import { transact } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { logFault } from '#lib/log/fault.ts'
import { updateOrder } from '../checkout/apply.ts'
import { checkPayment } from '../checkout/sweep.ts'
import type { RefundReason } from '../contract/refunds.ts'
import { readPayment } from '../checkout/create.ts'
import { payerOf, withAccount } from '../provider-account.ts'
import { toProviderUnits } from '../provider-units.ts'
import { refunds } from '../schema.ts'
import { nextCheckOf, type PaymentsWork } from '../work.ts'
import { announceRefund, raiseUnknown } from './announce.ts'
import { leasedSince, leaseEnd } from './lease.ts'
import { isUnclear, lockRefund, type RefundRow } from './rows.ts'
import { syncShared } from '../checkout/shared-sync.ts'

/**
 * Sends a reserved refund for the first time, unless another server does or it was canceled. @throws {Problem} what the
 * provider refused; the refund has failed then
 */
export async function sendRefund(work: PaymentsWork, refund: RefundRow): Promise<void> {
  const [claimed] = await work.db
    .update(refunds)
    .set({ sentAt: work.now(), nextCheckAt: leaseEnd(work) })
    .where(and(eq(refunds.id, refund.id), eq(refunds.status, 'pending'), isNull(refunds.sentAt)))
    .returning()
  if (!claimed) return
  const sent = await requestRefund(work, claimed)
  if (sent === 'unknown') return keepUnknown(work, claimed, { checks: 0 })
  if (sent === 'done') return adopt(work, claimed)
  await failRefund(work, claimed, sent)
  // It can have been refunded there.
  if (isAnswerOfProvider(sent)) await adopt(work, claimed)
  throw sent
}

/**
 * Repeats a refund that isn’t at the provider, with the same idempotency key. Meanwhile its outcome can’t be decided.
 * False while its outcome is unknown.
 */
export async function repeatRefund(work: PaymentsWork, seen: RefundRow): Promise<boolean> {
  const refund = await claimRepeat(work, seen)
  if (!refund) return false
  const sent = await requestRefund(work, refund)
  // Otherwise it can still be on its way: the lease ends by itself.
  if (sent !== 'unknown') await endRepeat(work, refund)
  if (sent === 'done') {
    await adopt(work, refund)
    return true
  }
  if (sent === 'unknown' || !isAnswerOfProvider(sent)) return false
  // The first request could have arrived between the list and this one.
  await syncShared(work, refund.paymentId)
  await failRefund(work, refund, sent)
  return true
}

/** Undefined while another request or server repeats it. */
async function claimRepeat(work: PaymentsWork, { id }: RefundRow): Promise<RefundRow | undefined> {
  const isOpen = and(isNull(refunds.providerRefundId), inArray(refunds.status, ['unknown', 'pending']))
  const isFree = or(isNull(refunds.repeatedAt), lte(refunds.repeatedAt, leasedSince(work)))
  const [claimed] = await work.db
    .update(refunds)
    .set({ repeatedAt: work.now() })
    .where(and(eq(refunds.id, id), isOpen, isFree))
    .returning()
  return claimed
}

async function endRepeat(work: PaymentsWork, { id, repeatedAt }: RefundRow): Promise<void> {
  const isOwn = repeatedAt === null ? isNull(refunds.repeatedAt) : eq(refunds.repeatedAt, repeatedAt)
  await work.db
    .update(refunds)
    .set({ repeatedAt: null })
    .where(and(eq(refunds.id, id), isOwn))
}

/** To this refund. A limit or a missing credential says nothing about what the first request did. */
const isAnswerOfProvider = ({ status, code }: Problem): boolean => status === 402 || code === 'provider_refused'

async function requestRefund(work: PaymentsWork, refund: RefundRow): Promise<'done' | 'unknown' | Problem> {
  const { id, organizationId, orderId, paymentId, amount, currency, reason } = refund
  try {
    const payment = await withAccount(work, await readPayment(work.db, paymentId))
    await work.gateway.payments.createRefund({
      ...payerOf(payment),
      idempotencyKey: id,
      paymentIntent: payment.paymentIntentId ?? '',
      amount: toProviderUnits(amount, currency),
      ...reasonAtProvider(reason),
      metadata: { organizationId, orderId, paymentId, refundId: id },
    })
    return 'done'
  } catch (error) {
    if (error instanceof Problem && writeOutcomeOf(error) === 'refused') return error
    work.log.warn('The outcome of a refund is unknown', { refund: id, error: String(error) })
    return 'unknown'
  }
}

const reasonAtProvider = (reason: RefundReason) =>
  reason === 'duplicate' || reason === 'fraudulent' || reason === 'requested_by_customer' ? { reason } : {}

/** Of a refund that was made: a failure to read it back isn’t one of the refund. */
async function adopt(work: PaymentsWork, { id, paymentId, organizationId }: RefundRow): Promise<void> {
  try {
    await syncShared(work, paymentId)
  } catch (error) {
    logFault(work.log, 'reading back a refund', error, { refund: id })
    await transact(work.db, (tx) => work.queue.enqueue(tx, checkPayment, { paymentId, organizationId }))
  }
}

async function failRefund(work: PaymentsWork, seen: RefundRow, { message }: Problem): Promise<void> {
  await transact(work.db, async (tx) => {
    const locked = await lockRefund(tx, seen)
    if (!locked || !isUnclear(locked.refund)) return
    const { order, refund: before } = locked
    const at = work.now()
    const [after] = await tx
      .update(refunds)
      .set({
        status: 'failed',
        failureReason: message,
        checkedAt: at,
        settledAt: at,
        nextCheckAt: null,
        version: sql`${refunds.version} + 1`,
      })
      .where(eq(refunds.id, seen.id))
      .returning()
    if (!after) return
    const facts = { refundId: after.id, amount: Number(after.amount), reason: message }
    await updateOrder(tx, work, order, [{ kind: 'refund_failed', facts }])
    await announceRefund(tx, work, after, before.status)
  })
}

interface Unclear {
  /** Looks since it was sent: after the last one, people have to find out. */
  checks: number
  /** Why it can’t be sent again. People have to find out then, too. */
  obstacle?: string
}

export async function keepUnknown(work: PaymentsWork, seen: RefundRow, { checks, obstacle }: Unclear): Promise<void> {
  await transact(work.db, async (tx) => {
    const locked = await lockRefund(tx, seen)
    if (!locked || !isUnclear(locked.refund)) return
    const { order, refund: before } = locked
    const nextCheckAt = nextCheckOf(work, checks)
    const [after] = await tx
      .update(refunds)
      .set({
        status: 'unknown',
        ...(obstacle !== undefined && { failureReason: obstacle }),
        checkedAt: work.now(),
        checks,
        nextCheckAt,
        version: sql`${refunds.version} + 1`,
      })
      .where(eq(refunds.id, seen.id))
      .returning()
    if (!after) return
    const facts = { refundId: after.id, amount: Number(after.amount) }
    await updateOrder(tx, work, order, before.status === 'unknown' ? [] : [{ kind: 'refund_unknown', facts }])
    await announceRefund(tx, work, after, before.status)
    if (nextCheckAt === null || after.failureReason !== null) await raiseUnknown(tx, order, after)
  })
}
