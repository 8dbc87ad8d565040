import { sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { maxSpent, sumByPeriod, type PeriodSum, type Spend } from '../budgets/counters.ts'
import { scopeKey, scopesOf } from '../budgets/limit.ts'
import { selectLimits } from '../budgets/limit-cache.ts'

export interface BudgetDifference {
  limitId: string
  periodStart: Date
  amountNanoUsd: bigint
}

/**
 * Adds differences of re-rated usage to the counters of current periods. A period that is over, and a hard limit that
 * would have room again, keep their counter: their difference is stored beside it and returned. Locks in sorted order;
 * the transaction must have `limitsLock`, shared.
 */
export async function countDifferences(
  tx: Database,
  spends: readonly Spend[],
  { at, by, dryRun }: { at: Date; by: string; dryRun: boolean },
): Promise<BudgetDifference[]> {
  const scopes = new Map(spends.flatMap((spend) => scopesOf(spend).map((scope) => [scopeKey(scope), scope] as const)))
  if (scopes.size === 0) return []
  const sums = sumByPeriod(spends, await selectLimits(tx, [...scopes.values()]))
  const isKept = ({ limit, end, amount }: PeriodSum) =>
    (end !== null && end <= at) || (limit.mode === 'hard' && amount < 0n)
  const kept = sums.filter(isKept)
  if (!dryRun) {
    await addToCounters(
      tx,
      sums.filter((sum) => !isKept(sum)),
    )
    await storeDifferences(tx, kept, by)
  }
  return kept.map(({ limit, start, amount }) => ({ limitId: limit.id, periodStart: start, amountNanoUsd: amount }))
}

async function addToCounters(tx: Database, sums: readonly PeriodSum[]): Promise<void> {
  if (sums.length === 0) return
  await tx.execute(sql`
    INSERT INTO gateway.budget_periods AS period (limit_id, period_start, period_end, spent_nano_usd)
    SELECT l, s, e, n FROM json_to_recordset(${toJson(sums)}::json) AS given (l uuid, s timestamptz, e timestamptz, n bigint)
    ORDER BY l, s
    ON CONFLICT (limit_id, period_start) DO UPDATE SET spent_nano_usd = period.spent_nano_usd
      + least(excluded.spent_nano_usd, ${maxSpent} - period.spent_nano_usd)`)
}

async function storeDifferences(tx: Database, sums: readonly PeriodSum[], by: string): Promise<void> {
  if (sums.length === 0) return
  await tx.execute(sql`
    INSERT INTO gateway.budget_differences (id, limit_id, period_start, amount_nano_usd, created_by)
    SELECT i, l, s, n, ${by} FROM json_to_recordset(${toJson(sums)}::json) AS given (
      i uuid, l uuid, s timestamptz, n bigint)`)
}

const toJson = (sums: readonly PeriodSum[]): string =>
  JSON.stringify(
    sums.map(({ limit, start, end, amount }) => ({ i: newId(), l: limit.id, s: start, e: end, n: String(amount) })),
  )
