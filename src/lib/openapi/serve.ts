import type { OpenApiDocument } from './document.ts'

type DocumentHandler = (request: Request, url: URL) => Promise<Response | undefined>

export function createDocumentHandler(describe: () => Promise<OpenApiDocument>): DocumentHandler {
  let rendered: ReturnType<typeof renderDocument> | undefined
  return async (request, url) => {
    if (url.pathname !== '/openapi.json' || !['GET', 'HEAD'].includes(request.method)) return undefined
    const { text, packed, etag } = (rendered ??= renderDocument(await describe()))
    const headers = { 'Content-Type': 'application/json', ETag: etag, 'Cache-Control': 'public, no-cache' }
    if (matchesEtag(request, etag)) return new Response(null, { status: 304, headers })
    if (!request.headers.get('accept-encoding')?.includes('gzip')) return new Response(text, { headers })
    return new Response(packed, { headers: { ...headers, 'Content-Encoding': 'gzip' } })
  }
}

function renderDocument(document: OpenApiDocument) {
  const text = JSON.stringify(document)
  return {
    text,
    packed: Bun.gzipSync(Buffer.from(text), { level: 9, library: 'libdeflate' }),
    etag: `W/"${new Bun.CryptoHasher('sha256').update(text).digest('base64url').slice(0, 22)}"`,
  }
}

const withoutWeakPrefix = (etag: string): string => etag.trim().replace(/^W\//, '')

/** Weak comparison (RFC 9110). */
const matchesEtag = ({ headers }: Request, etag: string): boolean =>
  headers
    .get('if-none-match')
    ?.split(',')
    .some((known) => withoutWeakPrefix(known) === '*' || withoutWeakPrefix(known) === withoutWeakPrefix(etag)) ?? false
