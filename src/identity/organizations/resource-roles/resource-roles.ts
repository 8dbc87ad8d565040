import { and, asc, eq, inArray } from 'drizzle-orm'
import { atLeast, type Actor } from '#lib/actor.ts'
import { audited } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, notFound } from '#lib/errors.ts'
import { bindableResources, memberships, membershipResources, services } from '../../schema.ts'
import { requireActiveOrganization } from '../organizations.ts'
import { publishRevocation } from '../../tokens/revocation.ts'
import type { MemberResource, MemberResourcesEdit } from './contract.ts'

type LimitContext = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'events'>

interface MemberRef {
  id: string
  userId: string
}

const ofMember = ({ id, userId }: MemberRef) =>
  and(eq(membershipResources.organizationId, id), eq(membershipResources.userId, userId))

/**
 * The resources to which a member's role is limited, by kind and id.
 * @throws {Problem} 404 for a person who isn't a member of the active organization
 */
export async function listResources(
  { db, actor }: Pick<LimitContext, 'db' | 'actor'>,
  member: MemberRef,
): Promise<MemberResource[]> {
  requireActiveOrganization(actor, member.id)
  if ((await selectMembership(db, member)).length === 0) throw notFound('member')
  return db
    .select({
      service: services.slug,
      kind: membershipResources.kind,
      id: membershipResources.resourceId,
      role: membershipResources.role,
    })
    .from(membershipResources)
    .innerJoin(services, eq(services.id, membershipResources.serviceId))
    .where(ofMember(member))
    .orderBy(asc(services.slug), asc(membershipResources.kind), asc(membershipResources.resourceId))
}

/**
 * Limits a member's role to these resources, each with its own role, from their next request. An empty list removes the
 * limits.
 * @throws {Problem} 404 for a person who isn't a member and for a resource of another organization, 409 for an admin or
 * owner
 */
export async function limitRole({ db, actor, events }: LimitContext, { resources, ...ref }: MemberResourcesEdit) {
  const [member] = await selectMembership(db, ref).for('update')
  const before = await listResources({ db, actor }, ref)
  if (member && atLeast(member.role, 'admin'))
    throw conflict(
      'role_too_wide',
      'Admins and owners have access to the whole organization. Change the member’s role first.',
    )
  const rows = await requireRows(db, ref, resources)
  await db.delete(membershipResources).where(ofMember(ref))
  if (rows.length > 0) await db.insert(membershipResources).values(rows).onConflictDoNothing()
  const after = await listResources({ db, actor }, ref)
  audited(db, { object: 'member', id: ref.userId, before: { resources: before }, after: { resources: after } })
  await publishRevocation(db, events, ref.userId)
  return after
}

const selectMembership = (db: Database, { id, userId }: MemberRef) =>
  db
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.organizationId, id), eq(memberships.userId, userId)))
    .$dynamic()

async function requireRows(db: Database, { id: organizationId, userId }: MemberRef, resources: MemberResource[]) {
  const ids = resources.map(({ id }) => id)
  const known = await db
    .select({
      serviceId: bindableResources.serviceId,
      service: services.slug,
      kind: bindableResources.kind,
      resourceId: bindableResources.resourceId,
    })
    .from(bindableResources)
    .innerJoin(services, eq(services.id, bindableResources.serviceId))
    .where(and(eq(bindableResources.organizationId, organizationId), inArray(bindableResources.resourceId, ids)))
  return resources.map(({ service, kind, id, role }) => {
    const found = known.find((each) => each.service === service && each.kind === kind && each.resourceId === id)
    if (!found) throw notFound(kind)
    return { organizationId, userId, serviceId: found.serviceId, kind, resourceId: id, role }
  })
}
