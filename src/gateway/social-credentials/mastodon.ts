import { z } from 'zod'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { conflict, invalid, Problem } from '#lib/errors.ts'
import { OutboundError } from '#lib/outbound.ts'
import { plainText } from '#lib/text.ts'
import type { SocialTokens } from '../contract/social.ts'
import { deleteApp, listApps, storeApp, type SocialApp } from './apps.ts'
import { TokenSeconds } from './token-seconds.ts'

/** OAuth 2 as a confidential client at any instance. Atrium registers itself there. */

interface Consent {
  /** An origin. */
  instance: string
  redirectUri: string
  scopes: readonly string[]
}

const provider = 'mastodon'

/**
 * Milliseconds for the requests of one call. Social waits longer, so that a slow instance isn't taken for a gateway that
 * doesn't respond.
 */
const limits = { register: 15_000, token: 8_000 }

type Requesting = Pick<Call, 'outbound' | 'signal'>

/**
 * The registration at an instance: the known one with these scopes, unless the instance deleted it as unused. One with other scopes
 * is kept, since tokens belong to it.
 */
export async function authorize(call: Call, consent: Consent): Promise<{ clientId: string }> {
  const { instance, redirectUri, scopes } = consent
  const requesting = limited(call, limits.register)
  const apps = await listApps(call, { provider, host: instance })
  const known = apps.find((app) => app.redirectUri === redirectUri && Bun.deepEquals(app.scopes, [...scopes]))
  if (known && (await isAccepted(requesting, instance, known))) return { clientId: known.clientId }
  const app = await register(requesting, consent)
  await auditedTransaction(call, async (db) => {
    if (known) await deleteApp(db, known.id)
    const place = { provider, host: instance, redirectUri, scopes } as const
    const id = await storeApp({ ...call, db }, place, app)
    const after = { ...place, clientId: app.clientId }
    recordChange(db, { object: 'social_app', id, after })
  })
  return { clientId: app.clientId }
}

/** @throws {Problem} 502 when the instance can't tell */
export async function isAccepted(call: Requesting, instance: string, app: SocialApp): Promise<boolean> {
  const requesting = limited(call, limits.token)
  const { status } = await requestToken(requesting, instance, app, { grant_type: 'client_credentials' })
  if (status === 200) return true
  // Others say nothing about the registration, such as those of a firewall.
  if (status === 400 || status === 401) return false
  throw instanceFailed(instance, status)
}

/** Of any server that a person names; later requests accept no longer ones. */
const Credential = plainText(1_000).min(1)
const Registered = z.object({ client_id: Credential, client_secret: Credential })

async function register({ outbound, signal }: Requesting, consent: Consent): Promise<SocialApp> {
  const { instance, redirectUri, scopes } = consent
  const response = await requestInstance(instance, () =>
    outbound.fetch(new URL('/api/v1/apps', instance), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      // A text, since servers before Mastodon 4.3 accept no list.
      body: JSON.stringify({ client_name: 'Atrium', redirect_uris: redirectUri, scopes: scopes.join(' ') }),
      signal,
    }),
  )
  const registered = Registered.safeParse(response.ok ? await response.json().catch(() => null) : null)
  if (!registered.success) throw registrationFailed(instance, response)
  return { clientId: registered.data.client_id, clientSecret: registered.data.client_secret }
}

const registrationFailed = (instance: string, { status }: Response): Problem =>
  status >= 500 || status === 429
    ? instanceFailed(instance, status)
    : new Problem(
        502,
        'provider_error',
        `${new URL(instance).host} rejected the registration of Atrium as an app (${status}).`,
      )

interface CodeGrant {
  instance: string
  redirectUri: string
  clientId: string
  code: string
  codeVerifier: string
}

/** @throws {Problem} 409 `consent_refused`, 422, 502 */
export async function exchange(call: Call, { instance, clientId, ...grant }: CodeGrant): Promise<SocialTokens> {
  const apps = await listApps(call, { provider, host: instance })
  const app = apps.find((known) => known.clientId === clientId && known.redirectUri === grant.redirectUri)
  if (!app) throw consentRefused(instance)
  const response = await requestToken(limited(call, limits.token), instance, app, {
    grant_type: 'authorization_code',
    code: grant.code,
    redirect_uri: grant.redirectUri,
    code_verifier: grant.codeVerifier,
  })
  const { status } = response
  if (status >= 500 || status === 429) throw instanceFailed(instance, status)
  // The code has expired, was already used, or belongs to another client.
  if (!response.ok) throw consentRefused(instance)
  return readTokens(instance, response)
}

