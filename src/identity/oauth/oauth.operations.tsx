import { z } from 'zod'
import { Problem } from '#lib/errors.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import {
  authorizationResponseUrl,
  readAuthorizationRequest,
  authorize,
  authorizationErrorOf,
  createHandoff,
} from './authorize.ts'
import { Authorize } from '#views/identity/oauth/authorize.tsx'
import {
  AuthorizationResult,
  AuthorizeRequest,
  AuthorizeDecision,
  ExchangeResult,
  ExchangeRequest,
  Handoff,
  HandoffRequest,
  OAuthError,
  OAuthTokens,
  PendingAuthorization,
} from './contract.ts'
import { describeAuthorization } from './pending-authorization.ts'
import { exchangeCode } from './exchange.ts'
import { handleTokenRequest } from './token-endpoint.ts'
import { replyWithSession } from './session-reply.ts'

const refusals = { redirect_uri_mismatch: 422, context_required: 409, own_session_required: 403 } as const

export const createHandoffCode = operation({
  route: 'POST /sso/handoff-code',
  summary: 'Create a one-time sign-in link to a service',
  permission: 'signed-in',
  personal: false,
  input: HandoffRequest,
  output: Handoff,
  secrets: ['url'],
  transaction: false,
  problems: refusals,
  run: async (call) => {
    const { service_id, redirect_uri, context } = call.input
    const handoff = await createHandoff(
      call,
      await readAuthorizationRequest(call, { service_id, redirect_uri }),
      context,
    )
    return reply(200, handoff, { next: handoff.url })
  },
})

export const getAuthorization = operation({
  route: 'GET /api/auth/authorization',
  summary: 'Get a pending sign-in request',
  permission: 'signed-in',
  personal: false,
  input: AuthorizeRequest,
  output: PendingAuthorization,
  problems: { ...refusals, not_found: 404 },
  run: (call) => describeAuthorization(call),
  view: (authorization, { input }) => <Authorize request={input} authorization={authorization} />,
})

export const decideAuthorization = operation({
  route: 'POST /sso/authorize',
  summary: 'Approve or deny a sign-in request',
  permission: 'signed-in',
  personal: false,
  input: AuthorizeDecision,
  unknownFields: 'ignored',
  output: AuthorizationResult,
  transaction: false,
  problems: { ...refusals, invalid_request: 422 },
  run: async (call) => {
    const { input } = call
    const authorization = await readAuthorizationRequest(call, input)
    const error = input.decision === 'deny' ? { error: 'access_denied' } : authorizationErrorOf(input)
    const url = error
      ? authorizationResponseUrl(call, authorization, error)
      : await authorize(call, authorization, input)
    return reply(200, { url }, { next: url })
  },
})

export const exchangeSsoCode = operation({
  route: 'POST /sso/exchange',
  summary: 'Exchange an authorization code for tokens',
  permission: 'public',
  input: ExchangeRequest,
  unknownFields: 'ignored',
  output: z.union([ExchangeResult, OAuthTokens, OAuthError]),
  answers: { 200: z.union([ExchangeResult, OAuthTokens]), 400: OAuthError },
  transaction: false,
  problems: { invalid_code: 401, signed_in_as_another_account: 409 },
  run: async (call) => {
    const { input } = call
    if (input.grant_type !== undefined) return handleTokenRequest(call, input)
    const { sso_code: code, code_verifier: verifier, service_id: service, redirect_uri: redirectUri } = input
    if (code === undefined) throw missingCode()
    const { refresh_token: refreshToken, replace } = input
    return replyWithSession(
      call,
      await exchangeCode(call, { code, verifier, service, redirectUri, refreshToken, replace }),
    )
  },
})

const missingCode = () =>
  new Problem(422, 'validation_failed', 'Send the sso_code, or an OAuth request with its grant_type.', {
    errors: [{ path: 'sso_code', message: 'sso_code is required.' }],
  })
