import { refusalProblem, type RefusalOptions } from './refusal.ts'
import { describeState } from './states.ts'
import type { DryRun } from './types.ts'

/** @throws {Problem} 402, the same as for the request itself */
export function answerDryRun({ refusal, estimateNanoUsd, limits }: DryRun, options: RefusalOptions = {}) {
  if (refusal) throw refusalProblem(refusal, options)
  return { allowed: true as const, estimateNanoUsd, limits: limits.map(describeState) }
}
