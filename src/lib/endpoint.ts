import type { Call } from './call.ts'

/**
 * A route in the wire format of a provider: it reads `call.context.request` and writes the response, errors included.
 * Public, without a rate limit, and not in the API's description. For practice providers; everything else is an operation.
 */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  respond(call: Call<null, null>): Promise<Response>
}
