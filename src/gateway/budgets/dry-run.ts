import { refusalProblem, type RefusalOptions } from './refusal.ts'
import { describeState } from './states.ts'
import { isShared } from './limit.ts'
import type { DryRun } from './types.ts'

const hidden = { limitNanoUsd: null, spentNanoUsd: null, reservedNanoUsd: null, remainingNanoUsd: null }

/** @throws {Problem} 402, the same as for the request itself */
export function answerDryRun({ refusal, estimateNanoUsd, limits }: DryRun, options: RefusalOptions) {
  if (refusal) throw refusalProblem(refusal, options)
  return {
    allowed: true as const,
    estimateNanoUsd,
    limits: limits.map((limit) => ({ ...describeState(limit), ...(isShared(limit) && !options.seesShared && hidden) })),
  }
}
