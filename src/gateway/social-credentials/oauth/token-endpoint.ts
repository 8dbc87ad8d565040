import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { conflict, Problem } from '#lib/errors.ts'
import { plainText } from '#lib/text.ts'
import type { SocialTokens } from '../../contract/social.ts'
import { TokenSeconds } from '../token-seconds.ts'
import { appMissing, endpointOf, type AppCredential, type Resolving } from './app-credentials.ts'
import { networkFacts, type OAuthProvider } from './networks.ts'

export type Requesting = Resolving & Pick<Call, 'outbound' | 'signal'>

const timeoutMs = 12_000

interface Request {
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: URLSearchParams
  query?: Record<string, string>
}

interface AppOfNetwork {
  provider: OAuthProvider
  credential: AppCredential
}

/** @throws {Problem} 502 */
export async function requestNetwork(
  call: Requesting,
  { provider, credential }: AppOfNetwork,
  url: string,
  { headers, query, ...request }: Request,
): Promise<Response> {
  const endpoint = endpointOf(call, credential, url)
  if (query) endpoint.search = new URLSearchParams(query).toString()
  try {
    return await call.outbound.fetch(endpoint, {
      ...request,
      headers: { accept: 'application/json', ...headers },
      maxRedirects: 0,
      signal: AbortSignal.any([call.signal, AbortSignal.timeout(timeoutMs)]),
    })
  } catch (cause) {
    const { name } = networkFacts(provider)
    throw new Problem(502, 'provider_unreachable', `${name} couldn’t be reached. Try again in a moment.`, { cause })
  }
}

/** During a rotation the network can accept only one of the secrets. A rejected client has used up no code or token. */
export async function requestAsAny(
  provider: OAuthProvider,
  [first, ...others]: readonly AppCredential[],
  send: (credential: AppCredential) => Promise<Response>,
): Promise<Response> {
  if (!first) throw appMissing(provider)
  let response = await send(first)
  for (const credential of others) {
    if (!(await isClientRejected(response))) break
    response = await send(credential)
  }
  return response
}

const OAuthError = z.object({ error: z.enum(['invalid_client', 'unauthorized_client']) })
/** Meta describes a wrong client only in words. */
const MetaError = z.union([
  z.object({ error_message: z.string() }).transform(({ error_message: message }) => message),
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
])

export async function isClientRejected(response: Response): Promise<boolean> {
  if (response.ok) return false
  if (response.status === 401) return true
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  const described = MetaError.safeParse(body)
  return (
    OAuthError.safeParse(body).success || (described.success && /client secret|application info/i.test(described.data))
  )
}

const Token = plainText(4_000).min(1)
const Scopes = z.union([z.string().max(4_000), z.array(z.string().max(200)).transform((names) => names.join(' '))])
const Tokens = z.object({
  access_token: Token,
  refresh_token: Token.nullish().catch(null),
  expires_in: TokenSeconds.nullish().catch(null),
  // Of LinkedIn and Google, and of TikTok.
  refresh_token_expires_in: TokenSeconds.nullish().catch(null),
  refresh_expires_in: TokenSeconds.nullish().catch(null),
  scope: Scopes.nullish().catch(null),
  permissions: Scopes.nullish().catch(null),
})
/** Instagram has them in a list. */
const TokenResponse = z.union([Tokens, z.object({ data: z.tuple([Tokens]) }).transform(({ data: [tokens] }) => tokens)])

/** The tokens in a response that can’t be read are lost: the network has used up the code or token. @throws {Problem} 502 */
export async function readTokens(provider: OAuthProvider, response: Response): Promise<SocialTokens> {
  const tokens = TokenResponse.safeParse(await response.json().catch(() => null))
  if (!tokens.success) throw networkFailed(provider, response.status)
  const { access_token: accessToken, refresh_token: refreshToken = null, scope, permissions, ...rest } = tokens.data
  return {
    accessToken,
    refreshToken,
    expiresInSeconds: rest.expires_in ?? null,
    refreshEndsInSeconds: rest.refresh_token_expires_in ?? rest.refresh_expires_in ?? null,
    scope: scope ?? permissions ?? null,
  }
}

export const refreshRefused = (provider: OAuthProvider): Problem =>
  conflict('refresh_refused', `${networkFacts(provider).name} signed the account out. Connect it again.`)

export const networkFailed = (provider: OAuthProvider, status: number): Problem => {
  const { name } = networkFacts(provider)
  return status === 401
    ? new Problem(502, 'provider_error', `${name} rejected our app credentials. Check them in the gateway.`)
    : new Problem(502, 'provider_error', `${name} responded with ${status}. Try again in a moment.`)
}
