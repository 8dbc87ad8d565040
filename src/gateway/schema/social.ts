import { sql } from 'drizzle-orm'
import { bigint, check, index, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { CredentialHealth } from '../contract/credentials.ts'
import type { AccountHealth } from '../contract/social.ts'
import { createdAt, gateway, id, time } from './base.ts'

/** Our registrations as an app at the servers of networks that have many (GTW-04). The newest of a place with the same scopes is used. */
export const socialApps = gateway.table(
  'social_apps',
  {
    id: id(),
    provider: text().$type<'mastodon'>().notNull(),
    host: text().notNull(),
    redirectUri: text().notNull(),
    /** That it was registered with: a server refuses a consent with others. */
    scopes: text().array().notNull().default([]),
    clientId: text().notNull(),
    /** Sealed as `gateway.social_apps:<id>`. */
    sealedSecret: text().notNull(),
    /** The table that its secret is still sealed for, until a start seals it for this one. */
    formerTable: text(),
    health: text().$type<CredentialHealth>().notNull().default('unknown'),
    lastError: text(),
    checkedAt: time(),
    createdAt: createdAt(),
  },
  (table) => [
    check('social_apps_health', sql`${table.health} IN ('unknown', 'healthy', 'unhealthy')`),
    unique('social_apps_client').on(table.provider, table.host, table.redirectUri, table.clientId),
  ],
)

/** Keys with which we authenticate at servers of the AT Protocol. The newest is used for new sessions, and all are published. */
export const socialClientKeys = gateway.table('social_client_keys', {
  /** Also the ID of the key that servers see. */
  id: id(),
  publicX: text().notNull(),
  publicY: text().notNull(),
  /** The private JWK, sealed as `gateway.social_client_keys:<id>`. */
  sealedKey: text().notNull(),
  createdAt: createdAt(),
})

/**
 * Accounts that people connected, as social reports them (GTW-02): never their tokens. Without an organization, the
 * account was disconnected: reports that arrive later change nothing.
 */
export const socialConnections = gateway.table(
  'social_connections',
  {
    /** Social's. */
    id: uuid().primaryKey(),
    organizationId: uuid(),
    brandId: uuid(),
    brandName: text(),
    provider: text(),
    name: text(),
    /** The server that its calls go to, else the network's name. */
    host: text(),
    health: text().$type<AccountHealth>(),
    connectedAt: time(),
    /** When it last published. */
    lastUsedAt: time(),
    /** Grows with each change in social. */
    version: bigint({ mode: 'number' }).notNull(),
    removedAt: time(),
  },
  (table) => [
    index('social_connections_organization').on(table.organizationId, table.provider, table.name, table.id),
    index('social_connections_removed').on(table.removedAt),
    check('social_connections_removal', sql`(${table.organizationId} IS NULL) = (${table.removedAt} IS NOT NULL)`),
    check('social_connections_health', sql`${table.health} IN ('healthy', 'signed_out', 'expired', 'inactive')`),
    check(
      'social_connections_known',
      sql`num_nulls(${table.organizationId}, ${table.brandId}, ${table.brandName}, ${table.provider}, ${table.name}, ${table.host}, ${table.health}, ${table.connectedAt}) IN (0, 8)`,
    ),
  ],
)

/**
 * What networks responded to refreshes, until the service that asked has surely stored it: a refresh token that can be used
 * once is lost with its response. Without tokens, a server is asking the network.
 */
export const socialTokenRefreshes = gateway.table(
  'social_token_refreshes',
  {
    id: id(),
    /** Social's. */
    accountId: uuid().notNull(),
    organizationId: uuid().notNull(),
    /** Keyed, of the refresh token that was sent and its app. */
    tokenDigest: text().notNull(),
    /** The server that is asking the network. */
    owner: uuid(),
    /** Then the server is dead. */
    claimEndsAt: time(),
    /** Sealed as `gateway.social_token_refreshes:<id>`. */
    sealedResponse: text(),
    /** Of the new refresh token. Its use proves that the tokens have arrived. */
    nextDigest: text(),
    respondedAt: time(),
    createdAt: createdAt(),
  },
  (table) => [
    unique('social_token_refreshes_token').on(table.accountId, table.organizationId, table.tokenDigest),
    index('social_token_refreshes_organization').on(table.organizationId),
    index('social_token_refreshes_created').on(table.createdAt),
    check(
      'social_token_refreshes_state',
      sql`(num_nonnulls(${table.owner}, ${table.claimEndsAt}), num_nonnulls(${table.sealedResponse}, ${table.nextDigest}, ${table.respondedAt})) IN ((2, 0), (0, 3))`,
    ),
  ],
)
