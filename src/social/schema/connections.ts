import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, jsonb, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { Provider } from '../contract.ts'
import { createdAt, id, social, time } from './base.ts'
import { brandId, brands } from './brands.ts'

export const connections = social.table(
  'connections',
  {
    id: id(),
    brandId: brandId(),
    provider: text().$type<Provider>().notNull(),
    ownerId: uuid().notNull(),
    active: boolean().notNull().default(true),
    externalId: text().notNull(),
    name: text().notNull(),
    /** Pages, groups, organizations and so on, as the network listed them. */
    metadata: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    /** The server that its calls go to: a Mastodon instance, a PDS, else the network itself. */
    host: text()
      .notNull()
      .generatedAlwaysAs(sql`coalesce(metadata->>'origin', metadata->>'pds', provider)`),
    /** Sealed as `social.connections:<id>`. */
    sealedTokens: text(),
    scopes: text().array().notNull().default([]),
    expiresAt: time(),
    /** When nothing renews the tokens from then on; null when that isn’t known. */
    signInEndsAt: time(),
    health: text().$type<'ok' | 'signed_out' | 'expired'>().notNull().default('ok'),
    renewalOwner: uuid(),
    renewalEndsAt: time(),
    createdAt: createdAt(),
    deactivatedAt: time(),
  },
  (table) => [
    check('connections_renewal', sql`(${table.renewalOwner} is null) = (${table.renewalEndsAt} is null)`),
    unique('connections_account').on(table.brandId, table.provider, table.externalId, table.ownerId),
    check('connections_health', sql`${table.health} in ('ok', 'signed_out', 'expired')`),
    // Callbacks of Instagram name an account by a digest.
    index('connections_subjects')
      .using('gin', sql`(${table.metadata} -> 'subjects')`)
      .where(sql`${table.provider} = 'instagram'`),
    index('connections_ending')
      .on(table.signInEndsAt)
      .where(sql`active and health = 'ok'`),
    check('connections_active', sql`${table.active} = (${table.deactivatedAt} is null)`),
  ],
)

/** What the gateway's inventory knows of each account. Apart, since a transfer changes no row of an account (SOC-02). */
export const accountReports = social.table(
  'account_reports',
  {
    connectionId: uuid()
      .primaryKey()
      .references(() => connections.id, { onDelete: 'cascade' }),
    /** Grows with each change that the inventory shows. */
    version: bigint({ mode: 'number' }).notNull().default(1),
    reportedVersion: bigint({ mode: 'number' }).notNull().default(0),
    /** When the account last published, to within some minutes. */
    lastUsedAt: time(),
  },
  (table) => [
    index('account_reports_waiting')
      .on(table.connectionId)
      .where(sql`${table.reportedVersion} < ${table.version}`),
  ],
)

/** Moved to the gateway. Servers of the previous release still write here; a later release drops it. */
export const networkApps = social.table(
  'network_apps',
  {
    id: id(),
    provider: text().$type<Provider>().notNull(),
    host: text().notNull(),
    redirectUri: text().notNull(),
    clientId: text().notNull(),
    /** Sealed as `social.network_apps:<id>`. */
    sealedSecret: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [unique('network_apps_place').on(table.provider, table.host, table.redirectUri)],
)

/** Pending visits to consent pages: the person, the brand, and what the response needs. */
export const authorizations = social.table(
  'authorizations',
  {
    id: id(),
    /** SHA-256 of the state, which passes through the person's browser. */
    stateDigest: text().notNull().unique(),
    userId: uuid().notNull(),
    brandId: uuid()
      .notNull()
      .references(() => brands.id, { onDelete: 'cascade' }),
    provider: text().$type<Provider>().notNull(),
    /** Sealed as `social.authorizations:<id>`. */
    sealedKept: text().notNull(),
    /** The composer input to which the browser returns; null for the accounts page. */
    unsavedId: uuid(),
    /** Whether the browser returns to the first brand’s step of the onboarding. */
    isOnboarding: boolean().notNull().default(false),
    expiresAt: time().notNull(),
  },
  (table) => [index('authorizations_expired').on(table.expiresAt)],
)
