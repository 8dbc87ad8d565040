import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Units } from '#lib/money.ts'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'
import { Family, LimitMode, Period, ScopeType } from './families.ts'

export const LimitOptions = z.object({
  scopeTypes: z.array(ScopeType),
  families: z.array(Family),
  periods: z.array(Period).describe('A week begins on Monday, in the limit’s time zone.'),
  modes: z.array(LimitMode).describe('observe records, soft passes and warns, hard refuses.'),
})
export type LimitOptions = z.output<typeof LimitOptions>

const scopeFields = {
  scope_type: ScopeType,
  scope_value: z.string().describe('“platform”, the organization’s ID, or the ID of an application or API key.'),
  family: Family.nullable().describe('Null for all families together.'),
  period: Period,
  mode: LimitMode,
  limitNanoUsd: Units,
}

export const SpendLimit = z.object({
  id: Id,
  organizationId: Id.nullable().describe('Null for a limit that the platform’s super admins set.'),
  ...scopeFields,
  timeZone: z.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export const SpendLimitList = listOf(SpendLimit)

const stateFields = {
  id: Id,
  ...scopeFields,
  spentNanoUsd: Units,
  reservedNanoUsd: Units.describe('What running requests can still cost.'),
  resetsAt: Timestamp.nullable().describe('Null for a total, which never resets.'),
}

export const Budget = z.object({
  ...stateFields,
  scopeName: z.string().nullable().describe('Of an app that is known.'),
  forecastNanoUsd: Units.describe('At the end of the period, when spending goes on like this.'),
})
export type Budget = z.output<typeof Budget>
export const BudgetList = listOf(Budget)

export const BudgetCheck = z.object({
  allowed: z.literal(true),
  estimateNanoUsd: Units.describe('What the request can cost at most.'),
  limits: z.array(z.object({ ...stateFields, remainingNanoUsd: Units })),
})
