import type { Actor } from '#lib/actor.ts'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import { and, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { requireSessionId } from '../accounts/caller.ts'
import { sessions } from '../schema.ts'
import { issueCode, type CodeGrant } from './codes.ts'
import { resolveContext } from './context.ts'
import type { AuthorizeRequest } from './contract.ts'
import { isChallenge } from './pkce.ts'
import { requireRedirectUri, requireServiceByRef, webOrigin, type SsoService } from './services.ts'

export interface AuthorizationRequest {
  service: SsoService
  redirectUri: string
  state: string | undefined
}

/** Nothing is sent anywhere before the redirect URI is checked. @throws 404; 422 */
export async function readAuthorizationRequest(call: Call, request: AuthorizeRequest): Promise<AuthorizationRequest> {
  const ref = request.service_id ?? request.client_id
  if (ref === undefined || (request.client_id ?? ref) !== ref) throw unknownService()
  const service = await requireServiceByRef(call.db, ref).catch(() => {
    throw unknownService()
  })
  return { service, redirectUri: await requireRedirectUri(call, service, request.redirect_uri), state: request.state }
}

const unknownService = () =>
  new Problem(422, 'validation_failed', 'This request doesn’t name a registered app.', {
    errors: [{ path: 'service_id', message: 'Must be the ID or slug of a registered service.' }],
  })

/** The redirect URI with a response, state and issuer (RFC 9207). */
export function authorizationResponseUrl(
  call: Call,
  { redirectUri, state }: AuthorizationRequest,
  answer: Record<string, string>,
): string {
  const url = new URL(redirectUri)
  const iss = issuerOf(call)
  for (const [name, value] of Object.entries({ ...answer, ...(state !== undefined && { state }), iss }))
    url.searchParams.set(name, value)
  return url.href
}

export const issuerOf = (call: Pick<Call, 'hosts' | 'config' | 'request'>): string =>
  webOrigin(call, 'platform-identity')

/** The OAuth error of an invalid request; undefined for a valid one. */
export function authorizationErrorOf(
  request: AuthorizeRequest,
): { error: string; error_description: string } | undefined {
  if ((request.response_type ?? 'code') !== 'code')
    return { error: 'unsupported_response_type', error_description: 'response_type must be code.' }
  if (request.code_challenge_method !== 'S256' || !isChallenge(request.code_challenge))
    return {
      error: 'invalid_request',
      error_description: 'PKCE is required: send code_challenge with code_challenge_method=S256.',
    }
  return undefined
}

/** @throws 409 when the person must choose a context */
export async function authorize(
  call: Call<unknown, Actor>,
  authorization: AuthorizationRequest,
  request: AuthorizeRequest,
): Promise<string> {
  const { code } = await createCode(call, authorization, request.context, {
    codeChallenge: request.code_challenge,
    scope: request.scope,
    nonce: request.nonce,
  })
  // OAuth clients expect the code under this name.
  return authorizationResponseUrl(call, authorization, { sso_code: code, code })
}

/** IDN-22. @throws 422 for an unregistered redirect URI; 409 when the person must choose a context */
export async function createHandoff(
  call: Call<unknown, Actor>,
  authorization: AuthorizationRequest,
  context: string | undefined,
) {
  const { code, expiresAt } = await createCode(call, authorization, context, {})
  const url = new URL(authorization.redirectUri)
  url.searchParams.set('sso_code', code)
  return { url: url.href, expiresAt }
}

type CodeBinding = Pick<CodeGrant, 'codeChallenge' | 'scope' | 'nonce'>

async function createCode(
  call: Call<unknown, Actor>,
  { service, redirectUri }: AuthorizationRequest,
  context: string | undefined,
  binding: CodeBinding,
) {
  if (isConfined(call.actor, service)) throw personalSignInNeeded(service)
  const from = await requireSessionId(call)
  const organizationId = await resolveContext(call.db, call.actor, service, context)
  const grant = { serviceId: service.id, sessionId: from, organizationId, redirectUri, ...binding }
  return auditedTransaction(call, (tx) => {
    recordChange(tx, { object: 'service', id: service.id, organizationId })
    return issueCode({ ...call, db: tx }, grant)
  })
}

/** An organization's SSO provider must not decide who the person is at a third-party service. */
export const isConfined = ({ onlyIn }: Actor, { firstParty }: SsoService): boolean => Boolean(onlyIn) && !firstParty

const personalSignInNeeded = ({ name }: SsoService) =>
  new Problem(
    403,
    'own_session_required',
    `You signed in with your organization’s single sign-on, which can’t be used for ${name}. Sign in with your own account first.`,
  )

/** Consent to a third-party service lasts as long as it has a session of the person, which they can end at any time. */
export async function hasConsent(db: Database, userId: string, service: SsoService): Promise<boolean> {
  if (service.firstParty) return true
  const known = and(eq(sessions.userId, userId), eq(sessions.serviceId, service.id))
  return (await db.select({ id: sessions.id }).from(sessions).where(known).limit(1)).length > 0
}
