import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgSchema,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'

export const identitySchema = pgSchema('identity')

const instant = () => timestamp({ precision: 3, withTimezone: true, mode: 'date' })

/** People, and later agents. Their organizations are memberships. */
export const users = identitySchema.table(
  'users',
  {
    id: uuid().primaryKey(),
    email: text().notNull(),
    name: text().notNull(),
    principalType: text({ enum: ['user', 'agent', 'platform_super_admin'] })
      .notNull()
      .default('user'),
    /** argon2id; null for whoever signs in without a password. */
    passwordHash: text(),
    /** The context used last: a personal one, or the organization beside it. */
    lastContext: text({ enum: ['personal', 'organization'] }),
    lastOrganizationId: uuid().references(() => organizations.id, { onDelete: 'set null' }),
    createdAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex('users_email').on(sql`lower(${table.email})`),
    check('users_name_length', sql`char_length(${table.name}) BETWEEN 1 AND 100`),
    check('users_principal_type', sql`${table.principalType} IN ('user', 'agent', 'platform_super_admin')`),
    check('users_last_context', sql`${table.lastContext} IN ('personal', 'organization')`),
  ],
)

/** Tenants. */
export const organizations = identitySchema.table(
  'organizations',
  {
    id: uuid().primaryKey(),
    slug: text().notNull().unique('organizations_slug'),
    name: text().notNull(),
    developerWorkspace: boolean().notNull().default(false),
    settings: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    createdAt: instant().notNull(),
  },
  (table) => [
    check('organizations_slug_form', sql`${table.slug} ~ '^[a-z0-9][a-z0-9-]{1,46}[a-z0-9]$'`),
    check('organizations_name_length', sql`char_length(${table.name}) BETWEEN 1 AND 100`),
  ],
)

const role = () => text({ enum: ['viewer', 'reviewer', 'editor', 'admin', 'owner'] }).notNull()

/** Who belongs to an organization, in one role (IDN-10). */
export const memberships = identitySchema.table(
  'memberships',
  {
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: role(),
    createdAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.userId] }),
    index('memberships_user').on(table.userId, table.organizationId),
    check('memberships_role', sql`${table.role} IN ('viewer', 'reviewer', 'editor', 'admin', 'owner')`),
  ],
)

