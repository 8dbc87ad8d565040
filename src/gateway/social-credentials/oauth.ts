import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { conflict, Problem } from '#lib/errors.ts'
import { plainText } from '#lib/text.ts'
import type { SocialTokens } from '../contract/social.ts'
import {
  appMissing,
  endpointOf,
  listAppCredentials,
  requireClient,
  type AppCredential,
  type Resolving,
} from './app-credentials.ts'
import { networkFacts, type OAuthProvider } from './oauth-networks.ts'

/** OAuth 2 with an app whose secret only the gateway has (GTW-04). */

type Requesting = Resolving & Pick<Call, 'outbound' | 'signal'>

interface Client {
  provider: OAuthProvider
  /** Of the brand when the account was connected: whose app it was. */
  organizationId: string
  clientId: string
}

const timeoutMs = 12_000

/** The app with which an account is connected now. @throws {Problem} 409 `app_missing` */
export async function chooseApp(
  call: Resolving,
  owner: Pick<Client, 'provider' | 'organizationId'>,
): Promise<{ clientId: string }> {
  const [app] = await listAppCredentials(call, owner)
  if (!app) throw appMissing(owner.provider)
  return { clientId: app.secret.clientId }
}

interface CodeGrant extends Client {
  redirectUri: string
  code: string
  codeVerifier?: string | undefined
}

/** @throws {Problem} 409 `consent_refused` or `app_missing`, 502 */
export async function exchangeCode(call: Requesting, grant: CodeGrant): Promise<SocialTokens> {
  const { code, redirectUri, codeVerifier } = grant
  const response = await requestToken(call, grant, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    ...(codeVerifier !== undefined && { code_verifier: codeVerifier }),
  })
  if (response.ok) return readTokens(grant.provider, response)
  // The code has expired, was already used, or belongs to another client.
  if (response.status === 400)
    throw conflict('consent_refused', `${networkFacts(grant.provider).name} rejected the authorization. Connect again.`)
  throw networkFailed(grant.provider, response.status)
}

/** @throws {Problem} 409 `refresh_refused` when it is final, 409 `app_missing`, 502 */
export async function refreshTokens(
  call: Requesting,
  { refreshToken, ...client }: Client & { refreshToken: string },
): Promise<SocialTokens> {
  const grant = { grant_type: 'refresh_token', refresh_token: refreshToken }
  const response = await requestToken(call, client, grant)
  if (response.ok) return readTokens(client.provider, response)
  // A rejected client says nothing about the account.
  if (response.status === 400 && !(await isClientRejected(response)))
    throw conflict('refresh_refused', `${networkFacts(client.provider).name} signed the account out. Connect it again.`)
  throw networkFailed(client.provider, response.status)
}

/** False where the network has no way to revoke a token. @throws {Problem} 502 */
export async function revokeToken(
  call: Requesting,
  { token, ...client }: Client & { token: string },
): Promise<{ revoked: boolean }> {
  const { revokeUrl } = networkFacts(client.provider)
  if (revokeUrl === undefined) return { revoked: false }
  const { ok } = await requestAsClient(call, client, revokeUrl, { token })
  return { revoked: ok }
}

const requestToken = (call: Requesting, client: Client, grant: Record<string, string>): Promise<Response> =>
  requestAsClient(call, client, networkFacts(client.provider).tokenUrl, grant)

/** During a rotation the network can accept only one of the secrets. A rejected client has used up no code or token. */
async function requestAsClient(
  call: Requesting,
  client: Client,
  url: string,
  form: Record<string, string>,
): Promise<Response> {
  const [first, ...others] = await requireClient(call, client, client.clientId)
  if (!first) throw appMissing(client.provider)
  let response = await post(call, first, { provider: client.provider, url, form })
  for (const credential of others) {
    if (!(await isClientRejected(response))) break
    response = await post(call, credential, { provider: client.provider, url, form })
  }
  return response
}

/** @throws {Problem} 502 */
async function post(
  call: Requesting,
  credential: AppCredential,
  { provider, url, form }: { provider: OAuthProvider; url: string; form: Record<string, string> },
): Promise<Response> {
  const { clientId, clientSecret } = credential.secret
  const isBasic = networkFacts(provider).client === 'basic'
  const body = isBasic ? form : { ...form, client_id: clientId, client_secret: clientSecret }
  try {
    return await call.outbound.fetch(endpointOf(call, credential, url), {
      method: 'POST',
      headers: {
        accept: 'application/json',
        ...(isBasic && { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` }),
      },
      body: new URLSearchParams(body),
      maxRedirects: 0,
      signal: AbortSignal.any([call.signal, AbortSignal.timeout(timeoutMs)]),
    })
  } catch (cause) {
    const { name } = networkFacts(provider)
    throw new Problem(502, 'provider_unreachable', `${name} couldn’t be reached. Try again in a moment.`, { cause })
  }
}

const OAuthError = z.object({ error: z.enum(['invalid_client', 'unauthorized_client']) })

const isClientRejected = async (response: Response): Promise<boolean> =>
  !response.ok &&
  (response.status === 401 ||
    OAuthError.safeParse(
      await response
        .clone()
        .json()
        .catch(() => null),
    ).success)

const Token = plainText(4_000).min(1)
const Tokens = z.object({
  access_token: Token,
  refresh_token: Token.nullish().catch(null),
  expires_in: z.int().positive().nullish().catch(null),
  scope: z.string().max(4_000).nullish().catch(null),
})

/** The tokens in a response that can’t be read are lost: the network has used up the code or token. */
async function readTokens(provider: OAuthProvider, response: Response): Promise<SocialTokens> {
  const tokens = Tokens.safeParse(await response.json().catch(() => null))
  if (!tokens.success) throw networkFailed(provider, response.status)
  const { access_token: accessToken, refresh_token: refreshToken = null, ...rest } = tokens.data
  return { accessToken, refreshToken, expiresInSeconds: rest.expires_in ?? null, scope: rest.scope ?? null }
}

const networkFailed = (provider: OAuthProvider, status: number): Problem => {
  const { name } = networkFacts(provider)
  return status === 401
    ? new Problem(502, 'provider_error', `${name} rejected our app credentials. Check them in the gateway.`)
    : new Problem(502, 'provider_error', `${name} responded with ${status}. Try again in a moment.`)
}
