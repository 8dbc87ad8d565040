import { z } from 'zod'
import { resolveNetworkUrl } from '#lib/network-origins.ts'
import { OutboundError } from '#lib/outbound.ts'
import type { FindFault } from '../../credentials/checker.ts'
import { kindOf, secretSchemaOf, type OAuthClientSecret } from '../../credentials/kinds.ts'

interface TokenRequest {
  /** Of the network itself. A configured base URL replaces its origin. */
  url: string
  headers?: Record<string, string>
  form: Record<string, string>
}

const byForm = ({ clientId, clientSecret }: OAuthClientSecret) => ({
  client_id: clientId,
  client_secret: clientSecret,
})

/** Servers check the client before the code (RFC 6749, 5.2). */
const unknownCode = { grant_type: 'authorization_code', code: 'check', redirect_uri: 'https://localhost/check' }

const atLinkedIn = (secret: OAuthClientSecret): TokenRequest => ({
  url: 'https://www.linkedin.com/oauth/v2/accessToken',
  form: { ...unknownCode, ...byForm(secret) },
})

/** Requests for a token that change nothing at the network. */
const requests: Readonly<Record<string, (secret: OAuthClientSecret) => TokenRequest>> = {
  linkedin: atLinkedIn,
  'linkedin-page': atLinkedIn,
  x: ({ clientId, clientSecret }) => ({
    url: 'https://api.x.com/2/oauth2/token',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    form: { ...unknownCode, code_verifier: 'check' },
  }),
  tiktok: ({ clientId, clientSecret }) => ({
    url: 'https://open.tiktokapis.com/v2/oauth/token/',
    form: { grant_type: 'client_credentials', client_key: clientId, client_secret: clientSecret },
  }),
  facebook: (secret) => ({
    url: 'https://graph.facebook.com/oauth/access_token',
    form: { grant_type: 'client_credentials', ...byForm(secret) },
  }),
}

export const hasOAuthCheck = (provider: string): boolean => Object.hasOwn(requests, provider)

const timeoutMs = 10_000
const OAuthError = z.object({ error: z.string() })
const isOfClient = ({ error }: z.output<typeof OAuthError>): boolean =>
  error === 'invalid_client' || error === 'unauthorized_client'

/** Asks the network’s token endpoint. Null where that can’t tell. */
export const findOAuthFault: FindFault = async ({ config, outbound, signal }, { provider, baseUrl, secret }) => {
  const request = requests[provider]?.(secretSchemaOf('x').parse(secret))
  if (!request) return null
  const { pathname } = new URL(request.url)
  const url =
    baseUrl === kindOf(provider).baseUrl
      ? resolveNetworkUrl(config.NETWORK_ORIGINS, request.url)
      : new URL(pathname, baseUrl)
  try {
    const response = await outbound.fetch(url, {
      method: 'POST',
      headers: { accept: 'application/json', ...request.headers },
      body: new URLSearchParams(request.form),
      maxRedirects: 0,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    const { status } = response
    if (response.ok) return null
    if (status >= 500 || status === 429 || status === 404) return `${provider} responded ${status}.`
    const refusal = OAuthError.safeParse(await response.json().catch(() => null))
    // Facebook’s error is an object, and this grant has no other one.
    const isRejected = refusal.success ? isOfClient(refusal.data) : request.form['grant_type'] === 'client_credentials'
    return isRejected || status === 401 ? `${provider} rejected the client ID or secret (${status}).` : null
  } catch (error) {
    if (error instanceof OutboundError) return error.message
    return `${provider} didn’t respond in time.`
  }
}
