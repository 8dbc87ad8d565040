import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import { atLeast, type Actor, type Binding } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { forbidden, invalid, notFound, Problem } from '#lib/errors.ts'
import { findMissing } from '../bindables/bindables.ts'
import { apiKeys, servicePermissions, services } from '../schema.ts'
import type { KeyMode } from './contract.ts'
import { expiryOf } from './rows.ts'

/** A service whose keys the actor may make, see and end. */
export interface KeyService {
  id: string
  slug: string
  name: string
}

const managePermission = 'api_keys:write'

interface ServiceWithScopes extends KeyService {
  /** `api_keys:write` where the service's catalog has it. */
  ownPermission: string | null
}

const servicesWithScopes = (db: Database): Promise<ServiceWithScopes[]> =>
  db
    .selectDistinct({
      id: services.id,
      slug: services.slug,
      name: services.name,
      ownPermission: servicePermissions.permission,
    })
    .from(services)
    .leftJoin(
      servicePermissions,
      and(eq(servicePermissions.serviceId, services.id), eq(servicePermissions.permission, managePermission)),
    )
    .where(inArray(services.id, scoped(db)))
    .orderBy(services.name)

const scoped = (db: Database) =>
  db.select({ id: servicePermissions.serviceId }).from(servicePermissions).where(isNotNull(servicePermissions.scope))

/** Keys are for whoever has `api_keys:write` in the key's service where it knows that, else for admins. */
function canManage(actor: Actor, { id, ownPermission }: ServiceWithScopes): boolean {
  if (ownPermission) return actor.permissions.has(`${id}.${ownPermission}`)
  return actor.tokenType !== 'api_key' && actor.organization !== null && atLeast(actor.organization.role, 'admin')
}

/** The services whose keys the actor may manage, by name. Throws 403 when there are none. */
export async function listManagedServices(db: Database, actor: Actor): Promise<KeyService[]> {
  const managed = (await servicesWithScopes(db)).filter((service) => canManage(actor, service))
  if (managed.length === 0) throw forbidden(managePermission)
  return managed
}

/** The service of a new key. Throws 422 for one that has no keys, 403 for one whose keys are not the actor's to manage. */
export async function findManagedService(db: Database, actor: Actor, slug: string): Promise<KeyService> {
  const service = (await servicesWithScopes(db)).find((each) => each.slug === slug)
  if (!service) throw invalid([{ path: 'service', message: `There is no service ${slug} that takes API keys.` }])
  if (!canManage(actor, service)) throw forbidden(service.ownPermission ?? 'role:admin')
  return service
}

/** Throws 422 for scopes that the service doesn't have, and 403 naming a permission that the actor doesn't hold. */
export async function requireScopes(db: Database, actor: Actor, service: { id: string }, scopes: string[]) {
  const known = await db
    .select({ scope: servicePermissions.scope, permission: servicePermissions.permission })
    .from(servicePermissions)
    .where(and(eq(servicePermissions.serviceId, service.id), inArray(servicePermissions.scope, scopes)))
  const unknown = scopes.filter((scope) => !known.some((each) => each.scope === scope))
  if (unknown.length > 0) {
    const path = (scope: string) => `scopes.${scopes.indexOf(scope)}`
    throw invalid(unknown.map((scope) => ({ path: path(scope), message: `The service has no scope ${scope}.` })))
  }
  const missing = known.find(({ permission }) => !actor.permissions.has(`${service.id}.${permission}`))
  if (missing) throw forbidden(missing.permission)
}

/** Throws 404 for a binding to what the organization doesn't have. */
export async function requireBindable(db: Database, actor: Actor, service: KeyService, bindings: Binding[]) {
  const absent = bindings.length > 0 ? await findMissing(db, actor, service.id, bindings) : undefined
  if (absent) throw notFound(absent.kind)
}

const isSame = (one: Binding, other: Binding): boolean => one.kind === other.kind && one.id === other.id

interface KeyLimits {
  mode: KeyMode
  bindings: readonly Binding[]
  /** Null for no end. */
  end: Date | null
}

/** A test key makes, rotates and ends no live one (IDN-36). Throws 403. */
export function requireMode(actor: Actor, mode: KeyMode): void {
  if (!actor.credential.test || mode === 'test') return
  throw new Problem(
    403,
    'beyond_own_key',
    'A test key makes, rotates and ends test keys alone. Ask a person, or use a live key.',
  )
}

/** A key gives on no more than it has: no more resources, nothing real for a test key, no longer a life. Throws 403. */
export async function requireWithinOwn(db: Database, actor: Actor, { mode, bindings, end }: KeyLimits): Promise<void> {
  if (actor.tokenType !== 'api_key') return
  const [own] = await db.select().from(apiKeys).where(eq(apiKeys.id, actor.credential.id))
  const ownEnd = own && expiryOf(own)
  if (ownEnd && (!end || end > ownEnd)) throw beyondOwnKey('outlives it')
  requireMode(actor, mode)
  if (!isBoundWithin(actor.bindings, bindings)) throw beyondOwnKey('reaches further')
}

/** Whether these bindings are among the own ones; without own ones everything is. */
const isBoundWithin = (own: readonly Binding[], bindings: readonly Binding[]): boolean =>
  own.length === 0 || (bindings.length > 0 && bindings.every((binding) => own.some((each) => isSame(each, binding))))

/**
 * A key that works in an agent's name reaches no more than whoever makes it: where their role is limited to single
 * resources, it is bound to some in which they hold all its scopes (IDN-27). Throws 403.
 */
export function requireWithinReach(
  actor: Actor,
  { id }: KeyService,
  { scopes, bindings }: { scopes: string[]; bindings: Binding[] },
): void {
  const isLimit = ({ permissions = new Set() }: Binding) => [...permissions].some((own) => own.startsWith(`${id}.`))
  const limits = actor.bindings.filter(isLimit)
  const permissions = scopes.map((scope) => `${id}.${scope.replace('.', ':')}`)
  const opens = (each: Binding) => permissions.every((permission) => each.permissions?.has(permission))
  const isOwn = (binding: Binding) => limits.some((each) => isSame(each, binding) && opens(each))
  if (limits.length === 0 || (bindings.length > 0 && bindings.every(isOwn))) return
  throw new Problem(
    403,
    'beyond_own_key',
    'Your role reaches single resources alone. Bind the agent’s key to some in which you may do what it shall.',
  )
}

const beyondOwnKey = (how: string) =>
  new Problem(403, 'beyond_own_key', `A key makes no key that ${how}. Ask a person, or a key that may do more.`)
