import type { Actor } from '#lib/actor.ts'
import { unmetRequirementProblem } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { refuseSuspended } from '../admin/suspended.ts'
import { findOwnOrganization } from './organizations.ts'
import { getUnmetRequirement } from '../sign-in/second-factor/required.ts'

/** @throws {Problem} 404, 403 for a suspended one and for stricter sign-in rules than the session meets */
export async function requireAccessibleOrganization(
  { db, actor }: Pick<Call<unknown, Actor>, 'db' | 'actor'>,
  id: string,
) {
  await findOwnOrganization({ db, actor }, id)
  await refuseSuspended(db, id)
  const unmet = await getUnmetRequirement(db, actor.credential.id, id)
  if (unmet) throw unmetRequirementProblem(unmet)
}
