import { and, eq, gte, isNull, lt, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { budgetHolds, limits, usageDaily, usageLogs } from '../schema.ts'
import { forecast } from '../usage/forecast.ts'
import { dayAfter, dayOf } from '../usage/partitions.ts'

/** Complete days before the month that the forecast learns weekdays from. */
const historyDays = 28

const sum = (column: typeof usageDaily.costNanoUsd | typeof usageLogs.costNanoUsd | typeof budgetHolds.amountNanoUsd) =>
  sql`coalesce(sum(${column}), 0)`.mapWith(BigInt)

/** Of the UTC month of `now`. */
export async function readSpending(db: Database, organizationId: string, now: Date) {
  const monthAt = (offset: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset))
  const [previous, start, end] = [monthAt(-1), monthAt(0), monthAt(1)]
  const first = dayOf(start)
  const firstOfPrevious = dayOf(previous)
  const firstOfHistory = dayAfter(first, -historyDays)
  const [days, [held], [budget], [posts]] = await Promise.all([
    db
      .select({
        day: usageDaily.day,
        requests: sql`sum(${usageDaily.count})`.mapWith(Number),
        costNanoUsd: sum(usageDaily.costNanoUsd),
      })
      .from(usageDaily)
      .where(
        and(
          eq(usageDaily.organizationId, organizationId),
          gte(usageDaily.day, firstOfPrevious < firstOfHistory ? firstOfPrevious : firstOfHistory),
          lt(usageDaily.day, dayOf(end)),
        ),
      )
      .groupBy(usageDaily.day),
    db
      .select({ count: sql`count(*)`.mapWith(Number), amount: sum(budgetHolds.amountNanoUsd) })
      .from(budgetHolds)
      .where(eq(budgetHolds.organizationId, organizationId)),
    db
      .select({ limitNanoUsd: limits.limitNanoUsd, mode: limits.mode })
      .from(limits)
      .where(
        and(
          eq(limits.scopeType, 'organization'),
          eq(limits.scopeValue, organizationId),
          eq(limits.period, 'month'),
          isNull(limits.family),
        ),
      )
      .orderBy(limits.limitNanoUsd)
      .limit(1),
    db
      .select({
        count: sql`count(DISTINCT ${usageLogs.metadata} ->> 'post')`.mapWith(Number),
        costNanoUsd: sum(usageLogs.costNanoUsd),
      })
      .from(usageLogs)
      .where(
        and(
          eq(usageLogs.organizationId, organizationId),
          gte(usageLogs.occurredAt, start),
          lt(usageLogs.occurredAt, end),
          sql`${usageLogs.metadata} ? 'post'`,
        ),
      ),
  ])
  const current = totalOf(days.filter(({ day }) => day >= first))
  return {
    from: first,
    to: dayAfter(dayOf(end), -1),
    ...current,
    forecastNanoUsd: forecast({
      spentNanoUsd: current.spentNanoUsd,
      periodStart: start,
      periodEnd: end,
      now,
      history: days.filter(({ day }) => day < first && day >= firstOfHistory),
    }),
    reservedNanoUsd: held?.amount ?? 0n,
    runningRequests: held?.count ?? 0,
    budget: budget ?? null,
    previous: totalOf(days.filter(({ day }) => day < first && day >= firstOfPrevious)),
    posts: posts ?? { count: 0, costNanoUsd: 0n },
  }
}

const totalOf = (days: readonly { requests: number; costNanoUsd: bigint }[]) => ({
  spentNanoUsd: days.reduce((total, { costNanoUsd }) => total + costNanoUsd, 0n),
  requests: days.reduce((total, { requests }) => total + requests, 0),
})
