import { and, eq, gte, lt, lte, sql, type Column, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { prepared, type Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { keyset, type PageOf } from '#lib/paginate.ts'
import { Instant } from '#lib/time.ts'
import type { UsageDimension } from '../contract/usage.ts'
import { usageDaily, usageLogs } from '../schema.ts'
import type { DaySpend } from './forecast.ts'
import { dayAfter } from './partitions.ts'
import type { DayRange } from './range.ts'

const filterNames = ['applicationId', 'apiKeyId', 'userId', 'family', 'provider', 'model', 'unit', 'paidBy'] as const

export interface UsageScope extends DayRange {
  /** Null for all. */
  organizationId: string | null
  /** Only rows with these values. */
  filters: { readonly [Name in (typeof filterNames)[number]]?: string | undefined }
}

interface UsageQuery extends UsageScope {
  limit: number
  cursor?: string | undefined
}

/** The conditions of a query as a prepared statement has them, with a name for their combination. */
function conditionsOf(table: typeof usageDaily | typeof usageLogs, query: UsageScope) {
  const { organizationId, filters, from, to } = query
  const names = filterNames.filter((name) => filters[name] !== undefined)
  const [first, last] = [sql.placeholder('from'), sql.placeholder('to')]
  const isRecords = table === usageLogs
  return {
    where: [
      isRecords ? gte(usageLogs.occurredAt, first) : gte(usageDaily.day, first),
      isRecords ? lt(usageLogs.occurredAt, last) : lte(usageDaily.day, last),
      organizationId === null ? undefined : eq(table.organizationId, sql.placeholder('organizationId')),
      ...names.map((name) => eq(table[name], sql.placeholder(name))),
    ],
    values: {
      ...filters,
      organizationId,
      ...(isRecords ? { from: `${from}T00:00:00Z`, to: `${dayAfter(to)}T00:00:00Z` } : { from, to }),
    },
    name: `${organizationId === null ? 'all' : 'one'} ${names.join()}`,
  }
}

const newestFirst = keyset({ occurredAt: [usageLogs.occurredAt, Instant], id: [usageLogs.id, Id] }, 'desc')

const recordFields = {
  id: usageLogs.id,
  occurredAt: usageLogs.occurredAt,
  organizationId: usageLogs.organizationId,
  requestId: usageLogs.requestId,
  applicationId: usageLogs.applicationId,
  apiKeyId: usageLogs.apiKeyId,
  userId: usageLogs.userId,
  family: usageLogs.family,
  provider: usageLogs.provider,
  model: usageLogs.model,
  unit: usageLogs.unit,
  quantity: usageLogs.quantity,
  costNanoUsd: usageLogs.costNanoUsd,
  certainty: usageLogs.certainty,
  paidBy: usageLogs.paidBy,
  priceDate: usageLogs.priceDate,
  metadata: usageLogs.metadata,
  latencyMs: usageLogs.latencyMs,
  status: usageLogs.status,
}

/** Single rows, the newest first. */
export async function listRecords(db: Database, query: UsageQuery) {
  const { where, values, name } = conditionsOf(usageLogs, query)
  const slice = newestFirst.slice(query)
  const statement = prepared(db, `usage records ${name} ${slice.values ? 'next' : 'first'}`, () =>
    db
      .select(recordFields)
      .from(usageLogs)
      .where(and(...where, slice.values ? newestFirst.behindPlaceholders : undefined))
      .orderBy(...slice.order)
      .limit(sql.placeholder('limit')),
  )
  const rows = await statement.execute({ ...values, ...slice.values, limit: slice.limit })
  return slice.page(rows)
}

/** It must exist. */
export async function getRecord(
  db: Database,
  { organizationId, id, occurredAt }: { organizationId: string; id: string; occurredAt: Date },
) {
  const [row] = await db
    .select(recordFields)
    .from(usageLogs)
    .where(
      and(eq(usageLogs.organizationId, organizationId), eq(usageLogs.occurredAt, occurredAt), eq(usageLogs.id, id)),
    )
  if (!row) throw new Error('The usage record is gone')
  return row
}

const fields = {
  day: 'day',
  organization: 'organizationId',
  application: 'applicationId',
  apiKey: 'apiKeyId',
  user: 'userId',
  family: 'family',
  provider: 'provider',
  model: 'model',
  unit: 'unit',
  paidBy: 'paidBy',
  brand: 'brand',
  post: 'post',
} as const satisfies Record<UsageDimension, string>

interface Totals {
  count: number
  quantity: number
  costNanoUsd: bigint
}
export type UsageTotals = Totals & { [Field in (typeof fields)[UsageDimension]]?: string | null }

/** Daily totals have no metadata. */
export const needsRecords = (dimensions: readonly UsageDimension[]): boolean =>
  dimensions.includes('brand') || dimensions.includes('post')

function columnOf(dimension: UsageDimension, isRecords: boolean): Column | SQL {
  switch (dimension) {
    case 'brand':
    case 'post':
      return sql`${usageLogs.metadata}->>${sql.raw(`'${dimension}'`)}`
    case 'day':
      return isRecords ? sql`(${usageLogs.occurredAt} AT TIME ZONE 'UTC')::date` : usageDaily.day
    default:
      return (isRecords ? usageLogs : usageDaily)[fields[dimension]]
  }
}

const Keys = z.array(z.string())

/** Totals for each combination of the dimensions' values, in their order. Without a dimension, at most one. */
export async function listTotals(
  db: Database,
  dimensions: readonly UsageDimension[],
  query: UsageQuery,
): Promise<PageOf<UsageTotals>> {
  const isRecords = needsRecords(dimensions)
  const table = isRecords ? usageLogs : usageDaily
  const { where, values, name } = conditionsOf(table, query)
  // No value is empty, so that stands for none.
  const keys = dimensions.map((dimension) => sql`coalesce(${columnOf(dimension, isRecords)}::text, '')`)
  const ordered = keyset<Record<string, string>>(
    Object.fromEntries(keys.map((key, at) => [dimensions[at] ?? '', [key, z.string()]])),
  )
  const slice = ordered.slice(query)
  const hasKeys = keys.length > 0
  const statement = prepared(db, `usage totals ${dimensions.join()} ${name} ${slice.values ? 'next' : ''}`, () =>
    db
      .select({
        keys: sql`json_build_array(${sql.join(keys, sql`, `)})::text`.mapWith((text: string) =>
          Keys.parse(JSON.parse(text)),
        ),
        count: (isRecords ? sql`count(*)` : sql`coalesce(sum(${usageDaily.count}), 0)`).mapWith(Number),
        quantity: sql`coalesce(sum(${table.quantity}), 0)`.mapWith(Number),
        costNanoUsd: sql`coalesce(sum(${table.costNanoUsd}), 0)`.mapWith(BigInt),
      })
      .from(table)
      .where(and(...where, slice.values && hasKeys ? ordered.behindPlaceholders : undefined))
      .groupBy(...keys)
      .orderBy(...slice.order)
      .limit(sql.placeholder('limit')),
  )
  const rows = await statement.execute({ ...values, ...slice.values, limit: hasKeys ? slice.limit : 1 })
  const page = slice.pageBy(rows, (row) => Object.fromEntries(dimensions.map((one, at) => [one, row.keys[at] ?? ''])))
  return {
    nextCursor: page.nextCursor,
    items: page.items.map(({ keys: found, ...totals }) => ({
      ...Object.fromEntries(dimensions.map((one, at) => [fields[one], found[at] || null])),
      ...totals,
    })),
  }
}

/** The cost of each day with usage. */
export async function readDays(db: Database, scope: UsageScope): Promise<DaySpend[]> {
  const { where, values, name } = conditionsOf(usageDaily, scope)
  const statement = prepared(db, `usage days ${name}`, () =>
    db
      .select({ day: usageDaily.day, costNanoUsd: sql`sum(${usageDaily.costNanoUsd})`.mapWith(BigInt) })
      .from(usageDaily)
      .where(and(...where))
      .groupBy(usageDaily.day),
  )
  return statement.execute(values)
}
