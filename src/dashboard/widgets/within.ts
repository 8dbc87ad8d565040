import { timedOut } from './failure.ts'

/** The work goes on after the deadline only until it looks at the signal. @throws {WidgetFailure} `widget_timeout` */
export async function within<Result>(
  ms: number,
  work: (signal: AbortSignal) => Promise<Result>,
  name: string,
): Promise<Result> {
  const abort = new AbortController()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    abort.abort()
    late.reject(timedOut(name))
  }, ms)
  return Promise.race([work(abort.signal), late.promise]).finally(() => clearTimeout(timer))
}
