import { sql } from 'drizzle-orm'
import { boolean, check, foreignKey, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, role } from './base.ts'

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
    /** Under which heading it stands beside others. */
    surfaceGroup: text(),
    householdCapable: boolean().notNull().default(false),
    /** Where one works in it: alone, in an organization, or both. */
    supportedContexts: text({ enum: ['personal', 'organization'] })
      .array()
      .notNull()
      .default(['organization']),
    /** Where its first page is, relative to this origin or whole. */
    webUrl: text(),
    iosUrl: text(),
    androidUrl: text(),
    /** Where it answers with its widget, relative to this origin or whole. */
    widgetUrl: text(),
    firstParty: boolean().notNull().default(false),
    /** Whether it counts against what an organization has paid for (IDN-44). */
    paid: boolean().notNull().default(false),
    /** Whether a new organization has it from the beginning. */
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
