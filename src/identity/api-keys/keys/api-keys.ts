import { and, desc, eq, ilike, inArray, isNull, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { containsPattern, type Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { byId, type PageOf } from '#lib/paginate.ts'
import { endExpiry } from './expiry-action.ts'
import { refuseEndedAccess } from '../../developer-console/developer-organization.ts'
import { permissionOf } from '../../contract/fields.ts'
import { publishRevocation } from '../../tokens/revocation.ts'
import { apiKeyBindings, apiKeys, apiKeyScopes, services } from '../../schema.ts'
import { listManagedServices, requireMode } from '../issue/authority.ts'
import type { ApiKeyRow, KeyMode } from '../contract.ts'
import { emitKeysRevoked } from '../events.ts'
import { bindingOf, scopeUseOf } from './rows.ts'

const milliseconds = (column: SQLWrapper) => sql`(extract(epoch FROM ${column}) * 1000)::bigint::text`

const selectKeys = (db: Database) =>
  db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      service: services.slug,
      mode: apiKeys.mode,
      used: sql<string[]>`ARRAY(
        SELECT ${apiKeyScopes.scope} || ' ' || ${milliseconds(apiKeyScopes.watchedSince)}
          || ' ' || coalesce(${milliseconds(apiKeyScopes.lastUsedAt)}, '')
        FROM ${apiKeyScopes} WHERE ${apiKeyScopes.apiKeyId} = ${apiKeys.id} ORDER BY ${apiKeyScopes.scope})`,
      bound: sql<string[]>`ARRAY(
        SELECT ${apiKeyBindings.kind} || ':' || ${apiKeyBindings.resourceId} FROM ${apiKeyBindings}
        WHERE ${apiKeyBindings.apiKeyId} = ${apiKeys.id} ORDER BY 1)`,
      lastFour: apiKeys.lastFour,
      createdBy: apiKeys.createdBy,
      agentId: apiKeys.agentId,
      createdAt: apiKeys.createdAt,
      expiresAt: apiKeys.expiresAt,
      rotatedFrom: apiKeys.rotatedFrom,
      overlapEndsAt: apiKeys.overlapEndsAt,
      revokedAt: apiKeys.revokedAt,
      lastUsedAt: apiKeys.lastUsedAt,
    })
    .from(apiKeys)
    .innerJoin(services, eq(services.id, apiKeys.serviceId))
    .$dynamic()

type Row = Awaited<ReturnType<typeof selectKeys>>[number]

function apiKeyOf({ bound, used, ...row }: Row): ApiKeyRow {
  const scopeUse = used.map(scopeUseOf)
  const scopes = scopeUse.map(({ scope }) => scope)
  const permissions = scopes.map(permissionOf)
  return { ...row, scopes, scopeUse, permissions, bindings: bound.map(bindingOf) }
}

/** Keys of the actor's organization and services. A bound key manages only keys with bindings among its own. */
async function isManaged(db: Database, actor: Actor): Promise<SQL | undefined> {
  const ids = (await listManagedServices(db, actor)).map(({ id }) => id)
  const within = actor.bindings.length > 0 ? boundWithin(actor) : undefined
  return and(
    eq(apiKeys.organizationId, organizationOf(actor, 'api_keys:write')),
    inArray(apiKeys.serviceId, ids),
    within,
  )
}

/** `isManaged`, but a test key doesn't see live keys (IDN-36). */
async function isVisible(db: Database, actor: Actor): Promise<SQL | undefined> {
  return and(await isManaged(db, actor), actor.credential.test ? eq(apiKeys.mode, 'test') : undefined)
}

const boundWithin = ({ bindings }: Actor): SQL => {
  const own = sql.param(bindings.map(({ kind, id }) => `${kind}:${id}`))
  return sql`(SELECT bool_and(${apiKeyBindings.kind} || ':' || ${apiKeyBindings.resourceId} = ANY(${own}::text[]))
    FROM ${apiKeyBindings} WHERE ${apiKeyBindings.apiKeyId} = ${apiKeys.id})`
}

/** @throws {Problem} 403 for an actor who can't manage keys */
export async function list(
  db: Database,
  actor: Actor,
  { q, mode, ...page }: { q?: string; mode?: KeyMode; limit: number; cursor?: string },
): Promise<PageOf<ApiKeyRow>> {
  const slice = byId(apiKeys.id, 'desc').slice(page)
  const matches = q ? or(ilike(apiKeys.name, containsPattern(q)), eq(apiKeys.lastFour, q)) : undefined
  const ofMode = mode ? eq(apiKeys.mode, mode) : undefined
  const rows = await selectKeys(db)
    .where(and(await isVisible(db, actor), slice.where, matches, ofMode))
    .orderBy(...slice.order)
    .limit(slice.limit)
  return slice.page(rows.map(apiKeyOf))
}

/** @throws {Problem} 404 also for a key that isn't the actor's to manage or see */
export async function find(db: Database, actor: Actor, id: string): Promise<ApiKeyRow> {
  const [row] = await selectKeys(db).where(and(await isVisible(db, actor), eq(apiKeys.id, id)))
  if (!row) throw notFound('API key')
  return apiKeyOf(row)
}

/** @throws {Problem} 403 for an actor who can't manage keys */
export async function findAll(db: Database, actor: Actor, ids: string[]): Promise<ApiKeyRow[]> {
  const rows = await selectKeys(db)
    .where(and(await isVisible(db, actor), inArray(apiKeys.id, ids)))
    .orderBy(desc(apiKeys.id))
  return rows.map(apiKeyOf)
}

/** Locked until the transaction ends. @throws {Problem} 404, and 403 when a test key asks for a live key */
export async function findLocked(db: Database, actor: Actor, id: string): Promise<ApiKeyRow> {
  const [row] = await db
    .select({ mode: apiKeys.mode })
    .from(apiKeys)
    .where(and(await isManaged(db, actor), eq(apiKeys.id, id)))
    .for('update')
  if (row) requireMode(actor, row.mode)
  return find(db, actor, id)
}

const descendantsOf = (id: string) => sql`(
  WITH RECURSIVE made AS (
    SELECT ${apiKeys.id} FROM ${apiKeys} WHERE ${apiKeys.madeByKey} = ${id}
    UNION SELECT key.id FROM ${apiKeys} AS key JOIN made ON key.made_by_key = made.id)
  SELECT id FROM made)`

/** With the keys created by it, on every server (IDN-05). @throws {Problem} 404, and 403 as `createKey` */
export async function revoke(
  call: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now' | 'events' | 'queue'>,
  id: string,
): Promise<ApiKeyRow> {
  const { db, actor, now, events } = call
  await refuseEndedAccess(db, organizationOf(actor, 'api_keys:write'))
  const before = await findLocked(db, actor, id)
  if (before.revokedAt) return before
  const revokedAt = now()
  await db.update(apiKeys).set({ revokedAt }).where(eq(apiKeys.id, id))
  const made = await db
    .update(apiKeys)
    .set({ revokedAt })
    .where(and(inArray(apiKeys.id, descendantsOf(id)), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id })
  const after = await find(db, actor, id)
  recordChange(db, { object: 'api_key', id, before, after })
  for (const child of made) recordChange(db, { object: 'api_key', id: child.id, after: { revokedAt, revokedWith: id } })
  const ended = [{ id }, ...made]
  for (const key of ended) {
    await publishRevocation(db, events, key.id)
    await endExpiry(db, key.id)
  }
  await emitKeysRevoked(db, call, ended)
  return after
}
