import { sql } from 'drizzle-orm'
import { check, foreignKey, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bindableResources } from './bindable-resources.ts'
import { identitySchema } from './base.ts'
import { memberships } from './organizations.ts'

/**
 * The resources of a service, such as brands, to which a member's role is limited, and the role there (IDN-27). Without
 * any, the membership's own role counts in the whole service.
 */
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
    // What is gone is kept there, so that losing it never makes a member's role whole again.
    foreignKey({
      name: 'membership_resources_resource',
      columns: [table.serviceId, table.kind, table.resourceId],
      foreignColumns: [bindableResources.serviceId, bindableResources.kind, bindableResources.resourceId],
    }),
    check('membership_resources_role', sql`${table.role} IN ('viewer', 'reviewer', 'editor')`),
  ],
)
