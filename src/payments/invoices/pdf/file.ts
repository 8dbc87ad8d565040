import { stream, type Stream } from '#lib/reply.ts'
import { drawDocument } from './draw.ts'
import { encodeMessage, type Drawing } from './message.ts'

interface PdfFile {
  organizationId: string
  name: string
  headers?: Record<string, string>
}

/** A document that is displayed by browsers, in ranges too. @throws {Problem} of `drawDocument` */
export async function pdfFile(drawing: Drawing, { organizationId, name, headers = {} }: PdfFile): Promise<Stream> {
  const message = encodeMessage(drawing)
  const digest = Bun.CryptoHasher.hash('sha256', message, 'hex')
  const bytes = await drawDocument({ digest, message, organizationId })
  const file = {
    size: bytes.length,
    etag: `"${digest.slice(0, 32)}"`,
    stream: (range = { from: 0, end: bytes.length }) => new Blob([bytes.subarray(range.from, range.end)]).stream(),
  }
  return stream(file, 'application/pdf', {
    headers: { 'Content-Disposition': `inline; filename="${name}"`, 'Cache-Control': 'private, no-cache', ...headers },
  })
}
