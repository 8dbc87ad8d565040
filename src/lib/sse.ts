import { stream, type Stream, type StreamEnd } from './reply.ts'

export interface ServerEvent {
  data: unknown
  event?: string
  /** Clients that reconnect send the last one as `Last-Event-ID`. */
  id?: string
}

interface SseOptions {
  /** Milliseconds between heartbeats, which keep proxies and this server from closing an idle connection. */
  heartbeatMs?: number
  onEnd?(end: StreamEnd): Promise<void> | void
}

const defaultHeartbeatMs = 15_000
/** A comment, which clients ignore. */
const beat = ':\n\n'

/** What `events` awaits must end when `call.signal` aborts: a waiting generator can't be stopped from outside. */
export const sse = (
  events: AsyncIterable<ServerEvent>,
  { heartbeatMs = defaultHeartbeatMs, onEnd }: SseOptions = {},
): Stream =>
  stream(bytesOf(events, heartbeatMs), 'text/event-stream', {
    // Proxies such as nginx would buffer events.
    headers: { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
    onEnd,
  })

function bytesOf(events: AsyncIterable<ServerEvent>, heartbeat: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = events[Symbol.asyncIterator]()
  let timer: ReturnType<typeof setInterval>
  return new ReadableStream<Uint8Array>({
    start(controller) {
      // Sent at once, so that the client knows that it is connected.
      controller.enqueue(encoder.encode(beat))
      timer = setInterval(() => {
        // Skipped while the client doesn't read.
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(beat))
      }, heartbeat)
    },
    async pull(controller) {
      try {
        const { done, value } = await iterator.next()
        if (!done) return controller.enqueue(encoder.encode(textOf(value)))
        clearInterval(timer)
        controller.close()
      } catch (error) {
        clearInterval(timer)
        controller.error(error)
      }
    },
    async cancel() {
      clearInterval(timer)
      await iterator.return?.()
    },
  })
}

function textOf({ data, event, id }: ServerEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  const lines = text.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
  return [event && `event: ${oneLine(event)}\n`, id && `id: ${oneLine(id)}\n`, ...lines, '\n'].filter(Boolean).join('')
}

const oneLine = (text: string): string => text.replaceAll(/[\r\n\0]/g, ' ')
