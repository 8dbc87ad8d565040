import { and, count, eq, isNull } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, notFound } from '#lib/errors.ts'
import { publishRevocationForAll } from '../tokens/revocation.ts'
import { apiKeys, apiKeyScopes, servicePermissions } from '../schema.ts'
import { findService, permissionsOf } from './services.ts'
import type { ScopeDraft, ScopeEdit, ScopeEnd } from './contract.ts'
import { permissionOf } from '../contract/fields.ts'

type RevocationContext = Pick<Call, 'db' | 'events'>

/** No role includes it yet. @throws 404; 409 for an existing one */
export async function addScope(db: Database, { id, scope, description, forKeys }: ScopeDraft) {
  await permissionsOf(db, id)
  const permission = permissionOf(scope)
  const row = { serviceId: id, permission, scope: forKeys ? scope : null, description }
  const added = await db.insert(servicePermissions).values(row).onConflictDoNothing().returning()
  if (added.length === 0) throw conflict('scope_exists', `The service already has ${scope}.`)
  recordChange(db, { object: 'service', id, after: row })
  return requireScope(db, id, permission)
}

/** @throws 404; 409 `scope_in_use` when keys would lose it and `narrowKeys` is not set */
export async function editScope(
  { db, events }: RevocationContext,
  { id, scope, description, forKeys, narrowKeys }: ScopeEdit,
) {
  const before = await lockScope(db, id, scope)
  if (forKeys === false && before.scope) await removeFromKeys(db, { id, scope, narrowKeys })
  const changes = { description: description ?? before.description, scope: (forKeys ?? before.scope) ? scope : null }
  await db.update(servicePermissions).set(changes).where(matchesScope(id, scope))
  recordChange(db, { object: 'service', id, before, after: { ...before, ...changes } })
  await publishRevocationForAll(db, events)
  return requireScope(db, id, before.permission)
}

/** Removes it from roles, overrides and keys. @throws 404; 409 as `editScope` */
export async function removeScope({ db, events }: RevocationContext, { id, scope, narrowKeys }: ScopeEnd) {
  const before = await lockScope(db, id, scope)
  const narrowedKeys = await removeFromKeys(db, { id, scope, narrowKeys })
  await db.delete(servicePermissions).where(matchesScope(id, scope))
  recordChange(db, { object: 'service', id, before, after: { narrowedKeys } })
  await publishRevocationForAll(db, events)
  return { narrowedKeys }
}

/** @throws {Problem} 404 */
export async function inspectService(db: Database, id: string) {
  const [service, { items }, keys] = await Promise.all([
    findService(db, id),
    permissionsOf(db, id),
    countKeysByScope(db, id),
  ])
  return { ...service, permissions: items.map((each) => ({ ...each, apiKeys: keys.get(each.scope ?? '') ?? 0 })) }
}

async function countKeysByScope(db: Database, id: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .select({ scope: apiKeyScopes.scope, keys: count() })
    .from(apiKeyScopes)
    .innerJoin(apiKeys, isActiveKey)
    .where(eq(apiKeyScopes.serviceId, id))
    .groupBy(apiKeyScopes.scope)
  return new Map(rows.map(({ scope, keys }) => [scope, keys]))
}

const isActiveKey = and(eq(apiKeys.id, apiKeyScopes.apiKeyId), isNull(apiKeys.revokedAt))

const matchesScope = (id: string, scope: string) =>
  and(eq(servicePermissions.serviceId, id), eq(servicePermissions.permission, permissionOf(scope)))

async function lockScope(db: Database, id: string, scope: string) {
  const [row] = await db.select().from(servicePermissions).where(matchesScope(id, scope)).for('update')
  if (!row) throw notFound('scope')
  return row
}

/** Returns the number of keys that lost the scope. */
async function removeFromKeys(db: Database, { id, scope, narrowKeys }: ScopeEnd): Promise<number> {
  const hasScope = and(eq(apiKeyScopes.serviceId, id), eq(apiKeyScopes.scope, scope))
  const keys = (await countKeysByScope(db, id)).get(scope) ?? 0
  if (keys > 0 && !narrowKeys)
    throw conflict(
      'scope_in_use',
      `${keys} API ${keys === 1 ? 'key has' : 'keys have'} ${scope}. Set narrowKeys to remove it from them.`,
    )
  await db.delete(apiKeyScopes).where(hasScope)
  return keys
}

async function requireScope(db: Database, id: string, permission: string) {
  const { items } = await permissionsOf(db, id)
  const one = items.find((each) => each.permission === permission)
  if (!one) throw notFound('scope')
  return one
}
