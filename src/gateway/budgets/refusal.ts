import { Problem } from '#lib/errors.ts'
import { describeLimit, dollars } from './alert-text.ts'
import { isShared } from './limit.ts'
import type { Refusal } from './types.ts'

export interface RefusalOptions {
  /** A model with which the request would fit. */
  cheaperModel?: string | null
  /** Also what several organizations have spent together, as super admins do. */
  seesShared: boolean
}

/** 402 in both forms: problem+json, with the `error` member that OpenAI's clients read. */
export function refusalProblem(refusal: Refusal, { cheaperModel = null, seesShared }: RefusalOptions): Problem {
  const { limit } = refusal
  const isHidden = !seesShared && isShared(limit)
  const scope = { scope_type: limit.scopeType, scope_value: limit.scopeValue }
  const detail = refusal.code === 'budget_exceeded' ? exceeded(refusal, { cheaperModel, isHidden }) : unpriced(refusal)
  const amounts =
    refusal.code === 'budget_exceeded'
      ? {
          limitNanoUsd: isHidden ? null : Number(refusal.limit.limitNanoUsd),
          spentNanoUsd: isHidden ? null : Number(refusal.limit.spentNanoUsd),
          reservedNanoUsd: isHidden ? null : Number(refusal.limit.reservedNanoUsd),
          neededNanoUsd: Number(refusal.neededNanoUsd),
          resetsAt: refusal.limit.resetsAt?.toISOString() ?? null,
          cheaperModel,
        }
      : { provider: refusal.provider, model: refusal.model, level: refusal.paidBy }
  const type = refusal.code === 'budget_exceeded' ? 'insufficient_quota' : 'invalid_request_error'
  return new Problem(402, refusal.code, detail, {
    headers: { 'x-should-retry': 'false' },
    members: {
      scope,
      limitId: limit.id,
      ...amounts,
      error: { message: detail, type, code: refusal.code, param: null },
    },
    nothingDone: true,
  })
}

interface Exceeded {
  cheaperModel: string | null
  isHidden: boolean
}

function exceeded(
  { limit, neededNanoUsd }: Refusal & { code: 'budget_exceeded' },
  { cheaperModel, isHidden }: Exceeded,
): string {
  const amounts = isHidden ? 'too little' : `${dollars(limit.remainingNanoUsd)} of ${dollars(limit.limitNanoUsd)}`
  const left = `The ${describeLimit(limit)} has ${amounts} left, and this request can cost ${dollars(neededNanoUsd)}.`
  const reset = limit.resetsAt ? `It resets at ${limit.resetsAt.toISOString()}.` : 'It never resets.'
  return [left, reset, cheaperModel && `The model ${cheaperModel} would fit.`].filter(Boolean).join(' ')
}

const unpriced = ({ limit, provider, model }: Refusal & { code: 'model_unpriced' }): string =>
  `${model === null ? provider : `The model ${model} of ${provider}`} has no price, so the ${describeLimit(limit)} can’t be enforced. Set a price, or choose a model that has one.`
