import { z } from 'zod'
import { graphError, invalidParameter } from '../graph/errors.ts'
import type { Params } from '../graph/params.ts'
import { bearerOf, liveToken, longMs, shortMs } from '../graph/tokens.ts'
import type { Clock } from '../wire/clock.ts'
import { ConsentError, type App, type Grants, type Token } from '../wire/grants.ts'

export const scopes = [
  'public_profile',
  'pages_show_list',
  'pages_manage_posts',
  'pages_read_engagement',
  'pages_manage_engagement',
  'pages_read_user_content',
  'business_management',
  'read_insights',
  'email',
]

const client = { client_id: z.string(), client_secret: z.string() }
const Code = z.strictObject({
  ...client,
  redirect_uri: z.url(),
  code: z.string().min(1),
  grant_type: z.literal('authorization_code').optional(),
})
const Exchange = z.strictObject({
  ...client,
  grant_type: z.literal('fb_exchange_token'),
  fb_exchange_token: z.string().min(1),
})

function checkClient(form: { client_id: string; client_secret: string }, app: App): void {
  if (form.client_id !== app.clientId)
    throw graphError({ code: 101, message: 'Error validating application. Cannot get application info.' })
  if (form.client_secret !== app.clientSecret) throw graphError({ code: 1, message: 'Error validating client secret.' })
}

/** Redeems a code for a token of an hour, or exchanges that for one of 60 days. */
export function token(params: Params, isExchange: boolean, app: App, grants: Grants, clock: Clock): Response {
  if (isExchange) {
    const form = params.read(Exchange)
    checkClient(form, app)
    const old = liveToken(grants, clock, form.fb_exchange_token, ['short', 'long'])
    return Response.json(bearerOf(grants.issue('long', old, longMs, 'EAA'), clock))
  }
  const form = params.read(Code)
  checkClient(form, app)
  const grant = grants.redeem(form.code)
  if (!grant) throw graphError({ code: 100, subcode: 36_009, message: 'This authorization code has been used.' })
  if (grant.redirectUri !== form.redirect_uri)
    throw graphError({
      code: 100,
      subcode: 36_008,
      message:
        'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
    })
  return Response.json(bearerOf(grants.issue('short', grant, shortMs, 'EAA'), clock))
}

/** What `debug_token` says of a token, with the Pages that each scope covers. */
export function describe(params: Params, app: App, grants: Grants, clock: Clock): Response {
  const { input_token } = params.read(z.strictObject({ input_token: z.string() }))
  if (params.token !== `${app.clientId}|${app.clientSecret}`)
    throw invalidParameter('You must provide an app access token, or a user access token that is an owner')
  const found = grants.find(input_token)
  if (!found)
    return Response.json({ data: { is_valid: false, error: { code: 190, message: 'Invalid OAuth access token.' } } })
  const isValid = found.state === 'live' && found.expiresAt > clock.now()
  const expires_at = found.expiresAt - clock.now() > 2 * longMs ? 0 : Math.floor(found.expiresAt / 1000)
  return Response.json({
    data: {
      app_id: app.clientId,
      type: found.kind === 'page' ? 'PAGE' : 'USER',
      application: 'Atrium',
      is_valid: isValid,
      expires_at,
      data_access_expires_at: Math.floor((found.issuedAt + 90 * 86_400_000) / 1000),
      issued_at: Math.floor(found.issuedAt / 1000),
      scopes: found.scopes,
      granular_scopes: granular(found),
      user_id: found.user,
      ...(found.kind === 'page' && { profile_id: found.choices[0] }),
    },
  })
}

const granular = ({ scopes: granted, choices }: Token) =>
  granted.map((scope) => ({ scope, ...(scope.startsWith('pages_') && { target_ids: choices }) }))

/** The scopes of a dialog. @throws {ConsentError} for unknown ones, and for Groups', which Meta withdrew. */
export function readScopes(scope: string): string[] {
  const requested = scope.split(/[ ,]+/)
  const strange = requested.filter((each) => !scopes.includes(each))
  if (strange.length > 0) throw new ConsentError(`Invalid Scopes: ${strange.join(', ')}`)
  return requested
}
