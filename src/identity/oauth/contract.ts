import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { plainText } from '#lib/text.ts'
import { ContextRef, ServiceRef } from '../contract/services.ts'
import { SignInResult } from '../contract/sign-in.ts'

const uri = plainText(2048)

export const HandoffRequest = z.object({ service_id: ServiceRef, redirect_uri: uri, context: ContextRef })
export type HandoffRequest = z.infer<typeof HandoffRequest>

export const Handoff = z.object({
  url: z.string().describe('The redirect URI with a one-time code, to open in the browser.'),
  expiresAt: Timestamp,
})

/** As other services read it. */
export const ReceivedHandoff = z.object({ url: z.string(), expiresAt: z.coerce.date() })
export type ReceivedHandoff = z.output<typeof ReceivedHandoff>

/** IDN-23, with OAuth’s names as aliases. Missing fields are reported to the redirect URI, so all are optional here. */
export const AuthorizeRequest = z.object({
  service_id: ServiceRef.optional(),
  client_id: ServiceRef.optional().describe('Alias of service_id, for OAuth clients.'),
  redirect_uri: uri.optional(),
  response_type: plainText(100).optional(),
  state: plainText(2000).optional(),
  scope: plainText(1000).optional(),
  nonce: plainText(500).optional(),
  prompt: plainText(100).optional(),
  code_challenge: plainText(200).optional(),
  code_challenge_method: plainText(20).optional(),
  context: ContextRef,
})
export type AuthorizeRequest = z.infer<typeof AuthorizeRequest>

export const PendingAuthorization = z.object({
  app: z.object({
    name: z.string(),
    description: z.string(),
    host: z.string().describe('The host of the redirect URI.'),
  }),
  email: z.string().describe('The email address of the signed-in person.'),
  question: z
    .enum(['account', 'consent', 'context'])
    .nullable()
    .describe(
      '`account`: the session was opened by an organization’s single sign-on, which this app can’t use. Null when no decision is needed.',
    ),
  confinedTo: z.string().nullable().describe('With `account`: the name of that organization.'),
  choices: z
    .array(z.object({ id: Id.nullable().describe('Null for the personal context.'), name: z.string() }))
    .nullable()
    .describe('With `context`: the contexts in which the app is available.'),
})
export type PendingAuthorization = z.output<typeof PendingAuthorization>

export const AuthorizeDecision = AuthorizeRequest.extend({ decision: z.enum(['allow', 'deny']).default('allow') })
export const AuthorizationResult = z.object({ url: z.string().describe('The URL to open in the browser.') })

/** With the names of IDN-23, or as a request to an OAuth token endpoint (`grant_type`). */
export const ExchangeRequest = z.object({
  sso_code: plainText(200).optional(),
  service_id: ServiceRef.optional(),
  code_verifier: plainText(200).optional(),
  redirect_uri: uri.optional(),
  grant_type: plainText(100).optional(),
  code: plainText(200).optional(),
  client_id: ServiceRef.optional(),
  refresh_token: plainText(200)
    .optional()
    .describe(
      'With sso_code: the refresh token of the browser’s current session in the app. A code for another person is then rejected with 409.',
    ),
  replace: z.boolean().optional().describe('Whether the person agreed to switch accounts.'),
})
export type ExchangeRequest = z.infer<typeof ExchangeRequest>

export const ExchangeResult = SignInResult.extend({
  service: z
    .object({ id: Id, slug: z.string(), name: z.string(), webUrl: z.string().nullable() })
    .describe('The service that the session is for.'),
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
