import { z } from 'zod'
import {
  AccountReportResult,
  AuthorizedApp,
  SocialTokens,
  TokenRevocation,
  type AccountReport,
} from '../contract/social.ts'
import type { GatewayRequests } from './requests.ts'

const caller = 'platform-socialize'

/** Longer than the gateway takes for its requests to a network's server. */
const timeoutMs = 20_000

interface Place {
  provider: 'mastodon'
  /** The origin of the network's server. */
  instance: string
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
  refresh(grant: Place & { clientId: string; refreshToken: string }, signal?: AbortSignal): Promise<SocialTokens>
  revoke(grant: Place & { token: string }, signal?: AbortSignal): Promise<{ revoked: boolean }>
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
  return {
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
