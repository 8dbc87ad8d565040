import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { dayAfter, dayOf } from '../usage/partitions.ts'
import { maxSpent } from './counters.ts'
import type { Limit } from './limit.ts'
import type { Window } from './period.ts'

type Counting = Pick<Limit, 'id' | 'organizationId' | 'scopeType' | 'scopeValue' | 'family' | 'mode'>

/** Of rows with the columns of usage: those that the limit counts. */
export function countedBy({ organizationId, scopeType, scopeValue, family }: Counting): SQL {
  const scope = {
    platform: sql`paid_by = 'platform'`,
    organization: sql`organization_id::text = ${scopeValue}`,
    application: sql`(application_id = ${scopeValue} OR api_key_id::text = ${scopeValue})`,
  }[scopeType]
  const owner = organizationId === null ? sql`true` : sql`organization_id = ${organizationId}`
  return sql`${scope} AND ${owner} AND ${family === null ? sql`true` : sql`family = ${family}`}`
}

/**
 * Makes a limit that is new, or has new periods, count what its current period has spent, and lease what running
 * requests hold. The transaction must have `limitsLock`, and have raised the version of the limits.
 */
export async function startCounting(tx: Database, limit: Counting, window: Window, now: Date): Promise<void> {
  const { start, end } = window
  const spent = await spentIn(tx, limit, window, now)
  await tx.execute(sql`
    INSERT INTO gateway.budget_periods (limit_id, period_start, period_end, spent_nano_usd)
    VALUES (${limit.id}, ${start.toISOString()}, ${end?.toISOString() ?? null}, ${String(spent)}::bigint)
    ON CONFLICT (limit_id, period_start) DO UPDATE SET spent_nano_usd = excluded.spent_nano_usd`)
  if (limit.mode === 'hard') await adoptHolds(tx, limit, window)
}

/** Daily totals of whole UTC days, single rows of the rest (where those are gone, the total of their day), and write-offs. */
async function spentIn(tx: Database, limit: Counting, { start, end }: Window, now: Date): Promise<bigint> {
  const firstWhole = +start === Date.parse(dayOf(start)) ? dayOf(start) : dayAfter(dayOf(start))
  const today = dayOf(now)
  const from = start.toISOString()
  const until = end ? sql`AND occurred_at < ${end.toISOString()}` : sql``
  const raw = (range: SQL) => sql`
    SELECT coalesce(sum(cost_nano_usd), 0) AS cost FROM gateway.usage_logs WHERE ${range} AND ${countedBy(limit)}`
  const parts =
    firstWhole >= today
      ? [raw(sql`occurred_at >= ${from} ${until}`)]
      : [
          raw(sql`occurred_at >= ${from} AND occurred_at < ${firstWhole}::date::timestamp AT TIME ZONE 'UTC'`),
          sql`SELECT coalesce(sum(cost_nano_usd), 0) AS cost FROM gateway.usage_daily
            WHERE day >= ${firstWhole}::date AND day < ${today}::date AND ${countedBy(limit)}`,
          raw(sql`occurred_at >= ${today}::date::timestamp AT TIME ZONE 'UTC' ${until}`),
        ]
  const kept = sql`
    SELECT coalesce(-sum(amount_nano_usd), 0) AS cost FROM gateway.budget_differences
    WHERE limit_id = ${limit.id} AND period_start = ${from}`
  const [row] = await tx.execute<{ cost: string }>(sql`
    SELECT least(sum(cost), ${maxSpent})::bigint::text AS cost FROM (${sql.join([...parts, kept], sql` UNION ALL `)}) AS parts`)
  return BigInt(row?.cost ?? '0')
}

/** Running requests that were held before the limit could count them become part of its leases. */
export async function adoptHolds(tx: Database, limit: Counting, { start, end }: Window): Promise<void> {
  const part = JSON.stringify([{ limitId: limit.id, periodStart: start }])
  const until = end ? sql`AND held_at < ${end.toISOString()}` : sql``
  await tx.execute(sql`
    WITH adopted AS (
      UPDATE gateway.budget_holds SET parts = parts || ${part}::jsonb
      WHERE held_at >= ${start.toISOString()} ${until} AND ${countedBy(limit)} AND NOT parts @> ${part}::jsonb
      RETURNING server_id, amount_nano_usd
    ), leased AS (
      INSERT INTO gateway.budget_leases AS lease (server_id, limit_id, period_start, amount_nano_usd)
      SELECT server_id, ${limit.id}::uuid, ${start.toISOString()}::timestamptz, sum(amount_nano_usd)::bigint
      FROM adopted GROUP BY server_id
      ON CONFLICT (server_id, limit_id, period_start)
      DO UPDATE SET amount_nano_usd = lease.amount_nano_usd + excluded.amount_nano_usd
    )
    UPDATE gateway.budget_periods SET leased_nano_usd = leased_nano_usd + coalesce(amount, 0)
    FROM (SELECT sum(amount_nano_usd)::bigint AS amount FROM adopted) AS total
    WHERE limit_id = ${limit.id} AND period_start = ${start.toISOString()}`)
}
