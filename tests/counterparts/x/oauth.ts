import { z } from 'zod'
import type { Call } from '../wire/call.ts'
import { challengeOf, ConsentError, type App, type Grants } from '../wire/grants.ts'
import { oauthError } from './problems.ts'

export const scopes = ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access']
const hour = 3_600_000
export const accessMs = 2 * hour
export const refreshMs = 180 * 24 * hour
export const codeMs = 30_000

const TokenForm = z.discriminatedUnion('grant_type', [
  z.strictObject({
    grant_type: z.literal('authorization_code'),
    code: z.string().min(1),
    redirect_uri: z.url(),
    code_verifier: z.string().min(43).max(128),
    client_id: z.string().optional(),
  }),
  z.strictObject({
    grant_type: z.literal('refresh_token'),
    refresh_token: z.string().min(1),
    client_id: z.string().optional(),
    scope: z.string().optional(),
  }),
])
const RevokeForm = z.strictObject({
  token: z.string().min(1),
  token_type_hint: z.enum(['access_token', 'refresh_token']).optional(),
  client_id: z.string().optional(),
})

/** Confidential clients authenticate by HTTP Basic, and only so. */
function isClient(call: Call, { clientId, clientSecret }: App): boolean {
  return call.headers.get('authorization') === `Basic ${btoa(`${clientId}:${clientSecret}`)}`
}

const badClient = () => oauthError(401, 'unauthorized_client', 'Missing valid authorization header')
const badToken = () => Response.json(badTokenShape.body, { status: badTokenShape.status })

const badTokenShape = {
  status: 400,
  body: { error: 'invalid_request', error_description: 'Value passed for the token was invalid.' },
}
/** Responses of the token endpoints to faults. */
export const oauthShapes = {
  unauthorized: {
    status: 401,
    body: { error: 'unauthorized_client', error_description: 'Missing valid authorization header' },
  },
  expired_token: badTokenShape,
  revoked_token: badTokenShape,
}

export function issueTokens(grants: Grants, user: string, granted: string[]) {
  const access = grants.issue('access', { user, scopes: granted }, accessMs)
  const refresh = granted.includes('offline.access')
    ? grants.issue('refresh', { user, scopes: granted }, refreshMs)
    : null
  return {
    token_type: 'bearer',
    expires_in: accessMs / 1000,
    access_token: access.value,
    scope: granted.join(' '),
    ...(refresh && { refresh_token: refresh.value }),
  }
}

/** Redeems codes, and refresh tokens once each: a used one is refused, and its successors live on. */
export function token(call: Call, app: App, grants: Grants): Response {
  if (!isClient(call, app)) return badClient()
  const form = call.form(TokenForm)
  if (form.grant_type === 'refresh_token') {
    const refresh = grants.live('refresh', form.refresh_token)
    if (!refresh) return badToken()
    refresh.state = 'used'
    call.user = refresh.user
    return Response.json(issueTokens(grants, refresh.user, refresh.scopes))
  }
  const grant = grants.redeem(form.code)
  if (!grant) return oauthError(400, 'invalid_request', 'Value passed for the authorization code was invalid.')
  if (grant.redirectUri !== form.redirect_uri)
    return oauthError(400, 'invalid_request', 'Value passed for the redirect uri did not match the uri of the code.')
  if (grant.challenge !== challengeOf(form.code_verifier))
    return oauthError(400, 'invalid_request', 'Value passed for the code verifier did not match the code challenge.')
  call.user = grant.user
  return Response.json(issueTokens(grants, grant.user, grant.scopes))
}

export function revoke(call: Call, app: App, grants: Grants): Response {
  if (!isClient(call, app)) return badClient()
  const found = grants.find(call.form(RevokeForm).token)
  if (!found) return badToken()
  call.user = found.user
  for (const each of grants.of(found.user)) each.state = 'revoked'
  return Response.json({ revoked: true })
}

/** The scopes of an authorization request. @throws {ConsentError} */
export function readScopes(query: Record<string, string>): string[] {
  if (query['code_challenge_method'] !== 'S256') throw new ConsentError('code_challenge_method is not S256')
  const requested = (query['scope'] ?? '').split(' ')
  const strange = requested.find((scope) => !scopes.includes(scope))
  if (strange !== undefined) throw new ConsentError(`The scope ${strange} is unknown`)
  return requested
}
