import type { NetworkCall } from '../network.ts'
import { NotCreatedError } from '../not-created.ts'
import { accessTokenOf } from '../oauth.ts'
import { classifyStepFailure } from '../http.ts'
import { interpretRefusal } from './refusal.ts'

/** One of Meta’s Graph APIs. */
export interface GraphApi {
  /** As people know the network. */
  name: string
  /** With its version. */
  origin: string
}

interface GraphRequest {
  method?: 'GET' | 'POST' | 'DELETE'
  query?: Record<string, string>
  form?: Record<string, string>
}

type Calling = Pick<NetworkCall, 'outside' | 'signal'>

/** Throws like `fetch`. */
export function requestWith(
  { origin }: GraphApi,
  token: string,
  { outside, signal }: Calling,
  path: string,
  { method = 'GET', query = {}, form }: GraphRequest = {},
): Promise<Response> {
  const url = outside.at(`${origin}${path}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return outside.fetch(url, {
    method,
    headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    ...(form && { body: new URLSearchParams(form) }),
    signal,
  })
}

/** Throws like `fetch`. */
export const request = (api: GraphApi, call: NetworkCall, path: string, sent?: GraphRequest): Promise<Response> =>
  requestWith(api, accessTokenOf(call.account.tokens), call, path, sent)

/** A request before the post itself. @throws NotCreatedError */
export async function step(api: GraphApi, call: NetworkCall, path: string, sent?: GraphRequest): Promise<unknown> {
  const response = await request(api, call, path, sent).catch((error: unknown) => {
    throw new NotCreatedError(classifyStepFailure(api.name, error))
  })
  if (response.ok) return response.json().catch(() => null)
  const outcome = await interpretRefusal(api.name, response)
  throw new NotCreatedError(outcome.kind === 'unclear' ? { ...outcome, kind: 'refused', transient: true } : outcome)
}
