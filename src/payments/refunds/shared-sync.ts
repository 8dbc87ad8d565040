import { syncPayment } from '../checkout/sync.ts'
import type { PaymentsWork } from '../work.ts'

const running = new Map<string, Promise<void>>()
const waiting = new Map<string, Promise<void>>()

/**
 * `syncPayment` for many callers at once, which would make each other begin again: those who call during a run share the
 * next one.
 */
export function syncShared(work: PaymentsWork, paymentId: string): Promise<void> {
  const shared = waiting.get(paymentId)
  if (shared) return shared
  const current = running.get(paymentId)
  if (!current) return begin(work, paymentId)
  const next = current
    .catch(() => {})
    .then(() => {
      waiting.delete(paymentId)
      return begin(work, paymentId)
    })
  waiting.set(paymentId, next)
  return next
}

function begin(work: PaymentsWork, paymentId: string): Promise<void> {
  const run = syncPayment(work, paymentId).finally(() => {
    if (running.get(paymentId) === run) running.delete(paymentId)
  })
  running.set(paymentId, run)
  return run
}
