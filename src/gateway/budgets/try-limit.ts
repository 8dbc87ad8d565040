import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { notFound } from '#lib/errors.ts'
import type { LimitDryRun } from '../contract/limits.ts'
import { forecastOf } from './forecast.ts'
import type { LimitDraft } from './input.ts'
import { scopeValueOf } from './limits.ts'
import { periodAt, type Window } from './period.ts'

const historyMs = 30 * 24 * 60 * 60_000

const Hour = z.object({ at: z.coerce.date(), calls: z.coerce.number(), cost: z.coerce.bigint() })
type Hour = z.output<typeof Hour>

interface Spent {
  window: Window
  total: bigint
  runsOutAt: Date | null
}

/** What a limit would have done with the usage of the last 30 days, by the hour. @throws {Problem} 404 */
export async function tryLimit(
  { db, actor, now }: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now'>,
  draft: LimitDraft,
): Promise<z.input<typeof LimitDryRun>> {
  const organizationId = organizationOf(actor, 'usage:read')
  const scopeValue = scopeValueOf(actor, draft)
  if (draft.scope_type === 'organization' && scopeValue !== organizationId) throw notFound('organization')
  const at = now()
  const { limitUsd: limit, period, timeZone, mode } = draft
  const current = periodAt(period, timeZone, at)
  const from = new Date(at.getTime() - historyMs)
  const rows = await db.execute(sql`
    SELECT date_trunc('hour', occurred_at) AS at, count(*) AS calls, sum(cost_nano_usd) AS cost
    FROM gateway.usage_logs
    WHERE organization_id = ${organizationId} AND occurred_at >= ${from.toISOString()}
      AND (${draft.family}::text IS NULL OR family = ${draft.family})
      AND (${draft.scope_type} = 'organization' OR application_id = ${scopeValue} OR api_key_id::text = ${scopeValue})
    GROUP BY 1 ORDER BY 1`)
  const periods = new Map<number, Spent>([[current.start.getTime(), { window: current, total: 0n, runsOutAt: null }]])
  let refusedCalls = 0
  let refusedNanoUsd = 0n
  for (const hour of rows.map((row) => Hour.parse(row))) {
    const window = periodAt(period, timeZone, hour.at)
    const spent = periods.get(window.start.getTime()) ?? { window, total: 0n, runsOutAt: null }
    periods.set(window.start.getTime(), spent)
    const before = spent.total
    spent.total += hour.cost
    if (spent.total <= limit) continue
    spent.runsOutAt ??= hour.at
    const over = spent.total - (before > limit ? before : limit)
    refusedNanoUsd += over
    refusedCalls += callsOver(hour, over)
  }
  const all = [...periods.values()]
  const ongoing = periods.get(current.start.getTime())
  const spentNanoUsd = ongoing?.total ?? 0n
  return {
    limitNanoUsd: limit,
    mode,
    period,
    from,
    spentNanoUsd,
    refusedCalls,
    refusedNanoUsd,
    largestNanoUsd: all.reduce((most, { total }) => (total > most ? total : most), 0n),
    periods: all.length,
    exceeded: all.filter(({ runsOutAt }) => runsOutAt !== null).length,
    runsOutAt: ongoing?.runsOutAt ?? forecastEnd(current, spentNanoUsd, limit, at),
  }
}

/** Of an hour's calls: as many as its share of the cost. */
const callsOver = ({ calls, cost }: Hour, over: bigint): number =>
  cost > 0n ? Math.ceil((calls * Number(over)) / Number(cost)) : 0

/** When the current period reaches the limit, if spending goes on like this. */
function forecastEnd(window: Window, spent: bigint, limit: bigint, at: Date): Date | null {
  if (window.end === null || spent <= 0n || forecastOf(spent, window, at) <= limit) return null
  const passedMs = at.getTime() - window.start.getTime()
  return new Date(window.start.getTime() + (passedMs * Number(limit)) / Number(spent))
}
