import type { Running, StartDependencies } from '#lib/background.ts'
import { logFault } from '#lib/log/fault.ts'

/** Recovers the holds of servers that stopped without giving them back. */
export async function startGateway({ budgets, config, log }: StartDependencies): Promise<Running> {
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
      await recovering
    },
  }
}
