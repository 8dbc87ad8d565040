import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { operation } from '#lib/operation.ts'
import { issuerOf } from './authorize.ts'
import { scopes } from './id-token.ts'

const Metadata = z.object({
  issuer: z.url(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  scopes_supported: z.array(z.string()),
  response_types_supported: z.array(z.string()),
  response_modes_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()),
  authorization_response_iss_parameter_supported: z.literal(true),
  subject_types_supported: z.array(z.string()),
  id_token_signing_alg_values_supported: z.array(z.string()),
  claims_supported: z.array(z.string()),
  prompt_values_supported: z.array(z.string()),
})

/** One document for RFC 8414 and OpenID Connect Discovery. */
function createMetadata(call: Call): z.infer<typeof Metadata> {
  const issuer = issuerOf(call)
  return {
    issuer,
    authorization_endpoint: `${issuer}/sso/authorize`,
    token_endpoint: `${issuer}/sso/exchange`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: [...scopes],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['EdDSA'],
    claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'name', 'email', 'email_verified'],
    prompt_values_supported: ['none', 'consent'],
  }
}

const shared = {
  permission: 'public',
  input: z.object({}),
  unknownFields: 'ignored',
  output: Metadata,
  run: async (call: Call) => createMetadata(call),
} as const

export const getAuthorizationServer = operation({
  route: 'GET /.well-known/oauth-authorization-server',
  summary: 'Get the OAuth server metadata',
  ...shared,
})

export const getOpenidConfiguration = operation({
  route: 'GET /.well-known/openid-configuration',
  summary: 'Get the OpenID Connect metadata',
  ...shared,
})
