import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { memberships, organizations } from '../../schema.ts'
import type { MemberAccess } from '../../contract.ts'
import { heldPermissions } from '../permissions/held-permissions.ts'
import { parseReached, reach } from '../resource-roles/reach.ts'

/** @throws {Problem} 404 for someone who isn't a member */
export async function memberAccess(db: Database, organizationId: string, userId: string): Promise<MemberAccess> {
  const [row] = await db
    .select({
      organization: { id: organizations.id, slug: organizations.slug, role: memberships.role },
      permissions: sql<string[]>`ARRAY(
        SELECT held.service_id || '.' || held.permission FROM ${heldPermissions} ORDER BY 1)`,
      reach,
    })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId)))
  if (!row) throw notFound('member')
  const { organization, permissions } = row
  return { organization, permissions, resources: row.reach.map(parseReached) }
}
