import { sql } from 'drizzle-orm'
import { isLimitedIn, ofMembership } from '../resource-roles/reach.ts'
import { memberships, membershipResources, roleBundles, serviceAccess, userPermissionOverrides } from '../../schema.ts'

const selectOverrides = (effect: 'grant' | 'deny') => sql`
  SELECT ${userPermissionOverrides.serviceId}, ${userPermissionOverrides.permission} FROM ${userPermissionOverrides}
  WHERE ${userPermissionOverrides.organizationId} = ${memberships.organizationId}
    AND ${userPermissionOverrides.userId} = ${memberships.userId}
    AND ${userPermissionOverrides.effect} = ${sql.raw(`'${effect}'`)}`

/**
 * As rows `held (service_id, permission)`: the role’s bundles and granted overrides, minus denied ones, in the
 * organization's services (IDN-13). A membership limited to single resources has the permissions of its roles in
 * all of them (IDN-27).
 */
export const heldPermissions = sql`(
  SELECT rights.service_id, rights.permission FROM (
    SELECT ${roleBundles.serviceId}, ${roleBundles.permission} FROM ${roleBundles}
    WHERE ${roleBundles.role} = ${memberships.role} AND NOT ${isLimitedIn(roleBundles.serviceId)}
    UNION SELECT ${roleBundles.serviceId}, ${roleBundles.permission} FROM ${roleBundles}
    JOIN ${membershipResources} ON ${membershipResources.serviceId} = ${roleBundles.serviceId}
      AND ${membershipResources.role} = ${roleBundles.role}
    WHERE ${ofMembership} AND ${isLimitedIn(roleBundles.serviceId)}
    UNION ${selectOverrides('grant')}
    EXCEPT ${selectOverrides('deny')}
  ) AS rights (service_id, permission)
  JOIN ${serviceAccess} ON ${serviceAccess.serviceId} = rights.service_id
    AND ${serviceAccess.organizationId} = ${memberships.organizationId}
) AS held`
