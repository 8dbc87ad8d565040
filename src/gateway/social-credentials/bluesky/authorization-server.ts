import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { conflict, Problem } from '#lib/errors.ts'
import { OutboundError } from '#lib/outbound.ts'
import { ServerAddress } from '#lib/outbound/server-address.ts'

export type Requesting = Pick<Call, 'outbound' | 'signal'>

/** Of any server that a person or a directory named. */
export const maxAnswerBytes = 64 * 1024

const Endpoint = z
  .string()
  .max(2_000)
  .refine((url) => ServerAddress.safeParse(url).success)
const including = (...values: string[]) =>
  z.array(z.string()).refine((listed) => values.every((value) => listed.includes(value)))

/** What the AT Protocol requires of a server’s OAuth (atproto.com/specs/oauth). */
const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: Endpoint,
  token_endpoint: Endpoint,
  pushed_authorization_request_endpoint: Endpoint,
  revocation_endpoint: Endpoint.optional().catch(undefined),
  scopes_supported: including('atproto', 'transition:generic'),
  code_challenge_methods_supported: including('S256'),
  dpop_signing_alg_values_supported: including('ES256'),
  token_endpoint_auth_methods_supported: including('none', 'private_key_jwt'),
  authorization_response_iss_parameter_supported: z.literal(true),
  client_id_metadata_document_supported: z.literal(true),
})

export type AuthorizationServer = z.output<typeof Metadata>

/** @throws {Problem} 409 `oauth_unsupported`, 502 */
export async function discover(call: Requesting, issuer: string): Promise<AuthorizationServer> {
  const response = await requestServer(issuer, () =>
    call.outbound.fetch(new URL('/.well-known/oauth-authorization-server', issuer), {
      headers: { accept: 'application/json' },
      maxBytes: maxAnswerBytes,
      maxRedirects: 0,
      signal: call.signal,
    }),
  )
  const { status } = response
  if (status >= 500 || status === 429) throw serverFailed(issuer, status)
  const metadata = Metadata.safeParse(status === 200 ? await response.json().catch(() => null) : null)
  // Otherwise a server could pass for another one.
  if (metadata.success && metadata.data.issuer === issuer) return metadata.data
  throw conflict('oauth_unsupported', `${hostOf(issuer)} doesn’t offer sign-in with OAuth. Use an app password.`)
}

/** @throws {Problem} 502 */
export async function requestServer(issuer: string, send: () => Promise<Response>): Promise<Response> {
  try {
    return await send()
  } catch (cause) {
    const isInside = cause instanceof OutboundError && cause.outcome === 'refused_address'
    const fault = isInside ? 'isn’t on the public internet.' : 'couldn’t be reached. Try again in a moment.'
    throw new Problem(502, 'provider_unreachable', `${hostOf(issuer)} ${fault}`, { cause })
  }
}

export const hostOf = (issuer: string): string => new URL(issuer).host

export const serverFailed = (issuer: string, status: number): Problem =>
  new Problem(502, 'provider_error', `${hostOf(issuer)} responded with ${status}. Try again in a moment.`)
