import { z } from 'zod'
import { isGatewayUnavailable } from '#gateway'
import { Problem } from '#lib/errors.ts'
import { plainText } from '#lib/text.ts'
import { isRevoked } from '../oauth.ts'
import type { Authorization, ConnectCall, ConnectedAccount, Renewal, TokenCall, Tokens } from '../network.ts'
import {
  describeInstance,
  instanceFailed,
  listSupportedScopes,
  parseInstance,
  parseMetadata,
  requestInstance,
} from './instance.ts'

/** To identify the account, to publish, and to check whether a post arrived when the response was lost. */
const scopes = ['read:accounts', 'read:statuses', 'write:statuses', 'write:media']

/** Where a server’s metadata lists no scopes of parts, and at Pixelfed, which has none and no metadata. */
const broadScopes = ['read', 'write']

const PendingAuthorization = z.object({
  scopes: z.array(z.string()).default(scopes),
  origin: z.string(),
  redirectUri: z.string(),
  verifier: z.string(),
  app: z.object({ clientId: z.string() }),
})

const provider = 'mastodon'

/** OAuth 2 with PKCE at any instance. The gateway registers Atrium there, and exchanges the code. */
export const authorization: Authorization = {
  begin: async (form, call) => {
    const { CodeChallengeMethod, generateCodeVerifier, OAuth2Client } = await import('arctic')
    const origin = parseInstance(form)
    const requested = await chooseScopes(origin, call)
    const { credentials, redirectUri, signal, state } = call
    const { clientId } = await credentials.authorize(
      { provider, instance: origin, redirectUri, scopes: requested },
      signal,
    )
    const verifier = generateCodeVerifier()
    const authorizeUrl = new OAuth2Client(clientId, null, redirectUri).createAuthorizationURLWithPKCE(
      `${origin}/oauth/authorize`,
      state,
      CodeChallengeMethod.S256,
      verifier,
      requested,
    )
    const pending = { origin, redirectUri, verifier, app: { clientId }, scopes: requested }
    return { authorizeUrl: authorizeUrl.href, pending }
  },
  finish: async ({ code, pending }, call) => {
    const { origin, redirectUri, verifier, app, scopes: requested } = PendingAuthorization.parse(pending)
    const { clientId } = app
    const grant = { provider, instance: origin, redirectUri, clientId, code, codeVerifier: verifier } as const
    const { accessToken: access, refreshToken, scope } = await call.credentials.exchange(grant, call.signal)
    const account = await getAccount(origin, access, call)
    // Most instances give access tokens that don't expire. A refresh token belongs to the client that it was given to.
    const tokens = { access, ...(refreshToken !== null && { refresh: refreshToken, clientId }) }
    return { ...account, tokens, scopes: grantedScopes(scope, requested) }
  },
}

async function chooseScopes(origin: string, call: ConnectCall): Promise<string[]> {
  const { isPixelfed } = await describeInstance(origin, call)
  const supported = await listSupportedScopes(origin, call)
  const hasParts = supported ? scopes.every((scope) => supported.includes(scope)) : !isPixelfed
  return hasParts ? scopes : broadScopes
}

/** Names can't look like another account's address, or hide a part of it. */
const Owner = z.object({ id: plainText(100).min(1), username: z.string().regex(/^[\w.-]{1,200}$/) })

/** Its name has the requested host, so it can't look like one of another instance. */
async function getAccount(
  origin: string,
  access: string,
  call: ConnectCall,
): Promise<Pick<ConnectedAccount, 'externalId' | 'name' | 'metadata'>> {
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
    metadata: { origin, accountId, limits: (await describeInstance(origin, call)).limits },
  }
}

/** All requested ones when the instance doesn't say. */
function grantedScopes(scope: string | null, requested: string[]): string[] {
  const granted = scope?.split(' ').filter((name) => name !== '') ?? []
  return granted.length > 0 ? granted : requested
}

const StoredTokens = z.object({ access: z.string(), refresh: z.string().optional(), clientId: z.string().optional() })

/** @returns signed out for tokens that can't be refreshed, as those of most instances */
export async function renew({ account, credentials, holder, signal }: TokenCall): Promise<Renewal> {
  const { refresh: refreshToken, clientId } = StoredTokens.parse(account.tokens)
  if (refreshToken === undefined || clientId === undefined)
    return { kind: 'signed_out', message: 'Mastodon no longer accepts the account’s token.' }
  try {
    const { origin: instance } = parseMetadata(account.metadata)
    const renewed = await credentials.refresh({ provider, instance, clientId, account: holder, refreshToken }, signal)
    const tokens: Tokens = { access: renewed.accessToken, refresh: renewed.refreshToken ?? refreshToken, clientId }
    // When they end is left to the network, which says it when it refuses them.
    return { kind: 'renewed', tokens, ...(renewed.expiresInSeconds === 0 && { expiresInSeconds: 0 }) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { code, message } = error
    if (code === 'refresh_refused') return { kind: 'signed_out', message }
    return { kind: 'later', message, ...(isGatewayUnavailable(error) && { waitsFor: 'gateway' }) }
  }
}

export const revoke = ({ account, credentials, holder, signal }: TokenCall): Promise<boolean> =>
  isRevoked(async () => {
    const { access: token } = StoredTokens.parse(account.tokens)
    const { origin: instance } = parseMetadata(account.metadata)
    await credentials.revoke({ provider, instance, account: holder, token }, signal)
  })
