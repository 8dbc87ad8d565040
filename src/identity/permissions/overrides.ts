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
import { overridesOf } from './facts.ts'

type Acting = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now' | 'events'>

/** Whom of the active organization. */
interface Whom {
  id: string
  userId: string
}

/** What differs for a member from their role, oldest first. Throws 404 for whoever is none of the active organization. */
export async function listOverrides({ db, actor }: Pick<Acting, 'db' | 'actor'>, { id, userId }: Whom) {
  requireActiveOrganization(actor, id)
  await roleOf(db, { id, userId })
  return { items: await overridesOf(db, { organizationId: id, userId }), nextCursor: null }
}

/**
 * Grants a member what their role lacks, or denies them what it has. Throws 404 for whoever is no member, 422 for an
 * unknown permission, 409 where that is so already, and 403 for what the actor doesn't hold or an owner whom an admin
 * would limit.
 */
export async function addOverride({ db, actor, now, events }: Acting, draft: OverrideDraft) {
  const { id, userId, permission, effect } = draft
  await requireTouchable({ db, actor }, draft)
  const [serviceId = '', name = ''] = permission.split('.')
  await requireKnown(db, serviceId, name)
  if (effect === 'grant') requireHeld(actor, permission)
  const what = { serviceId, permission: name, effect, reason: draft.reason ?? null }
  const row = { id: newId(), organizationId: id, userId, ...what, createdBy: actor.principal.id, createdAt: now() }
  const added = await db.insert(userPermissionOverrides).values(row).onConflictDoNothing().returning()
  if (added.length === 0) throw conflict('override_exists', 'This member has this very exception already.')
  audited(db, { object: 'member', id: userId, after: { override: what } })
  await publishRevocation(db, events, userId)
  return found(db, { id, userId }, row.id)
}

/**
 * Takes an exception back; it holds on the next call. Throws 404 for one that isn't there, 403 as `addOverride`: what was
 * denied is given again only by whoever holds it.
 */
export async function removeOverride(
  { db, actor, events }: Pick<Acting, 'db' | 'actor' | 'events'>,
  { id, userId, overrideId }: Whom & { overrideId: string },
): Promise<void> {
  await requireTouchable({ db, actor }, { id, userId })
  const { effect, permission, serviceId } = await found(db, { id, userId }, overrideId)
  if (effect === 'deny') requireHeld(actor, permission)
  await db.delete(userPermissionOverrides).where(eq(userPermissionOverrides.id, overrideId))
  audited(db, { object: 'member', id: userId, before: { override: { serviceId, permission, effect } } })
  await publishRevocation(db, events, userId)
}

/** An admin changes nothing of an owner's. */
async function requireTouchable({ db, actor }: Pick<Acting, 'db' | 'actor'>, whom: Whom): Promise<void> {
  const own = requireActiveOrganization(actor, whom.id)
  const role = await roleOf(db, whom)
  if (role === 'owner' && own.role !== 'owner') throw forbidden('role:owner')
}

/** A member's role, which stays until the transaction ends. Throws 404. */
async function roleOf(db: Database, { id, userId }: Whom) {
  const [member] = await db
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.organizationId, id), eq(memberships.userId, userId)))
    .for('share')
  if (!member) throw notFound('member')
  return member.role
}

async function requireKnown(db: Database, serviceId: string, permission: string): Promise<void> {
  const known = await db
    .select({ permission: servicePermissions.permission })
    .from(servicePermissions)
    .where(and(eq(servicePermissions.serviceId, serviceId), eq(servicePermissions.permission, permission)))
  if (known.length === 0)
    throw invalid([{ path: 'permission', message: 'No service of this platform has this permission.' }])
}

/** Nobody gives what they don't hold. */
function requireHeld(actor: Actor, permission: string): void {
  if (!actor.permissions.has(permission)) throw forbidden(permission.slice(permission.indexOf('.') + 1))
}

async function found(db: Database, { id, userId }: Whom, overrideId: string) {
  const own = await overridesOf(db, { organizationId: id, userId })
  const override = own.find((each) => each.id === overrideId)
  if (!override) throw notFound('override')
  return override
}
