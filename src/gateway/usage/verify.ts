import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import type { UsageDifference } from '../contract/usage-verify.ts'
import { dayAfter } from './partitions.ts'
import type { DayRange } from './range.ts'

interface Scope extends DayRange {
  /** Null for all. */
  organizationId: string | null
}

const Amount = z.object({ count: z.coerce.number(), costNanoUsd: z.coerce.bigint() })
const Result = z.object({
  raw: Amount,
  daily: Amount,
  differences: z.array(z.record(z.string(), z.unknown())),
})

const maxDifferences = 100
const keyColumns = sql.raw(
  'organization_id, day, family, provider, model, unit, application_id, api_key_id, user_id, paid_by',
)
const keyNames = sql.raw(
  `organization_id AS "organizationId", day::text AS day, family, provider, model, unit,
  application_id AS "applicationId", api_key_id AS "apiKeyId", user_id AS "userId", paid_by AS "paidBy"`,
)

/** Recomputes daily totals and counts request IDs, each from one snapshot, and compares them with what is stored. */
export async function verifyDaily(db: Database, { organizationId, from, to }: Scope) {
  const own = organizationId === null ? sql`true` : sql`organization_id = ${organizationId}`
  const inRange = sql`occurred_at >= ${`${from}T00:00:00Z`} AND occurred_at < ${`${dayAfter(to)}T00:00:00Z`} AND ${own}`
  const day = sql`(occurred_at AT TIME ZONE 'UTC')::date`
  const [found] = await db.execute(sql`
    WITH compared AS MATERIALIZED (
      SELECT ${keyColumns}, sum(raw) AS raw, sum(raw_cost) AS raw_cost, sum(raw_quantity) AS raw_quantity,
        sum(daily) AS daily, sum(daily_cost) AS daily_cost, sum(daily_quantity) AS daily_quantity
      FROM (
        SELECT organization_id, ${day} AS day, family, provider, model, unit, application_id, api_key_id, user_id,
          paid_by, count(*) AS raw, sum(cost_nano_usd) AS raw_cost, sum(quantity) AS raw_quantity, 0 AS daily, 0 AS daily_cost,
          0 AS daily_quantity
        FROM gateway.usage_logs WHERE ${inRange} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
        UNION ALL
        SELECT ${keyColumns}, 0, 0, 0, count, cost_nano_usd, quantity FROM gateway.usage_daily
        WHERE day BETWEEN ${from} AND ${to} AND ${own}
      ) AS both_sides GROUP BY ${keyColumns}
    ), known AS MATERIALIZED (
      SELECT organization_id, day, sum(raw) AS raw, sum(ids) AS ids FROM (
        SELECT organization_id, day, raw, 0 AS ids FROM compared
        UNION ALL SELECT organization_id, ${day}, 0, 1 FROM gateway.usage_dedupe WHERE ${inRange}
      ) AS both_sides GROUP BY 1, 2 HAVING sum(raw) <> sum(ids)
    ), differences AS (
      (SELECT json_build_object('kind', 'daily', 'key', row_to_json((SELECT key FROM (SELECT ${keyNames}) AS key)),
        'expected', json_build_object('count', raw, 'costNanoUsd', raw_cost::text),
        'stored', json_build_object('count', daily, 'costNanoUsd', daily_cost::text)) AS one
      FROM compared WHERE raw <> daily OR raw_cost <> daily_cost OR raw_quantity <> daily_quantity
      ORDER BY ${keyColumns} LIMIT ${maxDifferences})
      UNION ALL
      (SELECT json_build_object('kind', 'request_ids',
        'key', json_build_object('organizationId', organization_id, 'day', day),
        'expected', json_build_object('count', raw, 'costNanoUsd', '0'),
        'stored', json_build_object('count', ids, 'costNanoUsd', '0'))
      FROM known ORDER BY organization_id, day LIMIT ${maxDifferences})
    )
    SELECT
      (SELECT json_build_object('count', coalesce(sum(raw), 0), 'costNanoUsd', coalesce(sum(raw_cost), 0)::text)
        FROM compared) AS raw,
      (SELECT json_build_object('count', coalesce(sum(daily), 0), 'costNanoUsd', coalesce(sum(daily_cost), 0)::text)
        FROM compared) AS daily,
      (SELECT coalesce(json_agg(one), '[]') FROM differences) AS differences`)
  const { raw, daily, differences } = Result.parse(found)
  return { raw, daily, differences: differences.map((one) => differenceOf(Difference.parse(one))) }
}

