import { and, eq, gte, lt, lte, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import type { ReportDimension } from '../contract/usage-report.ts'
import { usageDaily, usageLogs } from '../schema.ts'
import { daysOf, readAnomalies } from '../usage/anomalies.ts'
import { dayAfter } from '../usage/partitions.ts'
import type { UsageScope } from '../usage/reads.ts'

interface ReportQuery extends UsageScope {
  groupBy: ReportDimension
}

const maxGroups = 50

/** Daily totals have neither metadata nor certainty. */
export const readsRecords = (groupBy: ReportDimension): boolean => groupBy === 'brand' || groupBy === 'certainty'

/** Of single records; `certainty` and `brand` exist only there. */
const recordKeys: Record<ReportDimension, SQL> = {
  family: sql`${usageLogs.family}`,
  application: sql`${usageLogs.applicationId}`,
  model: sql`${usageLogs.model}`,
  user: sql`${usageLogs.userId}`,
  apiKey: sql`${usageLogs.apiKeyId}::text`,
  brand: sql`${usageLogs.metadata} ->> 'brand'`,
  certainty: sql`${usageLogs.certainty}`,
}

const dailyKeys: Record<Exclude<ReportDimension, 'brand' | 'certainty'>, SQL> = {
  family: sql`${usageDaily.family}`,
  application: sql`${usageDaily.applicationId}`,
  model: sql`${usageDaily.model}`,
  user: sql`${usageDaily.userId}`,
  apiKey: sql`${usageDaily.apiKeyId}::text`,
}

const filterColumns = ['applicationId', 'apiKeyId', 'userId', 'family', 'provider', 'model', 'unit'] as const

function conditionsOf(table: typeof usageDaily | typeof usageLogs, { organizationId, filters }: ReportQuery): SQL[] {
  const given = filterColumns.flatMap((name) => (filters[name] === undefined ? [] : [eq(table[name], filters[name])]))
  return [...(organizationId === null ? [] : [eq(table.organizationId, organizationId)]), ...given]
}

function recordsIn(query: ReportQuery): SQL {
  const range = [
    gte(usageLogs.occurredAt, new Date(`${query.from}T00:00:00Z`)),
    lt(usageLogs.occurredAt, new Date(`${dayAfter(query.to)}T00:00:00Z`)),
  ]
  return sql`${usageLogs} WHERE ${and(...range, ...conditionsOf(usageLogs, query))}`
}

/** One row for each record, or for each daily total. */
function sourceOf(query: ReportQuery): SQL {
  const { groupBy } = query
  if (groupBy === 'brand' || groupBy === 'certainty')
    return sql`SELECT coalesce(${recordKeys[groupBy]}, '') AS key,
      (${usageLogs.occurredAt} AT TIME ZONE 'UTC')::date AS day, 1 AS requests, ${usageLogs.costNanoUsd} AS cost
      FROM ${recordsIn(query)}`
  const where = and(gte(usageDaily.day, query.from), lte(usageDaily.day, query.to), ...conditionsOf(usageDaily, query))
  return sql`SELECT coalesce(${dailyKeys[groupBy]}, '') AS key, ${usageDaily.day} AS day,
    ${usageDaily.count} AS requests, ${usageDaily.costNanoUsd} AS cost FROM ${usageDaily} WHERE ${where}`
}

const Cell = z.object({
  /** 1 for the dearest group; null for all that aren’t listed. */
  rank: z.coerce.number().nullable(),
  key: z.string().nullable(),
  groups: z.coerce.number(),
  day: z.string(),
  requests: z.coerce.number(),
  cost: z.coerce.bigint(),
})
const Uncertain = z.object({ key: z.string(), estimated: z.coerce.number(), suspect: z.coerce.number() })

/** Cost and requests of each group and day, the dearest groups first. */
export async function readReport(db: Database, query: ReportQuery, now: Date) {
  const [cells, uncertain, anomalies] = await Promise.all([
    db.execute(sql`
      WITH source AS (${sourceOf(query)}),
      ranked AS (SELECT key, row_number() OVER (ORDER BY sum(cost) DESC, sum(requests) DESC, key) AS rank FROM source GROUP BY key)
      SELECT CASE WHEN rank <= ${maxGroups} THEN rank END AS rank, CASE WHEN rank <= ${maxGroups} THEN key END AS key,
        day::text AS day, (SELECT count(*) FROM ranked) AS groups, sum(requests) AS requests, sum(cost) AS cost
      FROM source JOIN ranked USING (key) GROUP BY 1, 2, 3 ORDER BY 1 NULLS LAST`),
    db.execute(sql`
      SELECT coalesce(${recordKeys[query.groupBy]}, '') AS key, count(*) FILTER (WHERE certainty = 'estimated') AS estimated,
        count(*) FILTER (WHERE certainty = 'suspect') AS suspect
      FROM ${recordsIn(query)} AND certainty <> 'exact' GROUP BY 1`),
    readAnomalies(db, query, now),
  ])
  const rows = cells.map((row) => Cell.parse(row))
  const doubts = new Map(uncertain.map((row) => Uncertain.parse(row)).map((row) => [row.key, row]))
  const days = daysOf(query)
  const { groupBy, from, to } = query
  const listed = Map.groupBy(rows, ({ key }) => key)
  const rest = listed.get(null)
  listed.delete(null)
  return {
    groupBy,
    from,
    to,
    days,
    anomalies,
    groups: [...listed].map(([key, found]) => ({
      key: key || null,
      ...sumsOf(found, days),
      estimated: doubts.get(key ?? '')?.estimated ?? 0,
      suspect: doubts.get(key ?? '')?.suspect ?? 0,
    })),
    others: rest ? { groups: (rest[0]?.groups ?? 0) - maxGroups, ...sumsOf(rest, days) } : null,
    total: totalOf(rows),
  }
}

type Row = z.output<typeof Cell>

function sumsOf(rows: readonly Row[], days: readonly string[]) {
  const costs = new Map(rows.map(({ day, cost }) => [day, cost]))
  return { ...totalOf(rows), costsNanoUsd: days.map((day) => costs.get(day) ?? 0n) }
}

const totalOf = (rows: readonly Row[]) => ({
  requests: rows.reduce((sum, { requests }) => sum + requests, 0),
  costNanoUsd: rows.reduce((sum, { cost }) => sum + cost, 0n),
})
