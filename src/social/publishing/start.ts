import type { Running, StartParts } from '#lib/context.ts'
import { reportAllBrands } from '../brands/report.ts'
import { lateness } from './lateness.ts'
import { createScheduler } from './scheduler.ts'

/** Milliseconds between looks for posts that came due; known due times wake the scheduler exactly. */
const lookEvery = 1_000

/** Publishes in this process, and tells identity of the brands that API keys can be bound to. */
export async function startPublishing({ metrics, ...parts }: StartParts): Promise<Running> {
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
