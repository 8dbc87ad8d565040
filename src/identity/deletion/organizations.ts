import { and, eq, gt, isNotNull, isNull } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import { unmetRequirementProblem } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { conflict, forbidden, invalid, notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { adminOrganization } from '../contract/fields.ts'
import { requireActiveOrganization, findOwnOrganization } from '../organizations/organizations.ts'
import { remainingOwners } from '../organizations/owners.ts'
import { publishRevocation } from '../tokens/revocation.ts'
import { memberships, organizations, suspensions, users } from '../schema.ts'
import { requireReauthentication } from '../sign-in/second-factor/proof.ts'
import { getUnmetRequirement } from '../sign-in/second-factor/required.ts'
import type { OrganizationDeletionRequest } from './contract.ts'
import { notifyOwners } from './notices.ts'

type ActorCall = Call<unknown, Actor>

const day = 24 * 60 * 60 * 1000
export const gracePeriodMs = 30 * day

const waiting = and(isNull(suspensions.liftedAt), isNotNull(suspensions.deletesAt))

/** @throws {Problem} 404, 422 for a wrong name or proof, 409 for the super admins' organization */
export async function requestDeletion(call: ActorCall, { id, confirm, ...proof }: OrganizationDeletionRequest) {
  const { slug } = requireActiveOrganization(call.actor, id)
  if (slug === adminOrganization)
    throw conflict('own_organization', 'The super admins’ own organization can’t be deleted.')
  const [organization] = await call.db.select().from(organizations).where(eq(organizations.id, id))
  if (confirm !== organization?.name) throw invalid([{ path: 'confirm', message: 'Must be the organization’s name.' }])
  const user = await requireReauthentication(call, proof)
  return auditedTransaction(call, async (tx) => {
    const at = call.now()
    const deletesAt = new Date(at.getTime() + gracePeriodMs)
    await tx
      .insert(suspensions)
      .values({
        id: newId(),
        organizationId: id,
        reason: 'Its deletion was requested.',
        suspendedBy: user.id,
        suspendedAt: at,
        deletesAt,
      })
      .catch((error: unknown) => {
        throw brokenConstraint(error) === 'suspensions_running'
          ? conflict('already_suspended', 'This organization is already suspended or scheduled for deletion.')
          : error
      })
    recordChange(tx, {
      object: 'organization',
      id,
      before: { state: 'active' },
      after: { state: 'deleting', deletesAt },
    })
    await publishRevocation(tx, call.events, id)
    await notifyOwners(call, tx, id, { happened: 'requested', by: user.name, deletesAt })
    return findScheduled(tx, id)
  })
}

/** @throws {Problem} 404 */
export async function findDeletion(call: Pick<ActorCall, 'db' | 'actor'>, id: string) {
  const { role } = await findOwnOrganization(call, id)
  return { ...(await findScheduled(call.db, id)), can: { cancel: role === 'owner' } }
}

export async function listOwnDeletions({ db, actor }: Pick<ActorCall, 'db' | 'actor'>) {
  const rows = await db
    .select({ ...columns, role: memberships.role })
    .from(suspensions)
    .innerJoin(organizations, eq(organizations.id, suspensions.organizationId))
    .leftJoin(users, eq(users.id, suspensions.suspendedBy))
    .innerJoin(memberships, eq(memberships.organizationId, suspensions.organizationId))
    .where(
      and(
        waiting,
        eq(memberships.userId, actor.principal.id),
        actor.onlyIn ? eq(suspensions.organizationId, actor.onlyIn) : undefined,
      ),
    )
    .orderBy(suspensions.deletesAt)
  return rows.map(withDate).map((row) => ({ ...row, can: { cancel: row.role === 'owner' } }))
}

/** @throws {Problem} 404 when none is scheduled, 403 below owner, 409 once the deletion is final */
export async function cancelDeletion(call: ActorCall, id: string): Promise<void> {
  const { role } = await findOwnOrganization(call, id)
  if (role !== 'owner') throw forbidden('role:owner')
  const unmet = await getUnmetRequirement(call.db, call.actor.credential.id, id)
  if (unmet) throw unmetRequirementProblem(unmet)
  await undoDeletion(call, id)
}

/** For super admins. @throws {Problem} 404, 409 once final and when every owner is deleting their account */
export async function undoDeletion({ db, actor, events, now, ...call }: ActorCall, id: string): Promise<void> {
  const at = now()
  // The deletion of an owner's account locks this row too.
  await db.select({ id: organizations.id }).from(organizations).where(eq(organizations.id, id)).for('no key update')
  const [lifted] = await db
    .update(suspensions)
    .set({ liftedAt: at, liftedBy: actor.principal.id })
    .where(and(eq(suspensions.organizationId, id), waiting, gt(suspensions.deletesAt, at)))
    .returning()
  if (!lifted) throw await cancelError(db, id)
  if ((await remainingOwners(db, id).limit(1)).length === 0)
    throw conflict(
      'owners_being_deleted',
      'All owners of this organization are deleting their accounts. Cancel the deletion of an owner’s account first.',
    )
  const change = { object: 'organization', id, before: { state: 'deleting' }, after: { state: 'active' } }
  recordChange(db, { ...change, organizationId: id })
  if (actor.organization && actor.organization.id !== id) recordChange(db, change)
  await publishRevocation(db, events, id)
  const [user] = await db.select({ name: users.name }).from(users).where(eq(users.id, actor.principal.id))
  await notifyOwners({ ...call, now }, db, id, { happened: 'canceled', by: user?.name ?? 'Someone' })
}

async function cancelError(db: Database, id: string) {
  const isFinal = (await db.$count(suspensions, and(eq(suspensions.organizationId, id), waiting))) > 0
  return isFinal ? conflict('deletion_final', 'This organization is already being deleted.') : notFound('deletion')
}

async function findScheduled(db: Database, organizationId: string) {
  const [row] = await db
    .select(columns)
    .from(suspensions)
    .innerJoin(organizations, eq(organizations.id, suspensions.organizationId))
    .leftJoin(users, eq(users.id, suspensions.suspendedBy))
    .where(and(waiting, eq(suspensions.organizationId, organizationId)))
  if (!row) throw notFound('deletion')
  return withDate(row)
}

const columns = {
  organizationId: organizations.id,
  name: organizations.name,
  requestedBy: { id: users.id, name: users.name },
  requestedAt: suspensions.suspendedAt,
  deletesAt: suspensions.deletesAt,
}

/** Rows that match `waiting` have the date. */
function withDate<Row extends { deletesAt: Date | null }>(row: Row): Row & { deletesAt: Date } {
  if (!row.deletesAt) throw new Error('A deletion has no date')
  return { ...row, deletesAt: row.deletesAt }
}
