import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { fetchWithProof } from '#lib/dpop.ts'
import { conflict, Problem } from '#lib/errors.ts'
import { plainText } from '#lib/text.ts'
import type { BlueskyTokens } from '../../contract/bluesky.ts'
import { TokenSeconds } from '../token-seconds.ts'
import {
  discover,
  hostOf,
  maxAnswerBytes,
  requestServer,
  serverFailed,
  type Requesting,
} from './authorization-server.ts'
import { clientFor } from './client.ts'
import { createAssertion, currentKeyId } from './client-keys.ts'

/** OAuth at any server of the AT Protocol: as a confidential client whose key only the gateway has (GTW-04). */

/** Milliseconds for all requests of one call. Social waits longer, so that no response is lost. */
const timeoutMs = 15_000

interface Session {
  issuer: string
  clientId: string
  /** Null for a public client, on this very machine. */
  keyId: string | null
  /** The private key that the session’s tokens are bound to. */
  proofKey: string
}

interface Consent {
  issuer: string
  redirectUri: string
  scope: string
  state: string
  codeChallenge: string
  loginHint?: string | undefined
  proofKey: string
}

/** @throws {Problem} 409 `oauth_unsupported` or `client_unreachable`, 502 */
export async function push(
  call: Call,
  { issuer, redirectUri, scope, state, codeChallenge, loginHint, proofKey }: Consent,
): Promise<{ authorizeUrl: string; clientId: string; keyId: string | null }> {
  const client = clientFor(redirectUri)
  if (!client) throw unreachableHere(redirectUri)
  const requesting = limited(call)
  const server = await discover(requesting, issuer)
  const { id: clientId, isConfidential } = client
  const keyId = isConfidential ? await currentKeyId(call) : null
  const session = { issuer, clientId, keyId, proofKey }
  const response = await post(call, requesting, session, server.pushed_authorization_request_endpoint, {
    response_type: 'code',
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    ...(loginHint !== undefined && { login_hint: loginHint }),
  })
  const pushed = Pushed.safeParse(response.ok ? await response.json().catch(() => null) : null)
  if (!pushed.success) throw await pushRefused(session, response)
  const authorizeUrl = new URL(server.authorization_endpoint)
  authorizeUrl.searchParams.set('client_id', clientId)
  authorizeUrl.searchParams.set('request_uri', pushed.data.request_uri)
  return { authorizeUrl: authorizeUrl.href, clientId, keyId }
}

const Pushed = z.object({ request_uri: z.string().min(1).max(2_000) })

const unreachableHere = (redirectUri: string): Problem =>
  conflict(
    'client_unreachable',
    new URL(redirectUri).hostname === 'localhost'
      ? 'Bluesky signs people in only at http://127.0.0.1, not at localhost. Open Atrium there, or use an app password.'
      : 'Bluesky signs people in only at a public https address without a port. Use an app password.',
  )

const OAuthError = z.object({ error: plainText(100), error_description: plainText(300).optional().catch(undefined) })

async function pushRefused({ issuer, clientId }: Session, response: Response): Promise<Problem> {
  const { status } = response
  if (status >= 500 || status === 429 || response.ok) return serverFailed(issuer, status)
  const refused = OAuthError.safeParse(await response.json().catch(() => null))
  const { error = '', error_description: description = '' } = refused.data ?? {}
  if (!clientErrors.has(error))
    return new Problem(
      502,
      'provider_error',
      `${hostOf(issuer)}: ${description || error || `responded with ${status}`}`,
    )
  return conflict(
    'client_unreachable',
    `${hostOf(issuer)} doesn’t accept this server as an app. It reads ${clientId}, which has to be on the public internet. (${description || error})`,
  )
}

const clientErrors = new Set(['invalid_client', 'invalid_client_metadata', 'invalid_client_id', 'unauthorized_client'])

