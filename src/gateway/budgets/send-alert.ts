import type { Database } from '#lib/db.ts'
import { emitWebhook, type EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { raiseAction } from '#lib/raised-actions.ts'
import { alertCause, consequences, describeLimit, dollars } from './alert-text.ts'
import { budgetEnded, budgetWarning } from './events.ts'
import type { Limit } from './limit.ts'

interface Alert {
  percent: 50 | 80 | 100
  /** As a decimal number, since jobs are JSON. */
  spentNanoUsd: string
  resetsAt: string | null
}

interface SentAlert extends Alert {
  limit: Limit
  organizationId: string
}

export async function sendAlert(
  tx: Database,
  emitting: EmitDependencies,
  { limit, organizationId, percent, resetsAt, ...alert }: SentAlert,
): Promise<void> {
  const { mode, limitNanoUsd } = limit
  const spentNanoUsd = BigInt(alert.spentNanoUsd)
  const data = {
    limitId: limit.id,
    scope_type: limit.scopeType,
    scope_value: limit.scopeValue,
    family: limit.family,
    period: limit.period,
    mode,
    limitNanoUsd,
    spentNanoUsd,
    resetsAt: resetsAt === null ? null : new Date(resetsAt),
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
