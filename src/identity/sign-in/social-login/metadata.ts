import { z } from 'zod'
import { fetchFromProvider } from './fetch-from-provider.ts'
import { ProviderFailure, type ProviderContext } from './provider.ts'

const Endpoint = z.url({ protocol: /^https?$/ })

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: Endpoint,
  token_endpoint: Endpoint,
  jwks_uri: Endpoint,
  userinfo_endpoint: Endpoint.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
  authorization_response_iss_parameter_supported: z.boolean().default(false),
})
export type Metadata = z.output<typeof Metadata>

/** @throws ProviderFailure, also when the document names another issuer */
export async function fetchMetadata(issuer: string, context: ProviderContext): Promise<Metadata> {
  const metadata = await fetchFromProvider(
    context,
    Metadata,
    `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
  )
  if (metadata.issuer === issuer) return metadata
  throw new ProviderFailure('failed', `The metadata of ${issuer} names a different issuer, ${metadata.issuer}.`)
}
