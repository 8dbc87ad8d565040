/** How the body of a stream ended. */
export interface StreamEnd {
  outcome: 'completed' | 'failed' | 'cancelled'
  /** What it failed with. */
  error?: unknown
}

/** The same bytes, read when they are asked for, and how they end. */
export function watched(body: ReadableStream<Uint8Array>): [ReadableStream<Uint8Array>, Promise<StreamEnd>] {
  const { promise, resolve } = Promise.withResolvers<StreamEnd>()
  const reader = body.getReader()
  const passed = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        resolve({ outcome: 'completed' })
        controller.close()
      } catch (error) {
        resolve({ outcome: 'failed', error })
        // Given the reason, Bun would print it as it is.
        controller.error()
      }
    },
    async cancel(reason) {
      resolve({ outcome: 'cancelled' })
      await reader.cancel(reason)
    },
  })
  return [passed, promise]
}
