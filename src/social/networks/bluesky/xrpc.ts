import { z } from 'zod'
import type { Outside } from '../outside.ts'

interface Request {
  params?: Record<string, string>
  json?: unknown
  bytes?: { contentType: string; content: Uint8Array<ArrayBuffer> }
  /** The access or refresh JWT. */
  token?: string
  signal: AbortSignal
}

/** Calls a method of an atproto server: with `params` a query, else a procedure. Throws like `fetch`. */
export function callXrpc(
  { fetch }: Outside,
  server: string,
  method: string,
  { params, json, bytes, token, signal }: Request,
): Promise<Response> {
  const url = new URL(`/xrpc/${method}`, server)
  for (const [name, value] of Object.entries(params ?? {})) url.searchParams.set(name, value)
  const headers = {
    accept: 'application/json',
    ...(token && { authorization: `Bearer ${token}` }),
    ...(json !== undefined && { 'content-type': 'application/json' }),
    ...(bytes && { 'content-type': bytes.contentType }),
  }
  const body = bytes?.content ?? (json === undefined ? undefined : JSON.stringify(json))
  return fetch(url, { method: params ? 'GET' : 'POST', headers, body, signal })
}

const ErrorBody = z.object({ error: z.string() })

/** From a copy, so that the response can still be read. */
export async function readErrorName(response: Response): Promise<string> {
  const parsed = ErrorBody.safeParse(
    await response
      .clone()
      .json()
      .catch(() => null),
  )
  return parsed.success ? parsed.data.error : ''
}

export async function isTokenRefused(response: Response): Promise<boolean> {
  if (response.status === 401) return true
  return response.status === 400 && ['ExpiredToken', 'InvalidToken'].includes(await readErrorName(response))
}
