import type { Call } from '#lib/call.ts'
import { invalid } from '#lib/errors.ts'
import { OutboundError } from '#lib/outbound.ts'
import { readMetadata, type Metadata } from './read-metadata.ts'

/** For redirects and what is read of the page. */
const timeoutMs = 8_000

/** The head of a page comes first. What follows is not downloaded. */
const maxReadBytes = 1024 * 1024

/** Reads what a page says about itself. @throws {Problem} 422 naming the field `url`, and `signal.reason` */
export async function fetchPage(
  { outbound, signal }: Pick<Call, 'outbound' | 'signal'>,
  url: string,
): Promise<Metadata> {
  try {
    const headers = { accept: 'text/html,application/xhtml+xml' }
    const response = await outbound.fetch(url, {
      signal,
      timeoutMs,
      headers,
      streams: true,
      maxBytes: 2 * maxReadBytes,
    })
    const type = response.headers.get('content-type') ?? ''
    const isPage = /^(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(type)
    if (!response.ok || !isPage) await response.body?.cancel()
    if (!response.ok) throw refused(`The server responded with ${response.status}. Check the URL.`)
    if (!isPage) throw refused('This URL leads to a file, not to a web page.')
    return readMetadata(decode(await readStart(response), type), new URL(response.url || url))
  } catch (error) {
    // An aborted request is an OutboundError, too.
    signal.throwIfAborted()
    if (error instanceof OutboundError) throw refused(error.message)
    throw error
  }
}

const refused = (message: string) => invalid([{ path: 'url', message }])

async function readStart({ body }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop cancels the rest.
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    length += chunk.byteLength
    if (length >= maxReadBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxReadBytes)
}

function decode(bytes: Uint8Array, type: string): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 2048))
  const [, charset = 'utf-8'] =
    /charset=["']?([\w-]+)/i.exec(type) ?? /<meta[^>]+charset=["']?([\w-]+)/i.exec(start) ?? []
  return decoderOf(charset).decode(bytes)
}

function decoderOf(charset: string): { decode(bytes: Uint8Array): string } {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}
