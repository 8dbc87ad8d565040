import { z } from 'zod'
import type { Call } from '../wire/call.ts'
import { challengeOf, ConsentError, type App, type Grants } from '../wire/grants.ts'
import { oauthError } from './errors.ts'

const youtube = 'https://www.googleapis.com/auth/youtube'
/** Those with which something of YouTube is allowed here. */
export const scopes = [`${youtube}.upload`, `${youtube}.readonly`, youtube, `${youtube}.force-ssl`]

/** A second less than an hour, as Google says. */
const accessMs = 3_599_000
const refreshMs = 365 * 86_400_000
export const codeMs = 600_000
/** Of codes, which clients have to send as they came, with the slash. */
export const codeStart = '4/0'

const client = { client_id: z.string().min(1), client_secret: z.string().min(1) }
const TokenForm = z.discriminatedUnion('grant_type', [
  z.strictObject({
    ...client,
    grant_type: z.literal('authorization_code'),
    code: z.string().min(1),
    redirect_uri: z.url(),
    code_verifier: z.string().min(43).max(128).optional(),
  }),
  z.strictObject({ ...client, grant_type: z.literal('refresh_token'), refresh_token: z.string().min(1) }),
])
const RevokeForm = z.strictObject({ token: z.string().min(1) })

const badGrant = { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }
/** Responses of the token endpoints to faults. */
export const oauthShapes = {
  unauthorized: { status: 401, body: { error: 'invalid_client', error_description: 'Unauthorized' } },
  expired_token: { status: 400, body: badGrant },
  revoked_token: { status: 400, body: badGrant },
}

/** What a code stands for besides its grant: whether it gives a refresh token. */
export const offline = 'offline'

export function issueTokens(grants: Grants, user: string, granted: string[], withRefresh = true) {
  const access = grants.issue('access', { user, scopes: granted }, accessMs, 'ya29.')
  const refresh = withRefresh ? grants.issue('refresh', { user, scopes: granted }, refreshMs, '1//0') : null
  return {
    access_token: access.value,
    expires_in: accessMs / 1000,
    ...(refresh && { refresh_token: refresh.value }),
    scope: granted.join(' '),
    token_type: 'Bearer',
  }
}

/** Redeems codes. Refresh tokens stay the same, and responses to them have none. */
export function token(call: Call, app: App, grants: Grants): Response {
  const form = call.form(TokenForm)
  if (form.client_id !== app.clientId) return oauthError(401, 'invalid_client', 'The OAuth client was not found.')
  if (form.client_secret !== app.clientSecret) return oauthError(401, 'invalid_client', 'Unauthorized')
  if (form.grant_type === 'refresh_token') {
    const refresh = grants.live('refresh', form.refresh_token)
    if (!refresh) return oauthError(400, badGrant.error, badGrant.error_description)
    call.user = refresh.user
    return Response.json(issueTokens(grants, refresh.user, refresh.scopes, false))
  }
  const grant = form.code.startsWith(codeStart) ? grants.redeem(form.code.slice(codeStart.length)) : null
  if (!grant) return oauthError(400, 'invalid_grant', 'Malformed auth code.')
  if (grant.redirectUri !== form.redirect_uri) return oauthError(400, 'redirect_uri_mismatch', 'Bad Request')
  if (grant.challenge && form.code_verifier === undefined)
    return oauthError(400, 'invalid_grant', 'Missing code verifier.')
  if (grant.challenge && grant.challenge !== challengeOf(form.code_verifier ?? ''))
    return oauthError(400, 'invalid_grant', 'Invalid code verifier.')
  call.user = grant.user
  return Response.json(issueTokens(grants, grant.user, grant.scopes, grant.choices.includes(offline)))
}

/** Ends the whole grant, by its access token or its refresh token. An expired token isn't known any more. */
export function revoke(call: Call, grants: Grants): Response {
  const form = call.form(RevokeForm)
  const found = grants.live('access', form.token) ?? grants.live('refresh', form.token)
  if (!found) return oauthError(400, 'invalid_token', 'Token expired or revoked')
  call.user = found.user
  grants.revoke(found.user)
  return Response.json({})
}

/** The scopes of an authorization request. @throws {ConsentError} */
export function readScopes(query: Record<string, string>): string[] {
  const method = query['code_challenge_method']
  if (query['code_challenge'] && method !== 'S256' && method !== 'plain')
    throw new ConsentError('code_challenge_method is not S256')
  const requested = (query['scope'] ?? '').split(' ')
  const strange = requested.find((scope) => !scopes.includes(scope))
  if (strange !== undefined) throw new ConsentError(`Error 400: invalid_scope, ${strange}`)
  for (const [name, allowed] of Object.entries(choices)) {
    const value = query[name]
    if (value !== undefined && !allowed.includes(value)) throw new ConsentError(`${name} is invalid`)
  }
  return requested
}

const choices = {
  access_type: ['online', 'offline'],
  prompt: ['none', 'consent', 'select_account', 'consent select_account'],
  include_granted_scopes: ['true', 'false'],
}
