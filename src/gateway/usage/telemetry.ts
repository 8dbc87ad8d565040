import { and, eq, gte, isNotNull, lt, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { prepared, type Database } from '#lib/db.ts'
import { keyset, type PageOf } from '#lib/paginate.ts'
import type { ProviderTelemetry, TelemetryDimension } from '../contract/telemetry.ts'
import { usageLogs } from '../schema.ts'
import { dayAfter } from './partitions.ts'
import type { DayRange } from './range.ts'

interface TelemetryQuery extends DayRange {
  /** Null for all. */
  organizationId: string | null
  provider?: string | undefined
  model?: string | undefined
  limit: number
  cursor?: string | undefined
}

const columns: Record<TelemetryDimension, SQL> = {
  hour: sql`to_char(date_trunc('hour', ${usageLogs.occurredAt} AT TIME ZONE 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
  day: sql`to_char(${usageLogs.occurredAt} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
  provider: sql`${usageLogs.provider}`,
  model: sql`${usageLogs.model}`,
  application: sql`${usageLogs.applicationId}`,
  status: sql`${usageLogs.status}::text`,
}

const fields = {
  hour: 'hour',
  day: 'day',
  provider: 'provider',
  model: 'model',
  application: 'applicationId',
  status: 'status',
}

const Keys = z.array(z.string())
const Percentiles = z.array(z.number())

const percentiles = (column: SQL) =>
  sql`array_to_json(percentile_cont(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY ${column}))::text`.mapWith(
    (text: string) => {
      const [p50 = 0, p95 = 0, p99 = 0] = Percentiles.parse(JSON.parse(text))
      return { p50, p95, p99 }
    },
  )

const countOf = (condition: SQL) => sql`count(*) FILTER (WHERE ${condition})`.mapWith(Number)

type Counted = Omit<ProviderTelemetry, 'costNanoUsd'> & { costNanoUsd: bigint }

/** Of calls to providers, by each combination of the dimensions' values. */
export async function listTelemetry(
  db: Database,
  dimensions: readonly TelemetryDimension[],
  { organizationId, provider, model, from, to, ...page }: TelemetryQuery,
): Promise<PageOf<Counted>> {
  const keys = dimensions.map((dimension) => sql`coalesce(${columns[dimension]}, '')`)
  const ordered = keyset<Record<string, string>>(
    Object.fromEntries(keys.map((key, at) => [dimensions[at] ?? '', [key, z.string()]])),
  )
  const slice = ordered.slice(page)
  const conditions = {
    organizationId: organizationId !== null,
    provider: provider !== undefined,
    model: model !== undefined,
  }
  const name = `telemetry ${dimensions.join()} ${Object.values(conditions).join()} ${slice.values ? 'next' : ''}`
  const statement = prepared(db, name, () =>
    db
      .select({
        keys: sql`json_build_array(${sql.join(keys, sql`, `)})::text`.mapWith((text: string) =>
          Keys.parse(JSON.parse(text)),
        ),
        calls: sql`count(*)`.mapWith(Number),
        errors: countOf(sql`${usageLogs.errorCode} IS NOT NULL OR ${usageLogs.status} >= 400`),
        fallbacks: countOf(sql`${usageLogs.fallbacks} > 0`),
        streamed: countOf(sql`${usageLogs.streamed}`),
        latencyMs: percentiles(sql`${usageLogs.latencyMs}`),
        firstByteMs: percentiles(sql`${usageLogs.firstByteMs}`),
        inputTokens: sql`coalesce(sum(${usageLogs.inputTokens}), 0)`.mapWith(Number),
        outputTokens: sql`coalesce(sum(${usageLogs.outputTokens}), 0)`.mapWith(Number),
        costNanoUsd: sql`sum(${usageLogs.costNanoUsd})`.mapWith(BigInt),
      })
      .from(usageLogs)
      .where(
        and(
          gte(usageLogs.occurredAt, sql.placeholder('from')),
          lt(usageLogs.occurredAt, sql.placeholder('to')),
          isNotNull(usageLogs.status),
          ...(['organizationId', 'provider', 'model'] as const).map((column) =>
            conditions[column] ? eq(usageLogs[column], sql.placeholder(column)) : undefined,
          ),
          slice.values && ordered.behindPlaceholders,
        ),
      )
      .groupBy(...keys)
      .orderBy(...slice.order)
      .limit(sql.placeholder('limit')),
  )
  const values = { from: `${from}T00:00:00Z`, to: `${dayAfter(to)}T00:00:00Z`, organizationId, provider, model }
  const rows = await statement.execute({ ...values, ...slice.values, limit: slice.limit })
  const { items, nextCursor } = slice.pageBy(rows, (row) =>
    Object.fromEntries(dimensions.map((one, at) => [one, row.keys[at] ?? ''])),
  )
  return {
    nextCursor,
    items: items.map(({ keys: found, ...counted }) => ({
      ...Object.fromEntries(dimensions.map((one, at) => [fields[one], found[at] || null])),
      ...counted,
      errorRate: counted.errors / counted.calls,
      fallbackRate: counted.fallbacks / counted.calls,
    })),
  }
}
