import { retryLater } from '#lib/errors.ts'
import type { Counted } from './counters.ts'
import type { Limit } from './limit.ts'
import type { Lot } from './lots.ts'
import { stateOf } from './states.ts'
import type { HoldRequest, LimitState, Refusal } from './types.ts'

export interface Refused {
  kind: 'refused'
  refusal: Refusal
  /** A limit that is used up, the first time that it refused. */
  counted: Counted | null
}

export const unavailable = (cause?: unknown) =>
  retryLater(503, 'budgets_unavailable', 'Budgets can’t be checked right now. Try again in a few seconds.', {
    cause,
    nothingDone: true,
  })

export const unpriced = (limit: Limit, { provider, model, paidBy }: HoldRequest): Refusal => ({
  code: 'model_unpriced',
  limit,
  provider,
  model,
  paidBy,
})

const exceeded = (limit: LimitState, { minNanoUsd }: HoldRequest): Refusal => ({
  code: 'budget_exceeded',
  limit,
  neededNanoUsd: minNanoUsd,
})

/** By the limit that has least left. */
export function refuseBy(hard: readonly Limit[], lots: readonly Lot[], request: HoldRequest): Refused {
  const lot = lots.reduce((least, one) => (one.free < least.free ? one : least))
  const limit = hard[lots.indexOf(lot)]
  if (!limit) throw new Error('A lot without its limit')
  lot.refusedAt = performance.now()
  const hasEnded = isAlmostSpent(lot) && !lot.hasEnded
  lot.hasEnded ||= hasEnded
  const { spentNanoUsd = 0n, leasedNanoUsd = 0n } = lot.shortage ?? {}
  const refusal = exceeded(stateOf(limit, lot.window, spentNanoUsd, leasedNanoUsd - lot.free), request)
  const { start: periodStart, end: periodEnd } = lot.window
  return {
    kind: 'refused',
    refusal,
    counted: hasEnded ? { limit, periodStart, periodEnd, spentNanoUsd, leasedNanoUsd, warnedPercent: 0 } : null,
  }
}

/** Otherwise it only refuses large requests. */
const isAlmostSpent = ({ shortage }: Lot): boolean =>
  shortage !== null && shortage.spentNanoUsd * 10n >= shortage.limitNanoUsd * 9n

export const refusalBy = (states: readonly LimitState[], request: HoldRequest): Refusal | null => {
  const first = states.find(({ mode, remainingNanoUsd }) => mode === 'hard' && remainingNanoUsd < request.minNanoUsd)
  return first ? exceeded(first, request) : null
}
