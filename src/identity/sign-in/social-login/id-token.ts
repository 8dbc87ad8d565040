import { createLocalJWKSet, errors, jwtVerify } from 'jose'
import { z } from 'zod'
import { plainText } from '#lib/text.ts'
import { fetchFromProvider } from './fetch-from-provider.ts'
import type { Metadata } from './metadata.ts'
import { ProviderFailure, type ProviderContext, type Provider } from './provider.ts'

/** Claims of an ID token or of userinfo. Some providers write booleans as strings. */
export const Claims = z.object({
  sub: plainText(255).min(1),
  email: z.string().max(1000).optional(),
  email_verified: z.union([z.boolean(), z.stringbool()]).optional().catch(undefined),
  name: z.string().optional().catch(undefined),
})
export type Claims = z.output<typeof Claims>

const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) })

/** Asymmetric signatures only: `none` and shared secrets prove nothing. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** Seconds. */
const clockTolerance = 60

/** OpenID Connect Core 3.1.3.7: verifies signature, issuer, audience, times and nonce. @throws ProviderFailure */
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
  if (payload['nonce'] !== nonce) throw refusedToken('wrong nonce')
  const isAmongOthers = Array.isArray(payload.aud) && payload.aud.length > 1
  if ((isAmongOthers || 'azp' in payload) && payload['azp'] !== provider.clientId)
    throw refusedToken('issued for another client')
  const claims = Claims.safeParse(payload)
  if (!claims.success) throw refusedToken('invalid claims', claims.error)
  return claims.data
}

const refusedToken = (why: string, cause?: unknown) =>
  new ProviderFailure('failed', `The ID token was rejected: ${why}`, cause)
