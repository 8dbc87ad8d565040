import { sql } from 'drizzle-orm'
import { check, foreignKey, index, jsonb, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'
import { servicePermissions, services } from './services.ts'

/** The last synced actions of a service (`app` is empty), or of an app on that service (PLT-17). */
export const actionSets = identitySchema.table(
  'action_sets',
  {
    serviceId: uuid()
      .notNull()
      .references(() => services.id, { onDelete: 'cascade' }),
    app: text().notNull(),
    /** SHA-256 of the definitions, hex, to skip unchanged sets. */
    digest: text().notNull(),
    syncedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.serviceId, table.app] })],
)

/** Each has a permission that its service declares (IDN-32, IDN-33). */
export const actions = identitySchema.table(
  'actions',
  {
    id: uuid().primaryKey(),
    serviceId: uuid().notNull(),
    app: text().notNull(),
    name: text().notNull(),
    summary: text().notNull(),
    method: text({ enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] }).notNull(),
    /** Relative to the service’s origin, with `:name` for parameters. */
    path: text().notNull(),
    permission: text().notNull(),
    /** JSON Schema (2020-12) of path, query and body as one object. */
    inputSchema: jsonb().$type<Record<string, unknown>>().notNull(),
  },
  (table) => [
    unique('actions_name').on(table.serviceId, table.name),
    index('actions_set').on(table.serviceId, table.app),
    foreignKey({
      name: 'actions_action_set',
      columns: [table.serviceId, table.app],
      foreignColumns: [actionSets.serviceId, actionSets.app],
    }).onDelete('cascade'),
    foreignKey({
      name: 'actions_permission',
      columns: [table.serviceId, table.permission],
      foreignColumns: [servicePermissions.serviceId, servicePermissions.permission],
    }).onDelete('cascade'),
    check('actions_method', sql`${table.method} IN ('GET', 'POST', 'PUT', 'PATCH', 'DELETE')`),
    check('actions_path_form', sql`${table.path} ~ '^/'`),
    check('actions_input_schema', sql`jsonb_typeof(${table.inputSchema}) = 'object'`),
  ],
)
