import { sql } from 'drizzle-orm'
import type { DatabaseHandle } from '#lib/db.ts'
import type { Metrics } from '#lib/metrics.ts'
import { gaugeCounts } from '#lib/metrics/count-gauge.ts'
import { webhookName } from './receive.ts'

/** Events of the provider that have yet to be processed, or couldn’t be. */
export const observeEvents = (metrics: Metrics, database: Pick<DatabaseHandle, 'db'>): void =>
  gaugeCounts(metrics, database, {
    name: 'atrium_provider_events_open',
    help: 'Events of the payment provider that wait or failed, by state.',
    query: () => sql`
      SELECT state, count(*)::int FROM platform.received_webhooks
      WHERE webhook = ${webhookName} AND state IN ('waiting', 'failed') GROUP BY state`,
  })
