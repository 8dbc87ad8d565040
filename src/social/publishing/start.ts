import type { Running, StartDependencies } from '#lib/background.ts'
import type { Metrics } from '#lib/metrics.ts'
import { reportUnreported } from '../accounts/report.ts'
import { reportAllBrands } from '../brands/report.ts'
import { Commenter } from './first-comments/commenter.ts'
import { planMissedComments } from './first-comments/plan.ts'
import { createScheduler } from './scheduler.ts'

/** Between polls for due posts. Known due times wake the scheduler exactly. */
const pollMs = 1_000

export async function startPublishing({ metrics, ...dependencies }: StartDependencies): Promise<Running> {
  const scheduler = createScheduler({ ...dependencies, onLateness: createLatenessRecorder(metrics) })
  const commenter = new Commenter(dependencies)
  scheduler.start()
  commenter.start()
  await dependencies.queue.enqueue(dependencies.database.db, reportAllBrands, {})
  await dependencies.queue.enqueue(dependencies.database.db, reportUnreported, {})
  await dependencies.queue.enqueue(dependencies.database.db, planMissedComments, {})
  const polling = setInterval(() => {
    scheduler.wake()
    commenter.wake()
  }, pollMs)
  return {
    stop: async (graceMs) => {
      clearInterval(polling)
      await Promise.all([scheduler.stop(graceMs), commenter.stop(graceMs)])
    },
  }
}

/** SOC-26 promises 2 s for 99 of 100 posts. */
const bucketSeconds = [0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300]

function createLatenessRecorder(metrics: Metrics): (provider: string, seconds: number) => void {
  const lateness = metrics.histogram(
    'atrium_publish_lateness_seconds',
    'Time from a post’s scheduled time to its first attempt.',
    bucketSeconds,
  )
  return (provider, seconds) => lateness.observe({ provider }, seconds)
}
