import type { Running, StartDependencies } from '#lib/background.ts'
import { reportAllBrands } from '../brands/report.ts'
import { lateness } from './lateness.ts'
import { createScheduler } from './scheduler.ts'

/** Milliseconds between polls for due posts. Known due times wake the scheduler exactly. */
const lookEvery = 1_000

/** Starts publishing in this process, and registers brands with identity as bindables of API keys. */
export async function startPublishing({ metrics, ...parts }: StartDependencies): Promise<Running> {
  const scheduler = createScheduler({ ...parts, late: lateness(metrics) })
  scheduler.start()
  await parts.queue.enqueue(parts.database.db, reportAllBrands, {})
  const looking = setInterval(() => scheduler.wake(), lookEvery)
  return {
    stop: async (graceMs) => {
      clearInterval(looking)
      await scheduler.stop(graceMs)
    },
  }
}