const name = z.string().nullable().default(null)
const Difference = z.object({
  kind: z.enum(['request_ids', 'daily', 'budget']),
  key: z
    .object({ organizationId: name, day: name, family: name, provider: name, model: name, unit: name })
    .extend({ applicationId: name, apiKeyId: name, userId: name, paidBy: name, limitId: name, periodStart: name }),
  expected: Amount,
  stored: Amount,
})

type Found = Omit<UsageDifference, 'expected' | 'stored'> & Pick<z.output<typeof Difference>, 'expected' | 'stored'>

const differenceOf = ({ key, ...rest }: z.output<typeof Difference>): Found => ({ ...rest, ...key })

const Budgets = z.object({ periods: Amount, writtenOff: z.coerce.bigint(), differences: z.array(z.unknown()) })

/** Recomputes the counters of budget periods that lie within kept records, in one snapshot. */
export async function verifyBudgets(db: Database, { organizationId, from, to }: Scope) {
  const own = organizationId === null ? sql`true` : sql`limits.organization_id = ${organizationId}`
  // For the index.
  const ownLogs = organizationId === null ? sql`true` : sql`logs.organization_id = ${organizationId}`
  const [found] = await db.execute(sql`
    WITH compared AS MATERIALIZED (
      SELECT limits.id, limits.organization_id, limits.family, period_start,
        spent_nano_usd + (SELECT coalesce(sum(amount_nano_usd), 0) FROM gateway.budget_differences AS differences
          WHERE differences.limit_id = limits.id AND differences.period_start = periods.period_start) AS stored,
        (SELECT coalesce(-sum(amount_nano_usd), 0) FROM gateway.budget_differences AS differences
          WHERE differences.limit_id = limits.id AND differences.period_start = periods.period_start
            AND server_id IS NOT NULL) AS written_off,
        used.count AS count, used.cost AS expected
      FROM gateway.budget_periods AS periods JOIN gateway.limits ON limits.id = periods.limit_id
      CROSS JOIN LATERAL (
        SELECT count(*) AS count, coalesce(sum(cost_nano_usd), 0) AS cost FROM gateway.usage_logs AS logs
        WHERE logs.occurred_at >= period_start AND logs.occurred_at < period_end AND ${ownLogs}
          AND (limits.family IS NULL OR logs.family = limits.family)
          AND (limits.organization_id IS NULL OR logs.organization_id = limits.organization_id)
          AND (scope_type = 'platform' AND logs.paid_by = 'platform' OR scope_type = 'organization' AND logs.organization_id::text = scope_value
            OR scope_type = 'application'
              AND (logs.application_id = scope_value OR logs.api_key_id::text = scope_value))
      ) AS used
      WHERE period_start >= ${`${from}T00:00:00Z`} AND period_start < ${`${dayAfter(to)}T00:00:00Z`} AND ${own}
    )
    SELECT json_build_object('count', count(*), 'costNanoUsd', coalesce(sum(stored), 0)::text) AS periods,
      coalesce(sum(written_off), 0)::text AS "writtenOff",
      coalesce((json_agg(json_build_object('kind', 'budget',
        'key', json_build_object('organizationId', organization_id, 'family', family, 'limitId', id,
          'periodStart', to_char(period_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
        'expected', json_build_object('count', count, 'costNanoUsd', expected::text),
        'stored', json_build_object('count', count, 'costNanoUsd', stored::text)))
        FILTER (WHERE stored <> expected)), '[]') AS differences
    FROM compared`)
  const { periods, writtenOff, differences } = Budgets.parse(found)
  return { periods, writtenOff, differences: differences.map((one) => differenceOf(Difference.parse(one))) }
}
