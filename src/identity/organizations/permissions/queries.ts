import { and, asc, eq, notInArray, sql } from 'drizzle-orm'
import type { Role } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { runningSuspension } from '../../admin/suspended.ts'
import {
  memberships,
  membershipResources,
  organizations,
  roleBundles,
  serviceAccess,
  servicePermissions,
  services,
  suspensions,
  userPermissionOverrides,
  users,
} from '../../schema.ts'
import { heldPermissions } from './held-permissions.ts'

export interface MemberRef {
  organizationId: string
  userId: string
}

const isMember = ({ organizationId, userId }: MemberRef) =>
  and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId))

/** Undefined for a non-member. */
export async function findMembership(db: Database, place: MemberRef) {
  const [member] = await db
    .select({
      organization: organizations.name,
      name: users.name,
      email: users.email,
      role: memberships.role,
      suspended: sql<boolean>`${suspensions.id} IS NOT NULL`,
      permissions: sql<string[]>`ARRAY(
        SELECT held.service_id || '.' || held.permission FROM ${heldPermissions} ORDER BY 1)`,
    })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .innerJoin(users, eq(users.id, memberships.userId))
    .leftJoin(suspensions, runningSuspension)
    .where(isMember(place))
  return member
}

export const listCatalog = (db: Database) =>
  db
    .select({
      serviceId: services.id,
      service: services.slug,
      serviceName: services.name,
      name: servicePermissions.permission,
      description: servicePermissions.description,
      roles: sql<Role[]>`ARRAY(
        SELECT ${roleBundles.role} FROM ${roleBundles} WHERE ${roleBundles.serviceId} = ${services.id}
          AND ${roleBundles.permission} = ${servicePermissions.permission})`,
    })
    .from(servicePermissions)
    .innerJoin(services, eq(services.id, servicePermissions.serviceId))
    .orderBy(asc(services.name), asc(servicePermissions.permission))
export type CatalogPermission = Awaited<ReturnType<typeof listCatalog>>[number]

export const listServiceAccess = (db: Database, organizationId: string) =>
  db
    .select({
      serviceId: services.id,
      service: services.slug,
      grantedAt: serviceAccess.grantedAt,
      grantedBy: serviceAccess.grantedBy,
    })
    .from(serviceAccess)
    .innerJoin(services, eq(services.id, serviceAccess.serviceId))
    .where(eq(serviceAccess.organizationId, organizationId))
    .orderBy(asc(services.name))

/** Where the membership is limited to single resources (IDN-27). */
export async function listResourceRoles(
  db: Database,
  { organizationId, userId }: MemberRef,
): Promise<Map<string, Role[]>> {
  const rows = await db
    .selectDistinct({ serviceId: membershipResources.serviceId, role: membershipResources.role })
    .from(membershipResources)
    .innerJoin(
      memberships,
      and(eq(memberships.organizationId, membershipResources.organizationId), eq(memberships.userId, userId)),
    )
    .where(
      and(
        eq(membershipResources.organizationId, organizationId),
        eq(membershipResources.userId, userId),
        notInArray(memberships.role, ['admin', 'owner']),
      ),
    )
  const limits = new Map<string, Role[]>()
  for (const { serviceId, role } of rows) limits.set(serviceId, [...(limits.get(serviceId) ?? []), role])
  return limits
}

/** Oldest first. */
export const listMemberOverrides = (db: Database, { organizationId, userId }: MemberRef) =>
  db
    .select({
      id: userPermissionOverrides.id,
      serviceId: services.id,
      service: services.slug,
      serviceName: services.name,
      permission: sql<string>`${services.id} || '.' || ${userPermissionOverrides.permission}`,
      effect: userPermissionOverrides.effect,
      reason: userPermissionOverrides.reason,
      createdBy: userPermissionOverrides.createdBy,
      createdAt: userPermissionOverrides.createdAt,
    })
    .from(userPermissionOverrides)
    .innerJoin(services, eq(services.id, userPermissionOverrides.serviceId))
    .where(and(eq(userPermissionOverrides.organizationId, organizationId), eq(userPermissionOverrides.userId, userId)))
    .orderBy(asc(userPermissionOverrides.id))
