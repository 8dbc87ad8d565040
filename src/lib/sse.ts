import { stream, type Stream, type StreamEnd } from './reply.ts'

/** One event for the browser's `EventSource` or a program. */
export interface ServerEvent {
  /** A text is sent as it is, anything else as JSON. */
  data: unknown
  /** Its kind; `message` when not set. */
  event?: string
  /** What a client that reconnects sends as `Last-Event-ID`. */
  id?: string
}

interface SseOptions {
  /** Milliseconds between signs of life, which keep proxies and this server from closing a quiet connection. */
  heartbeat?: number
  onEnd?(end: StreamEnd): Promise<void> | void
}

const defaultHeartbeat = 15_000
/** A comment: clients read over it. */
const beat = ':\n\n'

/**
 * Answers with events as they come. The operation declares `streams: 'text/event-stream'`; what `events` waits for has to
 * end by `call.signal`, since a generator that waits can't be ended from outside.
 */
export const sse = (
  events: AsyncIterable<ServerEvent>,
  { heartbeat = defaultHeartbeat, onEnd }: SseOptions = {},
): Stream =>
  stream(bytesOf(events, heartbeat), 'text/event-stream', {
    // Proxies such as nginx would hold events back to fill their buffers.
    headers: { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
    onEnd,
  })

function bytesOf(events: AsyncIterable<ServerEvent>, heartbeat: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = events[Symbol.asyncIterator]()
  let timer: ReturnType<typeof setInterval>
  return new ReadableStream<Uint8Array>({
    start(controller) {
      // The first one lets the client know at once that it is connected.
      controller.enqueue(encoder.encode(beat))
      timer = setInterval(() => {
        // A client that doesn't read gets no more of them.
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

/** An event as it goes over the wire. Names and ids are one line. */
function textOf({ data, event, id }: ServerEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  const lines = text.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
  return [event && `event: ${oneLine(event)}\n`, id && `id: ${oneLine(id)}\n`, ...lines, '\n'].filter(Boolean).join('')
}

const oneLine = (text: string): string => text.replaceAll(/[\r\n\0]/g, ' ')
