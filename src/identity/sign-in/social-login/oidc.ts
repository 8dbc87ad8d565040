import { z } from 'zod'
import { fetchFromProvider } from './fetch-from-provider.ts'
import { Claims, readIdToken } from './id-token.ts'
import { fetchMetadata, type Metadata } from './metadata.ts'
import {
  ProviderFailure,
  type ProviderContext,
  type Protocol,
  type Provider,
  type OAuthTransaction,
  type AuthorizationResponse,
} from './provider.ts'
import { verifiedEmail } from './verified-email.ts'

const scopes = ['openid', 'email', 'profile']

/** Authorization code flow with PKCE, at any issuer with discovery. */
export const oidc: Protocol = {
  authorizeUrl: async (provider, { state, nonce, codeVerifier, redirectUri }, context) => {
    const { CodeChallengeMethod, OAuth2Client } = await import('arctic')
    const { authorization_endpoint } = await fetchMetadata(provider.issuer, context)
    const url = new OAuth2Client(provider.clientId, null, redirectUri).createAuthorizationURLWithPKCE(
      authorization_endpoint,
      state,
      CodeChallengeMethod.S256,
      codeVerifier,
      scopes,
    )
    url.searchParams.set('nonce', nonce)
    return url
  },
  identify: async (provider, answer, transaction, context) => {
    const metadata = await fetchMetadata(provider.issuer, context)
    requireSameIssuer(provider, metadata, answer)
    const tokens = await exchangeCode(provider, metadata, answer, transaction, context)
    const claims = await readIdToken(tokens.id_token, { provider, metadata, nonce: transaction.nonce }, context)
    const profile =
      claims.email === undefined ? await fetchUserinfo(claims, metadata, tokens.access_token, context) : claims
    return {
      issuer: provider.issuer,
      subject: claims.sub,
      name: profile.name ?? null,
      verifiedEmail: verifiedEmail(profile.email, profile.email_verified),
    }
  },
}

/** RFC 9207: the response must come from the issuer that was asked. */
function requireSameIssuer({ issuer }: Provider, metadata: Metadata, { iss }: AuthorizationResponse): void {
  if (iss === undefined && !metadata.authorization_response_iss_parameter_supported) return
  if (iss !== issuer) throw new ProviderFailure('failed', `The response from ${issuer} names ${iss ?? 'no issuer'}.`)
}

const Tokens = z.object({ id_token: z.string(), access_token: z.string() })

function exchangeCode(
  { clientId, clientSecret }: Provider,
  { token_endpoint, token_endpoint_auth_methods_supported: ways }: Metadata,
  { code }: AuthorizationResponse,
  { redirectUri, codeVerifier }: OAuthTransaction,
  context: ProviderContext,
) {
  const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier }
  const byHeader = ways.includes('client_secret_basic')
  const post = (body: Record<string, string>, headers: Record<string, string> = {}) =>
    fetchFromProvider(context, Tokens, token_endpoint, { method: 'POST', body: new URLSearchParams(body), headers })
  return byHeader
    ? post(grant, { authorization: `Basic ${basicCredentials(clientId, clientSecret)}` })
    : post({ ...grant, client_id: clientId, client_secret: clientSecret })
}

/** RFC 6749 2.3.1: id and secret are form-encoded first. */
const basicCredentials = (clientId: string, clientSecret: string): string => {
  const encoded = [clientId, clientSecret].map((text) => new URLSearchParams({ text }).toString().slice('text='.length))
  return Buffer.from(encoded.join(':')).toString('base64')
}

/** Some providers return the email address only there. */
async function fetchUserinfo(
  claims: Claims,
  metadata: Metadata,
  token: string,
  context: ProviderContext,
): Promise<Claims> {
  if (!metadata.userinfo_endpoint) return claims
  const headers = { authorization: `Bearer ${token}` }
  const profile = await fetchFromProvider(context, Claims, metadata.userinfo_endpoint, { headers })
  if (profile.sub === claims.sub) return profile
  throw new ProviderFailure('failed', 'Userinfo and the ID token have different subjects.')
}
