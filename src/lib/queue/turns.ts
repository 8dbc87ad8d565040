import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../db.ts'

/** Seconds by which a job goes behind those of other tenants for each job of its own tenant that waits before it. */
const step = 60
/** Waiting jobs that are counted at most: what one enqueueing costs stays bounded. */
const counted = 1_000
/** Priorities have 32 bits: they count seconds from the beginning of 2026. */
const epoch = Date.UTC(2026, 0, 1) / 1000

const Turn = z.object({ priority: z.number() })

/** The index that `turnOf` counts with; pg-boss has none for the waiting jobs of a group. */
export const waitingIndex = 'job_waiting_of_group'

interface Enqueued {
  queue: string
  tenant: string
  startAfter: Date | number | undefined
}

/**
 * The priority by which tenants take turns: jobs run in the order in which they come due, but each of a tenant as if it
 * had come a minute later than the one before. So one with many jobs holds up none that has few, and every job's turn comes.
 */
export async function turnOf(db: Database, { queue, tenant, startAfter }: Enqueued): Promise<number> {
  const due =
    startAfter instanceof Date
      ? sql`greatest(clock_timestamp(), ${startAfter.toISOString()}::timestamptz)`
      : sql`clock_timestamp() + ${Math.max(startAfter ?? 0, 0)} * interval '1 second'`
  const [row] = await db.execute(sql`
    WITH enqueued AS MATERIALIZED (SELECT ${due} AS due)
    SELECT -(extract(epoch FROM due) - ${epoch})::int - ${step} * (
      SELECT count(*)::int FROM (
        SELECT FROM pgboss.job
        WHERE name = ${queue} AND group_id = ${tenant} AND state < 'active' AND start_after <= due
        LIMIT ${counted}
      ) AS before
    ) AS priority
    FROM enqueued`)
  return Turn.parse(row).priority
}
