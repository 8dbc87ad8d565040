import type { OAuth2Tokens } from 'arctic'
import { z } from 'zod'
import { Problem } from '#lib/errors.ts'
import { plainText } from '#lib/text.ts'
import type { App, Authorization, AuthorizeCall, ConnectCall, RevokeCall, SignedIn } from '../network.ts'
import { instanceIn, keptOf, limitsAt, reached, unwell } from './instance.ts'

/** Who we are, to write, and to look up what arrived when an answer was lost. */
const scopes = ['read:accounts', 'read:statuses', 'write:statuses', 'write:media']

const Kept = z.object({
  origin: z.string(),
  redirectUri: z.string(),
  verifier: z.string(),
  app: z.object({ clientId: z.string(), clientSecret: z.string() }),
})

/** OAuth 2 with PKCE at any instance, where Atrium registers itself. */
export const authorization: Authorization = {
  begin: async (form, call) => {
    const { CodeChallengeMethod, generateCodeVerifier, OAuth2Client } = await import('arctic')
    const origin = instanceIn(form)
    await limitsAt(origin, call)
    const app = await appAt(origin, call)
    const verifier = generateCodeVerifier()
    const { redirectUri, state } = call
    const authorizeUrl = new OAuth2Client(app.clientId, app.clientSecret, redirectUri).createAuthorizationURLWithPKCE(
      `${origin}/oauth/authorize`,
      state,
      CodeChallengeMethod.S256,
      verifier,
      scopes,
    )
    return { authorizeUrl: authorizeUrl.href, kept: { origin, redirectUri, verifier, app } }
  },
  finish: async ({ code, kept }, call) => {
    const { origin, redirectUri, verifier, app } = Kept.parse(kept)
    const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
    const response = await token(origin, app, grant, call)
    if (!response.ok) throw refused(origin, response)
    const { OAuth2Tokens: Tokens } = await import('arctic')
    const tokens = new Tokens(await readObject(origin, response))
    return accountOf(origin, tokens, call)
  },
}

/** Our registration at an instance: the one we have, unless the instance forgot it (unused ones are swept). */
async function appAt(origin: string, call: AuthorizeCall): Promise<App> {
  const known = await call.apps.find(origin, call.redirectUri)
  if (known) {
    const { status } = await token(origin, known, { grant_type: 'client_credentials' }, call)
    if (status === 200) return known
    if (status >= 500 || status === 429) throw unwell(origin, status)
  }
  const app = await register(origin, call)
  await call.apps.keep(origin, call.redirectUri, app)
  return app
}

const Registered = z.object({ client_id: z.string(), client_secret: z.string() })

async function register(origin: string, { outside, signal, redirectUri }: AuthorizeCall): Promise<App> {
  const response = await reached(origin, () =>
    outside.fetch(new URL('/api/v1/apps', origin), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      // One text: servers before Mastodon 4.3 take no list.
      body: JSON.stringify({ client_name: 'Atrium', redirect_uris: redirectUri, scopes: scopes.join(' ') }),
      signal,
    }),
  )
  const registered = Registered.safeParse(response.ok ? await response.json().catch(() => null) : null)
  if (!registered.success) throw unregistered(origin, response)
  return { clientId: registered.data.client_id, clientSecret: registered.data.client_secret }
}

const unregistered = (origin: string, { status }: Response): Problem =>
  status >= 500 || status === 429
    ? unwell(origin, status)
    : new Problem(
        502,
        'provider_error',
        `${new URL(origin).host} rejected the registration of Atrium as an app (${status}).`,
      )

/** Asks for a token. Not by arctic's own fetch: that knows nothing of the guard against inner addresses. */
const token = (origin: string, app: App, grant: Record<string, string>, { outside, signal }: ConnectCall) =>
  reached(origin, () =>
    outside.fetch(new URL('/oauth/token', origin), {
      method: 'POST',
      body: new URLSearchParams({ ...grant, client_id: app.clientId, client_secret: app.clientSecret }),
      signal,
    }),
  )

/** The code has expired, was already used, or belongs to another client. */
const refused = (origin: string, { status }: Response): Problem =>
  status >= 500 || status === 429
    ? unwell(origin, status)
    : new Problem(409, 'consent_refused', `${new URL(origin).host} rejected the authorization. Connect again.`)

async function readObject(origin: string, response: Response): Promise<object> {
  const told = z.looseObject({ access_token: z.string() }).safeParse(await response.json().catch(() => null))
  if (told.success) return told.data
  throw unwell(origin, response.status)
}

/** Nothing in a name that looks like another account's address, or hides a part of it. */
const Owner = z.object({ id: plainText(100).min(1), username: z.string().regex(/^[\w.-]{1,200}$/) })

/** Whose token it is. The account is named by the host that was asked: it can't pass for one of another instance. */
async function accountOf(origin: string, tokens: OAuth2Tokens, call: ConnectCall): Promise<SignedIn> {
  const access = tokens.accessToken()
  const response = await reached(origin, () =>
    call.outside.fetch(new URL('/api/v1/accounts/verify_credentials', origin), {
      headers: { authorization: `Bearer ${access}` },
      signal: call.signal,
    }),
  )
  const owner = Owner.safeParse(response.ok ? await response.json().catch(() => null) : null)
  if (!owner.success) throw unwell(origin, response.status)
  const { id: accountId, username } = owner.data
  const { host } = new URL(origin)
  return {
    externalId: `${username}@${host}`,
    name: `@${username}@${host}`,
    metadata: { origin, accountId, limits: await limitsAt(origin, call) },
    tokens: { access },
    scopes: grantedBy(tokens),
  }
}

/** What was granted: what was asked for, where the instance doesn't say. */
function grantedBy(tokens: OAuth2Tokens): string[] {
  const told = tokens.hasScopes() ? tokens.scopes().filter((scope) => scope !== '') : []
  return told.length > 0 ? told : scopes
}

const Tokens = z.object({ access: z.string() })

/** Ends the access token, where its instance answers: the registration that got it is one of ours there. */
export async function revoke({ account, outside, signal, apps }: RevokeCall): Promise<void> {
  try {
    const { access } = Tokens.parse(account.tokens)
    const { origin } = keptOf(account.metadata)
    for (const { clientId, clientSecret } of await apps(origin)) {
      const { ok } = await outside.fetch(new URL('/oauth/revoke', origin), {
        method: 'POST',
        body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret, token: access }),
        signal,
      })
      if (ok) return
    }
  } catch {
    // Its owner can still end it at the instance.
  }
}
