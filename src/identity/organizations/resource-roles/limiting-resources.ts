import { and, asc, eq, isNull, notInArray } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { bindableResources, memberships, membershipResources } from '../../schema.ts'

/** The resources that the role of a member is limited to, by name. */
export const listLimitingResources = (db: Database, organizationId: string) =>
  db
    .selectDistinct({
      id: membershipResources.resourceId,
      kind: membershipResources.kind,
      name: bindableResources.name,
    })
    .from(membershipResources)
    .innerJoin(
      memberships,
      and(
        eq(memberships.organizationId, membershipResources.organizationId),
        eq(memberships.userId, membershipResources.userId),
        notInArray(memberships.role, ['admin', 'owner']),
      ),
    )
    .innerJoin(
      bindableResources,
      and(
        eq(bindableResources.serviceId, membershipResources.serviceId),
        eq(bindableResources.kind, membershipResources.kind),
        eq(bindableResources.resourceId, membershipResources.resourceId),
        eq(bindableResources.organizationId, membershipResources.organizationId),
        isNull(bindableResources.deletedAt),
      ),
    )
    .where(eq(membershipResources.organizationId, organizationId))
    .orderBy(asc(bindableResources.name), asc(membershipResources.resourceId))
