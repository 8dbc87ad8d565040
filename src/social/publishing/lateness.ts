import type { Metrics } from '#lib/metrics.ts'

/** Seconds: 2 is what is promised for 99 of 100 posts (SOC-26). */
const bounds = [0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300]

/** Notes how long after its time each post's first attempt began. */
export function lateness(metrics: Metrics): (provider: string, seconds: number) => void {
  const late = metrics.histogram(
    'atrium_publish_lateness_seconds',
    'Time from a post’s scheduled time to its first attempt.',
    bounds,
  )
  return (provider, seconds) => late.observe({ provider }, seconds)
}
