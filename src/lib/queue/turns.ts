import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../db.ts'

/** Seconds by which each waiting job of the same tenant puts a job behind those of other tenants. */
const stepSeconds = 60
/** Waiting jobs that are counted at most, which bounds the cost of one enqueue. */
const maxCounted = 1_000
/** Priorities have 32 bits, so they count seconds since the beginning of 2026. */
const epoch = Date.UTC(2026, 0, 1) / 1000

const Turn = z.object({ priority: z.number() })

interface EnqueuedJob {
  queue: string
  tenant: string
  startAfter: Date | number | undefined
}

/**
 * Each job of a tenant counts as a minute later than the one before, so that a tenant with many jobs doesn't delay
 * others, and no job starves.
 */
export async function priorityOf(db: Database, { queue, tenant, startAfter }: EnqueuedJob): Promise<number> {
  const due =
    startAfter instanceof Date
      ? sql`greatest(clock_timestamp(), ${startAfter.toISOString()}::timestamptz)`
      : sql`clock_timestamp() + ${Math.max(startAfter ?? 0, 0)} * interval '1 second'`
  const [row] = await db.execute(sql`
    WITH enqueued AS MATERIALIZED (SELECT ${due} AS due)
    SELECT -(extract(epoch FROM due) - ${epoch})::int - ${stepSeconds} * (
      SELECT count(*)::int FROM (
        SELECT FROM pgboss.job
        WHERE name = ${queue} AND group_id = ${tenant} AND state < 'active' AND start_after <= due
        LIMIT ${maxCounted}
      ) AS before
    ) AS priority
    FROM enqueued`)
  return Turn.parse(row).priority
}
