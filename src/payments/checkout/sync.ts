import { and, eq, inArray, isNotNull, ne } from 'drizzle-orm'
import { isAccountChanged } from '#gateway'
import { transact, type Database } from '#lib/db.ts'
import { notePaymentLost, withAccount } from '../provider-account.ts'
import { ledgerTransactions, orderPayments, refunds } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'
import { applySnapshot } from './apply.ts'
import { closeAtProvider, closeLink } from './close-at-provider.ts'
import { resumeCreation } from './create-at-provider.ts'
import { openStatuses, takenStatuses } from './payment-state.ts'
import { readSnapshot, type Snapshot } from './snapshot.ts'

type PaymentRow = typeof orderPayments.$inferSelect

const maxAttempts = 8
/** Milliseconds, multiplied by the attempt: several events of a payment arrive at once. */
const maxPauseMs = 100

/**
 * Brings a payment with its refunds, disputes and order to the provider’s current state. Snapshots are applied in the
 * order in which they were read, so repeated, late and concurrent calls lead to the same state. After money came, nothing
 * else of the order stays open.
 *
 * @param intentId Of the provider’s event that caused it
 * @throws {Problem} of the gateway
 */
export async function syncPayment(work: PaymentsWork, paymentId: string, intentId?: string): Promise<void> {
  const applied = await readAndApply(work, paymentId, intentId)
  if (applied) await closeRest(work, applied)
}

interface Applied {
  payment: PaymentRow
  snapshot: Snapshot
}

/** Null for a payment that is gone. */
async function readAndApply(work: PaymentsWork, paymentId: string, intentId?: string): Promise<Applied | null> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (attempt > 0) await Bun.sleep(Math.random() * maxPauseMs * attempt)
    const [stored] = await work.db.select().from(orderPayments).where(eq(orderPayments.id, paymentId))
    if (!stored) return null
    const applied = await applyOnce(work, stored, intentId).catch(async (error: unknown) => {
      if (isAccountChanged(error)) await notePaymentLost(work, stored, error)
      throw error
    })
    if (applied) return applied
  }
  throw new Error(`Payment ${paymentId} changed during each of ${maxAttempts} attempts to read it`)
}

/** Null when it has to be read again. */
async function applyOnce(
  work: PaymentsWork,
  stored: PaymentRow,
  intentId: string | undefined,
): Promise<Applied | null> {
  const seen = await withAccount(work, stored)
  if (seen.status === 'unknown') {
    await resumeCreation(work, seen)
    return null
  }
  const [settled, duplicates] = await Promise.all([readSettled(work.db, seen), readDuplicates(work.db, seen.id)])
  const snapshot = await readSnapshot(work, seen, { intentId, settled, duplicates })
  const payment = await transact(work.db, (tx) => applySnapshot(tx, work, seen, snapshot))
  return payment && { payment, snapshot }
}

/** Whatever could be paid although the order’s money has come. */
async function closeRest(work: PaymentsWork, { payment, snapshot }: Applied): Promise<void> {
  if (payment.duplicateOf !== null) {
    if (openStatuses.includes(payment.status)) await close(work, payment)
    return
  }
  if (!takenStatuses.includes(payment.status)) {
    if (!openStatuses.includes(payment.status) && isStillOpen(payment, snapshot)) await close(work, payment)
    return
  }
  if (snapshot.hasOpenPages && payment.paymentLinkId !== null) await closeLink(work, payment, payment.paymentLinkId)
  const others = await work.db
    .select()
    .from(orderPayments)
    .where(
      and(
        eq(orderPayments.orderId, payment.orderId),
        ne(orderPayments.id, payment.id),
        inArray(orderPayments.status, [...openStatuses]),
        ne(orderPayments.status, 'unknown'),
      ),
    )
  for (const other of others) await close(work, other)
}

/** It ended here, and something that was made for it late can still be paid. */
const isStillOpen = (row: PaymentRow, { closed }: Snapshot): boolean =>
  closed === null && (row.checkoutSessionId ?? row.paymentLinkId ?? row.paymentIntentId) !== null

async function close(work: PaymentsWork, payment: PaymentRow): Promise<void> {
  await closeAtProvider(work, payment)
  await readAndApply(work, payment.id)
}

/**
 * Refunds that have ended and whose movements are booked, in the provider’s words. A movement can come after the status;
 * those of disputes can come at any time.
 */
async function readSettled(db: Database, { id: paymentId, orderId }: PaymentRow): Promise<Map<string, string>> {
  const ended = await db
    .select({ id: refunds.id, providerRefundId: refunds.providerRefundId, status: refunds.status })
    .from(refunds)
    .where(and(eq(refunds.paymentId, paymentId), inArray(refunds.status, ['succeeded', 'failed', 'cancelled'])))
  if (ended.length === 0) return new Map()
  const posted = await db
    .select({ refundId: ledgerTransactions.refundId, kind: ledgerTransactions.kind })
    .from(ledgerTransactions)
    .where(and(eq(ledgerTransactions.orderId, orderId), isNotNull(ledgerTransactions.refundId)))
  const booked = new Set(posted.map(({ refundId, kind }) => `${refundId} ${kind}`))
  return new Map(
    ended.flatMap(({ id, providerRefundId, status }) => {
      const isBooked = booked.has(`${id} ${status === 'succeeded' ? 'refund_settled' : 'refund_failed'}`)
      return providerRefundId === null || !isBooked
        ? []
        : [[providerRefundId, status === 'cancelled' ? 'canceled' : status] as const]
    }),
  )
}

async function readDuplicates(db: Database, paymentId: string): Promise<Set<string>> {
  const rows = await db
    .select({ intent: orderPayments.paymentIntentId })
    .from(orderPayments)
    .where(and(eq(orderPayments.duplicateOf, paymentId), isNotNull(orderPayments.paymentIntentId)))
  return new Set(rows.flatMap(({ intent }) => intent ?? []))
}
