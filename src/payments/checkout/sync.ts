import { and, eq, inArray } from 'drizzle-orm'
import { transact, type Database } from '#lib/db.ts'
import { orderPayments, refunds } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'
import { applySnapshot } from './apply.ts'
import { resumeCreation } from './create-at-provider.ts'
import { readSnapshot } from './snapshot.ts'

const maxAttempts = 8
/** Milliseconds, multiplied by the attempt: several events of a payment arrive at once. */
const maxPauseMs = 100

/**
 * Brings a payment with its refunds, disputes and order to the provider’s current state. Snapshots are applied in the
 * order in which they were read, so repeated, late and concurrent calls lead to the same state.
 *
 * @param intentId Of the provider’s event that caused it
 * @throws {Problem} of the gateway
 */
export async function syncPayment(work: PaymentsWork, paymentId: string, intentId?: string): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (attempt > 0) await Bun.sleep(Math.random() * maxPauseMs * attempt)
    const [payment] = await work.db.select().from(orderPayments).where(eq(orderPayments.id, paymentId))
    if (!payment) return
    if (payment.status === 'unknown') {
      await resumeCreation(work, payment)
      continue
    }
    const settled = await readSettled(work.db, paymentId)
    const snapshot = await readSnapshot(work, payment, { intentId, settled })
    if (await transact(work.db, (tx) => applySnapshot(tx, work, payment, snapshot))) return
  }
  throw new Error(`Payment ${paymentId} changed during each of ${maxAttempts} attempts to read it`)
}

/** Refunds that have ended, in the provider’s words: their movements are booked. Those of disputes can come later. */
async function readSettled(db: Database, paymentId: string): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: refunds.providerRefundId, status: refunds.status })
    .from(refunds)
    .where(and(eq(refunds.paymentId, paymentId), inArray(refunds.status, ['succeeded', 'failed', 'cancelled'])))
  return new Map(
    rows.flatMap(({ id, status }) =>
      id === null ? [] : [[id, status === 'cancelled' ? 'canceled' : status] as const],
    ),
  )
}
