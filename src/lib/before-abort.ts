/** The result of `running`, which itself goes on. @throws the signal’s reason when it aborts first */
export async function beforeAbort<Result>(signal: AbortSignal, running: Promise<Result>): Promise<Result> {
  const ended = Promise.withResolvers<never>()
  const end = () => ended.reject(signal.reason)
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  try {
    return await Promise.race([running, ended.promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}
