import { conflict } from '#lib/errors.ts'
import type { ChosenApp, SocialTokens } from '../../contract/social.ts'
import { appMissing, listAppCredentials, requireClient, type AppCredential, type Resolving } from './app-credentials.ts'
import { lengthenTokens, refreshLongLived } from './long-lived.ts'
import { networkFacts, type OAuthProvider } from './networks.ts'
import {
  isClientRejected,
  networkFailed,
  readTokens,
  refreshRefused,
  requestAsAny,
  requestNetwork,
  type Requesting,
} from './token-endpoint.ts'

/** OAuth 2 with an app whose secret only the gateway has (GTW-04). */

interface Client {
  provider: OAuthProvider
  /** Of the brand when the account was connected: whose app it was. */
  organizationId: string
  clientId: string
}

/** The app with which an account is connected now. @throws {Problem} 409 `app_missing` */
export async function chooseApp(
  call: Resolving,
  owner: Pick<Client, 'provider' | 'organizationId'>,
): Promise<ChosenApp> {
  const [app] = await listAppCredentials(call, owner)
  if (!app) throw appMissing(owner.provider)
  return { clientId: app.secret.clientId, shared: app.level === 'platform', mode: app.mode }
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
  if (response.ok) return lengthen(call, grant, await readTokens(grant.provider, response))
  // The code has expired, was already used, or belongs to another client.
  if (response.status === 400)
    throw conflict('consent_refused', `${networkFacts(grant.provider).name} rejected the authorization. Connect again.`)
  throw networkFailed(grant.provider, response.status)
}

async function lengthen(call: Requesting, client: Client, tokens: SocialTokens): Promise<SocialTokens> {
  const { longLived } = networkFacts(client.provider)
  return longLived ? lengthenTokens(call, await appsOf(call, client), longLived, tokens) : tokens
}

const appsOf = async (call: Requesting, client: Client) => ({
  provider: client.provider,
  credentials: await requireClient(call, client, client.clientId),
})

/** @throws {Problem} 409 `refresh_refused` when it is final, 409 `app_missing`, 502 */
export async function refreshTokens(
  call: Requesting,
  { refreshToken, ...client }: Client & { refreshToken: string },
): Promise<SocialTokens> {
  const { longLived } = networkFacts(client.provider)
  if (longLived) return refreshLongLived(call, await appsOf(call, client), longLived, refreshToken)
  const grant = { grant_type: 'refresh_token', refresh_token: refreshToken }
  const response = await requestToken(call, client, grant)
  if (response.ok) return readTokens(client.provider, response)
  // A rejected client says nothing about the account.
  if (response.status === 400 && !(await isClientRejected(response))) throw refreshRefused(client.provider)
  throw networkFailed(client.provider, response.status)
}

/** False where the network has no way to revoke a token. @throws {Problem} 502 */
export async function revokeToken(
  call: Requesting,
  { token, ...client }: Client & { token: string },
): Promise<{ revoked: boolean }> {
  const { revokeUrl } = networkFacts(client.provider)
  if (revokeUrl === undefined) return { revoked: false }
  const { ok, status } = await requestAsClient(call, client, revokeUrl, { token })
  if (status >= 500 || status === 429) throw networkFailed(client.provider, status)
  return { revoked: ok }
}

const requestToken = (call: Requesting, client: Client, grant: Record<string, string>): Promise<Response> =>
  requestAsClient(call, client, networkFacts(client.provider).tokenUrl, grant)

async function requestAsClient(
  call: Requesting,
  client: Client,
  url: string,
  form: Record<string, string>,
): Promise<Response> {
  const { provider } = client
  const credentials = await requireClient(call, client, client.clientId)
  return requestAsAny(provider, credentials, (credential) => post(call, credential, { provider, url, form }))
}

function post(
  call: Requesting,
  credential: AppCredential,
  { provider, url, form }: { provider: OAuthProvider; url: string; form: Record<string, string> },
): Promise<Response> {
  const { clientId, clientSecret } = credential.secret
  const { client, revokeUrl, revokesByToken } = networkFacts(provider)
  const id = client === 'key' ? 'client_key' : 'client_id'
  const isAlone = client === 'basic' || (revokesByToken && url === revokeUrl)
  const body = isAlone ? form : { ...form, [id]: clientId, client_secret: clientSecret }
  return requestNetwork(call, { provider, credential }, url, {
    method: 'POST',
    ...(client === 'basic' && { headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` } }),
    body: new URLSearchParams(body),
  })
}
