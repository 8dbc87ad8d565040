import { contentDigest } from '#lib/request/content-digest.ts'
import type { Handler } from '#lib/http.ts'

/** The whole server as a function; `address` is the peer's, by default this process, which has no rate limit. */
export type Handle = Handler

/** A client with a credential, unless the headers of a request have another one. */
export interface Caller {
  /** The headers with the credential. */
  credential: Record<string, string>
  fetch(route: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
  /** The JSON of a response. @throws when it has another status. */
  fetchJson<Answer>(route: string, body?: unknown, status?: number): Promise<Answer>
}

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })

export function callerOf(handle: Handle, credential: Record<string, string>): Caller {
  const send: Caller['fetch'] = (route, body, headers = {}) =>
    handle(requestOf(route, body, { ...('cookie' in headers ? {} : credential), ...headers }))
  return {
    credential,
    fetch: send,
    fetchJson: async (route, body, status = 200) => {
      const response = await send(route, body)
      const text = await response.text()
      if (response.status !== status) throw new Error(`${route} answered ${response.status}: ${text}`)
      return text ? JSON.parse(text) : null
    },
  }
}

/** A caller whose requests have the digest of their bodies and a new token each; `credential` has its other headers. */
export const signingCaller = (
  handle: Handle,
  credential: Record<string, string>,
  newToken: () => Promise<string>,
): Caller =>
  callerOf(async (request) => {
    const body = new Uint8Array(await request.clone().arrayBuffer())
    const signed = new Request(request)
    if (!request.headers.has('authorization')) signed.headers.set('authorization', `Bearer ${await newToken()}`)
    if (!request.headers.has('content-digest')) signed.headers.set('content-digest', contentDigest(body))
    return handle(signed)
  }, credential)

/** A text, stream, form or file is sent unchanged, anything else as JSON. */
function requestOf(route: string, body: unknown, headers: Record<string, string>): Request {
  const [method = 'GET', path = ''] = route.split(' ')
  const typed = body === undefined || body instanceof FormData || body instanceof Blob
  const raw = typed || typeof body === 'string' || body instanceof ReadableStream
  return new Request(`http://localhost${path}`, {
    method,
    headers: { ...(!typed && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: raw ? body : JSON.stringify(body) }),
  })
}
