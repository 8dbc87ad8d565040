import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { notFound } from '#lib/errors.ts'
import { requireAccessibleOrganization } from '../open-organization.ts'
import type { OrganizationAccess } from './contract.ts'
import { findMembership } from './queries.ts'

/** Active or not. @throws 404 for any other organization; 403 as `requireAccessibleOrganization` */
export async function getAccess(
  call: Pick<Call<unknown, Actor>, 'db' | 'actor'>,
  organizationId: string,
): Promise<OrganizationAccess> {
  await requireAccessibleOrganization(call, organizationId)
  const member = await findMembership(call.db, { organizationId, userId: call.actor.principal.id })
  if (!member) throw notFound('organization')
  return { organizationId, permissions: member.permissions }
}
