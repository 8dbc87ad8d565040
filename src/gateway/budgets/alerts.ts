import { sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { formatNanoUsd } from '#lib/money.ts'
import { emitWebhook, type EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { raiseAction } from '#lib/raised-actions.ts'
import type { Counted } from './counters.ts'
import { budgetEnded, budgetWarning } from './events.ts'
import type { Limit } from './limit.ts'

const thresholds = [100, 80, 50] as const
type Threshold = (typeof thresholds)[number]

const percentOf = (spent: bigint, limit: bigint): number =>
  limit > 0n ? Number((spent * 100n) / limit) : spent > 0n ? 100 : 0

/** Raises an action and emits an event at 50, 80 and 100 %, each once in a period (GTW-35, GTW-38). */
export async function raiseAlerts(tx: Database, emitting: EmitDependencies, all: readonly Counted[]): Promise<void> {
  for (const counted of all) {
    const percent = percentOf(counted.spentNanoUsd, counted.limit.limitNanoUsd)
    const reached = thresholds.find((threshold) => percent >= threshold)
    if (reached !== undefined && reached > counted.warnedPercent) await raiseOnce(tx, emitting, counted, reached)
  }
}

/** Also before 100 % are spent: what is left can be too little for any request. */
export const raiseEnd = (tx: Database, emitting: EmitDependencies, counted: Counted): Promise<void> =>
  raiseOnce(tx, emitting, counted, 100)

async function raiseOnce(
  tx: Database,
  emitting: EmitDependencies,
  { limit, periodStart, periodEnd, spentNanoUsd }: Counted,
  percent: Threshold,
): Promise<void> {
  const [first] = await tx.execute(sql`
    UPDATE gateway.budget_periods SET warned_percent = ${percent}
    WHERE limit_id = ${limit.id} AND period_start = ${periodStart.toISOString()} AND warned_percent < ${percent}
    RETURNING 1`)
  if (!first || limit.organizationId === null) return
  const { organizationId, mode, limitNanoUsd } = limit
  const data = {
    limitId: limit.id,
    scope_type: limit.scopeType,
    scope_value: limit.scopeValue,
    family: limit.family,
    period: limit.period,
    mode,
    limitNanoUsd,
    spentNanoUsd,
    resetsAt: periodEnd,
  }
  const amounts = `${dollars(spentNanoUsd)} of ${dollars(limitNanoUsd)} is spent.`
  await raiseAction(tx, {
    organizationId,
    cause: alertCause(limit.id),
    title: `${percent === 100 ? 'Used up' : `${percent} % used`}: ${describeLimit(limit)}`,
    reason: `${amounts}${percent === 100 ? consequences[mode] : ''}`,
    href: '/gateway/limits',
    actions: [],
  })
  if (percent === 100) await emitWebhook(tx, emitting, { organizationId, event: budgetEnded, data })
  else await emitWebhook(tx, emitting, { organizationId, event: budgetWarning, data: { ...data, percent } })
}

export const alertCause = (limitId: string): string => `gateway.limit:${limitId}`

const consequences: Record<Limit['mode'], string> = {
  hard: ' Requests are refused until the budget resets or the limit is raised.',
  soft: ' Requests still pass.',
  observe: ' Requests still pass.',
}

const periodNames: Record<Limit['period'], string> = {
  hour: 'hourly',
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
  total: 'total',
}

/** Such as `daily ai budget of application mail`. */
export function describeLimit({
  scopeType,
  scopeValue,
  family,
  period,
}: Pick<Limit, 'scopeType' | 'scopeValue' | 'family' | 'period'>): string {
  const whose = scopeType === 'application' ? `application ${scopeValue}` : `the ${scopeType}`
  return `${periodNames[period]} ${family === null ? '' : `${family.replace('_', ' ')} `}budget of ${whose}`
}

/** At least cents; all digits of smaller amounts. */
export const dollars = (nanoUsd: bigint): string => {
  const [whole = '0', fraction = ''] = formatNanoUsd(nanoUsd).split('.')
  return `$${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`
}
