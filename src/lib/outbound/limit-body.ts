type Body = ReadableStream<Uint8Array<ArrayBuffer>>

interface Bounds {
  signal: AbortSignal
  finish(): void
  failure(error: unknown): unknown
  abort(error: unknown): void
  maxBytes: number
  tooLarge(): Error
  silenceMs: number
  silent(): Error
}

/** Passes the bytes on within the limits. A body that is never read ends when the signal aborts. */
export function limitBody(body: Body, bounds: Bounds): Body {
  const { signal } = bounds
  const reader = body.getReader()
  const aborted = Promise.withResolvers<never>()
  aborted.promise.catch(() => {})
  let length = 0
  let isEnded = false
  const end = () => {
    if (isEnded) return
    isEnded = true
    signal.removeEventListener('abort', leave)
    bounds.finish()
  }
  const leave = () => {
    end()
    aborted.reject(signal.reason)
    void reader.cancel(signal.reason).catch(() => {})
  }
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()

  const next = async () => {
    const timer = setTimeout(() => bounds.abort(bounds.silent()), bounds.silenceMs)
    try {
      return await Promise.race([aborted.promise, reader.read()]) // A canceled reader would report the end of the body.
    } finally {
      clearTimeout(timer)
    }
  }
  return new ReadableStream(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await next()
          if (done) {
            end()
            return controller.close()
          }
          length += value.byteLength
          if (length > bounds.maxBytes) throw bounds.tooLarge()
          controller.enqueue(value)
        } catch (error) {
          controller.error(bounds.failure(error))
          bounds.abort(error)
          end()
        }
      },
      cancel: (reason) => bounds.abort(reason ?? new DOMException('Reading was canceled.', 'AbortError')),
    },
    { highWaterMark: 0 },
  )
}
