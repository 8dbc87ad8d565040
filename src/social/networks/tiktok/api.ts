import { z } from 'zod'
import { classifyStepFailure } from '../http.ts'
import type { NetworkCall } from '../network.ts'
import { NotCreatedError, unexpectedResponse } from '../not-created.ts'
import { accessTokenOf } from '../oauth.ts'
import { interpretRefusal } from './refusal.ts'

export const name = 'TikTok'
const origin = 'https://open.tiktokapis.com'

type Calling = Pick<NetworkCall, 'outside' | 'signal'>

interface Request {
  method: 'GET' | 'POST'
  json?: unknown
}

/** Throws like `fetch`. */
export const requestWith = (
  token: string,
  { outside, signal }: Calling,
  path: string,
  { method, json }: Request,
): Promise<Response> =>
  outside.fetch(outside.at(`${origin}${path}`), {
    method,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(json !== undefined && { 'content-type': 'application/json; charset=UTF-8' }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    signal,
  })

/** Throws like `fetch`. */
export const post = (call: NetworkCall, path: string, json?: unknown): Promise<Response> =>
  requestWith(accessTokenOf(call.account.tokens), call, path, { method: 'POST', ...(json !== undefined && { json }) })

/** A request that publishes nothing. @throws NotCreatedError */
export async function step<Data>(call: NetworkCall, path: string, json: unknown, data: z.ZodType<Data>): Promise<Data> {
  const response = await post(call, path, json).catch((error: unknown) => {
    throw new NotCreatedError(classifyStepFailure(name, error))
  })
  if (response.ok) return readData(response, data)
  const outcome = await interpretRefusal(response)
  throw new NotCreatedError(outcome.kind === 'unclear' ? { ...outcome, kind: 'refused', transient: true } : outcome)
}

/** IDs are numbers that JavaScript would round. @throws NotCreatedError */
export async function readData<Data>(response: Response, data: z.ZodType<Data>): Promise<Data> {
  const text = await response.text().catch(() => '')
  const parsed = z.object({ data }).safeParse(parseJson(text.replaceAll(/([:[,]\s*)(\d{16,})/g, '$1"$2"')))
  if (!parsed.success) throw unexpectedResponse(name)
  return parsed.data.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
