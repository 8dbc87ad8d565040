import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { plainText } from '#lib/text.ts'
import { Instant, Timestamp } from '#lib/time.ts'
import { CredentialHealth, CredentialLevel, CredentialMode } from './credentials.ts'

export const AuthorizedApp = z.object({
  clientId: z.string().describe('Of our app at the server: for the consent page, and for the exchange of its code.'),
})

export const ChosenApp = AuthorizedApp.extend({
  shared: z.boolean().default(false).describe('Whether it is the platform’s, which organizations share.'),
  mode: CredentialMode.default('live').describe('`test` for the network’s sandbox.'),
})

export type ChosenApp = z.output<typeof ChosenApp>

export const SocialTokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  expiresInSeconds: z.int().nullable().describe('0 when only the refresh token is still of use.'),
  refreshEndsInSeconds: z
    .int()
    .nullish()
    .describe('Until the refresh token ends; null or absent when the server doesn’t say.'),
  scope: z.string().nullable().describe('Null when the server doesn’t say.'),
})
export type SocialTokens = z.output<typeof SocialTokens>

/** Whose tokens they are: a connected account, of the service that stores them, and the organization of its brand. */
export const TokenHolder = z.object({ id: Id, organizationId: Id })
export type TokenHolder = z.output<typeof TokenHolder>

export const UsableApps = z.object({
  items: z
    .array(z.object({ provider: z.string(), mode: CredentialMode.default('live') }))
    .describe('Networks whose accounts can be connected, with the kind of app that connects them.'),
})
export type UsableApps = z.output<typeof UsableApps>

export const TokenRevocation = z.object({ revoked: z.boolean() })

export const RequestSignature = z.object({ valid: z.boolean() })

export const AccountHealth = z.enum(['healthy', 'signed_out', 'expired', 'inactive'])
export type AccountHealth = z.output<typeof AccountHealth>

/** The state of a connected account, as the service that holds its tokens reports it. */
export const AccountReport = z.object({
  version: z.int().positive().describe('Grows with each change: a lower one than the last changes nothing.'),
  organizationId: Id,
  brandId: Id,
  brandName: plainText(500),
  provider: plainText(50).min(1),
  name: plainText(1000).min(1),
  host: plainText(1000).describe('The server that its calls go to, else the network’s name.'),
  health: AccountHealth,
  connectedAt: Instant,
  lastUsedAt: Instant.nullable(),
  hasTokens: z.boolean().default(true).describe('False when the service has deleted them.'),
})
export type AccountReport = z.output<typeof AccountReport>

export const AccountReportResult = z.object({ applied: z.boolean() })

export const ConnectedAccount = z.object({
  id: Id,
  provider: z.string(),
  name: z.string(),
  host: z.string().describe('The server that its calls go to, else the network’s name.'),
  brandId: Id,
  brandName: z.string(),
  health: AccountHealth,
  connectedAt: Timestamp,
  lastUsedAt: Timestamp.nullable().describe('When it last published, to within five minutes; null for never.'),
})
export type ConnectedAccount = z.output<typeof ConnectedAccount>
export const ConnectedAccountList = listOf(ConnectedAccount)
export type ConnectedAccountList = z.output<typeof ConnectedAccountList>

export const NetworkApp = z.object({
  provider: z.string(),
  name: z.string(),
  mode: CredentialMode.describe('`live` is the production set, `test` the sandbox’s.'),
  credential: z
    .enum(['oauth_client', 'registered', 'app_password', 'webhook', 'built_in'])
    .describe(
      'All but `oauth_client` need none: registered at each server, of the person, or of the network in development.',
    ),
  level: CredentialLevel.nullable().describe('Null without a stored credential.'),
  label: z.string().nullable().describe('Of the stored credential.'),
  lastFour: z.string().nullable().describe('Of the client ID.'),
  redirectUri: z.string().nullable().describe('To enter at the network, where its app needs one.'),
  state: z.enum(['ready', 'missing']),
  health: CredentialHealth,
  lastError: z.string().nullable(),
  checkedAt: Timestamp.nullable(),
  rotatedAt: Timestamp.nullable(),
  servers: z.int().nullable().describe('At how many servers of the network we are registered.'),
  can: z.object({ update: z.boolean(), check: z.boolean() }),
})
export type NetworkApp = z.output<typeof NetworkApp>
/** With dates, before it is sent. */
export type StoredNetworkApp = z.input<typeof NetworkApp>
export const NetworkAppList = listOf(NetworkApp).extend({
  can: z.object({ update: z.boolean(), updatePlatform: z.boolean() }).describe('For which levels apps can be set.'),
})
export type NetworkAppList = z.output<typeof NetworkAppList>
