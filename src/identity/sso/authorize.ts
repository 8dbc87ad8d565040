import type { Actor } from '#lib/actor.ts'
import { audited, auditedStep } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import { and, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { requireSessionId } from '../current.ts'
import { sessions } from '../schema.ts'
import { issueCode, type CodeGrant } from './codes.ts'
import { resolveContext } from './context.ts'
import type { AuthorizeRequest } from './contract.ts'
import { isChallenge } from './pkce.ts'
import { requireRedirectUri, requireServiceByRef, webOrigin, type SsoService } from './services.ts'

/** A request for somebody's sign-in that its service may make. */
export interface AuthorizationRequest {
  service: SsoService
  redirectUri: string
  state: string | undefined
}

/** Who asks, and where to the answer goes: only then may anybody be sent anywhere. Throws 404 and 422. */
export async function readAuthorizationRequest(call: Call, request: AuthorizeRequest): Promise<AuthorizationRequest> {
  const ref = request.service_id ?? request.client_id
  if (ref === undefined || (request.client_id ?? ref) !== ref) throw unknownService()
  const service = await requireServiceByRef(call.db, ref).catch(() => {
    throw unknownService()
  })
  return { service, redirectUri: await requireRedirectUri(call, service, request.redirect_uri), state: request.state }
}

const unknownService = () =>
  new Problem(422, 'validation_failed', 'This address doesn’t name an app that is registered here.', {
    errors: [{ path: 'service_id', message: 'Must be the id or the slug of a registered service.' }],
  })

/** The service's address with the answer to it, and who answers (RFC 9207). */
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

/** Identity by its address, as its metadata names it. */
export const issuerOf = (call: Pick<Call, 'hosts' | 'config' | 'request'>): string =>
  webOrigin(call, 'platform-identity')

/** What is wrong with a request, as OAuth tells the service; undefined for a good one. */
export function authorizationErrorOf(
  request: AuthorizeRequest,
): { error: string; error_description: string } | undefined {
  if ((request.response_type ?? 'code') !== 'code')
    return { error: 'unsupported_response_type', error_description: 'response_type must be code.' }
  if (request.code_challenge_method !== 'S256' || !isChallenge(request.code_challenge))
    return {
      error: 'invalid_request',
      error_description: 'PKCE is needed: a code_challenge by code_challenge_method=S256.',
    }
  return undefined
}

/** The service's address with a code for it, in the context that the person works in or has chosen. Throws 409 to ask. */
export async function authorize(
  call: Call<unknown, Actor>,
  asked: AuthorizationRequest,
  request: AuthorizeRequest,
): Promise<string> {
  const { code } = await createCode(call, asked, request.context, {
    codeChallenge: request.code_challenge,
    scope: request.scope,
    nonce: request.nonce,
  })
  // The same code by the name that OAuth has for it.
  return authorizationResponseUrl(call, asked, { sso_code: code, code })
}

/** A one-time callback address of a service (IDN-22). Throws 422 for an address that isn't registered, 409 to ask. */
export async function createHandoff(
  call: Call<unknown, Actor>,
  asked: AuthorizationRequest,
  context: string | undefined,
) {
  const { code, expiresAt } = await createCode(call, asked, context, {})
  const url = new URL(asked.redirectUri)
  url.searchParams.set('sso_code', code)
  return { url: url.href, expiresAt }
}

type CodeBinding = Pick<CodeGrant, 'codeChallenge' | 'scope' | 'nonce'>

async function createCode(
  call: Call<unknown, Actor>,
  { service, redirectUri }: AuthorizationRequest,
  context: string | undefined,
  told: CodeBinding,
) {
  if (isConfined(call.actor, service)) throw personalSignInNeeded(service)
  const from = await requireSessionId(call)
  const organizationId = await resolveContext(call.db, call.actor, service, context)
  const promised = { serviceId: service.id, sessionId: from, organizationId, redirectUri, ...told }
  return auditedStep(call, (tx) => {
    audited(tx, { object: 'service', id: service.id, organizationId })
    return issueCode({ ...call, db: tx }, promised)
  })
}

/**
 * Whether a session is not the person's own towards a service: an organization's own provider opened it, and the
 * service belongs to others, who would take that provider's word for who the person is everywhere.
 */
export const isConfined = ({ onlyIn }: Actor, { firstParty }: SsoService): boolean => Boolean(onlyIn) && !firstParty

const personalSignInNeeded = ({ name }: SsoService) =>
  new Problem(
    403,
    'own_sign_in_needed',
    `You signed in by your organization’s provider, which doesn’t sign you in to ${name}. Sign in with your own account first.`,
  )

/** Whether a service of others may go on without asking: it has a session of the person, who can end it at any time. */
export async function hasConsent(db: Database, userId: string, service: SsoService): Promise<boolean> {
  if (service.firstParty) return true
  const known = and(eq(sessions.userId, userId), eq(sessions.serviceId, service.id))
  return (await db.select({ id: sessions.id }).from(sessions).where(known).limit(1)).length > 0
}
