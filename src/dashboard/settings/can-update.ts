import type { Actor } from '#lib/actor.ts'
import { isAllowed } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'

/** Whether the caller can change the default layout: not with a role or key that is limited to part of the organization. */
export async function canUpdateDefault({
  actor,
  identity,
}: Pick<Call<unknown, Actor>, 'actor' | 'identity'>): Promise<boolean> {
  if (actor.bindings.length > 0) return false
  return isAllowed(actor, 'settings:write', await identity.serviceId('platform-dashboard-api'))
}
