import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { bindableResources, memberships, servicePermissions, services, users } from '../../schema.ts'
import { listManagedServices } from '../issue/authority.ts'
import type { ApiKeyDetailRow, ApiKeyRow, KeyStatus } from '../contract.ts'
import { leastPrivilege } from './least-privilege.ts'
import { expiryOf } from './rows.ts'

export async function describeKeys(
  { db, actor, now }: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now'>,
  keys: ApiKeyRow[],
): Promise<ApiKeyDetailRow[]> {
  if (keys.length === 0) return []
  const [managed, people, resources, scopes] = await Promise.all([
    listManagedServices(db, actor),
    findPeople(db, organizationOf(actor, 'api_keys:write'), keys),
    findResourceNames(db, organizationOf(actor, 'api_keys:write'), keys),
    findScopeDescriptions(db, keys),
  ])
  return keys.map((key) => {
    const service = managed.find(({ slug }) => slug === key.service)
    const creator = people.get(key.createdBy)
    const status = statusOf(key, key.agentId !== null || creator?.isMember === true, now())
    const canRevoke = status !== 'revoked' && status !== 'expired'
    const hasScopes = key.permissions.every((permission) => actor.permissions.has(`${service?.id}.${permission}`))
    return {
      ...key,
      serviceName: service?.name ?? key.service,
      createdByName: creator?.name ?? null,
      agentName: (key.agentId && people.get(key.agentId)?.name) ?? null,
      bindings: key.bindings.map(({ kind, id }) => ({ kind, id, name: resources.get(`${kind}:${id}`) ?? null })),
      scopeUse: key.scopeUse.map((use) => ({ ...use, description: scopes.get(`${key.service} ${use.scope}`) ?? '' })),
      status,
      suggestion: leastPrivilege(key, now()),
      can: { rotate: canRevoke && status !== 'replaced' && hasScopes, revoke: canRevoke },
    }
  })
}

const soonMs = 7 * 24 * 60 * 60 * 1000

/** `hasOwner` is false when the person that the key depends on has left the organization. */
function statusOf(key: ApiKeyRow, hasOwner: boolean, now: Date): KeyStatus {
  if (key.revokedAt) return 'revoked'
  const end = expiryOf(key)
  if (end && end <= now) return 'expired'
  if (!hasOwner) return 'disabled'
  if (key.overlapEndsAt) return 'replaced'
  return end && end.getTime() - now.getTime() < soonMs ? 'expiring' : 'active'
}

async function findPeople(db: Database, organizationId: string, keys: ApiKeyRow[]) {
  const ids = [...new Set(keys.flatMap(({ createdBy, agentId }) => (agentId ? [createdBy, agentId] : [createdBy])))]
  const rows = await db
    .select({ id: users.id, name: users.name, member: memberships.userId })
    .from(users)
    .leftJoin(memberships, and(eq(memberships.userId, users.id), eq(memberships.organizationId, organizationId)))
    .where(inArray(users.id, ids))
  return new Map(rows.map(({ id, name, member }) => [id, { name, isMember: member !== null }]))
}

/** By `<kind>:<id>`, without those of deleted resources. */
async function findResourceNames(
  db: Database,
  organizationId: string,
  keys: ApiKeyRow[],
): Promise<Map<string, string>> {
  const ids = [...new Set(keys.flatMap(({ bindings }) => bindings.map(({ id }) => id)))]
  if (ids.length === 0) return new Map()
  const { kind, resourceId, name, deletedAt } = bindableResources
  const rows = await db
    .select({ kind, id: resourceId, name })
    .from(bindableResources)
    .where(and(eq(bindableResources.organizationId, organizationId), inArray(resourceId, ids), isNull(deletedAt)))
  return new Map(rows.map((row) => [`${row.kind}:${row.id}`, row.name]))
}

/** By `<service> <scope>`. */
async function findScopeDescriptions(db: Database, keys: ApiKeyRow[]): Promise<Map<string, string>> {
  const scopes = [...new Set(keys.flatMap((key) => key.scopes))]
  const rows = await db
    .select({
      service: services.slug,
      scope: servicePermissions.scope,
      description: servicePermissions.description,
    })
    .from(servicePermissions)
    .innerJoin(services, eq(services.id, servicePermissions.serviceId))
    .where(inArray(servicePermissions.scope, scopes))
  return new Map(rows.map(({ service, scope, description }) => [`${service} ${scope}`, description]))
}
