import { atLeast, roles, type Actor, type Permission } from './actor.ts'
import { forbidden, Problem, unauthorized } from './errors.ts'

/** A caller without a usable credential where one is needed: people are sent to sign in. */
export class NotSignedIn extends Problem {
  constructor(cause?: Problem) {
    const { status, code, message, options } = unauthorized(cause?.message)
    super(status, code, message, { ...options, cause })
  }
}

/**
 * Whether the actor may. `serviceId` is the id of the context's service in this environment: permissions are held as
 * `<serviceId>.<resource>:<action>`.
 */
export function isAllowed(actor: Actor, permission: Permission, serviceId: string): boolean {
  if (permission === 'public' || permission === 'known') return true
  if (actor.tokenType === 'api_key') return holds(actor, permission, serviceId)
  if (permission === 'signed-in') return true
  if (permission === 'service') return actor.tokenType === 'service'
  const needed = roles.find((role) => permission === `role:${role}`)
  if (needed) return actor.organization !== null && atLeast(actor.organization.role, needed)
  return holds(actor, permission, serviceId)
}

const holds = (actor: Actor, permission: Permission, serviceId: string): boolean =>
  actor.permissions.has(`${serviceId}.${permission}`)

/** Lets the actor pass, or throws 403 naming what is missing. */
export function authorize(actor: Actor, permission: Permission, serviceId: string): void {
  if (!isAllowed(actor, permission, serviceId))
    throw permission === 'signed-in' ? personNeeded() : forbidden(permission)
}

/** Lets everyone but an API key pass, which gets 403. */
export function personOnly(actor: Actor | null): Actor | null {
  if (actor?.tokenType === 'api_key') throw personNeeded()
  return actor
}

const personNeeded = () =>
  new Problem(
    403,
    'session_needed',
    'Only a person who is signed in can do this: an API key opens what its scopes name.',
  )
