import { z } from 'zod'
import { ClientKey } from '#gateway'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { callbackUrl } from './connect.ts'

/** The client metadata document of the AT Protocol (atproto.com/specs/oauth). */
const ClientMetadata = z.object({
  client_id: z.url(),
  client_name: z.string(),
  client_uri: z.url(),
  application_type: z.literal('web'),
  grant_types: z.array(z.string()),
  scope: z.string(),
  response_types: z.array(z.string()),
  redirect_uris: z.array(z.url()),
  token_endpoint_auth_method: z.literal('private_key_jwt'),
  token_endpoint_auth_signing_alg: z.literal('ES256'),
  dpop_bound_access_tokens: z.literal(true),
  jwks: z.object({ keys: z.array(ClientKey) }),
})

/** What Bluesky’s servers read about Atrium when it signs people in: its URL is our client ID there. */
export const getClientMetadata = operation({
  route: 'GET /oauth/client-metadata.json',
  summary: 'Get the OAuth client metadata',
  permission: 'public',
  input: z.object({}),
  unknownFields: 'ignored',
  output: ClientMetadata,
  problems: { gateway_unavailable: 503 },
  run: async (call) => {
    const redirectUri = callbackUrl(call, 'bluesky')
    const { clientId, scope, keys } = await call.gateway.social.bluesky.client(redirectUri)
    const document: z.output<typeof ClientMetadata> = {
      client_id: clientId,
      client_name: 'Atrium',
      client_uri: new URL(clientId).origin,
      application_type: 'web',
      grant_types: ['authorization_code', 'refresh_token'],
      scope,
      response_types: ['code'],
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'ES256',
      dpop_bound_access_tokens: true,
      jwks: { keys },
    }
    // Not for long: servers refuse keys that they don’t find in it.
    return reply(200, document, { headers: { 'cache-control': 'public, max-age=60' } })
  },
})