/** Asks somebody into an organization by e-mail. Accepting or withdrawing one deletes it: it works once (IDN-10). */
export const invitations = identitySchema.table(
  'invitations',
  {
    id: uuid().primaryKey(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    email: text().notNull(),
    role: role(),
    tokenHash: text().notNull().unique('invitations_token_hash'),
    invitedBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    /** The mail that carried the link last: the platform knows how far it came. */
    mailId: uuid(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    unique('invitations_email').on(table.organizationId, table.email),
    index('invitations_invited_by').on(table.invitedBy),
    check('invitations_email_form', sql`${table.email} = lower(${table.email})`),
    check('invitations_role', sql`${table.role} IN ('viewer', 'reviewer', 'editor', 'admin', 'owner')`),
  ],
)

/** Who signed up and has not followed the mail yet (IDN-48). Following it deletes the row: the link works once. */
export const registrations = identitySchema.table(
  'registrations',
  {
    id: uuid().primaryKey(),
    email: text().notNull(),
    name: text().notNull(),
    /** argon2id, as in `users`. */
    passwordHash: text().notNull(),
    createOrganization: boolean().notNull(),
    developerWorkspace: boolean().notNull(),
    organizationName: text(),
    organizationSlug: text(),
    tokenHash: text().notNull().unique('registrations_token_hash'),
    /** Of the cookie of the browser that signed up: with it, the link asks for no password. */
    deviceHash: text().notNull(),
    mails: integer().notNull().default(0),
    mailedAt: instant(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    index('registrations_email').on(table.email, table.createdAt),
    index('registrations_expires_at').on(table.expiresAt),
    check('registrations_email_form', sql`${table.email} = lower(${table.email})`),
  ],
)

/** One sign-in on one device, with its active context: what is revoked. Its cookie's value is stored as a digest. */
export const sessions = identitySchema.table(
  'sessions',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The active organization; null is the personal context. */
    organizationId: uuid().references(() => organizations.id, { onDelete: 'set null' }),
    tokenHash: text().notNull().unique('sessions_token_hash'),
    createdAt: instant().notNull(),
    /** Moves on with use, never beyond `expiresAt`. */
    idleExpiresAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    index('sessions_user').on(table.userId),
    index('sessions_idle_expires_at').on(table.idleExpiresAt),
    check(
      'sessions_expiry',
      sql`${table.createdAt} < ${table.idleExpiresAt} AND ${table.idleExpiresAt} <= ${table.expiresAt}`,
    ),
  ],
)

/** A session's refresh tokens as digests; a used one is kept to notice its reuse. */
export const refreshTokens = identitySchema.table(
  'refresh_tokens',
  {
    hash: text().primaryKey(),
    sessionId: uuid()
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (table) => [
    index('refresh_tokens_session').on(table.sessionId),
    index('refresh_tokens_expires_at').on(table.expiresAt),
  ],
)

/** Ed25519 keys of identity's tokens. One signs; retired ones verify until their tokens are gone. */
export const signingKeys = identitySchema.table(
  'signing_keys',
  {
    id: uuid().primaryKey(),
    /** The point `x` of the public JWK. */
    publicKey: text().notNull(),
    /** PKCS #8, base64, sealed. */
    sealedPrivateKey: text().notNull(),
    createdAt: instant().notNull(),
    retiredAt: instant(),
  },
  (table) => [
    uniqueIndex('signing_keys_current')
      .on(sql`(${table.retiredAt} IS NULL)`)
      .where(sql`${table.retiredAt} IS NULL`),
  ],
)

/** The registry: a service's id is made by each environment and found by its slug (IDN-11). */
export const services = identitySchema.table(
  'services',
  {
    id: uuid().primaryKey().defaultRandom(),
    slug: text().notNull().unique('services_slug'),
    name: text().notNull(),
    description: text().notNull(),
    /** A symbol of the app's sprite. */
    icon: text(),
    surfaceKind: text({ enum: ['app', 'api', 'runtime', 'internal'] })
      .notNull()
      .default('api'),
    /** Whether people open it here: then it has an address. */
    launchable: boolean().notNull().default(false),
    /** Where its first page is, relative to this origin or whole. */
    webUrl: text(),
  },
  (table) => [
    check('services_surface_kind', sql`${table.surfaceKind} IN ('app', 'api', 'runtime', 'internal')`),
    check('services_launchable', sql`NOT ${table.launchable} OR ${table.webUrl} IS NOT NULL`),
  ],
)

/** How a person wants the app switcher and the colors (IDN-21). */
export const appSwitcherPreferences = identitySchema.table(
  'app_switcher_preferences',
  {
    userId: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    favorites: uuid().array().notNull().default([]),
    hidden: uuid().array().notNull().default([]),
    tileSize: text({ enum: ['small', 'medium', 'large'] })
      .notNull()
      .default('medium'),
    /** Null follows the system. */
    theme: text({ enum: ['light', 'dark'] }),
  },
  (table) => [
    check('app_switcher_preferences_tile_size', sql`${table.tileSize} IN ('small', 'medium', 'large')`),
    check('app_switcher_preferences_theme', sql`${table.theme} IN ('light', 'dark')`),
  ],
)

/** What can be permitted in a service; `scope` is the key's name of it, null where no key can carry it (IDN-31). */
export const servicePermissions = identitySchema.table(
  'service_permissions',
  {
    serviceId: uuid()
      .notNull()
      .references(() => services.id, { onDelete: 'cascade' }),
    permission: text().notNull(),
    scope: text(),
    description: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.serviceId, table.permission] }),
    unique('service_permissions_scope').on(table.serviceId, table.scope),
    check('service_permissions_form', sql`${table.permission} ~ '^[a-z_]+:[a-z]+$'`),
    check('service_permissions_scope_form', sql`${table.scope} = replace(${table.permission}, ':', '.')`),
  ],
)

