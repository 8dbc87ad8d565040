import type { Actor, ServicePermission } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import type { Provider } from './contract.ts'

type Asking = Pick<Call<unknown, Actor>, 'identity' | 'actor'>

/** Whether the caller holds a permission of this service: what the views show depends on it. */
export async function may({ identity, actor }: Asking, permission: ServicePermission): Promise<boolean> {
  return actor.permissions.has(`${await identity.serviceId('platform-socialize')}.${permission}`)
}

/** What of the networks a test key neither reads nor changes is all but this one (IDN-36). */
export const practiceNetwork = 'sandbox' satisfies Provider

/** A test key reaches the sandbox network alone (IDN-36), in reading too. Throws 403 for another one. */
export function requireReach({ credential }: Actor, provider: Provider): void {
  if (!credential.test || provider === practiceNetwork) return
  throw new Problem(403, 'test_key', 'Test keys can only use the sandbox network. Use a live key.')
}
