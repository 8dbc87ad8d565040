import { z } from 'zod'
import { Flag } from '#lib/text.ts'
import { isGatewayUnavailable, type AppTokens } from '#gateway'
import { Problem } from '#lib/errors.ts'
import { ConnectedApp } from './app.ts'
import { parseForm } from './form.ts'
import type {
  Authorization,
  ChoosableTarget,
  ConnectedAccount,
  ConsentCall,
  Network,
  Renewal,
  TokenCall,
  Tokens,
} from './network.ts'
import type { Provider } from '../contract.ts'

/** A network whose accounts are connected with an app of the operator or the organization (SOC-06). */
export type OAuthNetwork = OAuthFacts & (OneAccount | SeveralTargets)

interface OAuthFacts {
  provider: Provider
  name: string
  authorizeUrl: string
  scopes: readonly string[]
  /** Requested beside them when a person lets Atrium write first comments; not needed to publish. */
  commentScope?: string
  /** Without PKCE where the provider refuses it. */
  pkce: boolean
  /**
   * Which token ends the access when it is revoked. Unset where the network has no way to revoke one, as in the gateway. The refresh
   * token where access tokens that have expired can’t be revoked.
   */
  revokes?: 'access' | 'refresh'
  /** Changes the consent page’s URL where the network deviates from OAuth 2. */
  adjust?(page: URL): void
}

type Profile = Pick<ConnectedAccount, 'externalId' | 'name' | 'metadata'>

export interface AccountCall extends ConsentCall {
  /** Of the app that the token belongs to. */
  clientId: string
}

interface OneAccount {
  /** @throws {Problem} 409 `consent_partial`, 502 */
  getAccount(access: string, call: AccountCall): Promise<Profile>
}

interface SeveralTargets {
  /** `access`: of a target that has a token of its own. @throws {Problem} 502 */
  listTargets(access: string, call: ConsentCall): Promise<OAuthTarget[]>
}

export interface OAuthTarget extends Omit<ChoosableTarget, 'account'> {
  profile: Profile
  access?: string
  /** Those that were granted; by default what the token endpoint says. */
  scopes?: string[]
  /** Of that token; null when it has no end. */
  expiresInSeconds?: number | null
}

const Pending = z.object({
  clientId: z.string(),
  // A consent that began before it was stored is taken for one with the organization’s own app.
  shared: z.boolean().default(false),
  mode: ConnectedApp.shape.mode,
  redirectUri: z.string(),
  codeVerifier: z.string().optional(),
})

const WithComments = z.object({
  firstComments: Flag.default(false),
})

export const createAuthorization = (network: OAuthNetwork): Authorization => ({
  begin: async (form, { credentials, organizationId, outside, redirectUri, signal, state }) => {
    const { commentScope } = network
    const withComments = commentScope !== undefined && parseForm(WithComments, form).firstComments
    if (commentScope === undefined) parseForm(z.object({}), form)
    const { CodeChallengeMethod, generateCodeVerifier, OAuth2Client } = await import('arctic')
    const { provider } = network
    const { clientId, shared, mode } = await credentials.apps.authorize({ provider, organizationId }, signal)
    const client = new OAuth2Client(clientId, null, redirectUri)
    const page = outside.at(network.authorizeUrl).href
    const scopes = [...network.scopes, ...(withComments ? [commentScope] : [])]
    const codeVerifier = network.pkce ? generateCodeVerifier() : undefined
    const url =
      codeVerifier === undefined
        ? client.createAuthorizationURL(page, state, scopes)
        : client.createAuthorizationURLWithPKCE(page, state, CodeChallengeMethod.S256, codeVerifier, scopes)
    network.adjust?.(url)
    const app = { clientId, shared, mode }
    return { authorizeUrl: url.href, pending: { ...app, redirectUri, ...(codeVerifier && { codeVerifier }) } }
  },
  finish: async ({ code, pending }, call) => {
    const { clientId, shared, mode, ...grant } = Pending.parse(pending)
    const { credentials, organizationId, signal } = call
    const app = { provider: network.provider, organizationId, clientId }
    const tokens = await credentials.apps.exchange({ ...app, ...grant, code }, signal)
    const scopes = grantedScopes(network, tokens)
    const missing = network.scopes.filter((scope) => !scopes.includes(scope))
    if (missing.length > 0) throw partialConsent(network.name, missing)
    const connected = (
      profile: Profile,
      {
        access = tokens.accessToken,
        expiresInSeconds = tokens.expiresInSeconds,
        scopes: own = scopes,
      }: Pick<OAuthTarget, 'access' | 'expiresInSeconds' | 'scopes'> = {},
    ): ConnectedAccount => ({
      ...profile,
      metadata: { ...profile.metadata, app: { clientId, organizationId, shared, mode } satisfies ConnectedApp },
      tokens: storedTokens({ ...tokens, accessToken: access }, { clientId, organizationId }),
      expiresInSeconds,
      signInEndsInSeconds: endOf({ ...tokens, expiresInSeconds }),
      scopes: own,
    })
    if ('getAccount' in network) return connected(await network.getAccount(tokens.accessToken, { ...call, clientId }))
    const targets = await network.listTargets(tokens.accessToken, call)
    return {
      targets: targets.map(({ profile, detail, refusal, warning, ...own }) => ({
        detail,
        refusal,
        ...(warning !== undefined && { warning }),
        account: connected(profile, own),
      })),
    }
  },
})

