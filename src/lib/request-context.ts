import type { Actor } from './actor.ts'
import type { AuditState } from './audit.ts'
import type { RequestFacts } from './call.ts'
import type { Route } from './http/routes.ts'
import type { Upgrade } from './http/sockets.ts'
import type { Allowance } from './limits.ts'
import type { StreamEnd } from './reply.ts'

/**
 * The state of one request, `call.context`. A context adds its own fields by declaration merging.
 */
export interface RequestContext {
  /** GET for a HEAD request. */
  request: Request
  readonly facts: RequestFacts
  params: Record<string, string>
  /** Aborts when the client goes away, and when the operation's `timeout` passes. */
  readonly signal: AbortSignal
  abort(reason: unknown): void
  route?: Route
  /** Set once the credential is verified. */
  actor?: Actor
  /**
   * Set by an operation that reads its body as it arrives: called with the current actor every 2 s. Throws a `Problem`
   * when the actor lost access to the resource, which ends the request.
   */
  recheckAccess?: (actor: Actor) => Promise<void>
  /** Set once the request was counted. */
  allowance?: Allowance
  readonly audit: AuditState
  /** Makes the request a WebSocket; unset for calls within this process. */
  readonly upgrade?: Upgrade
  /** Set when the response is a stream: resolves when its body ends. */
  streaming?: Promise<StreamEnd>
}

/** The context of a new request. */
export function createRequestContext(request: Request, facts: RequestFacts, upgrade?: Upgrade): RequestContext {
  const work = new AbortController()
  const abort = (reason: unknown) => work.abort(reason)
  if (request.signal.aborted) abort(request.signal.reason)
  else request.signal.addEventListener('abort', () => abort(request.signal.reason), { once: true })
  return { request, facts, params: {}, signal: work.signal, abort, upgrade, audit: {} }
}
