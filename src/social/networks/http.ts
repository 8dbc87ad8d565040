import type { PublishOutcome } from './network.ts'

/** Answers that a proxy gives on a server's behalf: the request may have gone through. */
const fromBetween = [502, 504]

/** What an HTTP error answer means for a post. */
export async function refusal(network: string, response: Response): Promise<PublishOutcome> {
  const { status } = response
  const said = await detailOf(response)
  const message = `${network} answered ${status}${said ? `: ${said}` : '.'}`
  if (fromBetween.includes(status)) return { kind: 'unclear', code: 'answer_lost', message }
  if (status === 429)
    return { kind: 'refused', code: 'rate_limited', message, transient: true, ...retryAfter(response.headers) }
  if (status >= 500) return { kind: 'refused', code: 'provider_error', message, transient: true }
  return { kind: 'refused', code: 'provider_refused', message, transient: false }
}

/** What a request that threw means: never connected is a refusal; a time-out or a cut connection leaves it unclear. */
export function lostAnswer(network: string, error: unknown): PublishOutcome {
  const name = error instanceof Error ? error.name : ''
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (name === 'TimeoutError' || name === 'AbortError')
    return { kind: 'unclear', code: 'provider_timed_out', message: `${network} did not answer in time.` }
  if (neverConnected.has(code))
    return { kind: 'refused', code: 'provider_unreachable', message: `${network} is unreachable.`, transient: true }
  return { kind: 'unclear', code: 'answer_lost', message: `The answer of ${network} was lost.` }
}

const neverConnected = new Set(['ConnectionRefused', 'ECONNREFUSED', 'ENOTFOUND', 'FailedToOpenSocket'])

async function detailOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null)
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : null
  return typeof detail === 'string' ? detail.slice(0, 300) : ''
}

/** `Retry-After` in seconds or as a date. */
function retryAfter(headers: Headers): { retryAfterMs?: number } {
  const value = headers.get('retry-after')
  if (!value) return {}
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? { retryAfterMs: Math.max(0, ms) } : {}
}
