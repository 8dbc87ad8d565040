import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { Instant } from '#lib/time.ts'
import { Payer } from '../contract/families.ts'
import { limitsLock, type Spend } from '../budgets/counters.ts'
import { customPriceOf, listCustomPrices } from '../models/custom-prices.ts'
import type { Price } from '../models/price.ts'
import { costOf, priceOf } from '../models/prices.ts'
import { countDifferences, type BudgetDifference } from './count-differences.ts'
import { dayAfter, dayOf, oldestDay } from './partitions.ts'

interface Rerating {
  provider: string
  model: string
  from: string
  to: string
  /** Null for all. */
  organizationId: string | null
  dryRun: boolean
  /** Where an earlier page ended. */
  after: Place | null
  by: string
  at: Date
  rawDays: number
}

export const Place = z.strictObject({ occurredAt: Instant, id: Id })
export type Place = z.output<typeof Place>

export interface Rerated {
  records: number
  changed: number
  unpriced: number
  days: number
  differenceNanoUsd: bigint
  budgetDifferences: BudgetDifference[]
  next: Place | null
}

const pageSize = 5_000
const name = z.string().nullable()
const count = z.number().nullable()

const Record = z.object({
  id: z.string(),
  organizationId: z.string(),
  occurredAt: z.coerce.date(),
  applicationId: name,
  apiKeyId: name,
  userId: name,
  paidBy: Payer,
  unit: z.string(),
  quantity: z.coerce.number(),
  costNanoUsd: z.coerce.bigint(),
  inputTokens: z.number(),
  outputTokens: count,
  cachedTokens: count,
  otherUnits: z.record(z.string(), z.number()).nullable(),
})
type Record = z.output<typeof Record>

interface Change {
  record: Record
  price: Price
  costNanoUsd: bigint
  difference: bigint
}

/**
 * Gives past calls of a model the cost by the prices of now: their records where these exist, else their daily totals,
 * in proportion. In the caller's transaction.
 */
