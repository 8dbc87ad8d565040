import { z } from 'zod'
import type { Outside } from '../outside.ts'

interface Request {
  /** Of a query; procedures have none. */
  params?: Record<string, string>
  json?: unknown
  bytes?: { contentType: string; content: Uint8Array<ArrayBuffer> }
  /** A JWT: of access, or to refresh a session with. */
  token?: string
  signal: AbortSignal
}

/** Calls a method of an atproto server: a query without a body, else a procedure. Throws as `fetch` does. */
export function xrpc(
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

const Complaint = z.object({ error: z.string() })

/** The name of an error, such as `ExpiredToken`; reads a copy, so that the answer can still be read. */
export async function errorName(response: Response): Promise<string> {
  const said = Complaint.safeParse(
    await response
      .clone()
      .json()
      .catch(() => null),
  )
  return said.success ? said.data.error : ''
}

/** The server no longer takes this session's token. */
export async function refusesToken(response: Response): Promise<boolean> {
  if (response.status === 401) return true
  return response.status === 400 && ['ExpiredToken', 'InvalidToken'].includes(await errorName(response))
}
