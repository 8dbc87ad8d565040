import type { OpenApiDocument } from './document.ts'

/** Answers `/openapi.json`, kept by its readers and asked for anew by ETag; undefined for any other path. */
export function documentAnswers(document: OpenApiDocument): (request: Request, url: URL) => Response | undefined {
  const text = JSON.stringify(document)
  const packed = Bun.gzipSync(Buffer.from(text), { level: 9, library: 'libdeflate' })
  const etag = `W/"${new Bun.CryptoHasher('sha256').update(text).digest('base64url').slice(0, 22)}"`
  return (request, url) => {
    if (url.pathname !== '/openapi.json' || !['GET', 'HEAD'].includes(request.method)) return undefined
    const headers = { 'Content-Type': 'application/json', ETag: etag, 'Cache-Control': 'public, no-cache' }
    if (isKnown(request, etag)) return new Response(null, { status: 304, headers })
    const zipped = request.headers.get('accept-encoding')?.includes('gzip') ?? false
    return zipped
      ? new Response(packed, { headers: { ...headers, 'Content-Encoding': 'gzip' } })
      : new Response(text, { headers })
  }
}

/** Weak comparison, as conditional reads want it (RFC 9110). */
function isKnown({ headers }: Request, etag: string): boolean {
  const known = headers.get('if-none-match')?.split(',') ?? []
  return known.some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag.replace(/^W\//, ''))
}
