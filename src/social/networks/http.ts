import { z } from 'zod'
import { truncate, sanitizeText } from '#lib/text.ts'
import type { Refusal, Unclear } from './network.ts'

/** Answers that a proxy gives on a server's behalf: the request may have gone through. */
const fromBetween = [502, 504]

/** What an HTTP error answer means for a post. */
export async function refusal(network: string, response: Response): Promise<Refusal | Unclear> {
  const { status } = response
  const said = await detailOf(response)
  const message = `${network} responded with ${status}${said ? `: ${said}` : '.'}`
  if (fromBetween.includes(status)) return { kind: 'unclear', code: 'answer_lost', message }
  if (status === 429)
    return { kind: 'refused', code: 'rate_limited', message, transient: true, ...rateLimitOf(response.headers) }
  if (status >= 500) return { kind: 'refused', code: 'provider_error', message, transient: true }
  return { kind: 'refused', code: 'provider_refused', message, transient: false }
}

/** What a request that threw means: never connected is a refusal; a time-out or a cut connection leaves it unclear. */
export function lostAnswer(network: string, error: unknown): Refusal | Unclear {
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

/** The same for a step that leaves no post, such as an upload: what was lost there may simply be done again. */
export function interrupted(network: string, error: unknown): Refusal {
  const outcome = lostAnswer(network, error)
  return outcome.kind === 'refused' ? outcome : { ...outcome, kind: 'refused', transient: true }
}

/** Of `outbound` and of the runtime's own fetch. */
const neverConnected = new Set(['unreachable', 'ConnectionRefused', 'ECONNREFUSED', 'ENOTFOUND', 'FailedToOpenSocket'])

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('outcome' in error) return String(error.outcome)
  return 'code' in error ? String(error.code) : ''
}

const Said = z.object({
  detail: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  error_description: z.string().optional().catch(undefined),
  error: z.string().optional().catch(undefined),
})

/** What a refusal says, under whatever name the network has for it. */
async function detailOf(response: Response): Promise<string> {
  const said = Said.safeParse(await response.json().catch(() => null))
  if (!said.success) return ''
  const { detail, message, error_description: description, error } = said.data
  return truncate(sanitizeText(detail ?? message ?? description ?? error ?? ''), 300)
}

/** Milliseconds for which a network is believed to take no posts: 7 days. */
const longestLimit = 7 * 24 * 60 * 60 * 1000

/**
 * When a rate limit opens again (seconds or a date, of the standard header or of the networks' own), and whose it is: a
 * web page instead of the API's own answer comes from the proxy in front, which counts all our calls to that host.
 */
function rateLimitOf(headers: Headers): Pick<Refusal, 'retryAfterMs' | 'limitOf'> {
  const ms = waitOf(headers) ?? resetIn(headers)
  if (ms === null) return {}
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false
  return { retryAfterMs: Math.min(Math.max(0, ms), longestLimit), limitOf: isPage ? 'host' : 'account' }
}

/** `RateLimit-Reset` is a Unix time on Bluesky, `X-RateLimit-Reset` a date on Mastodon. */
function resetIn(headers: Headers): number | null {
  const reset = headers.get('ratelimit-reset') ?? headers.get('x-ratelimit-reset')
  if (reset === null) return null
  const at = /^\d+$/.test(reset) ? Number(reset) * 1000 : Date.parse(reset)
  return Number.isFinite(at) ? at - itsNow(headers) : null
}

function waitOf(headers: Headers): number | null {
  const value = headers.get('retry-after')
  if (value === null) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - itsNow(headers)
  return Number.isFinite(ms) ? ms : null
}

/** The time by the network's own clock, which its dates go by; ours can be wrong. */
function itsNow(headers: Headers): number {
  const told = Date.parse(headers.get('date') ?? '')
  return Number.isFinite(told) ? told : Date.now()
}
