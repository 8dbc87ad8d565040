import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { runningSuspension } from '../../admin/suspended.ts'
import type { PermissionHolder } from '../../contract.ts'
import { memberships, organizations, suspensions, users } from '../../schema.ts'
import { heldPermissions } from './held-permissions.ts'

const maxHolders = 100

/** The oldest members, without agents; none while the organization is suspended. */
export const listHolders = (
  db: Database,
  { id, permission }: { id: string; permission: string },
): Promise<PermissionHolder[]> =>
  db
    .select({ id: memberships.userId, role: memberships.role })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .innerJoin(users, eq(users.id, memberships.userId))
    .leftJoin(suspensions, runningSuspension)
    .where(
      and(
        eq(memberships.organizationId, id),
        ne(users.principalType, 'agent'),
        isNull(suspensions.id),
        sql`EXISTS (SELECT 1 FROM ${heldPermissions} WHERE held.service_id || '.' || held.permission = ${permission})`,
      ),
    )
    .orderBy(asc(memberships.userId))
    .limit(maxHolders)
