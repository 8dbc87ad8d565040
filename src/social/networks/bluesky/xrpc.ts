import { z } from 'zod'
import { fetchWithProof } from '#lib/dpop.ts'
import { readRefusal } from '../http.ts'
import type { Refusal, Unauthorized, Unclear } from '../network.ts'
import type { Outside } from '../outside.ts'

interface Request {
  params?: Record<string, string>
  json?: unknown
  bytes?: { contentType: string; content: Uint8Array<ArrayBuffer> }
  /** The access or refresh token. */
  token?: string
  /** The key that the token is bound to; undefined for tokens of an app password. */
  proofKey?: string | undefined
  signal: AbortSignal
}

/** Calls a method of an atproto server: with `params` a query, else a procedure. Throws like `fetch`. */
export function callXrpc(
  outside: Outside,
  server: string,
  method: string,
  { params, json, bytes, token, proofKey, signal }: Request,
): Promise<Response> {
  const url = new URL(`/xrpc/${method}`, server)
  for (const [name, value] of Object.entries(params ?? {})) url.searchParams.set(name, value)
  const headers = {
    accept: 'application/json',
    ...(token && proofKey === undefined && { authorization: `Bearer ${token}` }),
    ...(json !== undefined && { 'content-type': 'application/json' }),
    ...(bytes && { 'content-type': bytes.contentType }),
  }
  const body = bytes?.content ?? (json === undefined ? undefined : JSON.stringify(json))
  const init = { method: params ? 'GET' : 'POST', headers, body, signal }
  if (token === undefined || proofKey === undefined) return outside.fetch(url, init)
  return fetchWithProof(outside, url, init, { key: proofKey, accessToken: token })
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

/** In which Bluesky counts the requests of an IP address. */
const windowMs = 5 * 60_000

/** What a failed call with the account’s tokens means. */
export async function readCallRefusal(response: Response): Promise<Refusal | Unauthorized | Unclear> {
  const unauthorized = await isTokenRefused(response)
  const outcome = await readRefusal('Bluesky', response, windowMs)
  if (unauthorized) return { kind: 'unauthorized', message: outcome.message }
  if (response.status !== 403 || outcome.kind !== 'refused') return outcome
  return {
    ...outcome,
    code: 'permission_missing',
    message: 'Bluesky didn’t give Atrium the permission for this. Connect the account again.',
  }
}
