import { z } from 'zod'
import type { Call } from '../wire/call.ts'
import { ConsentError, type App, type Grants } from '../wire/grants.ts'
import { oauthError } from './errors.ts'

export const scopes = ['user.info.basic', 'user.info.profile', 'video.publish', 'video.upload', 'video.list']

export const codeMs = 600_000

/** Lifetimes, of which the documentation has had several. */
export interface Lifetimes {
  accessMs: number
  refreshMs: number
}
export const lifetimes: Lifetimes = { accessMs: 2 * 3_600_000, refreshMs: 180 * 86_400_000 }

const client = { client_key: z.string().min(1), client_secret: z.string().min(1) }
const TokenForm = z.discriminatedUnion('grant_type', [
  z.strictObject({
    ...client,
    grant_type: z.literal('authorization_code'),
    code: z.string().min(1),
    redirect_uri: z.url(),
    code_verifier: z.string().optional(),
  }),
  z.strictObject({ ...client, grant_type: z.literal('refresh_token'), refresh_token: z.string().min(1) }),
])
const RevokeForm = z.strictObject({ ...client, token: z.string().min(1) })

const isClient = (form: { client_key: string; client_secret: string }, app: App): boolean =>
  form.client_key === app.clientId && form.client_secret === app.clientSecret

const badClient = () => oauthError('invalid_client', 'Client key or secret is incorrect.')

const badGrant = { error: 'invalid_grant', error_description: 'Refresh token is invalid or expired.', log_id: '2026' }
/** Responses of the token endpoints to faults. */
export const oauthShapes = {
  unauthorized: {
    status: 400,
    body: { error: 'invalid_client', error_description: 'Client key or secret is incorrect.', log_id: '2026' },
  },
  expired_token: { status: 400, body: badGrant },
  revoked_token: { status: 400, body: badGrant },
}

export function issueTokens(grants: Grants, user: string, granted: string[], { accessMs, refreshMs }: Lifetimes) {
  const access = grants.issue('access', { user, scopes: granted }, accessMs, 'act.')
  const refresh = grants.issue('refresh', { user, scopes: granted }, refreshMs, 'rft.')
  return {
    open_id: user,
    scope: granted.join(','),
    access_token: access.value,
    expires_in: accessMs / 1000,
    refresh_token: refresh.value,
    refresh_expires_in: refreshMs / 1000,
    token_type: 'Bearer',
  }
}

/** Redeems codes, and refresh tokens once each. */
export function token(call: Call, app: App, grants: Grants, lives: Lifetimes): Response {
  const form = call.form(TokenForm)
  if (!isClient(form, app)) return badClient()
  if (form.grant_type === 'refresh_token') {
    const refresh = grants.live('refresh', form.refresh_token)
    if (!refresh) return oauthError('invalid_grant', 'Refresh token is invalid or expired.')
    refresh.state = 'used'
    call.user = refresh.user
    return Response.json(issueTokens(grants, refresh.user, refresh.scopes, lives))
  }
  // The code in the redirect has characters that are escaped there: it has to be sent unescaped.
  if (!form.code.endsWith(codeEnd)) return oauthError('invalid_grant', 'Authorization code is malformed.')
  const grant = grants.redeem(form.code.slice(0, -codeEnd.length))
  if (!grant) return oauthError('invalid_grant', 'Authorization code is expired.')
  if (grant.redirectUri !== form.redirect_uri)
    return oauthError('invalid_request', 'Redirect_uri is not matched with the uri when requesting code.')
  if (grant.challenge && grant.challenge !== hexChallengeOf(form.code_verifier ?? ''))
    return oauthError('invalid_request', 'Code verifier or code challenge is invalid.')
  call.user = grant.user
  return Response.json(issueTokens(grants, grant.user, grant.scopes, lives))
}

export const codeEnd = '*1!6201'

/** TikTok's challenge is hexadecimal, unlike RFC 7636's. */
const hexChallengeOf = (verifier: string): string => new Bun.CryptoHasher('sha256').update(verifier).digest('hex')

export function revoke(call: Call, app: App, grants: Grants): Response {
  const form = call.form(RevokeForm)
  if (!isClient(form, app)) return badClient()
  const found = grants.find(form.token)
  if (!found) return oauthError('invalid_request', 'The token is invalid.')
  call.user = found.user
  grants.revoke(found.user)
  return new Response('{}', { headers: { 'content-type': 'application/json' } })
}

/** The scopes of an authorization request. @throws {ConsentError} */
export function readScopes(scope: string): string[] {
  const requested = scope.split(',')
  const strange = requested.find((each) => !scopes.includes(each))
  if (strange !== undefined) throw new ConsentError(`The scope ${strange} is invalid`)
  if (!requested.includes('user.info.basic')) throw new ConsentError('The scope user.info.basic is missing')
  return requested
}
