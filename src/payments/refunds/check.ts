import { eq } from 'drizzle-orm'
import { isAccountChanged } from '#gateway'
import { Problem } from '#lib/errors.ts'
import { logFault } from '#lib/log/fault.ts'
import { refunds } from '../schema.ts'
import { nextCheckOf, type PaymentsWork } from '../work.ts'
import { isLeased } from './lease.ts'
import { isUnclear, readRefund, type RefundRow } from './rows.ts'
import { whyNotRepeated } from './repeatable.ts'
import { keepUnknown, repeatRefund, sendRefund } from './send.ts'
import { syncShared } from '../checkout/shared-sync.ts'

/**
 * Reads what became of a refund, and sends nothing. Returns it when it isn’t at the provider, and no server is sending
 * it. @throws {Problem} of the gateway when it can’t be read
 */
export async function checkRefund(work: PaymentsWork, { id, paymentId }: RefundRow): Promise<RefundRow | null> {
  await syncShared(work, paymentId)
  const refund = await readRefund(work.db, id)
  if (!refund || !isUnclear(refund)) return null
  // Its server can still be waiting for the response.
  if (refund.status === 'pending' && refund.sentAt !== null && isLeased(work, refund.sentAt)) return null
  return refund
}

/**
 * Sends a refund that isn’t at the provider again, with the same idempotency key, unless the customer could get it
 * twice. False while its outcome isn’t known. @throws {Problem} as `checkRefund`
 */
export async function retryRefund(work: PaymentsWork, seen: RefundRow): Promise<boolean> {
  const refund = await checkRefund(work, seen)
  if (!refund) return true
  if (refund.sentAt === null) return sendLate(work, refund)
  const obstacle = await whyNotRepeated(work, refund)
  if (obstacle === null) return repeatRefund(work, refund)
  if (refund.failureReason !== obstacle) await keepUnknown(work, refund, { checks: refund.checks, obstacle })
  return false
}

/** The server that reserved it stopped before it sent it. */
async function sendLate(work: PaymentsWork, refund: RefundRow): Promise<boolean> {
  await sendRefund(work, refund).catch((error: unknown) => {
    // The refund has failed, with the provider’s reason.
    if (!(error instanceof Problem)) throw error
  })
  return true
}

/** One look of the sweep. What isn’t known after it is looked at again later, or by people. */
export async function sweepRefund(work: PaymentsWork, id: string): Promise<void> {
  const refund = await readRefund(work.db, id)
  if (!refund || refund.status === 'needs_approval') return
  const isKnown = await retryRefund(work, refund).catch(async (error: unknown) => {
    // Nothing was asked or sent, so it remains what it was.
    if (isAccountChanged(error)) return postpone(work, refund)
    logFault(work.log, 'checking a refund', error, { refund: id })
    return false
  })
  if (!isKnown) await keepUnknown(work, refund, { checks: refund.checks + 1 })
}

async function postpone(work: PaymentsWork, { id }: RefundRow): Promise<true> {
  await work.db
    .update(refunds)
    .set({ nextCheckAt: nextCheckOf(work, Infinity, { repeat: true }) })
    .where(eq(refunds.id, id))
  return true
}
