import { sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import type { EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { budgetAlerts } from '../schema.ts'
import type { Counted } from './counters.ts'
import { alertPlatform } from './platform-alerts.ts'
import { sendAlert } from './send-alert.ts'

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
  if (!first) return
  const { id: limitId, organizationId, mode, limitNanoUsd } = limit
  await tx
    .insert(budgetAlerts)
    .values({ id: newId(), organizationId, limitId, percent, mode, spentNanoUsd, limitNanoUsd })
  const alert = { limitId, percent, spentNanoUsd: String(spentNanoUsd), resetsAt: periodEnd?.toISOString() ?? null }
  if (organizationId !== null) return sendAlert(tx, emitting, { limit, organizationId, ...alert })
  // Which organization is that of the super admins is asked outside of this transaction.
  await emitting.queue.enqueue(tx, alertPlatform, alert)
  if (limit.scopeType === 'organization')
    await sendAlert(tx, emitting, { limit, organizationId: limit.scopeValue, ...alert })
}
