import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { job } from '#lib/job.ts'
import { resolveAction } from '#lib/raised-actions.ts'
import { alertCause } from './alert-text.ts'

export const resolveAlerts = job({
  name: 'gateway.resolve-budget-alerts',
  input: z.object({}),
  run: ({ database, now }) => resolveEndedAlerts(database.db, now()),
})

/** Of budgets that have reset, and whose new period has no warning yet. Also after a day without this job. */
export async function resolveEndedAlerts(db: Database, at: Date): Promise<void> {
  const time = at.toISOString()
  const ended = await db.execute<{ id: string }>(sql`
    SELECT DISTINCT limit_id AS id FROM gateway.budget_periods AS before
    WHERE warned_percent > 0 AND period_end BETWEEN ${time}::timestamptz - interval '1 day' AND ${time}
      AND NOT EXISTS (SELECT FROM gateway.budget_periods AS current
        WHERE current.limit_id = before.limit_id AND current.period_start >= before.period_end
          AND current.warned_percent > 0)`)
  for (const { id } of ended) await resolveAction(db, alertCause(id))
}
