import { and, eq, inArray, isNull, notInArray } from 'drizzle-orm'
import { roles, type Actor, type Role } from '#lib/actor.ts'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import { scopeOf } from '../../contract/fields.ts'
import { publishRevocation } from '../../tokens/revocation.ts'
import {
  apiKeys,
  apiKeyScopes,
  developerApps,
  roleBundles,
  serviceAccess,
  servicePermissions,
  serviceRedirectUris,
  services,
} from '../../schema.ts'
import { approvedActions } from '../actions/actions.ts'
import { findApp, lockApp } from '../apps.ts'
import type { DeveloperAppRow } from '../contract.ts'

type ActorCall = Call<unknown, Actor>

/**
 * First its service, hidden while new; then its approved actions; then it becomes visible. Repeating it completes a
 * failed one. @throws {Problem} 404, 409 for an app that isn't approved as it is and for a removed permission that
 * keys still use, 422 as the sync
 */
export async function publishApp(call: ActorCall, id: string): Promise<DeveloperAppRow> {
  const { serviceId } = await auditedTransaction(call, (tx) => register({ ...call, db: tx }, id))
  await call.actionSync(serviceId, await approvedActions(call.db, id))
  return auditedTransaction(call, (tx) => makeVisible({ ...call, db: tx }, id, serviceId))
}

/** Removes its actions from the catalog. @throws {Problem} 404, and 409 for an app that isn't published */
export async function unpublishApp(call: ActorCall, id: string): Promise<DeveloperAppRow> {
  const { serviceId, publishedAt } = await findApp(call, id)
  if (!serviceId || !publishedAt) throw conflict('not_published', 'The app isn’t published.')
  await call.actionSync(serviceId, [])
  return auditedTransaction(call, (tx) => hide({ ...call, db: tx }, id, serviceId))
}

async function register(call: ActorCall, id: string): Promise<{ serviceId: string }> {
  const { db, actor, now, events } = call
  const app = await lockApp(call, id)
  if (app.status !== 'approved' && app.status !== 'published')
    throw conflict('not_approved', 'Only an approved app without later changes can be published.')
  const serviceId = await upsertEntry(db, app)
  await replaceRedirectUris(db, serviceId, app)
  await declarePermissions(db, serviceId, app)
  await db
    .insert(serviceAccess)
    .values({ organizationId: app.organizationId, serviceId, grantedAt: now(), grantedBy: actor.principal.id })
    .onConflictDoNothing()
  await db.update(developerApps).set({ serviceId }).where(eq(developerApps.id, id))
  recordChange(db, { object: 'developer_app', id, before: { serviceId: app.serviceId }, after: { serviceId } })
  await publishRevocation(db, events, app.organizationId)
  return { serviceId }
}

async function upsertEntry(
  db: Database,
  { serviceId, slug, name, description, webUrl }: DeveloperAppRow,
): Promise<string> {
  const fields = { name, description, webUrl, surfaceKind: 'app' as const, surfaceGroup: 'Apps' }
  const rows = serviceId
    ? await db.update(services).set(fields).where(eq(services.id, serviceId)).returning({ id: services.id })
    : await db
        .insert(services)
        .values({ ...fields, slug })
        .onConflictDoNothing()
        .returning({ id: services.id })
  const [entry] = rows
  if (!entry)
    throw conflict(
      'slug_taken',
      'Another service has taken this slug in the meantime. Create the app again with a different slug.',
    )
  return entry.id
}

async function replaceRedirectUris(db: Database, serviceId: string, app: DeveloperAppRow): Promise<void> {
  await db.delete(serviceRedirectUris).where(eq(serviceRedirectUris.serviceId, serviceId))
  const rows = app.redirectUris.map((uri) => ({ serviceId, uri, handoff: uri === app.handoffUri }))
  if (rows.length > 0) await db.insert(serviceRedirectUris).values(rows).onConflictDoNothing()
}

async function declarePermissions(db: Database, serviceId: string, { permissions }: DeveloperAppRow): Promise<void> {
  const declared = permissions.map(({ permission }) => permission)
  await requireUnused(db, serviceId, declared)
  const ofService = eq(servicePermissions.serviceId, serviceId)
  await db.delete(servicePermissions).where(and(ofService, notInArray(servicePermissions.permission, declared)))
  for (const { permission, description } of permissions) {
    const scope = scopeOf(permission)
    await db
      .insert(servicePermissions)
      .values({ serviceId, permission, scope, description })
      .onConflictDoUpdate({
        target: [servicePermissions.serviceId, servicePermissions.permission],
        set: { description },
      })
    await db
      .insert(roleBundles)
      .values(defaultRolesOf(permission).map((role) => ({ serviceId, role, permission })))
      .onConflictDoNothing()
  }
}

/** @throws {Problem} 409 for a removed permission whose scope keys still have */
async function requireUnused(db: Database, serviceId: string, declared: string[]): Promise<void> {
  const scopes = declared.map(scopeOf)
  const used = await db
    .selectDistinct({ scope: apiKeyScopes.scope })
    .from(apiKeyScopes)
    .innerJoin(apiKeys, and(eq(apiKeys.id, apiKeyScopes.apiKeyId), isNull(apiKeys.revokedAt)))
    .where(and(eq(apiKeyScopes.serviceId, serviceId), notInArray(apiKeyScopes.scope, scopes)))
  if (used.length === 0) return
  const list = used.map(({ scope }) => scope).join(', ')
  throw conflict(
    'scope_in_use',
    `API keys still use scopes that the app no longer declares: ${list}. Keep these scopes, or ask the owners of the keys to revoke them.`,
  )
}

/** Until super admins change them: everyone can read, editors can write, admins can do the rest. */
function defaultRolesOf(permission: string): Role[] {
  const lowest = permission.endsWith(':read') ? 'viewer' : /:(write|create)$/.test(permission) ? 'editor' : 'admin'
  return roles.slice(roles.indexOf(lowest))
}

async function makeVisible(call: ActorCall, id: string, serviceId: string): Promise<DeveloperAppRow> {
  const { db, now } = call
  const publishedAt = now()
  const [published] = await db
    .update(developerApps)
    .set({ status: 'published', publishedAt })
    .where(and(eq(developerApps.id, id), inArray(developerApps.status, ['approved', 'published'])))
    .returning()
  if (!published) throw conflict('not_approved', 'The app was changed at the same time. Submit it again.')
  await db.update(services).set({ launchable: true }).where(eq(services.id, serviceId))
  recordChange(db, { object: 'developer_app', id, after: { status: 'published', publishedAt } })
  return findApp(call, id)
}

async function hide(call: ActorCall, id: string, serviceId: string): Promise<DeveloperAppRow> {
  const { db } = call
  const app = await lockApp(call, id)
  const status = app.status === 'published' ? 'approved' : app.status
  await db.update(developerApps).set({ status, publishedAt: null }).where(eq(developerApps.id, id))
  await db.update(services).set({ launchable: false }).where(eq(services.id, serviceId))
  recordChange(db, {
    object: 'developer_app',
    id,
    before: { status: app.status },
    after: { status, publishedAt: null },
  })
  return findApp(call, id)
}
