import type { Running, StartDependencies } from '#lib/background.ts'
import type { Metrics } from '#lib/metrics.ts'
import { reportAllBrands } from '../brands/report.ts'
import { createScheduler } from './scheduler.ts'

/** Milliseconds between polls for due posts. Known due times wake the scheduler exactly. */
const lookEvery = 1_000

/** Starts publishing in this process, and registers brands with identity as bindables of API keys. */
export async function startPublishing({ metrics, ...parts }: StartDependencies): Promise<Running> {
  const scheduler = createScheduler({ ...parts, late: createLatenessRecorder(metrics) })
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

/** Seconds: 2 is what is promised for 99 of 100 posts (SOC-26). */
const bounds = [0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300]

/** Records how long after its time each post's first attempt began. */
function createLatenessRecorder(metrics: Metrics): (provider: string, seconds: number) => void {
  const late = metrics.histogram(
    'atrium_publish_lateness_seconds',
    'Time from a post’s scheduled time to its first attempt.',
    bounds,
  )
  return (provider, seconds) => late.observe({ provider }, seconds)
}
