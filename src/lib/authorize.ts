import {
  atLeast,
  roles,
  type Actor,
  type UnmetRequirement,
  type Binding,
  type Permission,
  type ServicePermission,
  type Suspension,
} from './actor.ts'
import type { Provided } from './call.ts'
import type { Context } from './context.ts'
import { forbidden, organizationNeeded, Problem, servicePermissions, unauthorized } from './errors.ts'
import { dayInWords } from './time.ts'

export class NotSignedIn extends Problem {
  constructor(cause?: Problem) {
    const { status, code, message, options } = unauthorized(cause?.message)
    super(status, code, message, { ...options, cause })
  }
}

/** @throws {Problem} 403 in the personal account and for services, naming `permission` */
export function organizationOf(actor: Actor, permission: Permission = 'role:viewer'): string {
  if (actor.organization) return actor.organization.id
  throw hasNoOrganization(actor) ? organizationNeeded(permission) : forbidden(permission)
}

export function isAllowed(actor: Actor, permission: Permission, serviceId: string): boolean {
  if (permission === 'public') return true
  if (permission === 'known') return actor.suspension === null && actor.unmetRequirement === null && actor.app === null
  if (permission === 'person') return actor.tokenType !== 'api_key' && actor.tokenType !== 'service'
  if (actor.tokenType === 'api_key' || actor.app) return hasPermission(actor, permission, serviceId)
  if (permission === 'service') return actor.tokenType === 'service'
  if (permission === 'signed-in') return actor.tokenType !== 'service'
  if (permission === 'super-admin') return actor.isSuperAdmin
  const needed = roles.find((role) => permission === `role:${role}`)
  if (needed) return actor.organization !== null && atLeast(actor.organization.role, needed)
  return hasPermission(actor, permission, serviceId)
}

const personPermissions: ReadonlySet<Permission> = new Set(['signed-in', 'person', 'known'])

const hasPermission = (actor: Actor, permission: Permission, serviceId: string): boolean =>
  actor.permissions.has(`${serviceId}.${permission}`)

/** @throws {Problem} 403 with the reason: a missing permission, a suspension, or an unmet requirement of the organization */
export function authorize(actor: Actor, permission: Permission, serviceId: string): void {
  if (isAllowed(actor, permission, serviceId)) return
  if (actor.suspension) throw suspendedProblem(actor.suspension)
  if (actor.unmetRequirement) throw unmetRequirementProblem(actor.unmetRequirement)
  if (personPermissions.has(permission)) throw personNeeded()
  throw hasNoOrganization(actor) && isOrganizationPermission(permission)
    ? organizationNeeded(permission)
    : forbidden(permission)
}

/** A person without an active organization has no admin who could grant the permission. */
const hasNoOrganization = ({ tokenType, organization }: Actor): boolean =>
  organization === null && (tokenType === 'session' || tokenType === 'access')

const isOrganizationPermission = (permission: Permission): boolean =>
  permission.includes(':') && !servicePermissions.includes(permission)

/** For a part of a response: the actor within the bindings that have the permission; null without it. */
export function limitActor(actor: Actor, permission: ServicePermission, serviceId: string): Actor | null {
  if (!hasPermission(actor, permission, serviceId)) return null
  const bindings = bindingsWith(actor, permission, serviceId)
  return bindings.length === 0 && actor.bindings.length > 0 ? null : { ...actor, bindings }
}

const bindingsWith = ({ bindings }: Actor, permission: Permission, serviceId: string): Binding[] =>
  bindings.filter((binding) => binding.permissions?.has(`${serviceId}.${permission}`) ?? true)

/** Leaves bindings that have it; others become `readOnly` (IDN-27). @throws {Problem} 403 without any */
export function narrowActor(
  actor: Actor,
  permission: Permission,
  serviceId: string,
  { takesLimitedRoles }: Pick<Context, 'takesLimitedRoles'>,
): Actor {
  if (takesLimitedRoles || !hasPermission(actor, permission, serviceId)) return actor
  const bindings = bindingsWith(actor, permission, serviceId)
  // No bindings would mean no limits.
  if (bindings.length === 0 && actor.bindings.length > 0) throw forbidden(permission)
  if (bindings.length === actor.bindings.length) return actor
  const readOnly = actor.bindings.filter(
    (binding) => !bindings.includes(binding) && canReadAnything(binding, serviceId),
  )
  return { ...actor, bindings, ...(!permission.endsWith(':read') && { readOnly: { permission, bindings: readOnly } }) }
}

