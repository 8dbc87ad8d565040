import { eq } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import { digest } from '#lib/ids.ts'
import { reply, type Reply } from '#lib/reply.ts'
import type { z } from 'zod'
import { refreshSession } from '../accounts/current.ts'
import { refreshTokens, services, sessions } from '../schema.ts'
import { issueTokens } from '../sign-in/sign-in.ts'
import type { ExchangeRequest, OAuthError, OAuthTokens } from './contract.ts'
import { exchangeCode, grantOf } from './exchange.ts'
import { grantedScopes, signIdToken } from './id-token.ts'

type Tokens = z.infer<typeof OAuthTokens>
type Answer = Reply<Tokens | z.infer<typeof OAuthError>>

/** The exchange as an OAuth token endpoint (RFC 6749), whose refusals are 400 with `error`. */
export async function handleTokenRequest(call: Call, request: ExchangeRequest): Promise<Answer> {
  const grant = grants.get(request.grant_type ?? '')
  if (!grant) return oauthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.')
  if (request.client_id === undefined) return oauthError('invalid_request', 'client_id is required.')
  return grant(call, request, request.client_id).catch((error: unknown) => {
    if (error instanceof Problem && error.status === 401) return oauthError('invalid_grant', error.message)
    throw error
  })
}

const oauthError = (error: string, error_description: string): Answer => reply(400, { error, error_description })

type Grant = (call: Call, request: ExchangeRequest, client: string) => Promise<Answer>

const redeemCode: Grant = async (call, { code, code_verifier: verifier, redirect_uri: redirectUri }, service) => {
  if (code === undefined || redirectUri === undefined || verifier === undefined)
    return oauthError('invalid_request', 'code, redirect_uri and code_verifier are required.')
  const signIn = await exchangeCode(call, { code, verifier, service, redirectUri })
  const granted = grantedScopes(signIn.code.scope)
  return reply(200, {
    ...toOAuthTokens(await issueTokens(call, grantOf(signIn), signIn.refreshToken)),
    ...(granted.length > 0 && { scope: granted.join(' ') }),
    ...(granted.includes('openid') && { id_token: await signIdToken(call, service, signIn) }),
  })
}

const redeemRefreshToken: Grant = async (call, { refresh_token: given }, service) => {
  if (given === undefined) return oauthError('invalid_request', 'refresh_token is required.')
  if (!(await belongsTo(call, given, service)))
    return oauthError('invalid_grant', 'This refresh token is not valid for this client.')
  return reply(200, toOAuthTokens((await refreshSession(call, given)).tokens))
}

const grants: ReadonlyMap<string, Grant> = new Map([
  ['authorization_code', redeemCode],
  ['refresh_token', redeemRefreshToken],
])

const toOAuthTokens = (tokens: Awaited<ReturnType<typeof issueTokens>>): Tokens => ({
  access_token: tokens.accessToken,
  token_type: 'Bearer',
  expires_in: tokens.expiresIn,
  ...('refreshToken' in tokens && { refresh_token: tokens.refreshToken }),
})

/** A refresh token works only for the client that it was issued to (RFC 6749, 6). */
async function belongsTo({ db }: Call, token: string, client: string): Promise<boolean> {
  const [found] = await db
    .select({ id: services.id, slug: services.slug })
    .from(refreshTokens)
    .innerJoin(sessions, eq(sessions.id, refreshTokens.sessionId))
    .innerJoin(services, eq(services.id, sessions.serviceId))
    .where(eq(refreshTokens.hash, digest(token)))
  return found !== undefined && (found.id === client || found.slug === client)
}
