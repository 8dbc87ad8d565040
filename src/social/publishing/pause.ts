export function pause(ms: number, stopping: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = () => {
    clearTimeout(timer)
    stopping.removeEventListener('abort', done)
    resolve()
  }
  const timer = setTimeout(done, ms)
  stopping.addEventListener('abort', done)
  if (stopping.aborted) done()
  return promise
}
