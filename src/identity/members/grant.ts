import type { Role } from '#lib/actor.ts'
import { forbidden } from '#lib/errors.ts'

/** Throws 403 when somebody of `own` role gives an owner's: only owners make owners (IDN-10). */
export function requireGrantable(own: Role, role: Role): void {
  if (role === 'owner' && own !== 'owner') throw forbidden('role:owner')
}
