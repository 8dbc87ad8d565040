import { errorFacts } from '../log.ts'
import { traced, traceId } from '../telemetry.ts'
import type { RequestContext } from '../request-context.ts'
import type { HttpParts } from './parts.ts'
import type { StreamEnd } from '../reply.ts'

/** Runs a request as a span, and tells of it what there is to tell: to the log and the metrics. */
export function observed(
  http: HttpParts,
  request: Request,
  context: RequestContext,
  run: () => Promise<Response>,
): Promise<Response> {
  const started = performance.now()
  const { facts } = context
  const wish = {
    name: request.method,
    kind: facts.address === null ? 'internal' : 'server',
    from: facts.headers,
  } as const
  return traced(wish, async (span) => {
    const response = await run()
    const { status } = response
    const ms = performance.now() - started
    const route = context.route?.path ?? 'none'
    span.name(`${request.method} ${route}`)
    span.tell({ 'http.request.method': request.method, 'http.route': route, 'http.response.status_code': status })
    log(http, request, context, { status, ms, route })
    const method = context.route ? request.method : 'any'
    if (facts.address !== null) http.measure?.({ method, route, status, seconds: ms / 1000 })
    if (context.streaming)
      span.until(context.streaming.then((end) => streamEnded(http, context, { ...end, started, route })))
    return response
  })
}

interface Ended extends StreamEnd {
  /** By `performance.now()`. */
  started: number
  route: string
}

/** Throws what the stream failed with, for its span. */
function streamEnded(http: HttpParts, { facts }: RequestContext, { outcome, error, started, route }: Ended): void {
  const ms = Math.round(performance.now() - started)
  const told = { request: facts.id, path: facts.url.pathname, route, ms }
  if (outcome === 'failed') http.log.error('stream failed', { ...told, ...errorFacts(error) })
  else http.log.debug('stream ended', { ...told, outcome })
  if (facts.address !== null) http.measureStream?.({ route, outcome })
  if (outcome === 'failed') throw error
}

interface Outcome {
  status: number
  ms: number
  route: string
}

/** What this process asks of itself is told to those who look closer. */
function log(
  http: HttpParts,
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
