import { and, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { audited } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, forbidden, invalid, notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { requireActiveOrganization } from '../organizations.ts'
import { publishRevocation } from '../revocation.ts'
import { memberships, servicePermissions, userPermissionOverrides } from '../schema.ts'
import type { OverrideDraft } from './contract.ts'
import { listMemberOverrides } from './facts.ts'

type ActorContext = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now' | 'events'>

/** Whom of the active organization. */
interface MemberRef {
  id: string
  userId: string
}

/** What differs for a member from their role, oldest first. Throws 404 for whoever is none of the active organization. */
export async function listOverrides({ db, actor }: Pick<ActorContext, 'db' | 'actor'>, { id, userId }: MemberRef) {
  requireActiveOrganization(actor, id)
  await lockRole(db, { id, userId })
  return { items: await listMemberOverrides(db, { organizationId: id, userId }), nextCursor: null }
}

/**
 * Grants a member what their role lacks, or denies them what it has. Throws 404 for whoever is no member, 422 for an
 * unknown permission, 409 where that is so already, and 403 for what the actor doesn't hold or an owner whom an admin
 * would limit.
 */
export async function addOverride({ db, actor, now, events }: ActorContext, draft: OverrideDraft) {
  const { id, userId, permission, effect } = draft
  await requireEditableMember({ db, actor }, draft)
  const [serviceId = '', name = ''] = permission.split('.')
  await requireKnownPermission(db, serviceId, name)
  if (effect === 'grant') requireOwnPermission(actor, permission)
  const what = { serviceId, permission: name, effect, reason: draft.reason ?? null }
  const row = { id: newId(), organizationId: id, userId, ...what, createdBy: actor.principal.id, createdAt: now() }
  const added = await db.insert(userPermissionOverrides).values(row).onConflictDoNothing().returning()
  if (added.length === 0) throw conflict('override_exists', 'This member has this very exception already.')
  audited(db, { object: 'member', id: userId, after: { override: what } })
  await publishRevocation(db, events, userId)
  return requireOverride(db, { id, userId }, row.id)
}

/**
 * Takes an exception back; it holds on the next call. Throws 404 for one that isn't there, 403 as `addOverride`: what was
 * denied is given again only by whoever holds it.
 */
export async function removeOverride(
  { db, actor, events }: Pick<ActorContext, 'db' | 'actor' | 'events'>,
  { id, userId, overrideId }: MemberRef & { overrideId: string },
): Promise<void> {
  await requireEditableMember({ db, actor }, { id, userId })
  const { effect, permission, serviceId } = await requireOverride(db, { id, userId }, overrideId)
  if (effect === 'deny') requireOwnPermission(actor, permission)
  await db.delete(userPermissionOverrides).where(eq(userPermissionOverrides.id, overrideId))
  audited(db, { object: 'member', id: userId, before: { override: { serviceId, permission, effect } } })
  await publishRevocation(db, events, userId)
}

/** An admin changes nothing of an owner's. */
async function requireEditableMember(
  { db, actor }: Pick<ActorContext, 'db' | 'actor'>,
  whom: MemberRef,
): Promise<void> {
  const own = requireActiveOrganization(actor, whom.id)
  const role = await lockRole(db, whom)
  if (role === 'owner' && own.role !== 'owner') throw forbidden('role:owner')
}

/** A member's role, which stays until the transaction ends. Throws 404. */
async function lockRole(db: Database, { id, userId }: MemberRef) {
  const [member] = await db
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.organizationId, id), eq(memberships.userId, userId)))
    .for('share')
  if (!member) throw notFound('member')
  return member.role
}

async function requireKnownPermission(db: Database, serviceId: string, permission: string): Promise<void> {
  const known = await db
    .select({ permission: servicePermissions.permission })
    .from(servicePermissions)
    .where(and(eq(servicePermissions.serviceId, serviceId), eq(servicePermissions.permission, permission)))
  if (known.length === 0)
    throw invalid([{ path: 'permission', message: 'No service of this platform has this permission.' }])
}

/** Nobody gives what they don't hold. */
function requireOwnPermission(actor: Actor, permission: string): void {
  if (!actor.permissions.has(permission)) throw forbidden(permission.slice(permission.indexOf('.') + 1))
}

async function requireOverride(db: Database, { id, userId }: MemberRef, overrideId: string) {
  const own = await listMemberOverrides(db, { organizationId: id, userId })
  const override = own.find((each) => each.id === overrideId)
  if (!override) throw notFound('override')
  return override
}
