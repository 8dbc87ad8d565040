import { sql } from 'drizzle-orm'
import {
  check,
  foreignKey,
  index,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'
import { organizations } from './organizations.ts'
import { users } from './people.ts'
import { services, servicePermissions } from './services.ts'

/** Each for one service (IDN-30). Expired and revoked keys stay, since the audit log refers to them. */
export const apiKeys = identitySchema.table(
  'api_keys',
  {
    id: uuid().primaryKey(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    serviceId: uuid()
      .notNull()
      .references(() => services.id),
    name: text().notNull(),
    mode: text({ enum: ['live', 'test'] }).notNull(),
    /** The 12 characters of the key by which it is looked up. */
    publicId: text().notNull().unique('api_keys_public_id'),
    /** HMAC-SHA-256 of the key with a pepper, hex. */
    hash: text().notNull(),
    lastFour: text().notNull(),
    /** Without an agent the key has at most this person's permissions. */
    createdBy: uuid()
      .notNull()
      .references(() => users.id),
    /** The person behind an agent’s key that created this one; null when `createdBy` is the person. */
    responsibleId: uuid().references(() => users.id),
    /** The key has at most the agent’s permissions. */
    agentId: uuid().references(() => users.id),
    /** The key that created it, and whose revocation revokes it. */
    madeByKey: uuid().references((): AnyPgColumn => apiKeys.id, { onDelete: 'set null' }),
    createdAt: instant().notNull(),
    expiresAt: instant(),
    rotatedFrom: uuid().references((): AnyPgColumn => apiKeys.id, { onDelete: 'set null' }),
    /** Set after a rotation: the old key works until then. */
    overlapEndsAt: instant(),
    revokedAt: instant(),
    /** Written at most once a minute. */
    lastUsedAt: instant(),
    remindedAt: instant(),
  },
  (table) => [
    unique('api_keys_service').on(table.id, table.serviceId),
    index('api_keys_organization').on(table.organizationId, table.id),
    index('api_keys_agent').on(table.agentId),
    index('api_keys_made_by_key').on(table.madeByKey),
    uniqueIndex('api_keys_rotated_from').on(table.rotatedFrom),
    check('api_keys_name_length', sql`char_length(${table.name}) BETWEEN 1 AND 100`),
    check('api_keys_mode', sql`${table.mode} IN ('live', 'test')`),
    check('api_keys_public_id_form', sql`${table.publicId} ~ '^[0-9A-Za-z]{12}$'`),
    check('api_keys_expiry', sql`${table.createdAt} < ${table.expiresAt}`),
    check('api_keys_overlap', sql`${table.overlapEndsAt} <= ${table.expiresAt}`),
  ],
)

/** All from the catalog of its service (IDN-31). */
export const apiKeyScopes = identitySchema.table(
  'api_key_scopes',
  {
    apiKeyId: uuid().notNull(),
    serviceId: uuid().notNull(),
    scope: text().notNull(),
    /** Written at most once a minute. */
    lastUsedAt: instant(),
    /** Start of the recording of `lastUsedAt`. */
    watchedSince: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.apiKeyId, table.scope] }),
    foreignKey({
      name: 'api_key_scopes_api_key',
      columns: [table.apiKeyId, table.serviceId],
      foreignColumns: [apiKeys.id, apiKeys.serviceId],
    }).onDelete('cascade'),
    foreignKey({
      name: 'api_key_scopes_scope',
      columns: [table.serviceId, table.scope],
      foreignColumns: [servicePermissions.serviceId, servicePermissions.scope],
    }).onDelete('cascade'),
  ],
)

/** Without any, the key has access to all resources. */
export const apiKeyBindings = identitySchema.table(
  'api_key_bindings',
  {
    apiKeyId: uuid()
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    kind: text().notNull(),
    resourceId: uuid().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.apiKeyId, table.kind, table.resourceId] }),
    check('api_key_bindings_kind', sql`${table.kind} ~ '^[a-z_]{1,40}$'`),
  ],
)
