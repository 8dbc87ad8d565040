import type { OutgoingMedia } from './network.ts'

interface FilePart {
  field: string
  name: string
  media: Pick<OutgoingMedia, 'contentType' | 'size' | 'slice'>
}

/** Of a file, in memory at a time. */
const chunkBytes = 1024 * 1024

/** A form whose files are read as they are sent, so that many posts with large files fit into memory. */
export function createMultipart(fields: Record<string, string>, files: readonly FilePart[]) {
  const boundary = `atrium-${crypto.randomUUID()}`
  const encoder = new TextEncoder()
  const startPart = (disposition: string, contentType = '') =>
    encoder.encode(
      `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${contentType && `Content-Type: ${contentType}\r\n`}\r\n`,
    )
  async function* parts(): AsyncGenerator<Uint8Array> {
    for (const [name, value] of Object.entries(fields)) {
      yield startPart(`name="${name}"`)
      yield encoder.encode(`${value}\r\n`)
    }
    for (const { field, name, media } of files) {
      yield startPart(`name="${field}"; filename="${name}"`, media.contentType)
      for (let at = 0; at < media.size; at += chunkBytes) yield await media.slice(at, at + chunkBytes)
      yield encoder.encode('\r\n')
    }
    yield encoder.encode(`--${boundary}--\r\n`)
  }
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: () => streamOf(parts()),
  }
}

const streamOf = (parts: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await parts.return(undefined)),
  })
