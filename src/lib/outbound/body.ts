import { OutboundError, outboundError } from './error.ts'
import { limitBody } from './limit-body.ts'

export async function readResponse(response: Response, url: URL, maxBytes: number): Promise<Response> {
  const { status, statusText } = response
  const headers = new Headers(response.headers)
  const packed = /^(x-)?gzip$/i.test(headers.get('content-encoding') ?? '')
  const bytes = response.body && (await read(decompress(response.body, packed), url, maxBytes))
  if (packed) for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  const whole = new Response(canHaveBody(status) ? bytes : null, { status, statusText, headers })
  return Object.defineProperty(whole, 'url', { value: url.href })
}

const canHaveBody = (status: number): boolean => ![204, 205, 304].includes(status)

/** Not decompressed by `fetch`, so that a decompression bomb is noticed in time. */
const decompress = (body: ReadableStream<Uint8Array<ArrayBuffer>>, packed: boolean) =>
  packed ? body.pipeThrough(new DecompressionStream('gzip')) : body

async function read(
  body: ReadableStream<Uint8Array>,
  { host }: URL,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.byteLength
    if (length > maxBytes)
      throw new OutboundError('too_large', `The response from ${host} is larger than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

const silenceMs = 60_000

interface StreamBounds {
  signal: AbortSignal
  maxBytes: number
  abort(reason: unknown): void
  onEnd(): void
}

/** The body as it arrives. Reading it to its end or canceling it closes the connection. */
export function streamResponse(response: Response, { href, host }: URL, bounds: StreamBounds): Response {
  const { status, statusText, headers, body } = response
  if (!body) bounds.onEnd()
  const limited =
    body &&
    limitBody(body, {
      ...bounds,
      finish: bounds.onEnd,
      failure: (error) => outboundError(bounds.signal.aborted ? bounds.signal.reason : error, host),
      silenceMs,
      tooLarge: () => new OutboundError('too_large', `${host} sent more than ${bounds.maxBytes} bytes.`),
      silent: () => new OutboundError('timed_out', `${host} stopped sending within ${silenceMs / 1000} s.`),
    })
  return Object.defineProperty(new Response(limited, { status, statusText, headers }), 'url', { value: href })
}
