import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { notFound } from '#lib/errors.ts'
import { requireAccessibleOrganization } from '../open-organization.ts'
import type { OrganizationAccess } from './contract.ts'
import { findMembership } from './facts.ts'

/**
 * What the caller's session would hold in an organization of theirs, whichever it works in.
 * Throws 404 for any other organization and 403 as `requireAccessibleOrganization`.
 */
export async function getAccess(
  call: Pick<Call<unknown, Actor>, 'db' | 'actor'>,
  organizationId: string,
): Promise<OrganizationAccess> {
  await requireAccessibleOrganization(call, organizationId)
  const member = await findMembership(call.db, { organizationId, userId: call.actor.principal.id })
  if (!member) throw notFound('organization')
  return { organizationId, permissions: member.permissions }
}