const consentRefused = (instance: string): Problem =>
  conflict('consent_refused', `${new URL(instance).host} rejected the authorization. Connect again.`)

interface RefreshGrant {
  instance: string
  clientId: string
  refreshToken: string
}

/** @throws {Problem} 409 `refresh_refused` when it is final, 422, 502 */
export async function refresh(call: Call, { instance, clientId, refreshToken }: RefreshGrant): Promise<SocialTokens> {
  const apps = await listApps(call, { provider, host: instance })
  const app = apps.find((known) => known.clientId === clientId)
  if (!app) throw refreshRefused(instance)
  const grant = { grant_type: 'refresh_token', refresh_token: refreshToken }
  const response = await requestToken(limited(call, limits.token), instance, app, grant)
  if (response.ok) return readTokens(instance, response)
  if (response.status === 400 || response.status === 401) throw refreshRefused(instance)
  throw instanceFailed(instance, response.status)
}

const refreshRefused = (instance: string): Problem =>
  conflict('refresh_refused', `${new URL(instance).host} signed the account out. Connect it again.`)

/** One of our registrations there created the token; another one doesn't end it. */
export async function revoke(
  call: Call,
  { instance, token }: { instance: string; token: string },
): Promise<{ revoked: boolean }> {
  const { outbound, signal } = limited(call, limits.token)
  for (const { clientId, clientSecret } of await listApps(call, { provider, host: instance })) {
    const { ok, status } = await requestInstance(instance, () =>
      outbound.fetch(new URL('/oauth/revoke', instance), {
        method: 'POST',
        body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret, token }),
        signal,
      }),
    )
    if (status >= 500 || status === 429) throw instanceFailed(instance, status)
    if (ok) return { revoked: true }
  }
  return { revoked: false }
}

const limited = ({ outbound, signal }: Requesting, timeoutMs: number): Requesting => ({
  outbound,
  signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
})

const requestToken = (
  { outbound, signal }: Requesting,
  instance: string,
  { clientId, clientSecret }: SocialApp,
  grant: Record<string, string>,
) =>
  requestInstance(instance, () =>
    outbound.fetch(new URL('/oauth/token', instance), {
      method: 'POST',
      body: new URLSearchParams({ ...grant, client_id: clientId, client_secret: clientSecret }),
      signal,
    }),
  )

const Token = plainText(4_000).min(1)
const Tokens = z.object({
  access_token: Token,
  refresh_token: Token.nullish().catch(null),
  expires_in: TokenSeconds.nullish().catch(null),
  scope: z.string().nullish().catch(null),
})

async function readTokens(instance: string, response: Response): Promise<SocialTokens> {
  const tokens = Tokens.safeParse(await response.json().catch(() => null))
  if (!tokens.success) throw instanceFailed(instance, response.status)
  const { access_token: accessToken, refresh_token: refreshToken = null, ...rest } = tokens.data
  return { accessToken, refreshToken, expiresInSeconds: rest.expires_in ?? null, scope: rest.scope ?? null }
}

/** @throws {Problem} 422 for a private address, 502 when there is no response */
async function requestInstance(instance: string, send: () => Promise<Response>): Promise<Response> {
  try {
    return await send()
  } catch (cause) {
    const { host } = new URL(instance)
    if (cause instanceof OutboundError && cause.outcome === 'refused_address')
      throw invalid([{ path: 'instance', message: `${host} isn’t on the public internet.` }])
    throw new Problem(502, 'provider_unreachable', `${host} couldn’t be reached. Try again in a moment.`, { cause })
  }
}

const instanceFailed = (instance: string, status: number): Problem =>
  new Problem(502, 'provider_error', `${new URL(instance).host} responded with ${status}. Try again in a moment.`)
