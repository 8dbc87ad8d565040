import type { ProblemDocument } from '#lib/errors.ts'
import { Problem } from '#lib/errors.ts'
import { refusedStatuses } from '../providers/failure.ts'

/** Codes of every AI route, besides the kernel’s. */
export const aiProblems = {
  organization_required: 400,
  unsupported_parameter: 400,
  budget_exceeded: 402,
  model_unpriced: 402,
  delegation_refused: 403,
  model_not_allowed: 403,
  model_not_found: 404,
  not_found: 404,
  credential_missing: 422,
  provider_limited: 429,
  concurrency_limited: 429,
  provider_failed: 502,
  provider_key_rejected: 502,
  provider_unavailable: 503,
  budgets_unavailable: 503,
  busy: 503,
  provider_timed_out: 504,
  provider_refused: [...refusedStatuses],
}

export const unsupportedParameter = (name: string, why: string): Problem =>
  new Problem(400, 'unsupported_parameter', `${name}: ${why}`, {
    members: {
      error: { message: `${name}: ${why}`, type: 'invalid_request_error', code: 'unsupported_parameter', param: name },
    },
  })

const openAiTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  429: 'rate_limit_error',
}

/** The `error` member that clients of the OpenAI API read. */
export const openAiError = (problem: ProblemDocument): Record<string, unknown> =>
  'error' in problem
    ? {}
    : {
        error: {
          message: problem.detail,
          type: openAiTypes[problem.status] ?? (problem.status >= 500 ? 'server_error' : 'invalid_request_error'),
          code: problem.code,
          param: problem.errors?.[0]?.path ?? null,
        },
      }

const anthropicTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}

/** The members that clients of Anthropic’s Messages API read. `error` is a relative URI of the problem’s type. */
export const anthropicError = (problem: ProblemDocument): Record<string, unknown> => ({
  type: 'error',
  error: {
    type: anthropicTypes[problem.status] ?? (problem.status >= 500 ? 'api_error' : 'invalid_request_error'),
    message: problem.detail,
  },
  request_id: problem.requestId,
})
