import { bodyTimeout, readFrom, refuseEncoded, refuseLong, tooLarge } from './body.ts'
import { createChunkCollector } from '../collect-chunks.ts'
import { Problem } from '../errors.ts'

const maxBehindMs = 20_000
const minBytesPerMs = (4 * 1024) / 1000
const checkIntervalMs = 2_000

interface StreamBodyOptions {
  limit?: number
  /** When it aborts with a `Problem`, reading fails with that. */
  signal: AbortSignal
  check?(): Promise<void>
}

type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>
type Chunk = Awaited<ReturnType<typeof readFrom>>

/**
 * Nothing is read ahead. Reading fails with 400 when the client breaks off, 413 past the limit, and 408 when the sender
 * is 20 s behind 4 KiB/s. @throws {Problem} 413 by the announced length, and 415 for a compressed body
 */
export function streamBody(
  request: Request,
  { limit = 1024 * 1024, signal, check }: StreamBodyOptions,
): ReadableStream<Uint8Array> {
  refuseEncoded(request)
  refuseLong(request, limit)
  const reader: Reader | undefined = request.body?.getReader()
  const collect = createChunkCollector()
  let size = 0
  let leftMs = maxBehindMs
  let checkAt = check ? performance.now() + checkIntervalMs : Infinity

  async function next(from: Reader): Promise<Chunk> {
    const reading = readFrom(from)
    // It can fail when nothing waits for it any more.
    reading.catch(() => {})
    for (;;) {
      if (performance.now() >= checkAt) {
        await check?.()
        checkAt = performance.now() + checkIntervalMs
      }
      const began = performance.now()
      const chunk = await within(reading, Math.min(leftMs, checkAt - began), signal)
      leftMs -= performance.now() - began
      if (chunk) return chunk
      if (leftMs <= 0) throw bodyTimeout()
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!reader) return controller.close()
        try {
          const { done, value } = await next(reader)
          if (done) return controller.close()
          size += value.byteLength
          if (size > limit) throw tooLarge(limit)
          leftMs = Math.min(maxBehindMs, leftMs + value.byteLength / minBytesPerMs)
          collect(value.byteLength)
          controller.enqueue(value)
        } catch (error) {
          void reader.cancel(error).catch(() => {})
          throw error
        }
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/** Undefined after `ms`. @throws {Problem} with which the signal aborts */
async function within<Result>(pending: Promise<Result>, ms: number, signal: AbortSignal): Promise<Result | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Result | undefined>()
  const stop = () => {
    if (signal.reason instanceof Problem) reject(signal.reason)
  }
  const timer = setTimeout(() => resolve(undefined), ms)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  pending.then(resolve, reject)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}
