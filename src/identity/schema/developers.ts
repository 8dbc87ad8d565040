import { sql } from 'drizzle-orm'
import {
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { apiKeys } from './api-keys.ts'
import { identitySchema, instant } from './base.ts'
import { organizations } from './organizations.ts'
import { users } from './people.ts'
import { services, servicePermissions } from './services.ts'

/** Permanent (IDN-34). */
export const workspaceRevocations = identitySchema.table(
  'workspace_revocations',
  {
    organizationId: uuid()
      .primaryKey()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    reason: text().notNull(),
    revokedBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    revokedAt: instant().notNull(),
  },
  (table) => [check('workspace_revocations_reason_length', sql`char_length(${table.reason}) BETWEEN 1 AND 500`)],
)

/** Published ones are in the registry, too (IDN-34). */
export const developerApps = identitySchema.table(
  'developer_apps',
  {
    id: uuid().primaryKey(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    slug: text().notNull().unique('developer_apps_slug'),
    name: text().notNull(),
    description: text().notNull(),
    webUrl: text().notNull(),
    redirectUris: text().array().notNull().default([]),
    /** The redirect URI for hand-offs; null for an app that uses only OpenID Connect. */
    handoffUri: text(),
    status: text({ enum: ['draft', 'submitted', 'approved', 'rejected', 'published'] })
      .notNull()
      .default('draft'),
    /** Its registry entry, from the first publication on. */
    serviceId: uuid()
      .unique('developer_apps_service')
      .references(() => services.id),
    createdBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant().notNull(),
    /** When the registry entry was last updated. */
    publishedAt: instant(),
  },
  (table) => [
    index('developer_apps_organization').on(table.organizationId, table.id),
    check('developer_apps_slug_form', sql`${table.slug} ~ '^[a-z0-9][a-z0-9-]{1,46}[a-z0-9]$'`),
    // The prefix of the platform’s own services.
    check('developer_apps_slug_free', sql`${table.slug} NOT LIKE 'platform-%'`),
    check('developer_apps_name_length', sql`char_length(${table.name}) BETWEEN 1 AND 100`),
    check('developer_apps_redirect_uris', sql`cardinality(${table.redirectUris}) <= 10`),
    check(
      'developer_apps_handoff_uri',
      sql`${table.handoffUri} IS NULL OR ${table.handoffUri} = ANY (${table.redirectUris})`,
    ),
    check('developer_apps_status', sql`${table.status} IN ('draft', 'submitted', 'approved', 'rejected', 'published')`),
    check(
      'developer_apps_published',
      sql`${table.status} <> 'published' OR (${table.serviceId} IS NOT NULL AND ${table.publishedAt} IS NOT NULL)`,
    ),
  ],
)

export const developerAppPermissions = identitySchema.table(
  'developer_app_permissions',
  {
    appId: uuid()
      .notNull()
      .references(() => developerApps.id, { onDelete: 'cascade' }),
    permission: text().notNull(),
    description: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.appId, table.permission] }),
    check('developer_app_permissions_form', sql`${table.permission} ~ '^[a-z_]+:[a-z]+$'`),
  ],
)

/** The app's keys have no others. */
export const developerAppScopes = identitySchema.table(
  'developer_app_scopes',
  {
    appId: uuid()
      .notNull()
      .references(() => developerApps.id, { onDelete: 'cascade' }),
    serviceId: uuid().notNull(),
    scope: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.appId, table.serviceId, table.scope] }),
    foreignKey({
      name: 'developer_app_scopes_scope',
      columns: [table.serviceId, table.scope],
      foreignColumns: [servicePermissions.serviceId, servicePermissions.scope],
    }).onDelete('cascade'),
  ],
)

/** Pending while `decision` is null. */
export const appReviews = identitySchema.table(
  'app_reviews',
  {
    id: uuid().primaryKey(),
    appId: uuid()
      .notNull()
      .references(() => developerApps.id, { onDelete: 'cascade' }),
    submittedBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    submittedAt: instant().notNull(),
    decision: text({ enum: ['approved', 'rejected', 'withdrawn'] }),
    reason: text(),
    decidedBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    decidedAt: instant(),
  },
  (table) => [
    uniqueIndex('app_reviews_waiting')
      .on(table.appId)
      .where(sql`${table.decision} IS NULL`),
    index('app_reviews_app').on(table.appId, table.id),
    check('app_reviews_decision', sql`${table.decision} IN ('approved', 'rejected', 'withdrawn')`),
    check('app_reviews_decided', sql`(${table.decision} IS NULL) = (${table.decidedAt} IS NULL)`),
    check('app_reviews_rejected', sql`${table.decision} <> 'rejected' OR ${table.reason} IS NOT NULL`),
    check('app_reviews_reason_length', sql`char_length(${table.reason}) BETWEEN 1 AND 1000`),
  ],
)

/** Approved versions are immutable; a change is the next draft. */
export const actionDefinitions = identitySchema.table(
  'action_definitions',
  {
    id: uuid().primaryKey(),
    appId: uuid()
      .notNull()
      .references(() => developerApps.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    version: integer().notNull(),
    summary: text().notNull(),
    method: text({ enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] }).notNull(),
    path: text().notNull(),
    permission: text().notNull(),
    inputSchema: jsonb().$type<Record<string, unknown>>().notNull(),
    status: text({ enum: ['draft', 'approved'] })
      .notNull()
      .default('draft'),
    createdBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant().notNull(),
    approvedBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    approvedAt: instant(),
  },
  (table) => [
    unique('action_definitions_version').on(table.appId, table.name, table.version),
    uniqueIndex('action_definitions_draft')
      .on(table.appId, table.name)
      .where(sql`${table.status} = 'draft'`),
    check('action_definitions_name_form', sql`${table.name} ~ '^[A-Za-z][A-Za-z0-9_-]{0,63}$'`),
    check('action_definitions_method', sql`${table.method} IN ('GET', 'POST', 'PUT', 'PATCH', 'DELETE')`),
    check('action_definitions_status', sql`${table.status} IN ('draft', 'approved')`),
    check('action_definitions_approved', sql`(${table.status} = 'approved') = (${table.approvedAt} IS NOT NULL)`),
  ],
)

export const developerAppKeys = identitySchema.table(
  'developer_app_keys',
  {
    apiKeyId: uuid()
      .primaryKey()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    appId: uuid()
      .notNull()
      .references(() => developerApps.id, { onDelete: 'cascade' }),
  },
  (table) => [index('developer_app_keys_app').on(table.appId)],
)
