import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { DatabaseHandle } from '#lib/db.ts'
import type { Metrics } from '#lib/metrics.ts'

const Row = z.object({ status: z.string(), count: z.number() })
const dayMs = 24 * 60 * 60 * 1_000

/** Refunds of the last day, by outcome. */
export function observeRefunds(metrics: Metrics, { db }: Pick<DatabaseHandle, 'db'>): void {
  metrics.gauge('atrium_refunds_last_day', 'Refunds requested in the last 24 hours, by status.', async () => {
    const rows = await db.execute(sql`
      SELECT status, count(*)::int FROM payments.refunds WHERE id > ${firstIdAt(Date.now() - dayMs)} GROUP BY status`)
    return rows.map((row) => Row.parse(row)).map(({ status, count }) => ({ labels: { status }, value: count }))
  })
}

/** The lowest ID (UUID, version 7) of a time in milliseconds. */
export function firstIdAt(ms: number): string {
  const time = Math.floor(ms).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}
