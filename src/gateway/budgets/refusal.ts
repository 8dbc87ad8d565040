import { Problem } from '#lib/errors.ts'
import { describeLimit, dollars } from './alerts.ts'
import type { Refusal } from './types.ts'

export interface RefusalOptions {
  /** A model with which the request would fit. */
  cheaperModel?: string | null
}

/** 402 in both forms: problem+json, with the `error` member that OpenAI's clients read. */
export function refusalProblem(refusal: Refusal, { cheaperModel = null }: RefusalOptions = {}): Problem {
  const { limit } = refusal
  const scope = { scope_type: limit.scopeType, scope_value: limit.scopeValue }
  const detail = refusal.code === 'budget_exceeded' ? exceeded(refusal, cheaperModel) : unpriced(refusal)
  const amounts =
    refusal.code === 'budget_exceeded'
      ? {
          limitNanoUsd: Number(refusal.limit.limitNanoUsd),
          spentNanoUsd: Number(refusal.limit.spentNanoUsd),
          reservedNanoUsd: Number(refusal.limit.reservedNanoUsd),
          neededNanoUsd: Number(refusal.neededNanoUsd),
          resetsAt: refusal.limit.resetsAt?.toISOString() ?? null,
          cheaperModel,
        }
      : {}
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

function exceeded({ limit, neededNanoUsd }: Refusal & { code: 'budget_exceeded' }, cheaperModel: string | null) {
  const left = `The ${describeLimit(limit)} has ${dollars(limit.remainingNanoUsd)} of ${dollars(limit.limitNanoUsd)} left, and this request can cost ${dollars(neededNanoUsd)}.`
  const reset = limit.resetsAt ? `It resets at ${limit.resetsAt.toISOString()}.` : 'It never resets.'
  return [left, reset, cheaperModel && `The model ${cheaperModel} would fit.`].filter(Boolean).join(' ')
}

const unpriced = ({ limit, provider, model }: Refusal & { code: 'model_unpriced' }): string =>
  `${model === null ? provider : `The model ${model} of ${provider}`} has no price, so the ${describeLimit(limit)} can’t be enforced. Set a price, or choose a model that has one.`
