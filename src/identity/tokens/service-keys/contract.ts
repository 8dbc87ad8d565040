import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { plainText } from '#lib/text.ts'

const coordinate = z.string().regex(/^[\w-]{43}$/, 'Must be 32 bytes as base64url.')

/** RFC 7517: Ed25519, or P-256. */
export const PublicJwk = z.discriminatedUnion('kty', [
  z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: coordinate }),
  z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: coordinate, y: coordinate }),
])
export type PublicJwk = z.output<typeof PublicJwk>

/** A private key is refused: it must stay with its service. */
const Registered = z
  .looseObject({ kty: z.string() })
  .refine((jwk) => !('d' in jwk), 'Must not be a private key. Create a new key pair and send only its public key.')
  .pipe(PublicJwk)

export const ServiceKeyDraft = z.object({ id: Id, publicKey: Registered })

export const ServiceKeyQuery = z.object({ id: Id, keyId: Id })

export const ServiceKey = z.object({
  id: Id,
  thumbprint: z.string().describe('RFC 7638, SHA-256.'),
  publicKey: PublicJwk,
  createdAt: Timestamp,
  revokedAt: Timestamp.nullable(),
})

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** RFC 7523 §2.2, with the callee named as audience. */
export const ServiceTokenRequest = z.object({
  grant_type: z.literal('client_credentials'),
  client_assertion_type: z.literal(assertionType),
  client_assertion: plainText(4096),
  client_id: plainText(100).optional().describe('The caller’s slug, as in the assertion.'),
  audience: plainText(100).default('platform-identity').describe('The slug of the service to call.'),
})
export type ServiceTokenRequest = z.output<typeof ServiceTokenRequest>

/** RFC 6749 §5.1. */
export const ServiceToken = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.number().int().describe('Seconds.'),
})
/** Replays of idempotent requests omit the token. */
export const ServiceTokenResponse = ServiceToken.partial({ access_token: true })
