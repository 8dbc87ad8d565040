import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { NanoUsd } from './nano-usd.ts'
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
  limitNanoUsd: NanoUsd,
}

const stateFields = {
  id: Id,
  ...scopeFields,
  spentNanoUsd: NanoUsd,
  reservedNanoUsd: NanoUsd.describe('What running requests can still cost.'),
  resetsAt: Timestamp.nullable().describe('Null for a total, which never resets.'),
}

export const SpendLimit = z.object({
  ...stateFields,
  organizationId: Id.nullable().describe('Null for a limit that the platform’s super admins set.'),
  scopeName: z.string().nullable().describe('Of the application, if it is known.'),
  timeZone: z.string(),
  forecastNanoUsd: NanoUsd.describe('At the end of the period, when spending goes on like this.'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  can: z.object({ update: z.boolean(), delete: z.boolean() }),
})
export type SpendLimit = z.output<typeof SpendLimit>

export const SpendLimitList = listOf(SpendLimit).extend({
  can: z.object({ create: z.boolean() }),
})
export type SpendLimitList = z.output<typeof SpendLimitList>

export const LimitDryRun = z.object({
  limitNanoUsd: NanoUsd,
  mode: LimitMode,
  period: Period,
  from: Timestamp.describe('The beginning of the usage that it was tried with.'),
  spentNanoUsd: NanoUsd.describe('In the current period so far.'),
  largestNanoUsd: NanoUsd.describe('Of a complete or the current period: a limit that would never have been reached.'),
  periods: z.int(),
  exceeded: z.int().describe('Of these periods.'),
  refusedCalls: z.int().describe('Approximately, in a hard limit’s case.'),
  refusedNanoUsd: NanoUsd,
  runsOutAt: Timestamp.nullable().describe('When the current period reaches the limit: past, or by its forecast.'),
})
export type LimitDryRun = z.output<typeof LimitDryRun>

export const Budget = z.object({
  ...stateFields,
  scopeName: z.string().nullable().describe('Of an app that is known.'),
  forecastNanoUsd: NanoUsd.describe('At the end of the period, when spending goes on like this.'),
})
export type Budget = z.output<typeof Budget>
export const BudgetList = listOf(Budget)

export const BudgetCheck = z.object({
  allowed: z.literal(true),
  estimateNanoUsd: NanoUsd.describe('What the request can cost at most.'),
  limits: z
    .array(
      z.object({
        ...stateFields,
        limitNanoUsd: NanoUsd.nullable(),
        spentNanoUsd: NanoUsd.nullable(),
        reservedNanoUsd: NanoUsd.nullable(),
        remainingNanoUsd: NanoUsd.nullable(),
      }),
    )
    .describe('Amounts that several organizations spend together are null, except for super admins.'),
})

const namedLimit = z.object({
  id: Id,
  scope_type: ScopeType,
  scope_value: z.string(),
  scopeName: z.string().nullable(),
  family: Family.nullable(),
  period: Period,
})

export const LimitAlert = z.object({
  id: Id,
  limit: namedLimit,
  percent: z.int().describe('50, 80 or 100.'),
  mode: LimitMode,
  spentNanoUsd: NanoUsd,
  limitNanoUsd: NanoUsd,
  createdAt: Timestamp,
})
export type LimitAlert = z.output<typeof LimitAlert>
export const LimitAlertList = listOf(LimitAlert)
export type LimitAlertList = z.output<typeof LimitAlertList>

const terms = z.object({ limitNanoUsd: NanoUsd, mode: LimitMode, timeZone: z.string() }).partial()

export const LimitRevision = z.object({
  id: Id,
  at: Timestamp,
  byName: z.string().nullable().describe('Null for a deleted account.'),
  kind: z.enum(['created', 'updated', 'deleted']),
  limit: namedLimit,
  before: terms.nullable().describe('What differs; everything of a deleted limit.'),
  after: terms.nullable().describe('What differs; everything of a created limit.'),
})
export type LimitRevision = z.output<typeof LimitRevision>
export const LimitRevisionList = listOf(LimitRevision)
export type LimitRevisionList = z.output<typeof LimitRevisionList>
