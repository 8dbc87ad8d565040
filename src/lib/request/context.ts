import type { Actor } from '../actor.ts'
import type { AuditState } from '../audit/state.ts'
import type { Deprecation } from '../deprecation.ts'
import type { Allowance } from '../limits/allowance.ts'
import type { StreamEnd } from '../reply.ts'
import type { RequestFacts } from './facts.ts'
import type { Upgrade } from './upgrade.ts'

/** The route of a request, as far as its response depends on it. */
interface MatchedRoute {
  path: string
  context: { slug: string; group?: string }
  /** Name and declaration of its operation; unset for pages and webhooks. */
  operation?: readonly [string, { route: string; headers?: Readonly<Record<string, string>>; deprecated?: Deprecation }]
}

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
  route?: MatchedRoute
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

export function createRequestContext(request: Request, facts: RequestFacts, upgrade?: Upgrade): RequestContext {
  const work = new AbortController()
  const abort = (reason: unknown) => work.abort(reason)
  if (request.signal.aborted) abort(request.signal.reason)
  else request.signal.addEventListener('abort', () => abort(request.signal.reason), { once: true })
  return { request, facts, params: {}, signal: work.signal, abort, upgrade, audit: {} }
}