const canReadAnything = ({ permissions = new Set() }: Binding, serviceId: string): boolean =>
  [...permissions].some((permission) => permission.startsWith(`${serviceId}.`) && permission.endsWith(':read'))

/** @throws {Problem} 403 unless the actor is one of these services */
export function requireCaller({ service }: Actor, callers: readonly string[]): void {
  if (service !== null && callers.includes(service)) return
  throw new Problem(403, 'permission_missing', `Only these services can call this: ${callers.join(', ')}.`, {
    members: { permission: 'service' },
  })
}

/** @throws {Problem} 403 for a test key where the context refuses them */
export async function refuseTestKey(
  { credential, organization }: Actor,
  { refusesTestKeys }: Pick<Context, 'refusesTestKeys'>,
  provided: Provided,
): Promise<void> {
  if (!credential.test || !organization || !(await refusesTestKeys?.(provided, organization.id))) return
  throw new Problem(403, 'test_key_not_allowed', 'Test keys can’t be used here: this data is live. Use a live key.')
}

/** @throws {Problem} 403 for one of these services */
export function refuseCaller({ service }: Actor, refused: readonly string[]): void {
  if (service === null || !refused.includes(service)) return
  throw new Problem(403, 'permission_missing', `The service ${service} can’t call this service.`, {
    members: { permission: 'service' },
  })
}

/** @throws {Problem} 403 for a session that an organization's identity provider opened: it isn't the person's own */
export function requireOwnSession(actor: Actor | null): void {
  if (!actor?.onlyIn) return
  throw new Problem(
    403,
    'own_session_required',
    'You signed in with your organization’s single sign-on, which gives access to that organization only. Sign in another way to change your personal settings.',
  )
}

/** Neither an API key nor a third-party app. */
export const isPerson = ({ tokenType, app }: Actor): boolean => tokenType !== 'api_key' && app === null

/** @throws {Problem} 403 for an API key and a third-party app */
export function requirePerson(actor: Actor | null): Actor | null {
  if (actor && !isPerson(actor)) throw personNeeded()
  return actor
}

export const suspendedProblem = ({ name, reason, deletesAt }: Suspension): Problem =>
  deletesAt
    ? awaitingDeletion(name, deletesAt)
    : new Problem(
        403,
        'workspace_suspended',
        `${name} is suspended: ${reason} No data is lost. Switch to another organization, or contact the platform’s operator.`,
      )

const awaitingDeletion = (name: string, deletesAt: Date): Problem =>
  new Problem(
    403,
    'workspace_suspended',
    `${name} will be deleted on ${dayInWords(deletesAt)}. Until then, its owners can cancel the deletion.`,
    { members: { deletesAt }, next: '/settings/organization/deletion' },
  )

export const unmetRequirementProblem = (requirement: UnmetRequirement): Problem =>
  requirement.needs === 'second_factor' ? secondFactorNeeded(requirement.name) : ssoRequired(requirement)

function ssoRequired({ name, organizationId }: UnmetRequirement): Problem {
  const next = `/login/organization?id=${organizationId}`
  return new Problem(
    403,
    'organization_requires_sso',
    `${name} requires single sign-on. Sign in with SSO to continue.`,
    {
      members: { signIn: next },
      next,
    },
  )
}

export const secondFactorNeeded = (name: string): Problem =>
  new Problem(
    403,
    'organization_requires_second_factor',
    `${name} requires two-factor authentication. Set it up in your security settings, or sign in with your second factor.`,
    { next: '/settings/security' },
  )

const personNeeded = () =>
  new Problem(403, 'session_required', 'Only a signed-in user can do this, not an API key, app or service.')

/** Empty for a context that isn't in the registry: no permission begins with it. */
export const serviceIdOf = async (
  { slug, registered }: Pick<Context, 'slug' | 'registered'>,
  serviceId: (slug: string) => Promise<string>,
): Promise<string> => (registered === false ? '' : serviceId(slug))
