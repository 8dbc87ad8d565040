import { sql } from 'drizzle-orm'
import { check, foreignKey, index, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { identitySchema, instant } from './base.ts'
import { memberships } from './memberships.ts'
import { organizations } from './organizations.ts'
import { users } from './people.ts'
import { services, servicePermissions } from './services.ts'

/** Members have no permissions in any other. */
export const serviceAccess = identitySchema.table(
  'service_access',
  {
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    serviceId: uuid()
      .notNull()
      .references(() => services.id, { onDelete: 'cascade' }),
    grantedAt: instant().notNull(),
    /** Null if granted at the organization’s creation, or the granting person was deleted. */
    grantedBy: uuid().references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.serviceId] }),
    index('service_access_service').on(table.serviceId, table.organizationId),
  ],
)

/** Whatever the member's role; a denial wins (IDN-13). */
export const userPermissionOverrides = identitySchema.table(
  'user_permission_overrides',
  {
    id: uuid().primaryKey(),
    organizationId: uuid().notNull(),
    userId: uuid().notNull(),
    serviceId: uuid().notNull(),
    permission: text().notNull(),
    effect: text({ enum: ['grant', 'deny'] }).notNull(),
    reason: text(),
    createdBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant().notNull(),
  },
  (table) => [
    unique('user_permission_overrides_once').on(
      table.organizationId,
      table.userId,
      table.serviceId,
      table.permission,
      table.effect,
    ),
    foreignKey({
      name: 'user_permission_overrides_member',
      columns: [table.organizationId, table.userId],
      foreignColumns: [memberships.organizationId, memberships.userId],
    }).onDelete('cascade'),
    foreignKey({
      name: 'user_permission_overrides_permission',
      columns: [table.serviceId, table.permission],
      foreignColumns: [servicePermissions.serviceId, servicePermissions.permission],
    }).onDelete('cascade'),
    check('user_permission_overrides_effect', sql`${table.effect} IN ('grant', 'deny')`),
    check('user_permission_overrides_reason_length', sql`char_length(${table.reason}) BETWEEN 1 AND 500`),
  ],
)
