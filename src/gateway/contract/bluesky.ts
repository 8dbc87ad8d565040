import { z } from 'zod'
import { plainText } from '#lib/text.ts'

export const PushedConsent = z.object({
  authorizeUrl: z.url(),
  clientId: z.string(),
  keyId: z.string().nullable().describe('Of the client’s key that the session is bound to; null without one.'),
})

export const BlueskyTokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  expiresInSeconds: z.int().nullable().describe('0 when only the refresh token is still of use.'),
  scope: z.string(),
  did: plainText(2_000).describe('Of the account, as the server says: only its own identity proves it.'),
})
export type BlueskyTokens = z.output<typeof BlueskyTokens>

/** A JWK. */
export const ClientKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  use: z.literal('sig'),
  alg: z.literal('ES256'),
})
export type ClientKey = z.output<typeof ClientKey>

export const BlueskyClient = z.object({
  clientId: z.url(),
  scope: z.string().describe('All that it asks people for.'),
  keys: z.array(ClientKey).describe('With which it authenticates.'),
})
export type BlueskyClient = z.output<typeof BlueskyClient>
