import { and, eq, ilike, ne, or, sql } from 'drizzle-orm'
import { atLeast, type Actor, type Role } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint, containsPattern, type Database } from '#lib/db.ts'
import { conflict, forbidden, notFound, type Problem } from '#lib/errors.ts'
import { byId } from '#lib/paginate.ts'
import { revokeAgentKeys } from '../../api-keys/agents/agent-keys.ts'
import { updateSeatsAction } from '../entitlements/seats-action.ts'
import { requireActiveOrganization, getOrganization } from '../organizations.ts'
import { publishRevocation } from '../../tokens/revocation.ts'
import { isLimitedTo, limits } from '../resource-roles/reach.ts'
import { listLimitingResources } from '../resource-roles/limiting-resources.ts'
import { memberships, users } from '../../schema.ts'
import { describeMember, memberListActions, roleIn } from './abilities.ts'
import { requireGrantable } from './grant.ts'
import { cancelInvitationsBy } from './invitations.ts'
import { isEnrolled } from './second-factors.ts'

type ActorCall = Call<unknown, Actor>

/** `id` is the organization's. */
interface MemberRef {
  id: string
  userId: string
}

interface MemberQuery {
  id: string
  q?: string
  role?: Role
  resourceId?: string
  limit: number
  cursor?: string
}

/** @throws {Problem} 404 for a caller who isn't a member; 403 for a filter by resource below admin */
export async function listMembers(
  { db, actor }: Pick<ActorCall, 'db' | 'actor'>,
  { id, q, role: filter, resourceId, ...query }: MemberQuery,
) {
  const { role } = await getOrganization(db, actor.principal.id, id)
  const isAdmin = atLeast(role, 'admin')
  if (resourceId !== undefined && !isAdmin) throw forbidden('role:admin')
  const slice = byId(users.id).slice(query)
  const rows = await selectMembers(db)
    .where(
      and(
        eq(memberships.organizationId, id),
        slice.where,
        q === undefined ? undefined : matches(q),
        filter && eq(memberships.role, filter),
        resourceId === undefined ? undefined : isLimitedTo(resourceId),
      ),
    )
    .orderBy(...slice.order)
    .limit(slice.limit)
  const page = slice.page(rows)
  const reader = { id: actor.principal.id, own: roleIn(actor, id) }
  const items = page.items.map((row) => describeMember(hideFrom({ id: reader.id, role }, row), reader))
  return {
    ...page,
    items,
    resources: isAdmin ? await listLimitingResources(db, id) : null,
    can: memberListActions(reader.own),
  }
}

/** @throws {Problem} 404 for a caller or person who isn't a member */
export async function getMember({ db, actor }: Pick<ActorCall, 'db' | 'actor'>, { id, userId }: MemberRef) {
  const { role } = await getOrganization(db, actor.principal.id, id)
  const reader = { id: actor.principal.id, own: roleIn(actor, id) }
  return describeMember(hideFrom({ id: reader.id, role }, await findMember(db, { id, userId })), reader)
}

type Row = Awaited<ReturnType<typeof findMember>>

/** Only admins see everyone's second factors and limits. */
const hideFrom = (reader: { id: string; role: Role }, row: Row) =>
  atLeast(reader.role, 'admin')
    ? row
    : { ...row, secondFactor: null, resources: row.id === reader.id ? row.resources : null }

const matches = (q: string) => or(ilike(users.name, containsPattern(q)), ilike(users.email, containsPattern(q)))

/** @throws {Problem} 404 for a non-member, 403 when an admin changes or makes an owner, 409 for the last owner */
export async function changeRole({ db, actor, events }: ActorCall, { id, userId, role }: MemberRef & { role: Role }) {
  const own = requireActiveOrganization(actor, id)
  requireGrantable(own.role, role)
  const [before] = await db
    .select({ role: memberships.role })
    .from(memberships)
    .where(ofMember({ id, userId }))
    .for('update')
  const [changed] = await db
    .update(memberships)
    .set({ role })
    .where(and(ofMember({ id, userId }), own.role === 'owner' ? undefined : ne(memberships.role, 'owner')))
    .returning()
    .catch(throwOwnerError)
  if (!changed) throw await unchangedProblem(db, { id, userId })
  await cancelInvitationsBy(db, id, userId, role)
  recordChange(db, { object: 'member', id: userId, before, after: { role } })
  await publishRevocation(db, events, userId)
  const isSelf = userId === actor.principal.id
  return describeMember(await findMember(db, { id, userId }), { id: actor.principal.id, own: isSelf ? role : own.role })
}

/** Admins can remove others, everyone can leave. @throws {Problem} 404 and 409 as `changeRole`, 403 below admin */
export async function removeMember(call: ActorCall, { id, userId }: MemberRef): Promise<void> {
  const { db, actor, events } = call
  const own = requireActiveOrganization(actor, id)
  const isSelf = userId === actor.principal.id
  if (!isSelf && !atLeast(own.role, 'admin')) throw forbidden('role:admin')
  const canChangeOwners = isSelf || own.role === 'owner'
  const [removed] = await db
    .delete(memberships)
    .where(and(ofMember({ id, userId }), canChangeOwners ? undefined : ne(memberships.role, 'owner')))
    .returning()
    .catch(throwOwnerError)
  if (!removed) throw await unchangedProblem(db, { id, userId })
  await cancelInvitationsBy(db, id, userId, null)
  await revokeAgentKeys(db, call, userId)
  recordChange(db, { object: 'member', id: userId, before: { role: removed.role } })
  await updateSeatsAction(db, id)
  await publishRevocation(db, events, userId)
}

/** @throws {Problem} 404 */
async function findMember(db: Database, ref: MemberRef) {
  const [member] = await selectMembers(db).where(ofMember(ref))
  if (!member) throw notFound('member')
  return member
}

const ofMember = ({ id, userId }: MemberRef) => and(eq(memberships.organizationId, id), eq(memberships.userId, userId))

const selectMembers = (db: Database) =>
  db
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      principalType: users.principalType,
      role: memberships.role,
      joinedAt: memberships.createdAt,
      resources: limits,
      secondFactor: sql<boolean | null>`CASE WHEN ${users.principalType} <> 'agent' THEN ${isEnrolled} END`,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .$dynamic()

/** The database guarantees that each organization has an owner who is a person, also with concurrent changes. */
function throwOwnerError(error: unknown): never {
  if (brokenConstraint(error) === 'memberships_agent_owner')
    throw conflict('agent_cannot_be_owner', 'An agent can’t be an owner.')
  if (brokenConstraint(error) !== 'memberships_last_owner') throw error
  throw conflict('last_owner', 'An organization needs an owner. Make another member an owner first.')
}

async function unchangedProblem(db: Database, member: MemberRef): Promise<Problem> {
  const found = await db.select({ role: memberships.role }).from(memberships).where(ofMember(member))
  return found.length > 0 ? forbidden('role:owner') : notFound('member')
}
