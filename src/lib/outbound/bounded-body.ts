type Body = ReadableStream<Uint8Array<ArrayBuffer>>

interface Bounds {
  /** Aborts when the answer is to be read no more. */
  signal: AbortSignal
  /** Called once, when nothing more is read. */
  finish(): void
  /** What a reader is told of an error. */
  failure(error: unknown): unknown
  /** Ends the call. */
  abort(error: unknown): void
  maxBytes: number
  tooLarge(): Error
  /** Milliseconds that one read can take. */
  silenceMs: number
  silent(): Error
}

/** The same bytes as they come, while they keep to the bounds. A body that is never read ends by the signal. */
export function boundedBody(body: Body, bounds: Bounds): Body {
  const { signal } = bounds
  const reader = body.getReader()
  const aborted = Promise.withResolvers<never>()
  aborted.promise.catch(() => {}) // The reader hears of it, if there is one.
  let length = 0
  const end = () => {
    signal.removeEventListener('abort', leave)
    bounds.finish()
  }
  const leave = () => {
    end()
    aborted.reject(signal.reason)
    void reader.cancel(signal.reason).catch(() => {})
  }
  signal.addEventListener('abort', leave, { once: true })

  const next = async () => {
    const timer = setTimeout(() => bounds.abort(bounds.silent()), bounds.silenceMs)
    try {
      return await Promise.race([reader.read(), aborted.promise])
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
      cancel: (reason) => bounds.abort(reason ?? new DOMException('The answer is read no more.', 'AbortError')),
    },
    { highWaterMark: 0 },
  )
}
