import { sql } from 'drizzle-orm'
import { check, foreignKey, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bindableResources } from './bindable-resources.ts'
import { identitySchema } from './base.ts'
import { memberships } from './memberships.ts'

/** Such as brands (IDN-27). Without any, the membership’s own role applies to the whole service. */
export const membershipResources = identitySchema.table(
  'membership_resources',
  {
    organizationId: uuid().notNull(),
    userId: uuid().notNull(),
    serviceId: uuid().notNull(),
    kind: text().notNull(),
    resourceId: uuid().notNull(),
    role: text({ enum: ['viewer', 'reviewer', 'editor'] }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.userId, table.serviceId, table.kind, table.resourceId] }),
    foreignKey({
      name: 'membership_resources_membership',
      columns: [table.organizationId, table.userId],
      foreignColumns: [memberships.organizationId, memberships.userId],
    }).onDelete('cascade'),
    // Deleted resources stay, so that losing the last one doesn’t make the role unlimited again.
    foreignKey({
      name: 'membership_resources_resource',
      columns: [table.serviceId, table.kind, table.resourceId],
      foreignColumns: [bindableResources.serviceId, bindableResources.kind, bindableResources.resourceId],
    }),
    check('membership_resources_role', sql`${table.role} IN ('viewer', 'reviewer', 'editor')`),
  ],
)
