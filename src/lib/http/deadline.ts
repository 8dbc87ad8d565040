import type { Call } from '../call.ts'
import { Problem, retryLater } from '../errors.ts'
import type { Operation } from '../operation.ts'

/** Milliseconds until an operation responds, or begins its stream, when it declares no `timeout`. */
const defaultTimeoutMs = 30_000

export interface Deadline {
  /** Returns the result of `run`. After the timeout throws its problem, without starting `run`. */
  within<Result>(run: () => Promise<Result>): Promise<Result>
  clear(): void
}

/** Starts the timeout of an operation. When it passes, the request's signal aborts. */
export function startDeadline({ timeout: declared, body, transaction }: Operation, call: Call): Deadline {
  // Reading a streamed body takes as long as the client's network.
  const fallbackMs = body?.as === 'stream' ? null : defaultTimeoutMs
  const timeoutMs = typeof declared === 'function' ? declared(call) : (declared ?? fallbackMs)
  const { context } = call
  if (timeoutMs === null) return { within: (run) => run(), clear: () => {} }
  const late = Promise.withResolvers<never>()
  // Avoids an unhandled rejection while nothing waits for it.
  late.promise.catch(() => {})
  let passed: Problem | undefined
  const timer = setTimeout(() => {
    passed =
      transaction === false && context.request.method !== 'GET' ? partlyDone(timeoutMs) : nothingChanged(timeoutMs)
    context.abort(passed)
    late.reject(passed)
  }, timeoutMs)
  return {
    within: (run) => (passed ? late.promise : Promise.race([run(), late.promise])),
    clear: () => clearTimeout(timer),
  }
}

const nothingChanged = (timeout: number) =>
  retryLater(503, 'operation_timed_out', `${stopped(timeout)} Nothing was changed. Try again.`, {
    nothingDone: true,
  })

/** Calls to other servers and transactions of its own can already have had their effect. */
const partlyDone = (timeout: number) =>
  new Problem(
    504,
    'operation_timed_out',
    `${stopped(timeout)} Part of it may have been processed, so check before you retry.`,
  )

const stopped = (timeout: number): string => `The request took longer than ${timeout / 1000} s and was stopped.`
