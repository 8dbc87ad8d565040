import type { Actor } from '#lib/actor.ts'
import { Problem } from '#lib/errors.ts'
import type { Provider } from '../contract.ts'

/** The only network that a test key can use (IDN-36). */
export const testKeyNetwork = 'sandbox' satisfies Provider

/** Whether the actor reaches a network: a test key only reaches the sandbox network (IDN-36), in reading too. */
export const canUseNetwork = ({ credential }: Actor, provider: Provider): boolean =>
  !credential.test || provider === testKeyNetwork

/** @throws {Problem} 403 for a network that the actor doesn't reach */
export function requireNetworkAccess(actor: Actor, provider: Provider): void {
  if (canUseNetwork(actor, provider)) return
  throw new Problem(403, 'test_key_not_allowed', 'Test keys can only use the sandbox network. Use a live key.')
}
