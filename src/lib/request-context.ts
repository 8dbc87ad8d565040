import type { Actor } from './actor.ts'
import type { AuditState } from './audit.ts'
import type { RequestFacts } from './call.ts'
import type { Route } from './http/routes.ts'
import type { Upgrade } from './http/sockets.ts'
import type { Allowance } from './limits.ts'
import type { StreamEnd } from './reply.ts'

/**
 * One request from the boundary to its answer, and what is learned of it on the way. There is one for each request,
 * `call.context`; a context adds fields of its own by declaration merging.
 */
export interface RequestContext {
  /** GET where HEAD was asked. */
  request: Request
  readonly facts: RequestFacts
  params: Record<string, string>
  /** Aborts when the client goes away, and when the operation's `timeout` passes. */
  readonly signal: AbortSignal
  abort(reason: unknown): void
  route?: Route
  /** Set once a good credential was shown. */
  actor?: Actor
  /** Set once the request was counted. */
  allowance?: Allowance
  readonly audit: AuditState
  /** Makes a WebSocket of the request; unset where this very process asks. */
  readonly upgrade?: Upgrade
  /** Set when the answer is a stream: resolves when its body ends. */
  streaming?: Promise<StreamEnd>
}

/** The context of a request that has just arrived. */
export function createRequestContext(request: Request, facts: RequestFacts, upgrade?: Upgrade): RequestContext {
  const work = new AbortController()
  const abort = (reason: unknown) => work.abort(reason)
  if (request.signal.aborted) abort(request.signal.reason)
  else request.signal.addEventListener('abort', () => abort(request.signal.reason), { once: true })
  return { request, facts, params: {}, signal: work.signal, abort, upgrade, audit: {} }
}
