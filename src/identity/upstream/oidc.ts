import { z } from 'zod'
import { askProvider } from './asking.ts'
import { Claims, readIdToken } from './id-token.ts'
import { metadataOf, type Metadata } from './metadata.ts'
import {
  UpstreamFailure,
  type Outside,
  type Protocol,
  type Provider,
  type Tie,
  type UpstreamAnswer,
} from './provider.ts'
import { verifiedEmail } from './verified-email.ts'

const scopes = ['openid', 'email', 'profile']

/** OpenID Connect by authorization code with PKCE, at any issuer that tells of itself. */
export const oidc: Protocol = {
  authorizeUrl: async (provider, { state, nonce, codeVerifier, redirectUri }, outside) => {
    const { CodeChallengeMethod, OAuth2Client } = await import('arctic')
    const { authorization_endpoint } = await metadataOf(provider.issuer, outside)
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
  identify: async (provider, answer, tie, outside) => {
    const metadata = await metadataOf(provider.issuer, outside)
    refuseMixUp(provider, metadata, answer)
    const tokens = await exchange(provider, metadata, answer, tie, outside)
    const claims = await readIdToken(tokens.id_token, { provider, metadata, nonce: tie.nonce }, outside)
    const told = claims.email === undefined ? await askUserinfo(claims, metadata, tokens.access_token, outside) : claims
    return {
      issuer: provider.issuer,
      subject: claims.sub,
      name: told.name ?? null,
      verifiedEmail: verifiedEmail(told.email, told.email_verified),
    }
  },
}

/** An answer of another issuer than the one that was asked (RFC 9207). */
function refuseMixUp({ issuer }: Provider, metadata: Metadata, { iss }: UpstreamAnswer): void {
  if (iss === undefined && !metadata.authorization_response_iss_parameter_supported) return
  if (iss !== issuer) throw new UpstreamFailure('failed', `${issuer} was asked, and ${iss ?? 'nobody'} answers.`)
}

const Tokens = z.object({ id_token: z.string(), access_token: z.string() })

function exchange(
  { clientId, clientSecret }: Provider,
  { token_endpoint, token_endpoint_auth_methods_supported: ways }: Metadata,
  { code }: UpstreamAnswer,
  { redirectUri, codeVerifier }: Tie,
  outside: Outside,
) {
  const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier }
  const byHeader = ways.includes('client_secret_basic')
  const post = (body: Record<string, string>, headers: Record<string, string> = {}) =>
    askProvider(outside, Tokens, token_endpoint, { method: 'POST', body: new URLSearchParams(body), headers })
  return byHeader
    ? post(grant, { authorization: `Basic ${basic(clientId, clientSecret)}` })
    : post({ ...grant, client_id: clientId, client_secret: clientSecret })
}

/** RFC 6749 2.3.1: both are form-encoded first. */
const basic = (clientId: string, clientSecret: string): string => {
  const encoded = [clientId, clientSecret].map((text) => new URLSearchParams({ text }).toString().slice('text='.length))
  return Buffer.from(encoded.join(':')).toString('base64')
}

/** Some providers tell the address only there. It has to be of the same person. */
async function askUserinfo(claims: Claims, metadata: Metadata, token: string, outside: Outside): Promise<Claims> {
  if (!metadata.userinfo_endpoint) return claims
  const headers = { authorization: `Bearer ${token}` }
  const told = await askProvider(outside, Claims, metadata.userinfo_endpoint, { headers })
  if (told.sub === claims.sub) return told
  throw new UpstreamFailure('failed', 'Userinfo is of somebody else than the ID token.')
}