/** @throws {Problem} 409 `consent_refused`, 502 */
export async function exchange(
  call: Call,
  {
    code,
    redirectUri,
    codeVerifier,
    ...session
  }: Session & { code: string; redirectUri: string; codeVerifier: string },
): Promise<BlueskyTokens> {
  const response = await requestTokens(call, session, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  })
  if (response.ok) return readTokens(session, response)
  if (await isGrantRefused(response))
    throw conflict('consent_refused', `${hostOf(session.issuer)} rejected the authorization. Connect again.`)
  throw serverFailed(session.issuer, response.status)
}

/** @throws {Problem} 409 `refresh_refused` when it is final, 502 */
export async function refresh(
  call: Call,
  { refreshToken, ...session }: Session & { refreshToken: string },
): Promise<BlueskyTokens> {
  const grant = { grant_type: 'refresh_token', refresh_token: refreshToken }
  const response = await requestTokens(call, session, grant)
  if (response.ok) return readTokens(session, response)
  // Any other refusal is one of our client, which says nothing about the account.
  if (await isGrantRefused(response))
    throw conflict('refresh_refused', `${hostOf(session.issuer)} signed the account out. Connect it again.`)
  throw serverFailed(session.issuer, response.status)
}

async function isGrantRefused(response: Response): Promise<boolean> {
  if (response.status !== 400 && response.status !== 401) return false
  const refused = OAuthError.safeParse(await response.json().catch(() => null))
  return refused.data?.error === 'invalid_grant'
}

/** False where the server has no way to do it. @throws {Problem} 502 */
export async function revoke(
  call: Call,
  { token, ...session }: Session & { token: string },
): Promise<{ revoked: boolean }> {
  const requesting = limited(call)
  const { revocation_endpoint: endpoint } = await discover(requesting, session.issuer)
  if (endpoint === undefined) return { revoked: false }
  const { ok } = await post(call, requesting, session, endpoint, { token })
  return { revoked: ok }
}

const limited = ({ outbound, signal }: Requesting): Requesting => ({
  outbound,
  signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
})

async function requestTokens(call: Call, session: Session, grant: Record<string, string>): Promise<Response> {
  const requesting = limited(call)
  const { token_endpoint: endpoint } = await discover(requesting, session.issuer)
  return post(call, requesting, session, endpoint, grant)
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

async function post(
  call: Call,
  { outbound, signal }: Requesting,
  { issuer, clientId, keyId, proofKey }: Session,
  endpoint: string,
  form: Record<string, string>,
): Promise<Response> {
  const assertion = keyId === null ? null : await createAssertion(call, { keyId, clientId, issuer })
  if (keyId !== null && assertion === null)
    throw conflict('client_key_missing', 'The key of this server at Bluesky is missing. Connect the account again.')
  const body = new URLSearchParams({
    ...form,
    client_id: clientId,
    ...(assertion !== null && { client_assertion_type: assertionType, client_assertion: assertion }),
  })
  return requestServer(issuer, () =>
    fetchWithProof(
      outbound,
      new URL(endpoint),
      { method: 'POST', headers: { accept: 'application/json' }, body, signal, maxBytes: maxAnswerBytes },
      { key: proofKey },
    ),
  )
}

const Token = plainText(8_000).min(1)
const Tokens = z.object({
  access_token: Token,
  token_type: z.string().regex(/^dpop$/i),
  refresh_token: Token,
  expires_in: TokenSeconds.nullish().catch(null),
  scope: z.string().min(1).max(4_000),
  sub: z.string().max(2_000),
})

/** The tokens in a response that can’t be read are lost: the server has used up the code or token. @throws {Problem} 502 */
async function readTokens({ issuer }: Session, response: Response): Promise<BlueskyTokens> {
  const tokens = Tokens.safeParse(await response.json().catch(() => null))
  if (!tokens.success) throw serverFailed(issuer, response.status)
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds, scope, sub: did } = tokens.data
  return { accessToken, refreshToken, expiresInSeconds: seconds ?? null, scope, did }
}
