import { and, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, forbidden, invalid, notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { requireActiveOrganization } from '../organizations.ts'
import { publishRevocation } from '../../tokens/revocation.ts'
import { memberships, servicePermissions, userPermissionOverrides } from '../../schema.ts'
import type { OverrideDraft } from './contract.ts'
import { canOverride } from './inspect.ts'
import { listMemberOverrides } from './queries.ts'

type ActorContext = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now' | 'events'>

interface MemberRef {
  id: string
  userId: string
}

/** Oldest first. @throws 404 for a non-member */
export async function listOverrides({ db, actor }: Pick<ActorContext, 'db' | 'actor'>, { id, userId }: MemberRef) {
  requireActiveOrganization(actor, id)
  const role = await lockRole(db, { id, userId })
  const items = await listMemberOverrides(db, { organizationId: id, userId })
  return { items, nextCursor: null, can: { override: canOverride(actor, id, { role }) } }
}

/** @throws 404; 422; 409 for an existing override; 403 for a permission beyond the actor's own, and for owners */
export async function addOverride({ db, actor, now, events }: ActorContext, draft: OverrideDraft) {
  const { id, userId, permission, effect } = draft
  await requireEditableMember({ db, actor }, draft)
  const [serviceId = '', name = ''] = permission.split('.')
  await requireKnownPermission(db, serviceId, name)
  if (effect === 'grant') requireOwnPermission(actor, permission)
  const what = { serviceId, permission: name, effect, reason: draft.reason ?? null }
  const row = { id: newId(), organizationId: id, userId, ...what, createdBy: actor.principal.id, createdAt: now() }
  const added = await db.insert(userPermissionOverrides).values(row).onConflictDoNothing().returning()
  if (added.length === 0) throw conflict('override_exists', 'This member already has this override.')
  recordChange(db, { object: 'member', id: userId, after: { override: what } })
  await publishRevocation(db, events, userId)
  return requireOverride(db, { id, userId }, row.id)
}

/** @throws 404; 403 as `addOverride`: only an actor with the permission can remove its denial */
export async function removeOverride(
  { db, actor, events }: Pick<ActorContext, 'db' | 'actor' | 'events'>,
  { id, userId, overrideId }: MemberRef & { overrideId: string },
): Promise<void> {
  await requireEditableMember({ db, actor }, { id, userId })
  const { effect, permission, serviceId } = await requireOverride(db, { id, userId }, overrideId)
  if (effect === 'deny') requireOwnPermission(actor, permission)
  await db.delete(userPermissionOverrides).where(eq(userPermissionOverrides.id, overrideId))
  recordChange(db, { object: 'member', id: userId, before: { override: { serviceId, permission, effect } } })
  await publishRevocation(db, events, userId)
}

/** Admins can’t change overrides of owners. */
async function requireEditableMember(
  { db, actor }: Pick<ActorContext, 'db' | 'actor'>,
  member: MemberRef,
): Promise<void> {
  const own = requireActiveOrganization(actor, member.id)
  const role = await lockRole(db, member)
  if (role === 'owner' && own.role !== 'owner') throw forbidden('role:owner')
}

/** Locks the member’s role until the transaction ends. @throws 404 */
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
  if (known.length === 0) throw invalid([{ path: 'permission', message: 'Unknown permission.' }])
}

/** Actors can’t grant permissions that they lack. */
function requireOwnPermission(actor: Actor, permission: string): void {
  if (!actor.permissions.has(permission)) throw forbidden(permission.slice(permission.indexOf('.') + 1))
}

async function requireOverride(db: Database, { id, userId }: MemberRef, overrideId: string) {
  const own = await listMemberOverrides(db, { organizationId: id, userId })
  const override = own.find((each) => each.id === overrideId)
  if (!override) throw notFound('override')
  return override
}
