import { z } from 'zod'
import { conflict, invalid, Problem, retryLater, type ProblemOptions } from '#lib/errors.ts'
import { OutboundError } from '#lib/outbound.ts'

/** Codes of every operation that calls YouTube, besides the kernel’s. */
export const videoProblems = {
  organization_required: 400,
  provider_authorization_required: 400,
  delegation_refused: 403,
  provider_token_rejected: 409,
  credential_missing: 422,
  channel_missing: 422,
  provider_permission_missing: 422,
  provider_refused: 422,
  quota_exhausted: 429,
  provider_limited: 429,
  provider_failed: 502,
} as const

const Refusal = z.object({
  error: z.object({
    message: z.string().default(''),
    errors: z.array(z.object({ reason: z.string().default(''), location: z.string().optional() })).default([]),
  }),
})

export interface GoogleRefusal {
  status: number
  reason: string
  message: string
  /** The field of the request, such as `body.snippet.title`. */
  location: string | undefined
  retryAfter: number | null
}

/** Upload sessions refuse in plain text. */
export async function readRefusal(response: Response): Promise<GoogleRefusal> {
  const body = (await response.text().catch(() => '')).slice(0, 20_000)
  const parsed = Refusal.safeParse(parseJson(body))
  const seconds = Number(response.headers.get('retry-after') ?? NaN)
  const [first] = parsed.data?.error.errors ?? []
  return {
    status: response.status,
    reason: first?.reason ?? '',
    message: (parsed.data?.error.message ?? (parsed.success ? '' : body)).slice(0, 500),
    location: first?.location,
    retryAfter: seconds > 0 ? Math.min(Math.ceil(seconds), 3_600) : null,
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const quotaReasons = new Set(['quotaExceeded', 'dailyLimitExceeded'])
const rateReasons = new Set(['rateLimitExceeded', 'userRateLimitExceeded'])

export const isQuotaRefusal = ({ status, reason }: GoogleRefusal): boolean => status === 403 && quotaReasons.has(reason)

/** Our fields by the names of theirs. */
const fields: readonly (readonly [RegExp, string])[] = [
  [/snippet\.title|invalidTitle/i, 'title'],
  [/snippet\.description|invalidDescription/i, 'description'],
  [/snippet\.tags|invalidTags/i, 'tags'],
  [/snippet\.categoryId|invalidCategoryId/i, 'categoryId'],
  [/snippet\.defaultLanguage|invalidLanguage/i, 'language'],
  [/status\.privacyStatus|invalidPrivacy/i, 'privacy'],
  [/selfDeclaredMadeForKids/i, 'madeForKids'],
  [/commentText|textOriginal/i, 'text'],
  [/pageToken/i, 'cursor'],
]

export function refusalProblem(refusal: GoogleRefusal): Problem {
  const { status, reason, message, location = '', retryAfter } = refusal
  if (reason === 'youtubeSignupRequired')
    return new Problem(422, 'channel_missing', 'This Google account has no YouTube channel. Create one on YouTube.')
  if (status === 401) return tokenRejected()
  if (status === 429 || rateReasons.has(reason))
    return retryLater(429, 'provider_limited', 'YouTube limits how fast it can be called. Try again later.', {
      retryAfter: retryAfter ?? 30,
    })
  if (status >= 500) return providerFailed(`YouTube failed (${status}).`)
  if (status === 403 && reason === 'insufficientPermissions')
    return new Problem(
      422,
      'provider_permission_missing',
      'The user’s token lacks a permission (scope) for this call. Connect the account again.',
    )
  const field = fields.find(([name]) => name.test(location) || name.test(reason))?.[1]
  if (status === 400 && field !== undefined)
    return invalid([{ path: field, message: `YouTube doesn’t accept it: ${message}` }])
  return new Problem(
    422,
    'provider_refused',
    `YouTube refused the call (${status}): ${message || 'no reason given.'}`,
    {
      members: { reason: reason || null },
    },
  )
}

/** Not 401, which would mean the caller’s own token. */
const tokenRejected = (): Problem =>
  conflict('provider_token_rejected', 'YouTube rejected the user’s token. Refresh it, and send this request again.')

export const providerFailed = (
  detail: string,
  options: Pick<ProblemOptions, 'cause' | 'nothingDone' | 'members'> = {},
): Problem =>
  new Problem(502, 'provider_failed', `${detail} Try again in a moment.`, {
    ...options,
    headers: { 'Retry-After': '5' },
  })

export const connectionProblem = (error: unknown): Problem =>
  error instanceof OutboundError && !error.mayHaveArrived
    ? providerFailed(`YouTube can’t be reached, and nothing was done. ${error.message}`, {
        cause: error,
        nothingDone: true,
        members: { mayHaveArrived: false },
      })
    : providerFailed('The connection to YouTube failed before it responded.', { cause: error })