/** Tokens without an end need no refresh token. */
const endOf = ({ refreshToken, expiresInSeconds, refreshEndsInSeconds }: AppTokens): number | null =>
  expiresInSeconds === null ? null : refreshToken === null ? expiresInSeconds : (refreshEndsInSeconds ?? null)

/** All requested ones when the network doesn't say. */
function grantedScopes({ scopes }: OAuthNetwork, { scope }: AppTokens): string[] {
  const granted = scope?.split(/[\s,]+/).filter((name) => name !== '') ?? []
  return granted.length > 0 ? granted : [...scopes]
}

export const partialConsent = (name: string, missing: string[]): Problem =>
  new Problem(409, 'consent_partial', `${name} granted only a part of the permissions. Connect again and allow all.`, {
    members: { missing },
  })

/** What a rate limit or another request in progress refused: the same request can succeed later. */
const passing: readonly number[] = [423, 429]

/** What the network or the gateway refuses for good is over, too: its owner can still revoke it at the network. */
export async function isRevoked(revoke: () => Promise<void>): Promise<boolean> {
  try {
    await revoke()
    return true
  } catch (error) {
    return error instanceof Problem && error.status < 500 && !passing.includes(error.status)
  }
}

interface AppOfTokens {
  clientId: string
  organizationId: string
}

/** A refresh token belongs to the app that it was given to, also after a transfer of the brand. */
const storedTokens = ({ accessToken, refreshToken }: AppTokens, app: AppOfTokens): Tokens => ({
  access: accessToken,
  ...(refreshToken !== null && { refresh: refreshToken }),
  ...app,
})

const StoredTokens = z.object({
  access: z.string(),
  refresh: z.string().optional(),
  clientId: z.string(),
  organizationId: z.string(),
})

export const accessTokenOf = (tokens: Tokens): string => StoredTokens.parse(tokens).access

/** Of the app that the tokens belong to. */
export const clientIdOf = (tokens: Tokens): string => StoredTokens.parse(tokens).clientId

export const createTokenCalls = ({ provider, name, revokes }: OAuthNetwork): Pick<Network, 'renew' | 'revoke'> => ({
  renew: async ({ account, credentials, holder, signal }: TokenCall): Promise<Renewal> => {
    const { refresh: refreshToken, clientId, organizationId } = StoredTokens.parse(account.tokens)
    if (refreshToken === undefined)
      return { kind: 'signed_out', message: `${name} no longer accepts the account’s token.` }
    try {
      const grant = { provider, organizationId, clientId, account: holder, refreshToken }
      const renewed = await credentials.apps.refresh(grant, signal)
      // Some networks keep the refresh token, and then leave it out.
      const tokens = { ...renewed, refreshToken: renewed.refreshToken ?? refreshToken }
      return {
        kind: 'renewed',
        tokens: storedTokens(tokens, { clientId, organizationId }),
        expiresInSeconds: renewed.expiresInSeconds,
        signInEndsInSeconds: endOf({ ...renewed, refreshToken }),
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const { code, message } = error
      if (code === 'refresh_refused') return { kind: 'signed_out', message }
      return { kind: 'later', message, ...(isGatewayUnavailable(error) && { waitsFor: 'gateway' }) }
    }
  },
  ...(revokes && {
    revoke: ({ account, credentials, holder, signal }: TokenCall): Promise<boolean> =>
      isRevoked(async () => {
        const { access, refresh = access, clientId, organizationId } = StoredTokens.parse(account.tokens)
        const token = revokes === 'refresh' ? refresh : access
        await credentials.apps.revoke({ provider, organizationId, clientId, account: holder, token }, signal)
      }),
  }),
})
