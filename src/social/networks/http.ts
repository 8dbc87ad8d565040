import { z } from 'zod'
import { truncate, sanitizeText } from '#lib/text.ts'
import type { Refusal, Unclear } from './network.ts'

/** Sent by a proxy that doesn’t know what the server did. */
const gatewayStatuses = [502, 504]

/**
 * A server that fails can have done what was asked before: whether a post arrived has to be read. `windowMs`: of the
 * network’s documented rate limit, for a response that doesn’t say when it ends.
 */
export async function readRefusal(
  network: string,
  response: Response,
  windowMs: number | null = null,
): Promise<Refusal | Unclear> {
  const { status } = response
  const detail = await readDetail(response)
  const message = `${network} responded with ${status}${detail ? `: ${detail}` : '.'}`
  if (gatewayStatuses.includes(status)) return { kind: 'unclear', code: 'answer_lost', message }
  if (status === 429)
    return {
      kind: 'refused',
      code: 'rate_limited',
      message,
      transient: true,
      ...readRateLimit(response.headers, windowMs),
    }
  if (status >= 500) return { kind: 'unclear', code: 'provider_error', message }
  return { kind: 'refused', code: 'provider_refused', message, transient: false }
}

/** What a failed request means: a refusal when it never connected, unclear after a timeout or a lost connection. */
export function classifyFailure(network: string, error: unknown): Refusal | Unclear {
  const name = error instanceof Error ? error.name : ''
  const code = codeOf(error)
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'timed_out')
    return { kind: 'unclear', code: 'provider_timed_out', message: `${network} didn’t respond in time.` }
  if (code === 'refused_address')
    return { kind: 'refused', code, message: `${network} isn’t on the public internet.`, transient: false }
  if (neverConnected.has(code))
    return { kind: 'refused', code: 'provider_unreachable', message: `${network} is unreachable.`, transient: true }
  return { kind: 'unclear', code: 'answer_lost', message: `The connection to ${network} was lost before it responded.` }
}

/** The same for requests that create no post, such as uploads: they can be repeated. */
export function classifyStepFailure(network: string, error: unknown): Refusal {
  const outcome = classifyFailure(network, error)
  return outcome.kind === 'refused' ? outcome : { ...outcome, kind: 'refused', transient: true }
}

/** The time limit of a request that sends a part of a file: a few megabytes over a slow line. */
export const uploadTimeoutMs = 60_000

/** Codes of `outbound` and of the runtime's own fetch. */
const neverConnected = new Set(['unreachable', 'ConnectionRefused', 'ECONNREFUSED', 'ENOTFOUND', 'FailedToOpenSocket'])

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('outcome' in error) return String(error.outcome)
  return 'code' in error ? String(error.code) : ''
}

const ErrorBody = z.object({
  detail: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  error_description: z.string().optional().catch(undefined),
  error: z.string().optional().catch(undefined),
})

async function readDetail(response: Response): Promise<string> {
  const said = ErrorBody.safeParse(await response.json().catch(() => null))
  if (!said.success) return ''
  const { detail, message, error_description: description, error } = said.data
  return truncate(sanitizeText(detail ?? message ?? description ?? error ?? ''), 300)
}

/** 7 days. Longer rate limits are cut. */
export const maxRateLimitMs = 7 * 24 * 60 * 60 * 1000

/** Seconds or a date. HTML comes from a proxy, which counts all our calls to that host. */
function readRateLimit(headers: Headers, windowMs: number | null): Pick<Refusal, 'retryAfterMs' | 'limitOf'> {
  const ms = readRetryAfter(headers) ?? readReset(headers) ?? windowMs
  if (ms === null) return {}
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false
  return { retryAfterMs: Math.min(Math.max(0, ms), maxRateLimitMs), limitOf: isPage ? 'host' : 'account' }
}

/** When a response to an accepted post says that it was the last one for some time. */
export function readUsedUpWindow(headers: Headers): { closedForMs?: number } {
  const left = headers.get('x-ratelimit-remaining') ?? headers.get('x-rate-limit-remaining')
  const after = Number(headers.get('x-ratelimit-reset-after') ?? Number.NaN)
  const ms = left !== '0' ? null : Number.isFinite(after) ? after * 1000 : readReset(headers)
  return ms === null || ms <= 0 ? {} : { closedForMs: Math.min(ms, maxRateLimitMs) }
}

/** `RateLimit-Reset` is a Unix time on Bluesky, `X-Rate-Limit-Reset` on X, and `X-RateLimit-Reset` a date on Mastodon. */
function readReset(headers: Headers): number | null {
  const reset = resetHeaders.map((name) => headers.get(name)).find((value) => value !== null)
  if (reset === undefined || reset === null) return null
  const at = /^\d+(\.\d+)?$/.test(reset) ? Number(reset) * 1000 : Date.parse(reset)
  return Number.isFinite(at) ? at - readDate(headers) : null
}

const resetHeaders = ['ratelimit-reset', 'x-ratelimit-reset', 'x-rate-limit-reset']

function readRetryAfter(headers: Headers): number | null {
  const value = headers.get('retry-after')
  if (value === null) return null
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - readDate(headers)
  return Number.isFinite(ms) ? ms : null
}

/** The time of the network's clock, to which its dates refer. */
function readDate(headers: Headers): number {
  const parsed = Date.parse(headers.get('date') ?? '')
  return Number.isFinite(parsed) ? parsed : Date.now()
}
