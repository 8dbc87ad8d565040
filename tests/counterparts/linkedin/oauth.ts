import { z } from 'zod'
import type { Call } from '../wire/call.ts'
import type { App, Grants, Token } from '../wire/grants.ts'
import { oauthError } from './errors.ts'

/** A product of the developer portal: an app cannot have both. */
export type Product = 'member' | 'page'

export const scopesOf: Record<Product, string[]> = {
  member: ['openid', 'profile', 'email', 'w_member_social'],
  page: [
    'r_basicprofile',
    'w_organization_social',
    'r_organization_social',
    'rw_organization_admin',
    'w_member_social',
    'r_organization_admin',
  ],
}

const day = 86_400_000
const accessMs = 60 * day
const refreshMs = 365 * day
export const codeMs = 1_800_000

const client = { client_id: z.string().min(1), client_secret: z.string().min(1) }
const TokenForm = z.discriminatedUnion('grant_type', [
  z.strictObject({
    grant_type: z.literal('authorization_code'),
    code: z.string().min(1),
    redirect_uri: z.url(),
    ...client,
  }),
  z.strictObject({ grant_type: z.literal('refresh_token'), refresh_token: z.string().min(1), ...client }),
])
const RevokeForm = z.strictObject({ token: z.string().min(1), ...client })

/** Credentials come in the body, not by HTTP Basic. */
function isClient(form: { client_id: string; client_secret: string }, apps: App[]): App | undefined {
  return apps.find(({ clientId, clientSecret }) => clientId === form.client_id && clientSecret === form.client_secret)
}

const badGrant = {
  error: 'invalid_grant',
  error_description: 'The provided authorization grant or refresh token is invalid, expired or revoked.',
}
const badClient = { error: 'invalid_client', error_description: 'Client authentication failed' }
/** Responses of the token endpoints to faults. */
export const oauthShapes = {
  unauthorized: { status: 401, body: badClient },
  expired_token: { status: 400, body: badGrant },
  revoked_token: { status: 400, body: badGrant },
}

/** The tokens of members. */
export class LinkedInTokens {
  readonly #apps: App[]
  readonly #grants: Grants
  readonly #now: () => number
  readonly #isPartner: boolean

  constructor(apps: App[], grants: Grants, now: () => number, isPartner: boolean) {
    this.#apps = apps
    this.#grants = grants
    this.#now = now
    this.#isPartner = isPartner
  }

  /** Tokens of a member; approved partners also get a refresh token, whose end refreshing doesn't move. */
  issue(user: string, scopes: string[], old?: Token) {
    const access = this.#grants.issue('access', { user, scopes }, accessMs, 'AQ')
    const refresh = old ?? (this.#isPartner ? this.#grants.issue('refresh', { user, scopes }, refreshMs, 'AQ') : null)
    return {
      access_token: access.value,
      expires_in: accessMs / 1000,
      scope: scopes.toSorted().join(','),
      token_type: 'Bearer',
      ...(refresh && {
        refresh_token: refresh.value,
        refresh_token_expires_in: Math.round((refresh.expiresAt - this.#now()) / 1000),
      }),
    }
  }

  token(call: Call): Response {
    const form = call.form(TokenForm)
    if (!isClient(form, this.#apps)) return Response.json(badClient, { status: 401 })
    if (form.grant_type === 'refresh_token') {
      const refresh = this.#grants.live('refresh', form.refresh_token)
      if (!refresh) return Response.json(badGrant, { status: 400 })
      call.user = refresh.user
      return Response.json(this.issue(refresh.user, refresh.scopes, refresh))
    }
    const grant = this.#grants.redeem(form.code)
    if (!grant || grant.redirectUri !== form.redirect_uri)
      return oauthError(
        400,
        'invalid_request',
        'Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code. Or authorization code expired.',
      )
    call.user = grant.user
    return Response.json(this.issue(grant.user, grant.scopes))
  }

  revoke(call: Call): Response {
    const form = call.form(RevokeForm)
    if (!isClient(form, this.#apps)) return Response.json(badClient, { status: 401 })
    const found = this.#grants.find(form.token)
    if (!found) return oauthError(400, 'invalid_request', 'The token is invalid.')
    found.state = 'revoked'
    return new Response(null, { status: 200 })
  }
}
