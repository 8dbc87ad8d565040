import { z } from 'zod'
import { sanitizeText, truncate } from '#lib/text.ts'
import { classifyStepFailure, maxRateLimitMs, readRefusal } from '../http.ts'
import type { NetworkCall, Refusal, Unauthorized, Unclear } from '../network.ts'
import { NotCreatedError } from '../not-created.ts'
import { accessTokenOf } from '../oauth.ts'

export const api = 'https://api.x.com'

interface Request {
  method?: string
  json?: unknown
  body?: FormData
  timeoutMs?: number
}

/** Throws like `fetch`. */
export function request(
  { account, outside, signal }: Pick<NetworkCall, 'account' | 'outside' | 'signal'>,
  path: string,
  { json, body, method = 'GET', timeoutMs }: Request = {},
): Promise<Response> {
  return outside.fetch(outside.at(`${api}${path}`), {
    method,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${accessTokenOf(account.tokens)}`,
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(json !== undefined ? { body: JSON.stringify(json) } : body && { body }),
    signal,
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
}

const ErrorBody = z.object({
  detail: z.string().catch(''),
  errors: z
    .array(z.object({ message: z.string().catch(''), parameters: z.record(z.string(), z.unknown()).catch({}) }))
    .catch([]),
})

/** Stable codes for what X describes only in words. */
const reasons: readonly (readonly [pattern: RegExp, code: string, sentence: string])[] = [
  [
    /duplicate content/i,
    'duplicate_content',
    'X refused the post because the account has published the same text before. Change the text.',
  ],
  [
    /reply to a (tweet|post) that is deleted/i,
    'reply_target_missing',
    'The previous post of the thread is no longer on X. Remove this post from the thread.',
  ],
  [/media ids? (are|is) invalid|media_ids/i, 'media_refused', 'X refused an image or video of the post. Replace it.'],
  [
    /missing one of the scopes|oauth2? app permissions|not configured with/i,
    'permission_missing',
    'X didn’t give Atrium the permission for this. Connect the account again and allow everything.',
  ],
]

/** In which X counts an account’s posts. */
const windowMs = 15 * 60_000

export async function interpretRefusal(response: Response): Promise<Refusal | Unauthorized | Unclear> {
  const { status } = response
  const body = ErrorBody.safeParse(
    await response
      .clone()
      .json()
      .catch(() => null),
  )
  const outcome = await readRefusal('X', response, windowMs)
  if (status === 401) return { kind: 'unauthorized', message: 'X no longer accepts the account’s token.' }
  if (outcome.kind !== 'refused') return outcome
  if (status === 429) return { ...outcome, ...readDailyLimit(response.headers) }
  if (status === 402)
    return {
      ...outcome,
      code: 'quota_exhausted',
      message: 'The app has no credits left at X. Its operator has to buy some.',
    }
  const { detail, errors } = body.success ? body.data : { detail: '', errors: [] }
  const said = [detail, ...errors.flatMap(({ message, parameters }) => [message, ...Object.keys(parameters)])].join(' ')
  const known = reasons.find(([pattern]) => pattern.test(said))
  if (known) return { ...outcome, code: known[1], message: known[2] }
  const reason = truncate(sanitizeText(errors[0]?.message || detail), 300)
  if (status === 403) return { ...outcome, message: `X didn’t allow this${reason ? `: ${reason}` : '.'}` }
  return reason ? { ...outcome, message: `X refused the post: ${reason}` } : outcome
}

/** Of 24 hours: the account’s, and the app’s, which counts all accounts. */
function readDailyLimit(headers: Headers): Partial<Refusal> {
  for (const [of, limitOf] of [
    ['app', 'app'],
    ['user', 'account'],
  ] as const) {
    const reset = Number(headers.get(`x-${of}-limit-24hour-reset`) ?? Number.NaN)
    if (headers.get(`x-${of}-limit-24hour-remaining`) === '0' && Number.isFinite(reset))
      return { limitOf, retryAfterMs: Math.min(Math.max(0, reset * 1000 - Date.now()), maxRateLimitMs) }
  }
  return {}
}

/** A request before the post itself. @throws NotCreatedError */
export async function step(
  call: Pick<NetworkCall, 'account' | 'outside' | 'signal'>,
  path: string,
  sent: Request,
): Promise<Response> {
  const response = await request(call, path, sent).catch((error: unknown) => {
    throw new NotCreatedError(classifyStepFailure('X', error))
  })
  if (response.ok) return response
  const outcome = await interpretRefusal(response)
  if (outcome.kind === 'unclear') throw new NotCreatedError({ ...outcome, kind: 'refused', transient: true })
  const isUnfit = outcome.kind === 'refused' && outcome.code === 'provider_refused' && response.status === 400
  throw new NotCreatedError(isUnfit ? { ...outcome, code: 'media_refused' } : outcome)
}
