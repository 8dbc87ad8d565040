import { invalidArgument } from '../google-error.ts'
import { maxMetadataBytes } from './sizes.ts'

interface Related {
  /** JSON, not parsed yet. */
  metadata: string
  mediaType: string
  media: AsyncIterable<Uint8Array>
}

const blankLine = Buffer.from('\r\n\r\n')

/** Reads the metadata of a `multipart/related` body, and leaves the media to be streamed. @throws {GoogleError} 400 */
export async function readRelated(body: ReadableStream<Uint8Array>, contentType: string): Promise<Related> {
  const boundary = /boundary="?([^";,\s]+)/i.exec(contentType)?.[1]
  if (!boundary) throw malformed()
  const source = createSource(body)
  await source.takeUntil(Buffer.from(`--${boundary}\r\n`))
  const first = parsePart(await source.takeUntil(blankLine))
  const separator = Buffer.from(`\r\n--${boundary}`)
  const metadata = await source.takeUntil(separator)
  const second = parsePart(await source.takeUntil(blankLine))
  if (!first.startsWith('application/json')) throw malformed()
  return { metadata: metadata.toString(), mediaType: second, media: source.streamUntil(separator) }
}

const malformed = () => invalidArgument('Malformed multipart body.')

const parsePart = (headers: Buffer): string => /content-type:\s*([^\r\n]+)/i.exec(headers.toString())?.[1]?.trim() ?? ''

function createSource(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader()
  let held = Buffer.alloc(0)

  async function readMore(): Promise<void> {
    const { done, value } = await reader.read()
    if (done) throw malformed()
    held = held.byteLength === 0 ? Buffer.from(value) : Buffer.concat([held, value])
  }
  return {
    async takeUntil(mark: Buffer): Promise<Buffer> {
      let at = held.indexOf(mark)
      while (at < 0) {
        if (held.byteLength > maxMetadataBytes) throw malformed()
        await readMore()
        at = held.indexOf(mark)
      }
      const taken = held.subarray(0, at)
      held = held.subarray(at + mark.byteLength)
      return taken
    },
    async *streamUntil(mark: Buffer): AsyncGenerator<Uint8Array> {
      for (;;) {
        const at = held.indexOf(mark)
        if (at >= 0) {
          yield held.subarray(0, at)
          return
        }
        // The end could be the first part of the mark.
        const sure = Math.max(held.byteLength - mark.byteLength, 0)
        yield held.subarray(0, sure)
        held = held.subarray(sure)
        await readMore()
      }
    },
  }
}
