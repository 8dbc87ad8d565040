import type { Running, StartDependencies } from '#lib/background.ts'
import { logFault } from '#lib/log/fault.ts'
import { practiceOf } from './state.ts'

/** Sends the webhooks that an earlier process left. */
export async function startPracticePayments({ database, log }: StartDependencies): Promise<Running> {
  const { dispatcher } = practiceOf(database.db, (error) => logFault(log, 'practice payments', error))
  dispatcher.wake()
  return { stop: () => dispatcher.stop() }
}
