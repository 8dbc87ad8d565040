import { createLocalJWKSet, errors, jwtVerify } from 'jose'
import { z } from 'zod'
import { words } from '#lib/words.ts'
import { fetchFromProvider } from './asking.ts'
import type { Metadata } from './metadata.ts'
import { UpstreamFailure, type ProviderContext, type Provider } from './provider.ts'

/** What is read of an ID token and of userinfo. Some providers write booleans as words. */
export const Claims = z.object({
  sub: words(255).min(1),
  email: z.string().max(1000).optional(),
  email_verified: z.union([z.boolean(), z.stringbool()]).optional().catch(undefined),
  name: z.string().optional().catch(undefined),
})
export type Claims = z.output<typeof Claims>

const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) })

/** Signatures by a private key alone: with `none` or a shared secret anybody could have written the token. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** Seconds by which the provider's clock may differ from ours. */
const clockTolerance = 60

/**
 * Whom an ID token names, once its signature, issuer, audience, times and nonce are known to be right (OpenID Connect
 * Core 3.1.3.7). Throws an UpstreamFailure.
 */
export async function readIdToken(
  token: string,
  { provider, metadata, nonce }: { provider: Provider; metadata: Metadata; nonce: string },
  context: ProviderContext,
): Promise<Claims> {
  const keys = createLocalJWKSet(await fetchFromProvider(context, KeySet, metadata.jwks_uri))
  const { payload } = await jwtVerify(token, keys, {
    algorithms,
    issuer: provider.issuer,
    audience: provider.clientId,
    requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat', 'nonce'],
    currentDate: context.now(),
    clockTolerance,
  }).catch((error: unknown) => {
    throw error instanceof errors.JOSEError ? refusedToken(error.message, error) : error
  })
  if (payload['nonce'] !== nonce) throw refusedToken('it has another nonce')
  const isAmongOthers = Array.isArray(payload.aud) && payload.aud.length > 1
  if ((isAmongOthers || 'azp' in payload) && payload['azp'] !== provider.clientId)
    throw refusedToken('it was made for another client')
  const claims = Claims.safeParse(payload)
  if (!claims.success) throw refusedToken('its claims can’t be read', claims.error)
  return claims.data
}

const refusedToken = (why: string, cause?: unknown) =>
  new UpstreamFailure('failed', `The ID token is refused: ${why}`, cause)
