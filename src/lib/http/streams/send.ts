import { logFault } from '../../log/fault.ts'
import type { Produced, Stream } from '../../reply.ts'
import type { RequestContext } from '../../request/context.ts'
import { fileResponse } from './file-response.ts'
import type { HttpDependencies } from '../dependencies.ts'
import { recheckWhileReading } from './recheck-while-reading.ts'
import { watchStream } from './watch.ts'

const maxUncheckedBytes = 64 * 1024 * 1024

/** Canceled when the request is stopped or the client goes away. For a file `check` ends the response by throwing. */
export function sendStream(
  http: HttpDependencies,
  { body, contentType, options }: Stream,
  context: RequestContext,
  check: () => Promise<void>,
): Response {
  const { headers, onEnd } = options
  const init = { headers: { 'Content-Type': contentType, ...headers } }
  if (body instanceof Blob) return new Response(body, init)
  const follow = (produced: Produced) => followStream(http, produced, onEnd, context)
  if (body instanceof ReadableStream || Symbol.asyncIterator in body) return new Response(follow(body), init)
  const { method, headers: requestHeaders } = context.facts
  const { status, headers: own, range } = fileResponse(body, method, requestHeaders)
  if (!range) return new Response(null, { status, headers: { ...headers, ...own } })
  // Bun drops the Content-Length of a stream but not of a file. It doesn't report how sending a file ends, nor can end it.
  const isShort = range.end - range.from <= maxUncheckedBytes
  const sent = (!onEnd && isShort && body.blob?.(range)) || follow(recheckWhileReading(body.stream(range), check))
  return new Response(sent, { status, headers: { ...init.headers, ...own } })
}

function followStream(
  http: HttpDependencies,
  body: Produced,
  onEnd: Stream['options']['onEnd'],
  context: RequestContext,
): ReadableStream<Uint8Array> {
  const [passed, end] = watchStream(body, context)
  context.streaming = end
  if (onEnd) {
    const { id, url } = context.facts
    void end
      .then(onEnd)
      .catch((error: unknown) => logFault(http.log, 'stream end hook', error, { request: id, path: url.pathname }))
  }
  return passed
}
