import type { Running, StartDependencies } from '#lib/background.ts'
import { logFault } from '#lib/log/fault.ts'
import { observeUsage } from './usage/observe.ts'

/** Recovers the holds of servers that stopped without giving them back, and counts usage for /metrics. */
export async function startGateway({
  budgets,
  config,
  ledger,
  log,
  metrics,
  usageQueue,
}: StartDependencies): Promise<Running> {
  usageQueue?.work(ledger)
  const unwatch = ledger.watch(observeUsage(metrics))
  let recovering: Promise<unknown> | undefined
  const recover = () => {
    recovering ??= budgets
      .recoverStale()
      .catch((error: unknown) => logFault(log, 'recovering budgets', error))
      .finally(() => (recovering = undefined))
  }
  const timer = setInterval(recover, config.BUDGET_HEARTBEAT_MS)
  recover()
  return {
    stop: async () => {
      clearInterval(timer)
      unwatch()
      await recovering
    },
  }
}
