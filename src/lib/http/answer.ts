import { isAllowed, NotSignedIn } from '../authorize.ts'
import type { RequestFacts } from '../call.ts'
import { Problem, problemDocument, retryLater, type ProblemDocument } from '../errors.ts'
import { errorFacts } from '../log.ts'
import { logFault } from '../log/fault.ts'
import { databaseAway, transactionConflict } from '../postgres/faults.ts'
import type { StreamEnd } from '../reply.ts'
import type { RequestContext } from '../request/context.ts'
import { applyReplyOptions, redirectTo, htmlResponse, jsonResponse } from '../response/respond.ts'
import { withSpan, traceId } from '../telemetry.ts'
import { credentialOf } from './admission.ts'
import { createCall } from './create-call.ts'
import type { HttpDependencies } from './dependencies.ts'

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
    if (facts.address !== null) http.measure?.({ method, route, status, seconds: ms / 1000 }, context)
    if (context.streaming)
      span.endAfter(context.streaming.then((end) => recordStreamEnd(http, context, { ...end, started, route })))
    return response
  })
}

interface StreamResult extends StreamEnd {
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

function logRequest(
  http: HttpDependencies,
  request: Request,
  { facts, actor: caller }: RequestContext,
  { status, ms, route }: Outcome,
): void {
  http.log[facts.address === null ? 'debug' : 'info']('request', {
    request: facts.id,
    method: request.method,
    path: facts.url.pathname,
    route,
    status,
    ms: Math.round(ms),
    principal: caller?.principal.id,
    credential: caller?.credential.kind,
    organization: caller?.organization?.id,
    trace: traceId(),
  })
}

export async function answer<Result extends Response | undefined>(
  http: HttpDependencies,
  context: RequestContext,
  run: () => Promise<Result>,
): Promise<Result | Response> {
  const { facts } = context
  try {
    return await run()
  } catch (error) {
    const problem =
      error instanceof Problem ? error : error instanceof Interrupted ? interrupted(error) : unexpected(error)
    if (problem.status >= 500)
      logFault(http.log, 'failed', problem.cause ?? problem, { request: facts.id, path: facts.url.pathname })
    return respondWithProblem(http, context, problem)
  }
}

const unexpected = (cause: unknown) =>
  databaseAway(cause) || transactionConflict(cause)
    ? retryLater(503, 'database_unavailable', 'The database is temporarily unavailable. Try again in a moment.', {
        cause,
      })
    : internalError(cause)

/** The problem of a failure after the request had, or can have had, its effect. It doesn't say to retry. */
function interrupted({ effect, cause }: Interrupted): Problem {
  if (effect === 'saved')
    return new Problem(
      500,
      'saved_not_shown',
      'Your changes were saved, but the page couldn’t be displayed. Reload it.',
      { cause },
    )
  const { status, code } = unexpected(cause)
  return new Problem(
    status,
    code,
    'Something went wrong on our side. Part of the request may have been processed, so check before you retry.',
    { cause },
  )
}

async function respondWithProblem(
  http: HttpDependencies,
  context: RequestContext,
  problem: Problem,
): Promise<Response> {
  const { facts } = context
  if (problem instanceof NotSignedIn && facts.html)
    return redirectTo(`/login?next=${encodeURIComponent(returnTo(facts))}`, facts)
  const { next, cookies } = problem.options
  if (next && facts.html) return applyReplyOptions(redirectTo(next, facts), { cookies }, http.https)
  const common = problemDocument(problem, facts.id)
  const document = { ...common, ...context.route?.operation?.[1].problemMembers?.(common) }
  if (!facts.html)
    return jsonResponse(problem.status, document, facts, {
      'Content-Type': 'application/problem+json',
      ...problem.options.headers,
    })
  return htmlResponse(problem.status, () => drawProblem(http, context, document), facts, problem.options.headers)
}

/** People keep their frame, unless a fault of ours can be in it or its queries are more than their rate limit. */
async function drawProblem(
  http: HttpDependencies,
  context: RequestContext,
  document: ProblemDocument,
): Promise<JSX.Element> {
  const { facts, route, actor } = context
  if (facts.headers.has('hx-request')) return http.problem(document)
  const hasFrame = document.status < 500 && document.status !== 429
  const visitor = hasFrame && actor && isAllowed(actor, 'person', '') ? actor : null
  const call = createCall(http, context, route?.path ?? facts.url.pathname, visitor, {})
  return http.problemPage(document, call, credentialOf(facts, http.https) !== null && document.status !== 401)
}

function returnTo(facts: RequestFacts): string {
  const current = facts.headers.get('hx-current-url')
  const url = current && URL.canParse(current) ? new URL(current) : facts.url
  return url.pathname + url.search
}

export const internalError = (cause: unknown): Problem =>
  new Problem(500, 'internal_error', 'Something went wrong on our side. Nothing was changed. Try again.', { cause })

export type Effect = 'none' | 'unknown' | 'saved'

export class Interrupted extends Error {
  readonly effect: Exclude<Effect, 'none'>

  constructor(effect: Exclude<Effect, 'none'>, cause: unknown) {
    super('Failed after its effect', { cause })
    this.effect = effect
  }
}
