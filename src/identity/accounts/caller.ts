import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import { credentialOf, presentedBy } from '../tokens/credential.ts'

/** @throws {Problem} 403 for a caller without one, such as a service */
export async function requireSessionId(call: Call): Promise<string> {
  const { sessionId: id } = await call.validate(credentialOf(presentedBy(call.request), call.config))
  if (!id) throw new Problem(403, 'session_required', 'Only a signed-in user can do this.')
  return id
}

/** @throws {Problem} 403 for a service */
export function personOf({ service, principal }: Actor): string {
  if (service)
    throw new Problem(403, 'session_required', 'Only a signed-in user can do this. A service has no account.')
  return principal.id
}
