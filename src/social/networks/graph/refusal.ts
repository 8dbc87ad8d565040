import { z } from 'zod'
import { sanitizeText, truncate } from '#lib/text.ts'
import { maxRateLimitMs, readRefusal } from '../http.ts'
import type { Refusal, Unauthorized, Unclear } from '../network.ts'

const ErrorBody = z.object({
  error: z.object({
    message: z.string().catch(''),
    code: z.int().catch(0),
    error_subcode: z.int().optional().catch(undefined),
    is_transient: z.boolean().catch(false),
    error_user_msg: z.string().optional().catch(undefined),
  }),
})
type GraphError = z.output<typeof ErrorBody>['error']

const readError = async (response: Response): Promise<GraphError | null> =>
  ErrorBody.safeParse(
    await response
      .clone()
      .json()
      .catch(() => null),
  ).data?.error ?? null

const minute = 60_000

/** What a refusal by one of Meta’s Graph APIs means: by its code, since its status says little. */
export async function interpretRefusal(
  network: string,
  response: Response,
  what: 'post' | 'comment' = 'post',
): Promise<Refusal | Unauthorized | Unclear> {
  const error = await readError(response)
  const outcome = await readRefusal(network, response)
  if (!error) return outcome
  const { code, error_subcode: subcode = 0 } = error
  if (code === tokenError) return { kind: 'unauthorized', message: `${network} no longer accepts the account’s token.` }
  if (subcode === quotaSubcode || code === quotaError) return dailyQuota(network)
  if (rateLimitErrors.has(code) || response.status === 429)
    return {
      kind: 'refused',
      code: 'rate_limited',
      message: `${network} accepts no more requests for now.`,
      transient: true,
      retryAfterMs: readRegainMs(response.headers) ?? namedMs(outcome) ?? 5 * minute,
      // Code 4 counts all calls of the app.
      limitOf: code === appRateLimit ? 'app' : 'account',
    }
  const known = reasonOf(network, code, subcode)
  const isFault = error.is_transient || transientErrors.has(code) || (!known && response.status >= 500)
  if (isFault)
    return {
      kind: 'refused',
      code: 'provider_error',
      message: `${network} has a temporary fault (${code}).`,
      transient: true,
    }
  const reason = truncate(sanitizeText(error.error_user_msg ?? error.message.replace(/^\(#\d+\) /, '')), 300)
  const [knownCode, message] = known ?? ['provider_refused', `${network} refused the ${what}: ${reason || code}`]
  return { kind: 'refused', code: knownCode, message, transient: false }
}

/** No such object. */
export async function isMissing(response: Response): Promise<boolean> {
  const error = await readError(response)
  return error?.code === 100 && error.error_subcode === 33
}

/** By `Retry-After`. */
const namedMs = (outcome: Refusal | Unclear): number | undefined =>
  outcome.kind === 'refused' ? outcome.retryAfterMs : undefined

const tokenError = 190
const appRateLimit = 4
const rateLimitErrors = new Set([appRateLimit, 17, 32, 341, 613, 80_001, 80_002, 80_006])
/** Unknown, unavailable, and media that isn’t ready. */
const transientErrors = new Set([1, 2, 9007])
const quotaError = 9
const quotaSubcode = 2_207_042

const dailyQuota = (network: string): Refusal => ({
  kind: 'refused',
  code: 'rate_limited',
  message: `The account has published as many posts in 24 hours as ${network} allows.`,
  transient: true,
  retryAfterMs: 60 * minute,
  limitOf: 'account',
})

const mediaErrors = new Set([324, 9004, 36_000, 36_001, 36_003])
const mediaSubcodes = new Set([
  2_207_003, 2_207_004, 2_207_005, 2_207_009, 2_207_020, 2_207_023, 2_207_026, 2_207_028, 2_207_052, 2_207_053,
  2_207_057, 1_366_046, 2_069_019,
])

/** A stable code, and a sentence that says what to do. */
function reasonOf(network: string, code: number, subcode: number): [code: string, message: string] | null {
  if (mediaErrors.has(code) || mediaSubcodes.has(subcode))
    return ['media_refused', `${network} refused an image or video of the post. Replace it.`]
  if (code === 36_004) return ['text_too_long', `The text is too long for ${network}. Shorten it.`]
  if (subcode === 2_207_006)
    return [
      'reply_target_missing',
      `The previous post of the thread is no longer on ${network}. Remove this post from the thread.`,
    ]
  if (subcode === 2_207_051 || code === 368)
    return [
      'action_blocked',
      `${network} blocked this account from publishing for now. Check its status in the network’s app, then retry.`,
    ]
  if (code === 506)
    return [
      'duplicate_content',
      `${network} refused the post because the account has published the same text before. Change the text.`,
    ]
  if (code === 3 || code === 10 || (code >= 200 && code < 300))
    return [
      'permission_missing',
      `${network} didn’t give Atrium the permission for this. Connect the account again and allow everything.`,
    ]
  return null
}

const Business = z.record(
  z.string(),
  z.array(z.object({ estimated_time_to_regain_access: z.number().min(0).catch(0) })).catch([]),
)

/** The header counts minutes. Null when it doesn’t say. */
function readRegainMs(headers: Headers): number | null {
  const business = Business.safeParse(parseJson(headers.get('x-business-use-case-usage')))
  const minutes = Object.values(business.data ?? {}).flatMap((uses) =>
    uses.map((use) => use.estimated_time_to_regain_access),
  )
  const longest = Math.max(0, ...minutes)
  return longest > 0 ? Math.min(longest * minute, maxRateLimitMs) : null
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return null
  }
}
