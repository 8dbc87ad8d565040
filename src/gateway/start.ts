import type { Running, StartDependencies } from '#lib/background.ts'
import { logFault } from '#lib/log/fault.ts'
import { resealApps } from './social-credentials/apps.ts'
import { observeEmails } from './email/metrics.ts'
import { observeUsage } from './usage/observe.ts'

/** Recovers the holds of servers that stopped without giving them back, and counts usage for /metrics. */
export async function startGateway({
  budgets,
  config,
  database,
  ledger,
  log,
  metrics,
  secrets,
  usageQueue,
}: StartDependencies): Promise<Running> {
  // Until it succeeds, they are read as they are.
  await resealApps({ db: database.db, secrets }).catch((error: unknown) => logFault(log, 'sealing app secrets', error))
  usageQueue?.work(ledger)
  const unwatch = ledger.watch(observeUsage(metrics))
  observeEmails(metrics, database)
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
