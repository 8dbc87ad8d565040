import { sql } from 'drizzle-orm'
import { boolean, check, foreignKey, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, role } from './base.ts'

/** Ids differ between environments; slugs don’t (IDN-11). */
export const services = identitySchema.table(
  'services',
  {
    id: uuid().primaryKey().defaultRandom(),
    slug: text().notNull().unique('services_slug'),
    name: text().notNull(),
    description: text().notNull(),
    /** A symbol of the app’s icon sprite. */
    icon: text(),
    surfaceKind: text({ enum: ['app', 'api', 'runtime', 'internal'] })
      .notNull()
      .default('api'),
    /** It then has a web URL. */
    launchable: boolean().notNull().default(false),
    /** Its heading in the app switcher. */
    surfaceGroup: text(),
    householdCapable: boolean().notNull().default(false),
    supportedContexts: text({ enum: ['personal', 'organization'] })
      .array()
      .notNull()
      .default(['organization']),
    /** Its first page: relative to this origin, or absolute. */
    webUrl: text(),
    iosUrl: text(),
    androidUrl: text(),
    widgetUrl: text(),
    firstParty: boolean().notNull().default(false),
    /** Counts in an organization's plan (IDN-44). */
    paid: boolean().notNull().default(false),
    /** New organizations have it. */
    defaultAccess: boolean().notNull().default(false),
  },
  (table) => [
    check('services_surface_kind', sql`${table.surfaceKind} IN ('app', 'api', 'runtime', 'internal')`),
    check('services_launchable', sql`NOT ${table.launchable} OR ${table.webUrl} IS NOT NULL`),
    check(
      'services_supported_contexts',
      sql`${table.supportedContexts} <@ ARRAY['personal', 'organization'] AND cardinality(${table.supportedContexts}) > 0`,
    ),
    check('services_paid', sql`NOT ${table.paid} OR ${table.firstParty}`),
  ],
)

/** `scope` is the API key scope; null if keys can’t have it (IDN-31). */
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
