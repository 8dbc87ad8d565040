import { and, eq, gt, inArray, isNull, ne, notExists, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { runningSuspension } from '../../admin/suspended.ts'
import { meetsRequirements } from '../../sign-in/second-factor/unmet-requirements.ts'
import {
  accountDeletions,
  appSwitcherPreferences,
  memberships,
  organizations,
  suspensions,
  users,
} from '../../schema.ts'
import { parseReached, reach } from '../resource-roles/reach.ts'
import type { Audience, AudienceQuery } from '../../contract.ts'
import { heldPermissions } from './held-permissions.ts'

/**
 * People with what they can see and how to reach them, without agents, those who delete their account, and those who
 * can’t sign in as the organization requires; none while the organization is suspended.
 */
export async function listAudience(db: Database, { id, ids, after, limit }: AudienceQuery): Promise<Audience> {
  const rows = await db
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      principalType: users.principalType,
      role: memberships.role,
      timeZone: appSwitcherPreferences.timeZone,
      organization: { slug: organizations.slug, name: organizations.name },
      reach,
      permissions: sql<string[]>`ARRAY(
        SELECT held.service_id || '.' || held.permission FROM ${heldPermissions} ORDER BY 1)`,
    })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .innerJoin(users, eq(users.id, memberships.userId))
    .leftJoin(appSwitcherPreferences, eq(appSwitcherPreferences.userId, users.id))
    .leftJoin(suspensions, runningSuspension)
    .where(
      and(
        eq(memberships.organizationId, id),
        ne(users.principalType, 'agent'),
        isNull(users.erasedAt),
        isNull(suspensions.id),
        meetsRequirements,
        notExists(
          db
            .select({ one: sql`1` })
            .from(accountDeletions)
            .where(eq(accountDeletions.userId, users.id)),
        ),
        ids && inArray(memberships.userId, ids),
        after === undefined ? undefined : gt(memberships.userId, after),
      ),
    )
    .orderBy(memberships.userId)
    .limit(limit)
  return {
    organization: rows[0]?.organization ?? null,
    items: rows.map(({ reach: reached, id: userId, name, email, principalType, role, timeZone, permissions }) => ({
      id: userId,
      name,
      email,
      principalType,
      role,
      timeZone,
      permissions,
      resources: reached.map(parseReached),
    })),
  }
}
