import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import { atLeast, type Actor, type Binding } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { forbidden, invalid, notFound, Problem } from '#lib/errors.ts'
import { findMissing } from '../../organizations/bindable-resources/bindable-resources.ts'
import { permissionOf } from '../../contract/fields.ts'
import { apiKeys, servicePermissions, services } from '../../schema.ts'
import type { KeyMode } from '../contract.ts'
import { expiryOf } from '../keys/rows.ts'

export interface KeyService {
  id: string
  slug: string
  name: string
}

const managePermission = 'api_keys:write'

interface ServiceWithScopes extends KeyService {
  /** `api_keys:write` when the service declares it. */
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

/** Requires `api_keys:write` in the key's service where the service declares it, else the admin role. */
function canManage(actor: Actor, { id, ownPermission }: ServiceWithScopes): boolean {
  if (ownPermission) return actor.permissions.has(`${id}.${ownPermission}`)
  return actor.tokenType !== 'api_key' && actor.organization !== null && atLeast(actor.organization.role, 'admin')
}

/** @throws {Problem} 403 when there are none */
export async function listManagedServices(db: Database, actor: Actor): Promise<KeyService[]> {
  const managed = (await servicesWithScopes(db)).filter((service) => canManage(actor, service))
  if (managed.length === 0) throw forbidden(managePermission)
  return managed
}

/** @throws {Problem} 422 for a service without API keys, 403 when the actor can't manage its keys */
export async function findManagedService(db: Database, actor: Actor, slug: string): Promise<KeyService> {
  const service = (await servicesWithScopes(db)).find((each) => each.slug === slug)
  if (!service) throw invalid([{ path: 'service', message: `Must be a service with API keys. ${slug} isn’t one.` }])
  if (!canManage(actor, service)) throw forbidden(service.ownPermission ?? 'role:admin')
  return service
}

/** @throws {Problem} 422 for scopes that the service doesn't have, 403 naming a missing permission */
export async function requireScopes(db: Database, actor: Actor, service: { id: string }, scopes: string[]) {
  const known = await db
    .select({ scope: servicePermissions.scope, permission: servicePermissions.permission })
    .from(servicePermissions)
    .where(and(eq(servicePermissions.serviceId, service.id), inArray(servicePermissions.scope, scopes)))
  const unknown = scopes.filter((scope) => !known.some((each) => each.scope === scope))
  if (unknown.length > 0) {
    const path = (scope: string) => `scopes.${scopes.indexOf(scope)}`
    throw invalid(
      unknown.map((scope) => ({ path: path(scope), message: `The service doesn’t have the scope ${scope}.` })),
    )
  }
  const missing = known.find(({ permission }) => !actor.permissions.has(`${service.id}.${permission}`))
  if (missing) throw forbidden(missing.permission)
}

/** @throws {Problem} 404 for a binding to a resource that the organization doesn't have */
export async function requireBindable(db: Database, actor: Actor, service: KeyService, bindings: Binding[]) {
  const absent = bindings.length > 0 ? await findMissing(db, actor, service.id, bindings) : undefined
  if (absent) throw notFound(absent.kind)
}

const isSame = (one: Binding, other: Binding): boolean => one.kind === other.kind && one.id === other.id

interface KeyLimits {
  mode: KeyMode
  bindings: readonly Binding[]
  /** Null for no expiry. */
  end: Date | null
}

/** A test key can only manage test keys (IDN-36). @throws {Problem} 403 */
export function requireMode(actor: Actor, mode: KeyMode): void {
  if (!actor.credential.test || mode === 'test') return
  throw new Problem(
    403,
    'exceeds_own_key',
    'A test key can only create, rotate and revoke test keys. Use a live key or sign in.',
  )
}

/** No other resources, no live key by a test key, no later expiry. @throws {Problem} 403 */
export async function requireWithinOwn(db: Database, actor: Actor, { mode, bindings, end }: KeyLimits): Promise<void> {
  if (actor.tokenType !== 'api_key') return
  const [own] = await db.select().from(apiKeys).where(eq(apiKeys.id, actor.credential.id))
  const ownEnd = own && expiryOf(own)
  if (ownEnd && (!end || end > ownEnd)) throw beyondOwnKey('expires after it does')
  requireMode(actor, mode)
  if (!isBoundWithin(actor.bindings, bindings)) throw beyondOwnKey('has access to other resources')
}

/** Without own bindings there is no limit. */
const isBoundWithin = (own: readonly Binding[], bindings: readonly Binding[]): boolean =>
  own.length === 0 || (bindings.length > 0 && bindings.every((binding) => own.some((each) => isSame(each, binding))))

/** A creator limited to resources must bind an agent's key to some of them (IDN-27). @throws {Problem} 403 */
export function requireWithinReach(
  actor: Actor,
  { id }: KeyService,
  { scopes, bindings }: { scopes: string[]; bindings: Binding[] },
): void {
  const isLimit = ({ permissions = new Set() }: Binding) => [...permissions].some((own) => own.startsWith(`${id}.`))
  const limits = actor.bindings.filter(isLimit)
  const permissions = scopes.map((scope) => `${id}.${permissionOf(scope)}`)
  const opens = (each: Binding) => permissions.every((permission) => each.permissions?.has(permission))
  const isOwn = (binding: Binding) => limits.some((each) => isSame(each, binding) && opens(each))
  if (limits.length === 0 || (bindings.length > 0 && bindings.every(isOwn))) return
  throw new Problem(
    403,
    'exceeds_own_key',
    'Your role is limited to certain resources. Bind the agent’s key to resources in which you have all of its scopes.',
  )
}

const beyondOwnKey = (how: string) =>
  new Problem(403, 'exceeds_own_key', `A key can’t create a key that ${how}. Use a key with more access or sign in.`)
