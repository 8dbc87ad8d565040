import { sql } from 'drizzle-orm'
import type { Binding, Role } from '#lib/actor.ts'
import {
  bindableResources,
  memberships,
  membershipResources,
  roleBundles,
  serviceAccess,
  userPermissionOverrides,
} from '../../schema.ts'

/** Admins and owners never are. */
export const isLimitedIn = (serviceId: unknown) => sql`(
  ${memberships.role} NOT IN ('admin', 'owner') AND EXISTS (
    SELECT FROM ${membershipResources} WHERE ${ofMembership} AND ${membershipResources.serviceId} = ${serviceId}))`

export const ofMembership = sql`
  ${membershipResources.organizationId} = ${memberships.organizationId}
  AND ${membershipResources.userId} = ${memberships.userId}`

const overridden = (effect: 'grant' | 'deny') => sql`
  SELECT ${userPermissionOverrides.permission} FROM ${userPermissionOverrides}
  WHERE ${userPermissionOverrides.organizationId} = ${memberships.organizationId}
    AND ${userPermissionOverrides.userId} = ${memberships.userId}
    AND ${userPermissionOverrides.serviceId} = ${membershipResources.serviceId}
    AND ${userPermissionOverrides.effect} = ${sql.raw(`'${effect}'`)}`

/** Each is `<kind>:<id>` and the permissions there, separated by spaces: those of its role and of overrides. */
export const reach = sql<string[]>`ARRAY(
  SELECT concat_ws(' ', ${membershipResources.kind} || ':' || ${membershipResources.resourceId}, (
    SELECT string_agg(${membershipResources.serviceId} || '.' || rights.permission, ' ') FROM (
      SELECT ${roleBundles.permission} FROM ${roleBundles}
      WHERE ${roleBundles.role} = ${membershipResources.role} AND ${roleBundles.serviceId} = ${membershipResources.serviceId}
      UNION ${overridden('grant')}
      EXCEPT ${overridden('deny')}
    ) AS rights (permission)
    WHERE EXISTS (SELECT FROM ${serviceAccess} WHERE ${serviceAccess.organizationId} = ${memberships.organizationId}
      AND ${serviceAccess.serviceId} = ${membershipResources.serviceId})))
  FROM ${membershipResources}
  WHERE ${ofMembership} AND ${memberships.role} NOT IN ('admin', 'owner')
  ORDER BY 1)`

export interface Reached extends Omit<Binding, 'permissions'> {
  permissions: string[]
}

export function parseReached(text: string): Reached {
  const [resource = '', ...permissions] = text.split(' ')
  const at = resource.indexOf(':')
  return { kind: resource.slice(0, at), id: resource.slice(at + 1), permissions }
}

/** The names of the resources to which the membership of the outer query is limited, with its role in each. */
export const limits = sql<{ name: string | null; role: Role }[]>`(
  SELECT coalesce(json_agg(json_build_object('name', ${bindableResources.name}, 'role', ${membershipResources.role})
    ORDER BY ${bindableResources.name}), '[]')
  FROM ${membershipResources} LEFT JOIN ${bindableResources}
    ON ${bindableResources.serviceId} = ${membershipResources.serviceId} AND ${bindableResources.kind} = ${membershipResources.kind}
    AND ${bindableResources.resourceId} = ${membershipResources.resourceId} AND ${bindableResources.deletedAt} IS NULL
    AND ${bindableResources.organizationId} = ${membershipResources.organizationId}
  WHERE ${ofMembership} AND ${memberships.role} NOT IN ('admin', 'owner'))`

export const isLimitedTo = (resourceId: string) => sql`(
  ${memberships.role} NOT IN ('admin', 'owner') AND EXISTS (
    SELECT FROM ${membershipResources} WHERE ${ofMembership} AND ${membershipResources.resourceId} = ${resourceId}))`
