import { z } from 'zod'
import type { SocialTokens } from '../../contract/social.ts'
import type { AppCredential } from './app-credentials.ts'
import type { LongLived, OAuthProvider } from './networks.ts'
import {
  networkFailed,
  readTokens,
  refreshRefused,
  requestAsAny,
  requestNetwork,
  type Requesting,
} from './token-endpoint.ts'

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
  const response = await get(call, apps, exchangeUrl, (secret) => ({
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
  if (!refresh) throw refreshRefused(provider)
  const response = await get(call, apps, refresh.url, () => ({
    grant_type: refresh.grant,
    access_token: token,
  }))
  if (response.ok) {
    const tokens = await readTokens(provider, response)
    return { ...tokens, refreshToken: tokens.accessToken }
  }
  if (Refusal.safeParse(await response.json().catch(() => null)).success) throw refreshRefused(provider)
  // A 401 here is of the token, since these requests have no client.
  throw networkFailed(provider, response.status === 401 ? 400 : response.status)
}

const get = (
  call: Requesting,
  { provider, credentials }: Apps,
  url: string,
  queryOf: (secret: AppCredential['secret']) => Record<string, string>,
): Promise<Response> =>
  requestAsAny(provider, credentials, (credential) =>
    requestNetwork(call, { provider, credential }, url, { method: 'GET', query: queryOf(credential.secret) }),
  )
