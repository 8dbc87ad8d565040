import { z } from 'zod'
import {
  AccountReportResult,
  AuthorizedApp,
  ChosenApp,
  RequestSignature,
  SocialTokens,
  TokenRevocation,
  UsableApps,
  type AccountReport,
  type TokenHolder,
} from '../contract/social.ts'
import { BlueskyClient, BlueskyTokens, PushedConsent } from '../contract/bluesky.ts'
import type { GatewayRequests } from './requests.ts'

const caller = 'platform-socialize'

/** Longer than the gateway takes for its requests to a network's server. */
const timeoutMs = 26_000

interface Place {
  provider: 'mastodon'
  /** The origin of the network's server. */
  instance: string
}

interface AppOwner {
  provider: string
  organizationId: string
}
type Client = AppOwner & { clientId: string }

/** The same token again gets the same response for a day: tokens are lost only when the network’s response is. */
interface Refreshed {
  account: TokenHolder
  refreshToken: string
}

interface Revoked {
  /** Without one, the account was never connected. */
  account?: TokenHolder
  token: string
}

interface AppCredentials {
  /** The networks that have one, which connects accounts. */
  list(organizationId: string): Promise<UsableApps['items']>
  /** @throws {Problem} 409 `app_missing` */
  authorize(owner: AppOwner, signal?: AbortSignal): Promise<ChosenApp>
  /** @throws {Problem} 409 `consent_refused` or `app_missing` */
  exchange(
    grant: Client & { redirectUri: string; code: string; codeVerifier?: string },
    signal?: AbortSignal,
  ): Promise<SocialTokens>
  /** @throws {Problem} 409 `refresh_refused` when it is final */
  refresh(grant: Client & Refreshed, signal?: AbortSignal): Promise<SocialTokens>
  revoke(grant: Client & Revoked, signal?: AbortSignal): Promise<{ revoked: boolean }>
  /** Whether the app signed it. Without an organization, the platform’s; without a client ID, any of them. */
  verify(signed: SignedRequest, signal?: AbortSignal): Promise<{ valid: boolean }>
}

interface SignedRequest {
  provider: 'instagram'
  organizationId: string | null
  clientId: string | null
  signedRequest: string
}

interface ProvenSession {
  /** The origin of the authorization server. */
  issuer: string
  clientId: string
  keyId: string | null
  /** The private key that the session’s tokens are bound to. */
  proofKey: string
}

interface BlueskyCredentials {
  /** What servers read about us. */
  client(redirectUri: string): Promise<BlueskyClient>
  /** @throws {Problem} 409 `oauth_unsupported` or `client_unreachable` */
  push(
    consent: {
      issuer: string
      proofKey: string
      redirectUri: string
      scope: string
      state: string
      codeChallenge: string
      loginHint?: string
    },
    signal?: AbortSignal,
  ): Promise<z.output<typeof PushedConsent>>
  /** @throws {Problem} 409 `consent_refused` */
  exchange(
    grant: ProvenSession & { redirectUri: string; code: string; codeVerifier: string },
    signal?: AbortSignal,
  ): Promise<BlueskyTokens>
  /** @throws {Problem} 409 `refresh_refused` when it is final */
  refresh(grant: ProvenSession & Refreshed, signal?: AbortSignal): Promise<BlueskyTokens>
  revoke(grant: ProvenSession & Revoked, signal?: AbortSignal): Promise<{ revoked: boolean }>
}

/** Whatever needs the secret of our app at a network: only the gateway has it (GTW-04). */
export interface SocialCredentials {
  /** Registers our app at a network's server, if needed. */
  authorize(
    consent: Place & { redirectUri: string; scopes: readonly string[] },
    signal?: AbortSignal,
  ): Promise<{ clientId: string }>
  /** @throws {Problem} 409 `consent_refused` */
  exchange(
    grant: Place & { redirectUri: string; clientId: string; code: string; codeVerifier: string },
    signal?: AbortSignal,
  ): Promise<SocialTokens>
  /** @throws {Problem} 409 `refresh_refused` when it is final */
  refresh(grant: Place & { clientId: string } & Refreshed, signal?: AbortSignal): Promise<SocialTokens>
  revoke(grant: Place & Revoked, signal?: AbortSignal): Promise<{ revoked: boolean }>
  /** With the app of an organization, else the platform’s. */
  apps: AppCredentials
  /** With our key at servers of the AT Protocol. */
  bluesky: BlueskyCredentials
  /** Puts an account's state in the inventory. Late and repeated reports change nothing. */
  report(id: string, report: AccountReport): Promise<void>
  /** Takes an account out of the inventory, for good. */
  remove(id: string): Promise<void>
}

export function createSocialCredentials({ request }: GatewayRequests): SocialCredentials {
  const post =
    <Answer>(name: string, answer: z.ZodType<Answer>) =>
    (sent: object, signal?: AbortSignal): Promise<Answer> =>
      request({
        caller,
        method: 'POST',
        path: `/platform/social/${name}`,
        answer,
        sent,
        timeoutMs,
        ...(signal && { signal }),
      })
  const postApp =
    <Answer>(name: string, answer: z.ZodType<Answer>) =>
    ({ provider, ...sent }: { provider: string }, signal?: AbortSignal): Promise<Answer> =>
      post(`apps/${provider}/${name}`, answer)(sent, signal)
  return {
    apps: {
      list: async (organizationId) => {
        const path = `/platform/social/apps?${new URLSearchParams({ organizationId })}`
        return (await request({ caller, method: 'GET', path, answer: UsableApps })).items
      },
      authorize: postApp('authorize', ChosenApp),
      exchange: postApp('exchange', SocialTokens),
      refresh: postApp('refresh', SocialTokens),
      revoke: postApp('revoke', TokenRevocation),
      verify: postApp('verify', RequestSignature),
    },
    bluesky: {
      client: (redirectUri) => {
        const path = `/platform/social/bluesky/client?${new URLSearchParams({ redirectUri })}`
        return request({ caller, method: 'GET', path, answer: BlueskyClient })
      },
      push: post('bluesky/push', PushedConsent),
      exchange: post('bluesky/exchange', BlueskyTokens),
      refresh: post('bluesky/refresh', BlueskyTokens),
      revoke: post('bluesky/revoke', TokenRevocation),
    },
    authorize: post('authorize', AuthorizedApp),
    exchange: post('exchange', SocialTokens),
    refresh: post('refresh', SocialTokens),
    revoke: post('revoke', TokenRevocation),
    report: async (id, sent) => {
      await request({
        caller,
        method: 'PUT',
        path: `/platform/social/connections/${id}`,
        answer: AccountReportResult,
        sent,
      })
    },
    remove: async (id) => {
      await request({ caller, method: 'DELETE', path: `/platform/social/connections/${id}`, answer: z.null() })
    },
  }
}
