import type { Metrics } from '#lib/metrics.ts'
import type { deliveryChannels } from '../schema.ts'

type Channel = (typeof deliveryChannels)[number]
type Outcome = 'sent' | 'failed' | 'retried'

const counts = new Map<string, { channel: Channel; outcome: Outcome; count: number }>()

/** Of this process. */
export function countDelivery(channel: Channel, outcome: Outcome, count = 1): void {
  const key = `${channel} ${outcome}`
  const known = counts.get(key) ?? { channel, outcome, count: 0 }
  counts.set(key, { ...known, count: known.count + count })
}

export function observeDeliveries(metrics: Metrics): void {
  metrics.gauge('atrium_notification_deliveries_total', 'Notifications that were sent, by channel and outcome.', () =>
    [...counts.values()].map(({ channel, outcome, count }) => ({ labels: { channel, outcome }, value: count })),
  )
}
