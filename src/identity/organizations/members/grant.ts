import type { Role } from '#lib/actor.ts'
import { forbidden } from '#lib/errors.ts'

/** Only owners can make someone an owner (IDN-10). @throws {Problem} 403 */
export function requireGrantable(own: Role, role: Role): void {
  if (role === 'owner' && own !== 'owner') throw forbidden('role:owner')
}
