import type { Actor } from '#lib/actor.ts'
import { barredProblem } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { refuseSuspended } from './admin/suspended.ts'
import { findOwnOrganization } from './organizations.ts'
import { getUnmetRequirement } from './second-factor/required.ts'

/**
 * Lets a session look into an organization of its person's, whichever it works in. Throws 404 for any other, 403 for a
 * suspended one, and for one that asks more of the session.
 */
export async function requireAccessibleOrganization(
  { db, actor }: Pick<Call<unknown, Actor>, 'db' | 'actor'>,
  id: string,
) {
  await findOwnOrganization({ db, actor }, id)
  await refuseSuspended(db, id)
  const barred = await getUnmetRequirement(db, actor.credential.id, id)
  if (barred) throw barredProblem(barred)
}