export async function rerate(tx: Database, rerating: Rerating): Promise<Rerated> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock_shared(${limitsLock})`)
  const page = await readRecords(tx, rerating)
  const records = page.slice(0, pageSize)
  const last = page.length > pageSize ? records.at(-1) : undefined
  const { changes, unpriced } = await priceRecords(tx, rerating, records)
  const changed = changes.filter(({ difference }) => difference !== 0n)
  const days = last ? [] : await rerateDays(tx, rerating, changes)
  const spends = [...changed.map(({ record, difference }) => spendOf(record, record.occurredAt, difference)), ...days]
  if (!rerating.dryRun) {
    await updateRecords(tx, changed)
    await updateDays(tx, rerating, spends)
  }
  const budgetDifferences = await countDifferences(tx, spends, rerating)
  return {
    records: records.length,
    changed: changed.length,
    unpriced,
    days: days.length,
    differenceNanoUsd: spends.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n),
    budgetDifferences,
    next: last ? { occurredAt: last.occurredAt, id: last.id } : null,
  }
}

interface DaySpend extends Spend {
  userId: string | null
  unit: string
}

const spendOf = (
  paying: Omit<DaySpend, 'family' | 'occurredAt' | 'costNanoUsd'>,
  occurredAt: Date,
  costNanoUsd: bigint,
): DaySpend => ({
  organizationId: paying.organizationId,
  applicationId: paying.applicationId,
  apiKeyId: paying.apiKeyId,
  userId: paying.userId,
  paidBy: paying.paidBy,
  unit: paying.unit,
  family: 'ai',
  occurredAt,
  costNanoUsd,
})

const ownOf = ({ organizationId }: Rerating) =>
  organizationId === null ? sql`true` : sql`organization_id = ${organizationId}`

/** Reported events have no tokens: their cost is the reporter's. The cost of suspect ones is an upper bound. */
async function readRecords(tx: Database, rerating: Rerating): Promise<Record[]> {
  const { provider, model, from, to, after } = rerating
  const behind = after ? sql`(occurred_at, id) > (${after.occurredAt.toISOString()}, ${after.id})` : sql`true`
  const rows = await tx.execute(sql`
    SELECT id, organization_id AS "organizationId", occurred_at AS "occurredAt", application_id AS "applicationId",
      api_key_id AS "apiKeyId", user_id AS "userId", paid_by AS "paidBy", unit, quantity, cost_nano_usd AS "costNanoUsd",
      input_tokens AS "inputTokens", output_tokens AS "outputTokens", cached_tokens AS "cachedTokens",
      other_units AS "otherUnits"
    FROM gateway.usage_logs
    WHERE occurred_at >= ${`${from}T00:00:00Z`} AND occurred_at < ${`${dayAfter(to)}T00:00:00Z`} AND family = 'ai'
      AND provider = ${provider} AND model = ${model} AND input_tokens IS NOT NULL AND certainty <> 'suspect'
      AND ${ownOf(rerating)} AND ${behind}
    ORDER BY occurred_at, id LIMIT ${pageSize + 1} FOR UPDATE`)
  return rows.map((row) => Record.parse(row))
}

async function priceRecords(tx: Database, { provider, model }: Rerating, records: readonly Record[]) {
  const custom = new Map<string, Awaited<ReturnType<typeof listCustomPrices>>>()
  const changes: Change[] = []
  let unpriced = 0
  for (const record of records) {
    const { organizationId, occurredAt, paidBy } = record
    const own = custom.get(organizationId) ?? (await listCustomPrices(tx, organizationId))
    custom.set(organizationId, own)
    const step = { provider, model, level: paidBy }
    const price = customPriceOf(own, step, occurredAt) ?? priceOf(provider, model, occurredAt)
    if (!price) {
      unpriced += 1
      continue
    }
    const costNanoUsd = costOf(price, {
      ...record.otherUnits,
      inputTokens: record.inputTokens,
      outputTokens: record.outputTokens ?? 0,
      cacheReadTokens: record.cachedTokens ?? 0,
    })
    changes.push({ record, price, costNanoUsd, difference: costNanoUsd - record.costNanoUsd })
  }
  return { changes, unpriced }
}

async function updateRecords(tx: Database, changed: readonly Change[]): Promise<void> {
  if (changed.length === 0) return
  const given = changed.map(({ record, price, costNanoUsd }) => ({
    i: record.id,
    o: record.organizationId,
    t: record.occurredAt,
    n: String(costNanoUsd),
    p: price.since,
  }))
  await tx.execute(sql`
    UPDATE gateway.usage_logs SET cost_nano_usd = n, price_date = p
    FROM json_to_recordset(${JSON.stringify(given)}::json) AS given (i uuid, o uuid, t timestamptz, n bigint, p date)
    WHERE organization_id = o AND occurred_at = t AND id = i`)
}

/** Through an upsert, which locks in the same order as `insertUsage`. */
async function updateDays(tx: Database, { provider, model }: Rerating, spends: readonly DaySpend[]): Promise<void> {
  if (spends.length === 0) return
  const given = spends.map((spend) => ({
    o: spend.organizationId,
    d: dayOf(spend.occurredAt),
    a: spend.applicationId,
    k: spend.apiKeyId,
    u: spend.userId,
    b: spend.paidBy,
    unit: spend.unit,
    n: String(spend.costNanoUsd),
  }))
  await tx.execute(sql`
    INSERT INTO gateway.usage_daily AS daily (
      organization_id, day, family, provider, model, unit, application_id, api_key_id, user_id, paid_by, count,
      quantity, cost_nano_usd)
    SELECT o, d, 'ai', ${provider}, ${model}, unit, a, k, u, b, 0, 0, sum(n)
    FROM json_to_recordset(${JSON.stringify(given)}::json) AS given (
      o uuid, d date, a text, k uuid, u text, b text, unit text, n numeric)
    GROUP BY o, d, unit, a, k, u, b ORDER BY o, d, unit, a, k, u, b
    ON CONFLICT (organization_id, day, family, provider, model, unit, application_id, api_key_id, user_id, paid_by)
    DO UPDATE SET cost_nano_usd = daily.cost_nano_usd + excluded.cost_nano_usd`)
}

const Day = Record.pick({
  organizationId: true,
  applicationId: true,
  apiKeyId: true,
  userId: true,
  paidBy: true,
  unit: true,
  quantity: true,
  costNanoUsd: true,
}).extend({ day: z.string() })

/**
 * Of days whose records are gone. Their tokens are not known by kind, so they change as the last page of records did,
 * which a second run finds unchanged.
 */
async function rerateDays(tx: Database, rerating: Rerating, changes: readonly Change[]): Promise<DaySpend[]> {
  const { provider, model, from, to, at, rawDays } = rerating
  const sums = changes.reduce(
    (sum, { record, costNanoUsd }) => ({
      before: sum.before + record.costNanoUsd,
      after: sum.after + costNanoUsd,
      quantity: sum.quantity + record.quantity,
    }),
    { before: 0n, after: 0n, quantity: 0 },
  )
  if (sums.before === sums.after || (sums.before === 0n && sums.quantity === 0)) return []
  const rows = await tx.execute(sql`
    SELECT day::text AS day, organization_id AS "organizationId", application_id AS "applicationId",
      api_key_id AS "apiKeyId", user_id AS "userId", paid_by AS "paidBy", unit, quantity,
      cost_nano_usd AS "costNanoUsd"
    FROM gateway.usage_daily
    WHERE day >= ${from} AND day <= ${to} AND day < ${oldestDay(at, rawDays)} AND family = 'ai' AND unit = 'token'
      AND provider = ${provider} AND model = ${model} AND ${ownOf(rerating)}`)
  return rows
    .map((row) => Day.parse(row))
    .flatMap((day) => {
      const costNanoUsd =
        sums.before === 0n
          ? BigInt(Math.round((Number(sums.after) * day.quantity) / sums.quantity))
          : (day.costNanoUsd * sums.after) / sums.before
      const difference = costNanoUsd - day.costNanoUsd
      return difference === 0n ? [] : [spendOf(day, new Date(`${day.day}T12:00:00Z`), difference)]
    })
}
