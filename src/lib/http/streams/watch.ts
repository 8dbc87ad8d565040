import { Problem } from '../../errors.ts'
import type { Produced, StreamEnd } from '../../reply.ts'
import type { RequestContext } from '../../request/context.ts'

/** Read on demand. Reading stops when the request's signal aborts, and the signal aborts when reading stops. */
export function watchStream(
  body: Produced,
  { signal, abort }: Pick<RequestContext, 'signal' | 'abort'>,
): [ReadableStream<Uint8Array>, Promise<StreamEnd>] {
  const { promise, resolve } = Promise.withResolvers<StreamEnd>()
  const source = sourceOf(body)
  const end = (how: StreamEnd) => {
    signal.removeEventListener('abort', leave)
    resolve(how)
  }
  const cancel = async (reason: unknown) => {
    end({ outcome: 'canceled' })
    abort(reason)
    await source.cancel(reason)
  }
  const leave = () => void cancel(signal.reason).catch(() => {})
  if (signal.aborted) leave()
  else signal.addEventListener('abort', leave, { once: true })
  const passed = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await source.read()
        if (!done) return controller.enqueue(value)
        end({ outcome: 'completed' })
        controller.close()
      } catch (error) {
        end(error instanceof Problem && error.status < 500 ? { outcome: 'canceled' } : { outcome: 'failed', error })
        // Bun would print a reason that is passed to it.
        controller.error()
      }
    },
    cancel,
  })
  return [passed, promise]
}

interface StreamReader {
  read(): Promise<{ done: true; value?: undefined } | { done: false; value: Uint8Array }>
  cancel(reason: unknown): Promise<unknown>
}

function sourceOf(body: Produced): StreamReader {
  if (body instanceof ReadableStream) {
    const reader = body.getReader()
    return {
      read: async () => {
        const { done, value } = await reader.read()
        return done ? { done } : { done, value }
      },
      cancel: (reason) => reader.cancel(reason),
    }
  }
  const iterator = body[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  return {
    read: async () => {
      const { done, value } = await iterator.next()
      return done ? { done } : { done: false, value: typeof value === 'string' ? encoder.encode(value) : value }
    },
    cancel: async () => iterator.return?.(),
  }
}
