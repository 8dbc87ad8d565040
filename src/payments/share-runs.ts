import type { PaymentsWork } from './work.ts'

type Runs = Map<string, Promise<void>>
type Sync<Work> = (work: Work, id: string, intentId?: string) => Promise<void>

/** For many callers at once, which would make each other begin again: those who call during a run share the next one. */
export function shareRuns<Work extends Pick<PaymentsWork, 'gateway'>>(sync: Sync<Work>): Sync<Work> {
  /** Of each client of the gateway: a server has one. */
  const servers = new WeakMap<PaymentsWork['gateway'], { running: Runs; waiting: Runs }>()

  function runsOf(gateway: PaymentsWork['gateway']) {
    const known = servers.get(gateway)
    if (known) return known
    const fresh = { running: new Map(), waiting: new Map() }
    servers.set(gateway, fresh)
    return fresh
  }

  return (work, id, intentId) => {
    const { running, waiting } = runsOf(work.gateway)
    const key = `${id} ${intentId ?? ''}`
    const begin = () => {
      const run = sync(work, id, intentId).finally(() => {
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
}
