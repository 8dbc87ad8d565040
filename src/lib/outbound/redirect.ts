import { OutboundError } from './error.ts'

export interface Hop {
  url: URL
  method: string
  headers: Headers
  body: SendableBody | null
}

/** A function opens a stream: again for each IP address that is tried. */
export type SendableBody =
  (() => ReadableStream<Uint8Array>) | string | Uint8Array<ArrayBuffer> | Blob | FormData | URLSearchParams

const safeHeaders = ['accept', 'accept-language', 'user-agent', 'content-type', 'if-none-match', 'if-modified-since']

/**
 * As in the Fetch standard (303, and a POST at 301 or 302, become GET); null without a redirect. Another origin gets
 * only safe headers. @throws {OutboundError} when it would get a body, or `Location` is invalid
 */
export function redirectOf(hop: Hop, response: Response): Hop | null {
  const location = response.headers.get('location')
  if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return null
  const url = targetOf(location, hop.url)
  const next = becomesGet(hop.method, response.status) ? asGet(hop) : hop
  if (url.origin === hop.url.origin) return { ...next, url }
  if (next.body !== null)
    throw new OutboundError('refused_address', `${hop.url.host} redirects a request with a body to ${url.host}.`)
  return { ...next, url, headers: filterHeaders(next.headers, (name) => safeHeaders.includes(name)) }
}

function targetOf(location: string, base: URL): URL {
  if (URL.canParse(location, base.href)) return new URL(location, base)
  throw new OutboundError('refused_address', `${base.host} redirects to an invalid URL.`)
}

const becomesGet = (method: string, status: number): boolean =>
  (status === 303 && method !== 'HEAD') || ([301, 302].includes(status) && method === 'POST')

const asGet = (hop: Hop): Hop => ({
  ...hop,
  method: 'GET',
  body: null,
  headers: filterHeaders(hop.headers, (name) => !name.startsWith('content-')),
})

const filterHeaders = (headers: Headers, keep: (name: string) => boolean): Headers =>
  new Headers([...headers].filter(([name]) => keep(name)))
