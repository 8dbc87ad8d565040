import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { executePrepared, type Database } from '#lib/db.ts'
import type { UsageRow } from '../usage/insert.ts'
import { applies, scopeKey, scopesOf, type Limit } from './limit.ts'
import { lotKey } from './lots.ts'
import { periodAt } from './period.ts'
import { selectLimits } from './limit-cache.ts'

export type Spend = Pick<
  UsageRow,
  'organizationId' | 'applicationId' | 'apiKeyId' | 'family' | 'paidBy' | 'occurredAt' | 'costNanoUsd'
>

/** A period after it was counted. */
export interface Counted {
  limit: Limit
  periodStart: Date
  periodEnd: Date | null
  spentNanoUsd: bigint
  leasedNanoUsd: bigint
  warnedPercent: number
}

export interface PeriodSum {
  limit: Limit
  start: Date
  end: Date | null
  amount: bigint
}

/** Near the largest bigint: what one organization reports must not keep the usage of others from being counted. */
export const maxSpent = sql.raw('9000000000000000000')

/** Limits can't change while the transaction that took this lock is open. */
export const limitsLock = sql`hashtextextended('gateway.limits', 0)`

type Scoped = Pick<Spend, 'organizationId' | 'applicationId' | 'apiKeyId'>

/** Every limit that can count one of these. The transaction must have `limitsLock`, shared. */
export async function selectCounting(tx: Database, spends: readonly Scoped[]): Promise<Limit[]> {
  const callers = new Map(
    spends.map((spend) => [`${spend.organizationId} ${spend.apiKeyId} ${spend.applicationId}`, spend]),
  )
  const all = [...callers.values()].flatMap(scopesOf)
  const scopes = new Map(all.map((scope) => [scopeKey(scope), scope]))
  return scopes.size === 0 ? [] : selectLimits(tx, [...scopes.values()])
}

export const countSpend = async (tx: Database, spends: readonly Spend[]): Promise<Counted[]> =>
  addSpend(tx, await selectCounting(tx, spends), spends)

/**
 * Adds spend to the counter of every limit that counts it, in the period in which it occurred. Locks in sorted order.
 */
export async function addSpend(tx: Database, limits: readonly Limit[], spends: readonly Spend[]): Promise<Counted[]> {
  const sums = sumByPeriod(spends, limits)
  if (sums.length === 0) return []
  const given = JSON.stringify(
    sums.map(({ limit, start, end, amount }) => ({ l: limit.id, s: start, e: end, n: String(amount) })),
  )
  const rows = await executePrepared(
    tx,
    sql`
    INSERT INTO gateway.budget_periods AS period (limit_id, period_start, period_end, spent_nano_usd)
    SELECT l, s, e, n FROM json_to_recordset(${given}::json) AS given (l uuid, s timestamptz, e timestamptz, n bigint)
    ORDER BY l, s
    ON CONFLICT (limit_id, period_start) DO UPDATE SET spent_nano_usd = period.spent_nano_usd
      + least(excluded.spent_nano_usd, ${maxSpent} - period.spent_nano_usd)
    RETURNING limit_id AS "limitId", period_start AS "periodStart", spent_nano_usd AS "spentNanoUsd",
      leased_nano_usd AS "leasedNanoUsd", warned_percent AS "warnedPercent"`,
  )
  const byKey = new Map(sums.map((sum) => [lotKey(sum.limit.id, sum.start), sum]))
  return rows.flatMap((row) => {
    const { limitId, ...state } = CountedRow.parse(row)
    const sum = byKey.get(lotKey(limitId, state.periodStart))
    return sum ? [{ ...state, limit: sum.limit, periodEnd: sum.end }] : []
  })
}

const CountedRow = z.object({
  limitId: z.string(),
  periodStart: z.coerce.date(),
  spentNanoUsd: z.coerce.bigint(),
  leasedNanoUsd: z.coerce.bigint(),
  warnedPercent: z.number(),
})

/** By limit and period, without those that sum up to nothing. */
export function sumByPeriod(spends: readonly Spend[], limits: readonly Limit[]): PeriodSum[] {
  const byScope = Map.groupBy(limits, ({ scopeType: type, scopeValue: value }) => scopeKey({ type, value }))
  const sums = new Map<string, PeriodSum>()
  for (const spend of mergeSpends(spends)) {
    if (spend.costNanoUsd === 0n) continue
    for (const limit of scopesOf(spend).flatMap((scope) => byScope.get(scopeKey(scope)) ?? [])) {
      const { start, end } = periodAt(limit.period, limit.timeZone, spend.occurredAt)
      if (!applies(limit, spend) || start < limit.countsFrom) continue
      const key = lotKey(limit.id, start)
      const known = sums.get(key)
      if (known) known.amount += spend.costNanoUsd
      else sums.set(key, { limit, start, end, amount: spend.costNanoUsd })
    }
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0n)
}

/** Every period begins at a full quarter of an hour, in any time zone. */
const quarterMs = 15 * 60_000

/** One for all that count at the same limits and in the same periods. */
function mergeSpends(spends: readonly Spend[]): Iterable<Spend> {
  const merged = new Map<string, Spend>()
  for (const { organizationId, applicationId, apiKeyId, family, paidBy, occurredAt, costNanoUsd } of spends) {
    const quarter = Math.floor(occurredAt.getTime() / quarterMs)
    const key = `${organizationId} ${apiKeyId} ${family} ${paidBy} ${quarter} ${applicationId}`
    const known = merged.get(key)
    if (known) known.costNanoUsd += costNanoUsd
    else merged.set(key, { organizationId, applicationId, apiKeyId, family, paidBy, occurredAt, costNanoUsd })
  }
  return merged.values()
}
