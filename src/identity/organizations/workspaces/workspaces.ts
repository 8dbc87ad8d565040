import { eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint } from '#lib/db.ts'
import { conflict, invalid } from '#lib/errors.ts'
import { saveLastContext } from '../../accounts/accounts.ts'
import type { Organization } from '../../contract.ts'
import { personOf } from '../../accounts/caller.ts'
import { describeMember } from '../members/abilities.ts'
import { changeRole } from '../members/members.ts'
import { createOrganization } from '../organizations.ts'
import { publishRevocation } from '../../tokens/revocation.ts'
import { sessions } from '../../schema.ts'
import type { OrganizationDraft, OwnershipTransfer } from './contract.ts'
import { requireRoomForOrganization } from './owned-limit.ts'

type ActorCall = Call<unknown, Actor>

/** A browser’s session switches to it. @throws 409 for a taken slug, super admins and too many; 422; 403 */
export async function createOwnedOrganization(call: ActorCall, draft: OrganizationDraft): Promise<Organization> {
  const { db, actor } = call
  const userId = personOf(actor)
  await requireRoomForOrganization(db, userId)
  const organization = await createOrganization(call, actor.principal, draft).catch((error: unknown) => {
    throw brokenConstraint(error) === 'memberships_super_admin' ? superAdmin() : error
  })
  if (actor.credential.kind === 'session') await moveSession(call, organization.id)
  await saveLastContext(db, userId, organization.id)
  return organization
}

const superAdmin = () =>
  conflict('super_admin', 'Super admins can only belong to the super admins’ organization. Use another account.')

async function moveSession({ db, actor, events }: ActorCall, organizationId: string): Promise<void> {
  const { id } = actor.credential
  await db.update(sessions).set({ organizationId }).where(eq(sessions.id, id))
  await publishRevocation(db, events, id)
}

/** The actor becomes an admin. @throws 404 for a non-member; 422 for the actor; 409 for an agent */
export async function transferOwnership(call: ActorCall, { id, userId }: OwnershipTransfer) {
  if (userId === call.actor.principal.id)
    throw invalid([{ path: 'userId', message: 'You already own this organization. Choose another member.' }])
  const owner = await changeRole(call, { id, userId, role: 'owner' })
  await changeRole(call, { id, userId: call.actor.principal.id, role: 'admin' })
  return describeMember(owner, { id: call.actor.principal.id, own: 'admin' })
}
