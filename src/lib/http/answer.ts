import { NotSignedIn } from '../authorize.ts'
import type { RequestFacts } from '../call.ts'
import { databaseAway, transactionConflict } from '../postgres/faults.ts'
import { Problem, problemDocument, retryLater } from '../errors.ts'
import { logFault } from '../log/fault.ts'
import { applyReplyOptions, redirectTo, htmlResponse, jsonResponse } from '../response/respond.ts'
import { credentialOf } from './admission.ts'
import { internalError, Interrupted } from './failure.ts'
import type { HttpDependencies } from './dependencies.ts'

/** Runs a handler, and converts what it throws to a problem response. */
export async function answer<Result extends Response | undefined>(
  http: HttpDependencies,
  facts: RequestFacts,
  run: () => Promise<Result>,
): Promise<Result | Response> {
  try {
    return await run()
  } catch (error) {
    const problem =
      error instanceof Problem ? error : error instanceof Interrupted ? interrupted(error) : unexpected(error)
    if (problem.status >= 500)
      logFault(http.log, 'failed', problem.cause ?? problem, { request: facts.id, path: facts.url.pathname })
    return respondWithProblem(http, facts, problem)
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

async function respondWithProblem(http: HttpDependencies, facts: RequestFacts, problem: Problem): Promise<Response> {
  if (problem instanceof NotSignedIn && facts.html)
    return redirectTo(`/login?next=${encodeURIComponent(returnTo(facts))}`, facts)
  const { next, cookies } = problem.options
  if (next && facts.html) return applyReplyOptions(redirectTo(next, facts), { cookies }, http.https)
  const document = problemDocument(problem, facts.id)
  if (!facts.html)
    return jsonResponse(problem.status, document, facts, {
      'Content-Type': 'application/problem+json',
      ...problem.options.headers,
    })
  const whole = !facts.headers.has('hx-request')
  const signedIn = credentialOf(facts, http.https) !== null && problem.status !== 401
  return htmlResponse(
    problem.status,
    () => http.problem(document, whole, signedIn, facts),
    facts,
    problem.options.headers,
  )
}

/** The URL to return to after signing in: for a fragment, its page. */
function returnTo(facts: RequestFacts): string {
  const current = facts.headers.get('hx-current-url')
  const url = current && URL.canParse(current) ? new URL(current) : facts.url
  return url.pathname + url.search
}
