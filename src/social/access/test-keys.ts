import type { Actor, ServicePermission } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import type { Provider } from '../contract.ts'

type Asking = Pick<Call<unknown, Actor>, 'identity' | 'actor'>

/** Whether the caller holds a permission of this service: what the views show depends on it. */
export async function may({ identity, actor }: Asking, permission: ServicePermission): Promise<boolean> {
  return actor.permissions.has(`${await identity.serviceId('platform-socialize')}.${permission}`)
}

/** What of the networks a test key neither reads nor changes is all but this one (IDN-36). */
export const practiceNetwork = 'sandbox' satisfies Provider

/** Whether the actor reaches a network: a test key only reaches the sandbox network (IDN-36), in reading too. */
export const canReach = ({ credential }: Actor, provider: Provider): boolean =>
  !credential.test || provider === practiceNetwork

/** @throws {Problem} 403 for a network that the actor doesn't reach */
export function requireReach(actor: Actor, provider: Provider): void {
  if (canReach(actor, provider)) return
  throw new Problem(403, 'test_key_not_allowed', 'Test keys can only use the sandbox network. Use a live key.')
}
