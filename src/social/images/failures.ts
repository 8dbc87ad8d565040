import { z } from 'zod'
import { Problem } from '#lib/errors.ts'

/** Of the gateway and of this service, each with its status. */
export const imageProblems = {
  budget_exceeded: 402,
  model_unpriced: 402,
  model_not_allowed: 403,
  workspace_suspended: 403,
  delegation_refused: 403,
  test_key_not_allowed: 403,
  model_not_found: 404,
  upload_quota_exceeded: 409,
  prompt_refused: 422,
  model_unavailable: 422,
  credential_missing: 422,
  provider_refused: 422,
  provider_limited: 429,
  concurrency_limited: 429,
  provider_failed: 502,
  provider_key_rejected: 502,
  no_image: 502,
  image_not_stored: 503,
  gateway_unavailable: 503,
  provider_unavailable: 503,
  budgets_unavailable: 503,
  busy: 503,
  provider_timed_out: 504,
} as const

export const noImage = (cause?: unknown): Problem =>
  new Problem(502, 'no_image', 'The model responded without a usable image. Generate again, or choose another model.', {
    cause,
  })

/** The provider was paid, so people have to know that the result is lost. */
export const notStored = (cause: unknown): Problem =>
  new Problem(
    503,
    'image_not_stored',
    'The image was generated, but it couldn’t be stored. It was charged. Generate again in a few minutes.',
    { cause, headers: { 'Retry-After': '60' } },
  )

export const interrupted = {
  failureCode: 'interrupted',
  failureMessage: 'The server was stopped before the model responded. It may have been charged. Generate again.',
}

const ProviderError = z.object({
  error: z.looseObject({ type: z.string().nullish(), code: z.union([z.string(), z.number()]).nullish() }),
})

const policyCodes = /moderation|content_?policy|content_?filter|safety|blocked/i
const absentCodes = /model_not_found|model_not_available|deprecated|retired/i

/**
 * What the caller of an image gets for what the gateway responded: the same, or in words for people who write prompts.
 * What is saved is shown to everyone of the brand.
 */
export function problemOf(
  error: unknown,
  { seesBudget }: { seesBudget: boolean },
): { problem: unknown; saved: Pick<Problem, 'code' | 'message'> } {
  if (!(error instanceof Problem)) return { problem: error, saved: broken }
  const problem = inWords(error)
  const saved = withoutAmounts(problem)
  return { problem: seesBudget ? problem : saved, saved }
}

/** For people who are limited to brands: they don’t see what the organization spends. */
export function withoutAmounts(problem: Problem): Problem {
  if (problem.code !== 'budget_exceeded') return problem
  const { resetsAt } = Reset.parse(problem.options.members ?? {})
  const reset = resetsAt === null ? '' : ` It resets at ${resetsAt}.`
  const message = `The budget that applies here doesn’t have enough left.${reset} Ask an admin to raise it.`
  return new Problem(problem.status, problem.code, message, { ...problem.options, members: { resetsAt } })
}

const Reset = z.object({ resetsAt: z.string().nullable().catch(null) })

const broken = { code: 'internal_error', message: 'Something went wrong on our side. It may have been charged.' }

/** Without the member that only clients of the OpenAI API read. */
function withoutOpenAiError({ status, code, message, options }: Problem): Problem {
  const { error: _, ...members } = options.members ?? {}
  return new Problem(status, code, message, { ...options, members })
}

function inWords(error: Problem): Problem {
  if (error.code !== 'provider_refused') return withoutOpenAiError(error)
  const refusal = ProviderError.safeParse(error.options.members)
  const named = refusal.success ? `${refusal.data.error.code ?? ''} ${refusal.data.error.type ?? ''}` : ''
  if (policyCodes.test(named))
    return new Problem(
      422,
      'prompt_refused',
      'The provider’s policy blocked this prompt. It wasn’t charged. Try different wording.',
      {
        cause: error,
        errors: [{ path: 'prompt', message: 'The provider’s policy blocked this. Try different wording.' }],
      },
    )
  if (error.status === 404 || absentCodes.test(named))
    return new Problem(
      422,
      'model_unavailable',
      'The provider no longer offers this model. Choose another one, or ask an admin to change the organization’s image model.',
      { cause: error },
    )
  return new Problem(422, 'provider_refused', `The provider refused this: ${error.message}`, { cause: error })
}
