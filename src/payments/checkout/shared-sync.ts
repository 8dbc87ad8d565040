import { syncPayment } from './sync.ts'
import type { PaymentsWork } from '../work.ts'

type Runs = Map<string, Promise<void>>

/** Of each client of the gateway: a server has one. */
const servers = new WeakMap<PaymentsWork['gateway'], { running: Runs; waiting: Runs }>()

/**
 * `syncPayment` for many callers at once, which would make each other begin again: those who call during a run share the
 * next one.
 */
export function syncShared(work: PaymentsWork, paymentId: string, intentId?: string): Promise<void> {
  const { running, waiting } = runsOf(work.gateway)
  const key = `${paymentId} ${intentId ?? ''}`
  const begin = () => {
    const run = syncPayment(work, paymentId, intentId).finally(() => {
      if (running.get(key) === run) running.delete(key)
    })
    running.set(key, run)
    return run
  }
  const shared = waiting.get(key)
  if (shared) return shared
  const current = running.get(key)
  if (!current) return begin()
  const next = current
    .catch(() => {})
    .then(() => {
      waiting.delete(key)
      return begin()
    })
  waiting.set(key, next)
  return next
}

function runsOf(gateway: PaymentsWork['gateway']) {
  const known = servers.get(gateway)
  if (known) return known
  const fresh = { running: new Map(), waiting: new Map() }
  servers.set(gateway, fresh)
  return fresh
}
