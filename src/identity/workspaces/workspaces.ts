import { eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint } from '#lib/db.ts'
import { conflict, invalid } from '#lib/errors.ts'
import { saveLastContext } from '../accounts.ts'
import type { Organization } from '../contract.ts'
import { personOf } from '../current.ts'
import { changeRole } from '../members/members.ts'
import { createOrganization } from '../organizations.ts'
import { publishRevocation } from '../revocation.ts'
import { sessions } from '../schema.ts'
import type { OrganizationDraft, OwnershipTransfer } from './contract.ts'

type ActorCall = Call<unknown, Actor>

/**
 * Makes an organization that the actor owns. A browser's session goes on in it at once, a program switches to it. Throws
 * 409 for a taken slug and for super admins, 422 for a reserved slug, 403 for a service.
 */
export async function createOwnedOrganization(call: ActorCall, draft: OrganizationDraft): Promise<Organization> {
  const { db, actor } = call
  const userId = personOf(actor)
  const organization = await createOrganization(call, actor.principal, draft).catch((error: unknown) => {
    throw brokenConstraint(error) === 'memberships_super_admin' ? superAdmin() : error
  })
  if (actor.credential.kind === 'session') await moveSession(call, organization.id)
  await saveLastContext(db, userId, organization.id)
  return organization
}

const superAdmin = () =>
  conflict('super_admin', 'A super admin belongs to the admin organization alone. Use another account.')

async function moveSession({ db, actor, events }: ActorCall, organizationId: string): Promise<void> {
  const { id } = actor.credential
  await db.update(sessions).set({ organizationId }).where(eq(sessions.id, id))
  await publishRevocation(db, events, id)
}

/**
 * Makes a member the owner instead of the caller, who becomes an admin. Throws 404 for someone who is no member, 422 for
 * the caller, 409 for an agent and for a person whose account will be deleted.
 */
export async function transferOwnership(call: ActorCall, { id, userId }: OwnershipTransfer) {
  if (userId === call.actor.principal.id)
    throw invalid([{ path: 'userId', message: 'You own it already. Choose another member.' }])
  const owner = await changeRole(call, { id, userId, role: 'owner' })
  await changeRole(call, { id, userId: call.actor.principal.id, role: 'admin' })
  return owner
}
