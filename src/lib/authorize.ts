import { atLeast, roles, type Actor, type Permission } from './actor.ts'
import { forbidden, Problem, unauthorized } from './errors.ts'

/** A caller without a usable credential where one is needed: people are sent to sign in. */
export class NotSignedIn extends Problem {
  constructor(cause?: unknown) {
    const { status, code, message, options } = unauthorized()
    super(status, code, message, { ...options, cause })
  }
}

/**
 * Lets the actor pass, or throws 403 naming what is missing. `serviceId` is the id of the context's service in this
 * environment: permissions are held as `<serviceId>.<resource>:<action>`.
 */
export function authorize(actor: Actor, permission: Permission, serviceId: string): void {
  if (permission === 'public' || permission === 'signed-in') return
  if (permission === 'service') {
    if (actor.tokenType !== 'service') throw forbidden('service')
    return
  }
  const needed = roles.find((role) => permission === `role:${role}`)
  if (needed) {
    if (!actor.organization || !atLeast(actor.organization.role, needed)) throw forbidden(permission)
    return
  }
  if (!actor.permissions.has(`${serviceId}.${permission}`)) throw forbidden(permission)
}
