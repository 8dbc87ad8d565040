import { z } from 'zod'
import { Problem, problemDocument } from './errors.ts'
import { newId } from './ids.ts'

// Of the counterparts of providers, which development and tests run in processes of their own, without the kernel.

/** A problem document for any error. */
export function refuse(error: unknown): Response {
  const problem = asProblem(error)
  const headers = { 'content-type': 'application/problem+json', ...problem.options.headers }
  return Response.json(problemDocument(problem, newId()), { status: problem.status, headers })
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof SyntaxError) return new Problem(400, 'malformed_body', 'The body is not JSON.')
  if (!(error instanceof z.ZodError)) return new Problem(500, 'internal_error', String(error))
  return new Problem(422, 'validation_failed', error.issues.map(({ message }) => message).join(' '))
}

/** Refuses what the handler throws. */
export const guard =
  <Given extends Request>(handle: (request: Given) => Promise<Response>) =>
  (request: Given): Promise<Response> =>
    handle(request).catch(refuse)

export const queryOf = ({ url }: Pick<Request, 'url'>): Record<string, string> =>
  Object.fromEntries(new URL(url).searchParams)

/** A body that fails before its first byte: the server closes the connection without a response. */
export const createBrokenStream = (): ReadableStream<Uint8Array> =>
  // With a reason, Bun would log it as an error of the server.
  new ReadableStream({ pull: (controller) => controller.error() })

/** Breaks the connection once the client has gone, or after `silenceMs`. */
export async function neverRespond(signal: AbortSignal, silenceMs = 600_000): Promise<Response> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, silenceMs)
  signal.addEventListener('abort', () => resolve(), { once: true })
  if (signal.aborted) resolve()
  await promise
  clearTimeout(timer)
  return new Response(createBrokenStream())
}
