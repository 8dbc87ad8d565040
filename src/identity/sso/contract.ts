import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { words } from '#lib/words.ts'
import { ContextRef, ServiceRef } from '../contract/services.ts'
import { SignedIn } from '../contract/sign-in.ts'

const uri = words(2048)

/** IDN-22: names as the seed gives them. */
export const HandoffRequest = z.object({ service_id: ServiceRef, redirect_uri: uri, context: ContextRef })
export type HandoffRequest = z.infer<typeof HandoffRequest>

export const Handoff = z.object({
  url: z.string().describe('Where the browser goes: the redirect URI with a code that works once.'),
  expiresAt: Timestamp,
})

/** IDN-23, with OAuth's names for the same beside it. What is missing is told to the service where it has told its address. */
export const AuthorizeRequest = z.object({
  service_id: ServiceRef.optional(),
  client_id: ServiceRef.optional().describe('The same by its name in OAuth.'),
  redirect_uri: uri.optional(),
  response_type: words(100).optional(),
  state: words(2000).optional(),
  scope: words(1000).optional(),
  nonce: words(500).optional(),
  prompt: words(100).optional(),
  code_challenge: words(200).optional(),
  code_challenge_method: words(20).optional(),
  context: ContextRef,
})
export type AuthorizeRequest = z.infer<typeof AuthorizeRequest>

/** What a person answered to an app that asks for them. */
export const AuthorizeDecision = AuthorizeRequest.extend({ decision: z.enum(['allow', 'deny']).default('allow') })
export const Authorized = z.object({ url: z.string().describe('Where the browser goes on.') })

/** A code in exchange for tokens: by the names of IDN-23, or as a request to an OAuth token endpoint (`grant_type`). */
export const ExchangeRequest = z.object({
  sso_code: words(200).optional(),
  service_id: ServiceRef.optional(),
  code_verifier: words(200).optional(),
  redirect_uri: uri.optional(),
  grant_type: words(100).optional(),
  code: words(200).optional(),
  client_id: ServiceRef.optional(),
  refresh_token: words(200)
    .optional()
    .describe('With an sso_code: what the browser has at the app. A hand-off of another person is 409 then.'),
  replace: z.boolean().optional().describe('The person agreed to be signed in as another person.'),
})
export type ExchangeRequest = z.infer<typeof ExchangeRequest>

export const Exchanged = SignedIn.extend({
  service: z
    .object({ id: Id, slug: z.string(), name: z.string(), webUrl: z.string().nullable() })
    .describe('Where one has arrived.'),
})

/** RFC 6749, 5.1. */
export const OAuthTokens = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.number().int(),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
  id_token: z.string().optional(),
})

/** RFC 6749, 5.2. */
export const OAuthError = z.object({ error: z.string(), error_description: z.string() })
