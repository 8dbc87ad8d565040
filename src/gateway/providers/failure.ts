import { Problem, retryLater } from '#lib/errors.ts'
import { OutboundError } from '#lib/outbound.ts'
import type { ResolvedCredential } from '../credentials/resolve.ts'
import { ErrorBody } from './openai/chat-types.ts'

/** Why a provider gave no response to use. */
export interface Failure {
  /** Another model can be tried (GTW-12). */
  retryable: boolean
  /** Milliseconds of its 429; null for another failure. */
  limitedMs: number | null
  /** It rejected our key. */
  rejectedKey: boolean
  /** The request can have reached the model, so nothing proves that it isn’t billed. */
  mayBeBilled: boolean
  /** The provider wasn’t called: there is nothing to count against it. */
  isOurs?: true
  /** For the caller, when nothing else answers. */
  problem: Problem
}

const retryableStatuses = new Set([408, 409, 429])
/** Of a request that a provider doesn’t accept; others become 400. */
export const refusedStatuses = [400, 404, 413, 415, 422]
/** A proxy gave up waiting for the model; an error that the provider itself reports isn’t billed. */
const lostStatuses = new Set([504, 520, 524])
const defaultLimitMs = 5_000
const maxLimitMs = 24 * 60 * 60 * 1000
const maxErrorBytes = 64 * 1024

/** Of a response that isn’t 2xx; its body is read. */
export async function failureOfResponse(
  { id, provider, apiKey }: Pick<ResolvedCredential, 'id' | 'provider' | 'apiKey'>,
  response: Response,
): Promise<Failure> {
  const { status } = response
  const error = await readError(response, id === null ? null : apiKey)
  const limitedMs = status === 429 ? Math.min(retryAfterMs(response.headers), maxLimitMs) : null
  const rejectedKey = status === 401 || status === 403
  return {
    retryable: retryableStatuses.has(status) || status >= 500,
    limitedMs,
    rejectedKey,
    mayBeBilled: lostStatuses.has(status),
    problem: problemOf(provider, status, error, limitedMs),
  }
}

function problemOf(provider: string, status: number, error: ProviderError | null, limitedMs: number | null): Problem {
  if (limitedMs !== null) return limitedProblem(limitedMs)
  if (status === 401 || status === 403)
    return new Problem(
      502,
      'provider_key_rejected',
      `${provider} rejected the gateway’s key (${status}). An admin has to replace it under the organization’s credentials.`,
      { headers: { 'x-should-retry': 'false' } },
    )
  if (status >= 400 && status < 500 && !retryableStatuses.has(status) && status !== 402)
    return new Problem(
      refusedStatuses.includes(status) ? status : 400,
      'provider_refused',
      error?.message ?? `${provider} refused the request (${status}).`,
      {
        members: { error: { message: '', type: 'invalid_request_error', code: null, param: null, ...error } },
      },
    )
  return new Problem(502, 'provider_failed', `${provider} failed (${status}). Try again in a moment.`)
}

export const limitedProblem = (afterMs: number): Problem =>
  retryLater(
    429,
    'provider_limited',
    `The provider’s rate limit is reached. Retry in ${Math.ceil(afterMs / 1000)} s.`,
    { retryAfter: Math.max(1, Math.ceil(afterMs / 1000)) },
  )

/** Of a request without a response: connections that fail, end or time out. Anything else is our own fault. */
export function failureOfError(provider: string, error: unknown): Failure {
  const mayBeBilled = error instanceof OutboundError && error.mayHaveArrived
  const known = { limitedMs: null, rejectedKey: false, mayBeBilled }
  if (error instanceof OutboundError && error.outcome === 'refused_address')
    return { ...known, retryable: false, problem: new Problem(502, 'provider_failed', error.message) }
  if (error instanceof OutboundError && error.outcome === 'busy')
    return { ...known, retryable: true, isOurs: true, problem: concurrencyProblem(error) }
  if (error instanceof OutboundError && error.outcome === 'canceled')
    return {
      ...known,
      retryable: false,
      isOurs: true,
      problem: new Problem(400, 'malformed', error.message, { cause: error }),
    }
  const isLate = error instanceof OutboundError && error.outcome === 'timed_out'
  const problem = isLate
    ? new Problem(504, 'provider_timed_out', `${provider} didn’t respond in time. Try again in a moment.`, {
        cause: error,
      })
    : new Problem(502, 'provider_failed', `The connection to ${provider} failed. Try again in a moment.`, {
        cause: error,
      })
  return { ...known, retryable: true, problem }
}

/** Of an organization that has its share of the connections to a provider in use. */
const concurrencyProblem = (cause: OutboundError): Problem =>
  retryLater(
    429,
    'concurrency_limited',
    'Your organization has too many calls to this provider in progress. Retry when one of them has ended.',
    { retryAfter: 2, cause, nothingDone: true },
  )

interface ProviderError {
  message: string
  type?: string | null
  code?: string | number | null
  param?: string | null
}

/** Without `secret`, which a provider can repeat in its message: callers never see it (GTW-01). */
async function readError(response: Response, secret: string | null): Promise<ProviderError | null> {
  const body = await readBounded(response)
  const text = secret === null ? body : body.replaceAll(secret, '…')
  try {
    const parsed = ErrorBody.safeParse(JSON.parse(text))
    if (!parsed.success) return null
    const { message, type, code, param } = parsed.data.error
    return { message: message.slice(0, 2_000), type, code, param }
  } catch {
    return null
  }
}

async function readBounded({ body }: Response): Promise<string> {
  if (!body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.byteLength
      if (size > maxErrorBytes) break
    }
  } catch {
    return ''
  }
  return Buffer.concat(chunks).toString()
}

function retryAfterMs(headers: Headers): number {
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN)
  if (ms >= 0) return ms
  const value = headers.get('retry-after')
  if (value === null) return defaultLimitMs
  const seconds = Number(value)
  if (seconds >= 0) return seconds * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? defaultLimitMs : Math.max(0, date - Date.now())
}
