import { z } from 'zod'
import { faults, graphError, oauthError } from '../graph/errors.ts'
import type { Params } from '../graph/params.ts'
import { bearerOf, liveToken, longMs, needScopes, shortMs } from '../graph/tokens.ts'
import type { Call } from '../wire/call.ts'
import type { Clock } from '../wire/clock.ts'
import type { App, Grants } from '../wire/grants.ts'

export const scopes = [
  'instagram_business_basic',
  'instagram_business_content_publish',
  'instagram_business_manage_comments',
  'instagram_business_manage_messages',
  'instagram_business_manage_insights',
]

const TokenForm = z.strictObject({
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  grant_type: z.literal('authorization_code'),
  redirect_uri: z.url(),
  code: z.string().min(1),
})
const Exchange = z.strictObject({ grant_type: z.literal('ig_exchange_token'), client_secret: z.string() })
const Refresh = z.strictObject({ grant_type: z.literal('ig_refresh_token') })

/**
 * Redeems a code for a token of one hour, with the permissions that the user gave. The documentation has them in a list
 * `data`; `isFlat` has them as the API also responds, with the id as a number beyond JavaScript's safe integers.
 */
export function token(
  call: Call,
  app: App,
  grants: Grants,
  { isFlat, scopedIdOf }: { isFlat: boolean; scopedIdOf: (user: string) => string },
): Response {
  const form = call.form(TokenForm)
  if (form.client_id !== app.clientId || form.client_secret !== app.clientSecret)
    return oauthError('Error validating client secret.')
  const grant = grants.redeem(form.code)
  if (!grant) return oauthError('Matching code was not found or was already used')
  if (grant.redirectUri !== form.redirect_uri)
    return oauthError('Error validating verification code. Please make sure your redirect_uri is identical')
  call.user = grant.user
  const { value } = grants.issue('short', { user: grant.user, scopes: grant.scopes }, shortMs, 'IG')
  const id = scopedIdOf(grant.user)
  if (!isFlat)
    return Response.json({ data: [{ access_token: value, user_id: id, permissions: grant.scopes.join(',') }] })
  const body = `{"access_token":${JSON.stringify(value)},"user_id":${id},"permissions":${JSON.stringify(grant.scopes)}}`
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}

/** A token of 60 days for one of an hour. */
export function exchange(params: Params, app: App, grants: Grants, clock: Clock): Response {
  const { client_secret } = params.read(Exchange)
  if (client_secret !== app.clientSecret)
    throw graphError({ code: 101, message: 'Error validating application. Cannot get application info.' })
  const short = liveToken(grants, clock, params.token, ['short'])
  const long = grants.issue('long', short, longMs, 'IG')
  return Response.json({ ...bearerOf(long, clock), permissions: long.scopes.join(',') })
}

/** Another 60 days for a token that is at least a day old. */
export function refresh(params: Params, grants: Grants, clock: Clock): Response {
  params.read(Refresh)
  const old = liveToken(grants, clock, params.token, ['long'])
  needScopes(old, 'instagram_business_basic')
  if (clock.now() - old.issuedAt < 86_400_000) throw graphError(faults.noPermission)
  const long = grants.issue('long', old, longMs, 'IG')
  return Response.json({ ...bearerOf(long, clock), permissions: long.scopes.join(',') })
}
