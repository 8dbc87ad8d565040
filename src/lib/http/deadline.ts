import { Problem } from '../errors.ts'
import type { Operation } from '../operation.ts'
import type { RequestContext } from '../request-context.ts'

/** Milliseconds in which an operation answers, or begins its stream, when it declares no `timeout`. */
const defaultTimeout = 30_000

/** The time that an operation has. */
export interface Deadline {
  /** The result of `run`, unless the time passes first. Throws the timeout's problem; `run` is not begun after it. */
  within<Result>(run: () => Promise<Result>): Promise<Result>
  clear(): void
}

/** The time of an operation, from now on: once it passes, the request's signal aborts. */
export function startDeadline(operation: Operation, context: RequestContext): Deadline {
  // A body that is read as it arrives takes as long as the client's network.
  const { timeout = operation.body?.as === 'stream' ? null : defaultTimeout, transaction } = operation
  if (timeout === null) return { within: (run) => run(), clear: () => {} }
  const late = Promise.withResolvers<never>()
  // Nothing waits for it yet.
  late.promise.catch(() => {})
  let passed: Problem | undefined
  const timer = setTimeout(() => {
    passed = transaction === false && context.request.method !== 'GET' ? partlyDone(timeout) : nothingChanged(timeout)
    context.abort(passed)
    late.reject(passed)
  }, timeout)
  return {
    within: (run) => (passed ? late.promise : Promise.race([run(), late.promise])),
    clear: () => clearTimeout(timer),
  }
}

const nothingChanged = (timeout: number) =>
  new Problem(503, 'operation_timed_out', `${stopped(timeout)} Nothing was changed; try again.`, {
    headers: { 'Retry-After': '5' },
    nothingDone: true,
  })

/** Its calls to other servers, and its own transactions, can have had their effect. */
const partlyDone = (timeout: number) =>
  new Problem(
    504,
    'operation_timed_out',
    `${stopped(timeout)} Part of it can have been done: look before you send it again.`,
  )

const stopped = (timeout: number): string => `This took longer than ${timeout / 1000} s and was stopped.`
