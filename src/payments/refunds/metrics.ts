import { sql } from 'drizzle-orm'
import type { DatabaseHandle } from '#lib/db.ts'
import { firstIdAt } from '#lib/ids.ts'
import type { Metrics } from '#lib/metrics.ts'
import { gaugeCounts } from '#lib/metrics/count-gauge.ts'

const dayMs = 24 * 60 * 60 * 1_000

/** Refunds of the last day, by outcome. */
export const observeRefunds = (metrics: Metrics, database: Pick<DatabaseHandle, 'db'>): void =>
  gaugeCounts(metrics, database, {
    name: 'atrium_refunds_last_day',
    help: 'Refunds requested in the last 24 hours, by status.',
    query: () => sql`
      SELECT status, count(*)::int FROM payments.refunds WHERE id > ${firstIdAt(new Date(Date.now() - dayMs))}
      GROUP BY status`,
  })
