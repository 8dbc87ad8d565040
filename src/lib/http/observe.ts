import { errorFacts } from '../log.ts'
import { withSpan, traceId } from '../telemetry.ts'
import type { RequestContext } from '../request/context.ts'
import type { HttpDependencies } from './dependencies.ts'
import type { StreamEnd } from '../reply.ts'

/** Runs a request as a span, and records it in the log and the metrics. */
export function observe(
  http: HttpDependencies,
  request: Request,
  context: RequestContext,
  run: () => Promise<Response>,
): Promise<Response> {
  const started = performance.now()
  const { facts } = context
  const spanOptions = {
    name: request.method,
    kind: facts.address === null ? 'internal' : 'server',
    from: facts.headers,
  } as const
  return withSpan(spanOptions, async (span) => {
    const response = await run()
    const { status } = response
    const ms = performance.now() - started
    const route = context.route?.path ?? 'none'
    span.rename(`${request.method} ${route}`)
    span.setAttributes({
      'http.request.method': request.method,
      'http.route': route,
      'http.response.status_code': status,
    })
    logRequest(http, request, context, { status, ms, route })
    const method = context.route ? request.method : 'any'
    if (facts.address !== null) http.measure?.({ method, route, status, seconds: ms / 1000 })
    if (context.streaming)
      span.endAfter(context.streaming.then((end) => recordStreamEnd(http, context, { ...end, started, route })))
    return response
  })
}

interface StreamResult extends StreamEnd {
  /** By `performance.now()`. */
  started: number
  route: string
}

/** @throws the error of a failed stream, for its span */
function recordStreamEnd(
  http: HttpDependencies,
  { facts }: RequestContext,
  { outcome, error, started, route }: StreamResult,
): void {
  const ms = Math.round(performance.now() - started)
  const ended = { request: facts.id, path: facts.url.pathname, route, ms }
  if (outcome === 'failed') http.log.error('stream failed', { ...ended, ...errorFacts(error) })
  else http.log.debug('stream ended', { ...ended, outcome })
  if (facts.address !== null) http.measureStream?.({ route, outcome })
  if (outcome === 'failed') throw error
}

interface Outcome {
  status: number
  ms: number
  route: string
}

/** Calls within this process are logged at debug level. */
function logRequest(
  http: HttpDependencies,
  request: Request,
  { facts, actor: caller }: RequestContext,
  { status, ms, route }: Outcome,
): void {
  const trace = traceId()
  http.log[facts.address === null ? 'debug' : 'info']('request', {
    request: facts.id,
    method: request.method,
    path: facts.url.pathname,
    route,
    status,
    ms: Math.round(ms),
    ...(caller && { principal: caller.principal.id, credential: caller.credential.kind }),
    ...(caller?.organization && { organization: caller.organization.id }),
    ...(trace && { trace }),
  })
}
