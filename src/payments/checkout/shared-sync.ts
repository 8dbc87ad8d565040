import { syncPayment } from './sync.ts'
import type { PaymentsWork } from '../work.ts'

const running = new Map<string, Promise<void>>()
const waiting = new Map<string, Promise<void>>()

/**
 * `syncPayment` for many callers at once, which would make each other begin again: those who call during a run share the
 * next one.
 */
export function syncShared(work: PaymentsWork, paymentId: string, intentId?: string): Promise<void> {
  const key = `${paymentId} ${intentId ?? ''}`
  const shared = waiting.get(key)
  if (shared) return shared
  const current = running.get(key)
  if (!current) return begin(work, key, paymentId, intentId)
  const next = current
    .catch(() => {})
    .then(() => {
      waiting.delete(key)
      return begin(work, key, paymentId, intentId)
    })
  waiting.set(key, next)
  return next
}

function begin(work: PaymentsWork, key: string, ...payment: [id: string, intentId?: string]): Promise<void> {
  const run = syncPayment(work, ...payment).finally(() => {
    if (running.get(key) === run) running.delete(key)
  })
  running.set(key, run)
  return run
}
