type Outcome =
  'refused_address' | 'unreachable' | 'busy' | 'timed_out' | 'too_large' | 'too_many_redirects' | 'lost' | 'canceled'

/** A request without a complete response. The message has the reason, and nothing of the request. */
export class OutboundError extends Error {
  readonly outcome: Outcome
  /** If not, it is safe to retry. */
  readonly mayHaveArrived: boolean

  constructor(outcome: Outcome, message: string, options: { mayHaveArrived?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'OutboundError'
    this.outcome = outcome
    this.mayHaveArrived = options.mayHaveArrived ?? !['refused_address', 'unreachable', 'busy'].includes(outcome)
  }
}

export function outboundError(error: unknown, where: string): OutboundError {
  if (error instanceof OutboundError) return error
  const { name, code } = facts(error)
  if (name === 'TimeoutError' || name === 'AbortError')
    return new OutboundError('timed_out', `${where} didn’t respond in time.`, { cause: error })
  if (untrusted.test(code))
    return new OutboundError('unreachable', `${where} has a TLS certificate that isn’t trusted (${code}).`, {
      cause: error,
    })
  if (neverSent.has(code))
    return new OutboundError('unreachable', `${where} can’t be reached (${code}).`, { cause: error })
  return new OutboundError('lost', `The connection to ${where} was lost before it responded${code && ` (${code})`}.`, {
    cause: error,
  })
}

function facts(error: unknown): { name: string; code: string } {
  if (!(error instanceof Error)) return { name: '', code: '' }
  return { name: error.name, code: 'code' in error ? String(error.code) : '' }
}

/** Codes of an untrusted certificate: nothing was sent. */
const untrusted = /CERT|SIGNED|ISSUER|ALTNAME|HOSTNAME_MISMATCH/
/** No address, no connection, or no TLS on it (EPROTO is Bun's code for a failed handshake). */
const neverSent = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ConnectionRefused',
  'FailedToOpenSocket',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EPROTO',
])
