import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { atLeast, type Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, forbidden, invalid, notFound } from '#lib/errors.ts'
import { bindableResources, memberships, membershipResources, services } from '../../schema.ts'
import { requireActiveOrganization } from '../organizations.ts'
import { publishRevocation } from '../../tokens/revocation.ts'
import { listOffered } from '../bindable-resources/bindable-resources.ts'
import { isGatewayAdmin } from '../permissions/inspect.ts'
import type { MemberResource, MemberResources, MemberResourcesEdit } from './contract.ts'

type LimitContext = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'events'>

interface MemberRef {
  id: string
  userId: string
}

const ofMember = ({ id, userId }: MemberRef) =>
  and(eq(membershipResources.organizationId, id), eq(membershipResources.userId, userId))

/** The most that one form can send. */
const maxChoices = 100

/** @throws {Problem} 404 for a non-member of the active organization, 403 for another member below admin */
export async function getMemberResources(
  { db, actor }: Pick<LimitContext, 'db' | 'actor'>,
  ref: MemberRef,
): Promise<MemberResources> {
  const { role } = requireActiveOrganization(actor, ref.id)
  const [[member], items] = await Promise.all([selectMembership(db, ref), listResources({ db, actor }, ref)])
  if (!member) throw notFound('member')
  const isSelf = ref.userId === actor.principal.id
  if (!isSelf && !atLeast(role, 'admin') && !(await isGatewayAdmin(db, actor, ref.id))) throw forbidden('role:admin')
  const canLimit = atLeast(role, 'admin') && !atLeast(member.role, 'admin')
  const choices = canLimit ? (await listOffered(db, actor)).slice(0, maxChoices) : null
  return { items, nextCursor: null, choices }
}

/** The name is null for one that was deleted or moved. @throws {Problem} 404 for a person who isn't a member */
async function listResources(
  { db, actor }: Pick<LimitContext, 'db' | 'actor'>,
  member: MemberRef,
): Promise<MemberResources['items']> {
  requireActiveOrganization(actor, member.id)
  if ((await selectMembership(db, member)).length === 0) throw notFound('member')
  return db
    .select({
      service: services.slug,
      kind: membershipResources.kind,
      id: membershipResources.resourceId,
      role: membershipResources.role,
      name: bindableResources.name,
    })
    .from(membershipResources)
    .innerJoin(services, eq(services.id, membershipResources.serviceId))
    .leftJoin(
      bindableResources,
      and(
        eq(bindableResources.serviceId, membershipResources.serviceId),
        eq(bindableResources.kind, membershipResources.kind),
        eq(bindableResources.resourceId, membershipResources.resourceId),
        // A resource that moved to another organization keeps its limit, without its name there.
        eq(bindableResources.organizationId, membershipResources.organizationId),
        isNull(bindableResources.deletedAt),
      ),
    )
    .where(ofMember(member))
    .orderBy(asc(bindableResources.name), asc(membershipResources.resourceId))
}

/**
 * From the member's next request. An empty list removes the limits, unless `unlimited` is false. Limits can stay
 * when their resource moved to another organization. @throws {Problem} 404 for a non-member and for a new resource
 * of another organization, 409 for an admin or owner, 422 when `unlimited` is false and the list would remove all
 * limits
 */
export async function limitRole(
  { db, actor, events }: LimitContext,
  { resources, unlimited, ...ref }: MemberResourcesEdit,
): Promise<void> {
  const [member] = await selectMembership(db, ref).for('update')
  const before = await listLimits({ db, actor }, ref)
  if (member && atLeast(member.role, 'admin'))
    throw conflict(
      'role_too_broad',
      'Admins and owners have access to the whole organization. Change the member’s role first.',
    )
  if (unlimited === false && before.length > 0 && resources.length === 0)
    throw invalid([
      { path: 'resources', message: 'Select a role for at least one brand, or change the access to all brands.' },
    ])
  const rows = unlimited ? [] : await requireRows(db, ref, resources)
  await db.delete(membershipResources).where(ofMember(ref))
  if (rows.length > 0) await db.insert(membershipResources).values(rows).onConflictDoNothing()
  const after = await listLimits({ db, actor }, ref)
  recordChange(db, { object: 'member', id: ref.userId, before: { resources: before }, after: { resources: after } })
  await publishRevocation(db, events, ref.userId)
}

/** For the audit log. */
const listLimits = async (call: Pick<LimitContext, 'db' | 'actor'>, ref: MemberRef): Promise<MemberResource[]> =>
  (await listResources(call, ref)).map(({ service, kind, id, role }) => ({ service, kind, id, role }))

const selectMembership = (db: Database, { id, userId }: MemberRef) =>
  db
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.organizationId, id), eq(memberships.userId, userId)))
    .$dynamic()

async function requireRows(db: Database, ref: MemberRef, resources: MemberResource[]) {
  const { id: organizationId, userId } = ref
  const ids = resources.map(({ id }) => id)
  const [own, limits] = await Promise.all([
    db
      .select({
        serviceId: bindableResources.serviceId,
        service: services.slug,
        kind: bindableResources.kind,
        resourceId: bindableResources.resourceId,
      })
      .from(bindableResources)
      .innerJoin(services, eq(services.id, bindableResources.serviceId))
      .where(and(eq(bindableResources.organizationId, organizationId), inArray(bindableResources.resourceId, ids))),
    db
      .select({
        serviceId: membershipResources.serviceId,
        service: services.slug,
        kind: membershipResources.kind,
        resourceId: membershipResources.resourceId,
      })
      .from(membershipResources)
      .innerJoin(services, eq(services.id, membershipResources.serviceId))
      .where(ofMember(ref)),
  ])
  const known = [...own, ...limits]
  return resources.map(({ service, kind, id, role }) => {
    const found = known.find((each) => each.service === service && each.kind === kind && each.resourceId === id)
    if (!found) throw notFound(kind)
    return { organizationId, userId, serviceId: found.serviceId, kind, resourceId: id, role }
  })
}
