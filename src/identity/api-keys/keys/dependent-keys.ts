import { and, desc, eq, isNull, or, sql } from 'drizzle-orm'
import { atLeast, type Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { forbidden, notFound } from '#lib/errors.ts'
import { requireActiveOrganization } from '../../organizations/organizations.ts'
import { apiKeys, memberships, services, users } from '../../schema.ts'

const maxKeys = 100

/** At most 100, newest first, without keys created for an agent. @throws {Problem} 404, 403 below admin */
export async function listDependentKeys(
  { db, actor, now }: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now'>,
  { id, userId }: { id: string; userId: string },
) {
  const { role } = requireActiveOrganization(actor, id)
  if (userId !== actor.principal.id && !atLeast(role, 'admin')) throw forbidden('role:admin')
  const [member] = await db
    .select({ isAgent: sql<boolean>`${users.principalType} = 'agent'` })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.organizationId, id), eq(memberships.userId, userId)))
  if (!member) throw notFound('member')
  const made = eq(apiKeys.createdBy, userId)
  const isDependent = member.isAgent ? or(made, eq(apiKeys.agentId, userId)) : and(made, isNull(apiKeys.agentId))
  const end = sql`coalesce(${apiKeys.overlapEndsAt}, ${apiKeys.expiresAt})`
  const isActive = and(isNull(apiKeys.revokedAt), sql`coalesce(${end} > ${now().toISOString()}::timestamptz, true)`)
  return db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      service: services.slug,
      mode: apiKeys.mode,
      lastFour: apiKeys.lastFour,
      lastUsedAt: apiKeys.lastUsedAt,
    })
    .from(apiKeys)
    .innerJoin(services, eq(services.id, apiKeys.serviceId))
    .where(and(eq(apiKeys.organizationId, id), isDependent, isActive))
    .orderBy(desc(apiKeys.id))
    .limit(maxKeys)
}
