import { Problem } from '../../errors.ts'

const checkIntervalMs = 2_000
const maxBehindMs = 5 * 60_000
const minBytesPerMs = (4 * 1024) / 1000

/** Fails with what `check` throws, called every 2 s, and when the reader is 5 minutes behind 4 KiB/s. */
export function recheckWhileReading(
  source: ReadableStream<Uint8Array>,
  check: () => Promise<void>,
): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  let checkAt = performance.now() + checkIntervalMs
  let leftMs = maxBehindMs
  let idleSince = performance.now()
  const stopped = async (error: unknown) => {
    void reader.cancel(error).catch(() => {}) // The source could have failed already.
    throw error
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const now = performance.now()
        leftMs -= now - idleSince
        if (leftMs < 0) await stopped(tooSlow())
        if (now >= checkAt) {
          await check().catch(stopped)
          checkAt = performance.now() + checkIntervalMs
        }
        const { done, value } = await reader.read()
        if (done) return controller.close()
        leftMs = Math.min(maxBehindMs, leftMs + value.byteLength / minBytesPerMs)
        idleSince = performance.now()
        controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

const tooSlow = () =>
  new Problem(408, 'download_timeout', 'The download was too slow and was stopped. Continue with a range request.')
