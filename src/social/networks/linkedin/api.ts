import { z } from 'zod'
import { sanitizeText, truncate } from '#lib/text.ts'
import { classifyStepFailure, readRefusal } from '../http.ts'
import type { ApiVersion, NetworkCall, Refusal, Unauthorized, Unclear } from '../network.ts'
import { NotCreatedError } from '../not-created.ts'
import { accessTokenOf } from '../oauth.ts'

export const api = 'https://api.linkedin.com'

/** LinkedIn supports each version for a year at least. */
export const apiVersion: ApiVersion = { name: '202610', endsOn: '2027-10-01' }

/** Throws like `fetch`. */
export const request = (
  call: NetworkCall,
  path: string,
  method: string,
  json?: unknown,
  headers?: Record<string, string>,
): Promise<Response> => requestAs(accessTokenOf(call.account.tokens), call, path, method, json, headers)

/** The same with a token that isn’t stored yet. */
export function requestAs(
  access: string,
  { outside, signal }: Pick<NetworkCall, 'outside' | 'signal'>,
  path: string,
  method = 'GET',
  json?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return outside.fetch(outside.at(`${api}${path}`), {
    method,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${access}`,
      'linkedin-version': apiVersion.name,
      'x-restli-protocol-version': '2.0.0',
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    signal,
  })
}

/** A request before the post itself. @throws NotCreatedError */
export async function step(send: () => Promise<Response>): Promise<Response> {
  const response = await send().catch((error: unknown) => {
    throw new NotCreatedError(classifyStepFailure('LinkedIn', error))
  })
  if (response.ok) return response
  const outcome = await interpretRefusal(response)
  throw new NotCreatedError(outcome.kind === 'unclear' ? { ...outcome, kind: 'refused', transient: true } : outcome)
}

const ErrorBody = z.object({ code: z.string().catch(''), message: z.string().catch('') })

export async function interpretRefusal(response: Response): Promise<Refusal | Unauthorized | Unclear> {
  const { status } = response
  const parsed = ErrorBody.safeParse(
    await response
      .clone()
      .json()
      .catch(() => null),
  )
  const { code, message } = parsed.success ? parsed.data : { code: '', message: '' }
  const outcome = await readRefusal('LinkedIn', response)
  if (status === 401) return { kind: 'unauthorized', message: 'LinkedIn no longer accepts the account’s token.' }
  if (outcome.kind !== 'refused') return outcome
  if (status === 429) return { ...outcome, ...(message.includes('DAY') && { retryAfterMs: untilMidnightUtc() }) }
  const known = reasonOf(status, code, message)
  if (known) return { ...outcome, ...known }
  const reason = truncate(sanitizeText(message.replace(/^ERROR :: |\s+$/g, '')), 300)
  return reason ? { ...outcome, message: `LinkedIn refused the post: ${reason}` } : outcome
}

function reasonOf(status: number, code: string, message: string): Pick<Refusal, 'code' | 'message'> | null {
  if (status === 426)
    return {
      code: 'api_version_ended',
      message: `LinkedIn ended the version ${apiVersion.name} of its API, which this release uses. An operator has to update Atrium.`,
    }
  if (status === 403)
    return {
      code: 'permission_missing',
      message: 'LinkedIn doesn’t allow this account to publish with Atrium. Connect it again and allow everything.',
    }
  if (code === 'DUPLICATE_POST')
    return {
      code: 'duplicate_content',
      message: 'LinkedIn refused the post because the account has published the same text before. Change the text.',
    }
  if (code === 'MEDIA_ASSET_PROCESSING_FAILED' || message.includes('/content'))
    return { code: 'media_refused', message: 'LinkedIn refused an image of the post. Replace it.' }
  return null
}

/** Limits of a day end then. */
function untilMidnightUtc(): number {
  const now = new Date()
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) - now.getTime()
}
