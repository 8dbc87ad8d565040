/** How a request to a foreign server can fail. */
type Outcome =
  /** We don't call there: a private address, another protocol, an odd port. */
  | 'refused_address'
  /** Nobody took the request. */
  | 'unreachable'
  /** Not sent: too many calls to the same provider are in progress. */
  | 'busy'
  | 'timed_out'
  | 'too_large'
  | 'too_many_redirects'
  /** The connection broke before the answer was whole. */
  | 'lost'

/** A request that got no whole answer. The message says why, without what was sent. */
export class OutboundError extends Error {
  readonly outcome: Outcome
  /** Whether a server may have acted on the request: if not, it can be sent again without fear. */
  readonly mayHaveArrived: boolean

  constructor(outcome: Outcome, message: string, options: { mayHaveArrived?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'OutboundError'
    this.outcome = outcome
    this.mayHaveArrived = options.mayHaveArrived ?? !['refused_address', 'unreachable', 'busy'].includes(outcome)
  }
}

/** What `fetch` threw, by what it means for the request. `where`: the host, for the message. */
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

/** The names that TLS has for a certificate it doesn't take: no byte of the request has left then. */
const untrusted = /CERT|SIGNED|ISSUER|ALTNAME|HOSTNAME_MISMATCH/
/** No connection stood, or no TLS on it (EPROTO is Bun's code for a failed handshake). */
const neverSent = new Set([
  'ConnectionRefused',
  'FailedToOpenSocket',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EPROTO',
])
