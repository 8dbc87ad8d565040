import { desc, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { find, findAll, revoke } from '../../api-keys/keys/api-keys.ts'
import type { ApiKeyDraft, ApiKeyRow, NewApiKeyRow, Rotation } from '../../api-keys/contract.ts'
import { createKey, rotateKey } from '../../api-keys/issue/issue.ts'
import { scopeOf } from '../../contract/fields.ts'
import { developerAppKeys } from '../../schema.ts'
import { findApp, lockApp } from '../apps.ts'
import type { DeveloperAppRow } from '../contract.ts'

type ActorCall = Call<unknown, Actor>

/** The newest 100, also inactive ones. @throws {Problem} 404 */
export async function listAppKeys(call: ActorCall, appId: string): Promise<ApiKeyRow[]> {
  await findApp(call, appId)
  const rows = await call.db
    .select({ id: developerAppKeys.apiKeyId })
    .from(developerAppKeys)
    .where(eq(developerAppKeys.appId, appId))
    .orderBy(desc(developerAppKeys.apiKeyId))
    .limit(100)
  const ids = rows.map(({ id }) => id)
  return findAll(call.db, call.actor, ids)
}

/** @throws {Problem} 404, 422 for scopes that the app doesn't request, and as `createKey` */
export async function createAppKey(call: ActorCall, appId: string, draft: ApiKeyDraft): Promise<NewApiKeyRow> {
  requireRequestedScopes(await lockApp(call, appId), draft)
  return linkKey(call.db, appId, await createKey(call, draft))
}

/** @throws {Problem} 404, and as `rotateKey` */
export async function rotateAppKey(call: ActorCall, appId: string, rotation: Rotation): Promise<NewApiKeyRow> {
  const app = await lockApp(call, appId)
  const old = await findAppKey(call, appId, rotation.id)
  requireRequestedScopes(app, old)
  return rotateKey(call, rotation)
}

/** @throws {Problem} 404 */
export async function revokeAppKey(call: ActorCall, appId: string, keyId: string): Promise<ApiKeyRow> {
  await lockApp(call, appId)
  await findAppKey(call, appId, keyId)
  return revoke(call, keyId)
}

async function findAppKey({ db, actor }: ActorCall, appId: string, keyId: string): Promise<ApiKeyRow> {
  const [row] = await db.select().from(developerAppKeys).where(eq(developerAppKeys.apiKeyId, keyId))
  if (row?.appId !== appId) throw notFound('API key')
  return find(db, actor, keyId)
}

async function linkKey(db: Database, appId: string, key: NewApiKeyRow): Promise<NewApiKeyRow> {
  await db.insert(developerAppKeys).values({ appId, apiKeyId: key.id })
  return key
}

/** An app's keys can have the scopes that it requests of other services, and all of its own. */
function requireRequestedScopes(
  app: DeveloperAppRow,
  { service, scopes }: Pick<ApiKeyDraft, 'service' | 'scopes'>,
): void {
  const own = app.permissions.map(({ permission }) => `${app.slug}/${scopeOf(permission)}`)
  const requested = new Set([...app.scopes, ...own])
  const beyond = scopes.flatMap((scope, at) => (requested.has(`${service}/${scope}`) ? [] : [{ scope, at }]))
  if (beyond.length === 0) return
  throw invalid(
    beyond.map(({ scope, at }) => ({ path: `scopes.${at}`, message: `The app doesn’t request ${service}/${scope}.` })),
  )
}
