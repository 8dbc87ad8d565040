import type { RequestFacts } from '../call.ts'
import { Problem } from '../errors.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Unsafe requests without a bearer must come from this origin (PLT-21). Programs send no `Origin`. */
export function refuseCrossOrigin(request: Request, url: URL, session: boolean, allowed: readonly string[]): void {
  if (safeMethods.has(request.method) || request.headers.has('authorization')) return
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  const isSameOrigin = site === null ? origin !== null && sameHost(origin, url) : site === 'same-origin'
  const isTrusted = isSameOrigin || (site === null && origin === null && !session)
  if (isTrusted || (!session && origin !== null && allowed.includes(origin))) return
  throw crossOrigin()
}

const crossOrigin = () =>
  new Problem(
    403,
    'cross_origin',
    'This request comes from another site, or has no Origin header. Open Atrium directly and try again. Programs must send a bearer token instead of a cookie.',
  )

/** Also a page whose own name was made to point here: `isOwnHost` knows this server's names. @throws {Problem} 403 */
export function requireOwnOrigin(
  { headers, url }: Pick<RequestFacts, 'headers' | 'url'>,
  isOwnHost: (hostname: string) => boolean,
  allowed: readonly string[],
): void {
  const origin = headers.get('origin')
  if (origin === null || allowed.includes(origin) || (sameHost(origin, url) && isOwnHost(url.hostname))) return
  throw crossOrigin()
}

function sameHost(origin: string, url: URL): boolean {
  return URL.canParse(origin) && new URL(origin).host === url.host
}

/** CORS for the allowed browser origins; bearers only, never cookies (PLT-08). */
export function setCors(headers: Headers, origin: string | null, allowed: readonly string[]): void {
  for (const name of ['Access-Control-Allow-Origin', 'Access-Control-Allow-Credentials']) headers.delete(name)
  headers.append('Vary', 'Origin')
  if (!origin || !allowed.includes(origin)) return
  headers.set('Access-Control-Allow-Origin', origin)
  headers.set(
    'Access-Control-Expose-Headers',
    'X-Request-Id, ETag, Link, Accept-Ranges, Content-Range, Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size, Upload-Offset, Upload-Length, Upload-Expires, Upload-Metadata, Retry-After, Location, Idempotency-Replayed, RateLimit, RateLimit-Policy',
  )
}

export function preflight(methods: readonly string[], headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...headers,
      Allow: [...methods, 'OPTIONS'].join(', '),
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers':
        'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Range, Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset, MCP-Protocol-Version',
      'Access-Control-Max-Age': '600',
    },
  })
}
