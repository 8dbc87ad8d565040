import type { Database } from '#lib/db.ts'
import { emitWebhook, type EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { raiseAction } from '#lib/raised-actions.ts'
import type { ActionButton } from '#lib/schema.ts'
import { budgetKind } from '../notification-kinds.ts'
import { alertCause, consequences, describeLimit, dollars, periodNames, roundedDollars } from './alert-text.ts'
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
  const amounts = `${roundedDollars(spentNanoUsd)} of ${roundedDollars(limitNanoUsd)} is spent.`
  await raiseAction(tx, {
    kind: budgetKind,
    organizationId,
    cause: alertCause(limit.id),
    title: `${percent === 100 ? 'Used up' : `${percent} % used`}: ${describeLimit(limit)}`,
    reason: `${amounts}${percent === 100 ? consequences[mode] : ''}`,
    href: '/gateway/limits',
    actions: [
      // Only its owner can raise it: the platform's limits are the super admins'.
      ...(limit.organizationId === null && limit.scopeValue === organizationId ? [] : [raiseButton(limit)]),
      { label: 'See the usage', method: 'GET', href: '/gateway/usage' },
    ],
    dueAt: data.resetsAt,
  })
  if (percent === 100) await emitWebhook(tx, emitting, { organizationId, event: budgetEnded, data })
  else await emitWebhook(tx, emitting, { organizationId, event: budgetWarning, data: { ...data, percent } })
}

const raiseButton = ({ id, period, limitNanoUsd }: Limit): ActionButton => ({
  label: 'Raise the limit',
  method: 'PATCH',
  href: `/api/limits/${id}`,
  fields: [
    {
      name: 'limitUsd',
      label: `New ${periodNames[period]} limit, in US dollars`,
      type: 'text',
      value: dollars(limitNanoUsd).slice(1),
    },
  ],
  style: 'primary',
})
