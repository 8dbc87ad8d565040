import type { OAuth2Tokens } from 'arctic'
import { z } from 'zod'
import { Problem } from '#lib/errors.ts'
import { plainText } from '#lib/text.ts'
import type { App, Authorization, AuthorizeCall, ConnectCall, RevokeCall, ConnectedAccount } from '../network.ts'
import { parseInstance, parseMetadata, getLimits, requestInstance, instanceFailed } from './instance.ts'

/** To identify the account, to publish, and to check whether a post arrived when the response was lost. */
const scopes = ['read:accounts', 'read:statuses', 'write:statuses', 'write:media']

const PendingAuthorization = z.object({
  origin: z.string(),
  redirectUri: z.string(),
  verifier: z.string(),
  app: z.object({ clientId: z.string(), clientSecret: z.string() }),
})

/** OAuth 2 with PKCE at any instance. Atrium registers itself there. */
export const authorization: Authorization = {
  begin: async (form, call) => {
    const { CodeChallengeMethod, generateCodeVerifier, OAuth2Client } = await import('arctic')
    const origin = parseInstance(form)
    await getLimits(origin, call)
    const app = await getApp(origin, call)
    const verifier = generateCodeVerifier()
    const { redirectUri, state } = call
    const authorizeUrl = new OAuth2Client(app.clientId, app.clientSecret, redirectUri).createAuthorizationURLWithPKCE(
      `${origin}/oauth/authorize`,
      state,
      CodeChallengeMethod.S256,
      verifier,
      scopes,
    )
    return { authorizeUrl: authorizeUrl.href, pending: { origin, redirectUri, verifier, app } }
  },
  finish: async ({ code, pending }, call) => {
    const { origin, redirectUri, verifier, app } = PendingAuthorization.parse(pending)
    const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
    const response = await requestToken(origin, app, grant, call)
    if (!response.ok) throw authorizationRefused(origin, response)
    const { OAuth2Tokens: Tokens } = await import('arctic')
    const tokens = new Tokens(await readTokens(origin, response))
    return getAccount(origin, tokens, call)
  },
}

/** The registration of Atrium at an instance: the known one, unless the instance deleted it as unused. */
async function getApp(origin: string, call: AuthorizeCall): Promise<App> {
  const known = await call.apps.find(origin, call.redirectUri)
  if (known) {
    const { status } = await requestToken(origin, known, { grant_type: 'client_credentials' }, call)
    if (status === 200) return known
    if (status >= 500 || status === 429) throw instanceFailed(origin, status)
  }
  const app = await register(origin, call)
  await call.apps.keep(origin, call.redirectUri, app)
  return app
}

const Registered = z.object({ client_id: z.string(), client_secret: z.string() })

async function register(origin: string, { outside, signal, redirectUri }: AuthorizeCall): Promise<App> {
  const response = await requestInstance(origin, () =>
    outside.fetch(new URL('/api/v1/apps', origin), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      // A text, since servers before Mastodon 4.3 accept no list.
      body: JSON.stringify({ client_name: 'Atrium', redirect_uris: redirectUri, scopes: scopes.join(' ') }),
      signal,
    }),
  )
  const registered = Registered.safeParse(response.ok ? await response.json().catch(() => null) : null)
  if (!registered.success) throw registrationFailed(origin, response)
  return { clientId: registered.data.client_id, clientSecret: registered.data.client_secret }
}

const registrationFailed = (origin: string, { status }: Response): Problem =>
  status >= 500 || status === 429
    ? instanceFailed(origin, status)
    : new Problem(
        502,
        'provider_error',
        `${new URL(origin).host} rejected the registration of Atrium as an app (${status}).`,
      )

/** Requests a token. arctic's own fetch has no guard against private addresses. */
const requestToken = (origin: string, app: App, grant: Record<string, string>, { outside, signal }: ConnectCall) =>
  requestInstance(origin, () =>
    outside.fetch(new URL('/oauth/token', origin), {
      method: 'POST',
      body: new URLSearchParams({ ...grant, client_id: app.clientId, client_secret: app.clientSecret }),
      signal,
    }),
  )

/** The code has expired, was already used, or belongs to another client. */
const authorizationRefused = (origin: string, { status }: Response): Problem =>
  status >= 500 || status === 429
    ? instanceFailed(origin, status)
    : new Problem(409, 'consent_refused', `${new URL(origin).host} rejected the authorization. Connect again.`)

async function readTokens(origin: string, response: Response): Promise<object> {
  const tokens = z.looseObject({ access_token: z.string() }).safeParse(await response.json().catch(() => null))
  if (tokens.success) return tokens.data
  throw instanceFailed(origin, response.status)
}

/** Names can't look like another account's address, or hide a part of it. */
const Owner = z.object({ id: plainText(100).min(1), username: z.string().regex(/^[\w.-]{1,200}$/) })

/** Its name has the requested host, so it can't look like one of another instance. */
async function getAccount(origin: string, tokens: OAuth2Tokens, call: ConnectCall): Promise<ConnectedAccount> {
  const access = tokens.accessToken()
  const response = await requestInstance(origin, () =>
    call.outside.fetch(new URL('/api/v1/accounts/verify_credentials', origin), {
      headers: { authorization: `Bearer ${access}` },
      signal: call.signal,
    }),
  )
  const owner = Owner.safeParse(response.ok ? await response.json().catch(() => null) : null)
  if (!owner.success) throw instanceFailed(origin, response.status)
  const { id: accountId, username } = owner.data
  const { host } = new URL(origin)
  return {
    externalId: `${username}@${host}`,
    name: `@${username}@${host}`,
    metadata: { origin, accountId, limits: await getLimits(origin, call) },
    tokens: { access },
    scopes: grantedScopes(tokens),
  }
}

/** The granted scopes: all requested ones when the instance doesn't say. */
function grantedScopes(tokens: OAuth2Tokens): string[] {
  const granted = tokens.hasScopes() ? tokens.scopes().filter((scope) => scope !== '') : []
  return granted.length > 0 ? granted : scopes
}

const Tokens = z.object({ access: z.string() })

/** One of Atrium's registrations there created the token. */
export async function revoke({ account, outside, signal, apps }: RevokeCall): Promise<void> {
  try {
    const { access } = Tokens.parse(account.tokens)
    const { origin } = parseMetadata(account.metadata)
    for (const { clientId, clientSecret } of await apps(origin)) {
      const { ok } = await outside.fetch(new URL('/oauth/revoke', origin), {
        method: 'POST',
        body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret, token: access }),
        signal,
      })
      if (ok) return
    }
  } catch {
    // Its owner can still revoke it at the instance.
  }
}
