import { z } from 'zod'
import { conflict } from '#lib/errors.ts'
import type { SocialTokens } from '../contract/social.ts'
import { appMissing, type AppCredential } from './app-credentials.ts'
import { networkFacts, type LongLived, type OAuthProvider } from './oauth-networks.ts'
import { isClientRejected, networkFailed, readTokens, requestNetwork, type Requesting } from './token-endpoint.ts'

/** Meta’s tokens of 60 days: what refreshes one is the token itself, as long as it is valid. */

interface Apps {
  provider: OAuthProvider
  credentials: readonly AppCredential[]
}

/** A new token of an hour that isn’t exchanged is lost, and the person connects again. @throws {Problem} 502 */
export async function lengthenTokens(
  call: Requesting,
  apps: Apps,
  { exchangeUrl, exchangeGrant, exchangeField, refresh }: LongLived,
  { accessToken, scope }: SocialTokens,
): Promise<SocialTokens> {
  const { provider } = apps
  const response = await requestAsAny(call, apps, exchangeUrl, (secret) => ({
    grant_type: exchangeGrant,
    ...(exchangeField === 'fb_exchange_token' && { client_id: secret.clientId }),
    client_secret: secret.clientSecret,
    [exchangeField]: accessToken,
  }))
  if (!response.ok) throw networkFailed(provider, response.status)
  const tokens = await readTokens(provider, response)
  return { ...tokens, refreshToken: refresh ? tokens.accessToken : null, scope: scope ?? tokens.scope }
}

const Refusal = z.object({ error: z.object({ code: z.literal(190) }) })

/** Tokens of less than a day can’t be refreshed yet: that is no refusal. @throws {Problem} 409 `refresh_refused`, 502 */
export async function refreshLongLived(
  call: Requesting,
  apps: Apps,
  { refresh }: LongLived,
  token: string,
): Promise<SocialTokens> {
  const { provider } = apps
  const { name } = networkFacts(provider)
  const signedOut = conflict('refresh_refused', `${name} signed the account out. Connect it again.`)
  if (!refresh) throw signedOut
  const response = await requestAsAny(call, apps, refresh.url, () => ({
    grant_type: refresh.grant,
    access_token: token,
  }))
  if (response.ok) {
    const tokens = await readTokens(provider, response)
    return { ...tokens, refreshToken: tokens.accessToken }
  }
  if (Refusal.safeParse(await response.json().catch(() => null)).success) throw signedOut
  // A 401 here is of the token, since these requests have no client.
  throw networkFailed(provider, response.status === 401 ? 400 : response.status)
}

async function requestAsAny(
  call: Requesting,
  apps: Apps,
  url: string,
  queryOf: (secret: AppCredential['secret']) => Record<string, string>,
): Promise<Response> {
  const { provider, credentials } = apps
  const [first, ...others] = credentials
  if (!first) throw appMissing(provider)
  const request = (credential: AppCredential) =>
    requestNetwork(call, { provider, credential }, url, { method: 'GET', query: queryOf(credential.secret) })
  let response = await request(first)
  for (const credential of others) {
    if (!(await isClientRejected(response))) break
    response = await request(credential)
  }
  return response
}