/** What each role of an organization may do in each service (IDN-19). */
export const roleBundles = identitySchema.table(
  'role_bundles',
  { serviceId: uuid().notNull(), role: role(), permission: text().notNull() },
  (table) => [
    primaryKey({ columns: [table.role, table.serviceId, table.permission] }),
    foreignKey({
      name: 'role_bundles_permission',
      columns: [table.serviceId, table.permission],
      foreignColumns: [servicePermissions.serviceId, servicePermissions.permission],
    }).onDelete('cascade'),
    check('role_bundles_role', sql`${table.role} IN ('viewer', 'reviewer', 'editor', 'admin', 'owner')`),
  ],
)

/** Machine credentials of an organization, each for one service (IDN-30). What ended is kept: the log names it. */
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
    /** The 12 characters in the key's own text by which it is found. */
    publicId: text().notNull().unique('api_keys_public_id'),
    /** HMAC-SHA-256 of the text under a pepper, hex. */
    hash: text().notNull(),
    /** The end of the text, by which people tell keys apart. */
    lastFour: text().notNull(),
    /** Who answers for it: it can do no more than they can. */
    createdBy: uuid()
      .notNull()
      .references(() => users.id),
    createdAt: instant().notNull(),
    expiresAt: instant(),
    /** The key that this one takes the place of. */
    rotatedFrom: uuid().references((): AnyPgColumn => apiKeys.id),
    /** When it ends since another one has taken its place. */
    overlapEndsAt: instant(),
    revokedAt: instant(),
    /** Written at most once a minute. */
    lastUsedAt: instant(),
  },
  (table) => [
    unique('api_keys_service').on(table.id, table.serviceId),
    index('api_keys_organization').on(table.organizationId, table.id),
    uniqueIndex('api_keys_rotated_from').on(table.rotatedFrom),
    check('api_keys_name_length', sql`char_length(${table.name}) BETWEEN 1 AND 100`),
    check('api_keys_mode', sql`${table.mode} IN ('live', 'test')`),
    check('api_keys_public_id_form', sql`${table.publicId} ~ '^[0-9A-Za-z]{12}$'`),
    check('api_keys_expiry', sql`${table.createdAt} < ${table.expiresAt}`),
    check('api_keys_overlap', sql`${table.overlapEndsAt} <= ${table.expiresAt}`),
  ],
)

/** What a key may do: only scopes that stand in the catalog of its service (IDN-31). */
export const apiKeyScopes = identitySchema.table(
  'api_key_scopes',
  { apiKeyId: uuid().notNull(), serviceId: uuid().notNull(), scope: text().notNull() },
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

/** The resources of its service that a key is bound to, such as one brand; without any it reaches them all. */
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

/** Makes a super admin of whoever follows it. Following it deletes the row: the link works once (PLT-38). */
export const superAdminLinks = identitySchema.table(
  'super_admin_links',
  {
    id: uuid().primaryKey(),
    email: text().notNull(),
    tokenHash: text().notNull().unique('super_admin_links_token_hash'),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    unique('super_admin_links_email').on(table.email),
    check('super_admin_links_email_form', sql`${table.email} = lower(${table.email})`),
  ],
)

/** An organization that may not work for a while: who decided so, when and why. Lifting it ends the row, which stays. */
export const suspensions = identitySchema.table(
  'suspensions',
  {
    id: uuid().primaryKey(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    reason: text().notNull(),
    suspendedBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    suspendedAt: instant().notNull(),
    liftedBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    liftedAt: instant(),
  },
  (table) => [
    uniqueIndex('suspensions_running')
      .on(table.organizationId)
      .where(sql`${table.liftedAt} IS NULL`),
    index('suspensions_organization').on(table.organizationId, table.id),
    check('suspensions_reason_length', sql`char_length(${table.reason}) BETWEEN 1 AND 500`),
    check(
      'suspensions_lifted',
      sql`${table.liftedAt} >= ${table.suspendedAt} AND (${table.liftedBy} IS NULL OR ${table.liftedAt} IS NOT NULL)`,
    ),
  ],
)
