import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { NanoUsd } from '../contract/nano-usd.ts'
import { webhookEvent } from '#lib/outgoing-webhooks/event.ts'
import { Timestamp } from '#lib/time.ts'
import { Family, LimitMode, Period, ScopeType } from '../contract/families.ts'

const BudgetReference = z.object({
  limitId: Id,
  scope_type: ScopeType,
  scope_value: z.string(),
  family: Family.nullable(),
  period: Period,
  mode: LimitMode,
  limitNanoUsd: NanoUsd,
  spentNanoUsd: NanoUsd,
  resetsAt: Timestamp.nullable(),
})

export const budgetWarning = webhookEvent({
  type: 'budget.warning',
  summary: 'Half or 80 % of a budget is used',
  permission: 'usage:read',
  data: BudgetReference.extend({ percent: z.union([z.literal(50), z.literal(80)]) }),
})

export const budgetEnded = webhookEvent({
  type: 'budget.ended',
  summary: 'A budget is used up',
  permission: 'usage:read',
  data: BudgetReference,
})

export const budgetEvents = [budgetWarning, budgetEnded] as const
