import type { Family, LimitMode, Payer, Period, ScopeType } from '../contract/families.ts'
import type { Limit } from './limit.ts'

/** A request that will cost money, before it is sent to its provider. */
export interface HoldRequest {
  organizationId: string
  /** `X-Application-Id`. */
  applicationId: string | null
  /** Of the API key that made the request: a scope of its own. */
  apiKeyId: string | null
  userId: string | null
  family: Family
  provider: string
  model: string | null
  /** `platform` if it can call a provider with a credential of the platform. */
  paidBy: Payer
  /** The `requestId` of its first usage row: a crash counts the hold under it. */
  requestId: string
  /** A true upper bound of the cost. */
  maxNanoUsd: bigint
  /** The smallest grant that is useful, such as a clamped `max_tokens`; at most `maxNanoUsd`. */
  minNanoUsd: bigint
  /** False without a known price: then hard limits refuse it. */
  priced: boolean
}

export interface BudgetWarning {
  limitId: string
  scopeType: ScopeType
  scopeValue: string
  spentNanoUsd: bigint
  limitNanoUsd: bigint
}

export interface Hold {
  readonly id: string
  readonly request: HoldRequest
  /** Between `minNanoUsd` and `maxNanoUsd`: the request must not cost more. */
  readonly grantedNanoUsd: bigint
  /** Whether a hard limit applies. */
  readonly enforced: boolean
  /** Its usage occurs at this time, so that it counts in the periods that it was taken from. */
  readonly heldAt: Date
  /** Soft limits that are used up. */
  readonly warnings: readonly BudgetWarning[]
}

export interface LimitState {
  id: string
  organizationId: string | null
  scopeType: ScopeType
  scopeValue: string
  family: Family | null
  period: Period
  mode: LimitMode
  limitNanoUsd: bigint
  spentNanoUsd: bigint
  reservedNanoUsd: bigint
  /** Never negative. */
  remainingNanoUsd: bigint
  /** Null for a total. */
  resetsAt: Date | null
}

export type Refusal =
  | { code: 'budget_exceeded'; limit: LimitState; neededNanoUsd: bigint }
  /** `paidBy`: at that level its price is missing. */
  | { code: 'model_unpriced'; limit: Limit; provider: string; model: string | null; paidBy: Payer }

export type HoldResult = { held: true; hold: Hold } | { held: false; refusal: Refusal }

export interface DryRun {
  allowed: boolean
  /** What would be held. */
  estimateNanoUsd: bigint
  /** Every limit that counts the request. */
  limits: LimitState[]
  refusal: Refusal | null
}
