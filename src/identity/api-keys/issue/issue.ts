import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { responsibleOf, type Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, invalid } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { refuseEndedAccess } from '../../developer-console/developer-organization.ts'
import { publishRevocation } from '../../tokens/revocation.ts'
import { apiKeyBindings, apiKeys, apiKeyScopes, developerAppKeys } from '../../schema.ts'
import { requireAgentScopes } from '../agents/agent-keys.ts'
import { endExpiry } from '../keys/expiry-action.ts'
import { find, findLocked } from '../keys/api-keys.ts'
import {
  findManagedService,
  requireBindable,
  requireScopes,
  requireWithinOwn,
  requireWithinReach,
  type KeyService,
} from './authority.ts'
import { emitKeyCreated } from '../events.ts'
import { requestedExpiry, type ApiKeyRow, type ApiKeyDraft, type NewApiKeyRow, type Rotation } from '../contract.ts'
import { generateKeyText } from '../validation/key-text.ts'
import { hashOf } from '../validation/hash.ts'
import { expiryOf } from '../keys/rows.ts'

type IssueContext = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now' | 'secrets' | 'events' | 'queue'>

interface KeySpec extends Pick<
  ApiKeyRow,
  'name' | 'mode' | 'scopes' | 'bindings' | 'agentId' | 'expiresAt' | 'rotatedFrom'
> {
  service: KeyService
  madeByKey: string | null
}

/** Usable ones, per organization. */
const maxKeys = 1_000

/** The key's text is only in the result. @throws {Problem} 422, 403 for scopes beyond the creator's, 404, 409 */
export async function createKey(call: IssueContext, draft: ApiKeyDraft): Promise<NewApiKeyRow> {
  await refuseEndedAccess(call.db, organizationOf(call.actor, 'api_keys:write'))
  await requireKeyCapacity(call)
  const service = await findManagedService(call.db, call.actor, draft.service)
  const expiresAt = requireFutureExpiry(draft, call.now())
  return issueKey(call, {
    ...draft,
    service,
    scopes: [...new Set(draft.scopes)],
    agentId: draft.agentId ?? null,
    expiresAt,
    rotatedFrom: null,
    madeByKey: callingKeyId(call.actor),
  })
}

/** Keys that are revoked, replaced or expired don't count, so that every key can be rotated. */
async function requireKeyCapacity({ db, actor, now }: IssueContext): Promise<void> {
  const organizationId = organizationOf(actor, 'api_keys:write')
  // Concurrent requests wait for each other, so that each counts the other's key.
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`api keys ${organizationId}`}, 0))`)
  const usable = and(
    eq(apiKeys.organizationId, organizationId),
    isNull(apiKeys.revokedAt),
    isNull(apiKeys.overlapEndsAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now())),
  )
  if ((await db.$count(apiKeys, usable)) >= maxKeys)
    throw conflict('too_many_api_keys', `An organization can have at most ${maxKeys} API keys. Revoke one first.`)
}

const callingKeyId = ({ tokenType, credential }: Actor): string | null =>
  tokenType === 'api_key' ? credential.id : null

/** The caller owns the new key, so they need its scopes. @throws {Problem} 404, 409, and as `createKey` */
export async function rotateKey(call: IssueContext, input: Rotation): Promise<NewApiKeyRow> {
  const { db, actor } = call
  const now = call.now()
  await refuseEndedAccess(db, organizationOf(actor, 'api_keys:write'))
  const old = await findLocked(db, actor, input.id)
  if (isInactive(old, now))
    throw conflict('api_key_inactive', 'This key was revoked or replaced, or has expired. Create a new one.')
  const service = await findManagedService(db, actor, old.service)
  const expiresAt = requireFutureExpiry(input, now) ?? sameLifetime(old, now)
  const scopes = selectScopes(old, input.scopes)
  const madeByKey = callingKeyId(actor) === old.id ? await findMakerKey(db, old.id) : callingKeyId(actor)
  const made = await issueKey(call, { ...old, scopes, service, expiresAt, rotatedFrom: old.id, madeByKey })
  await db.update(apiKeys).set({ madeByKey: made.id }).where(eq(apiKeys.madeByKey, old.id))
  const overlapEndsAt = overlapEnd(old, input.overlapHours, now)
  await db.update(apiKeys).set({ overlapEndsAt }).where(eq(apiKeys.id, old.id))
  await copyAppLink(db, old.id, made.id)
  recordChange(db, { object: 'api_key', id: old.id, before: old, after: { ...old, overlapEndsAt } })
  await publishRevocation(db, call.events, old.id)
  await endExpiry(db, old.id)
  return made
}

async function findMakerKey(db: Database, id: string): Promise<string | null> {
  const [key] = await db.select({ madeByKey: apiKeys.madeByKey }).from(apiKeys).where(eq(apiKeys.id, id))
  return key?.madeByKey ?? null
}

/** The new key belongs to the same app. */
const copyAppLink = (db: Database, oldId: string, id: string) =>
  db.execute(sql`
    INSERT INTO ${developerAppKeys} (api_key_id, app_id)
    SELECT ${id}::uuid, app_id FROM ${developerAppKeys} WHERE api_key_id = ${oldId}`)

async function issueKey(call: IssueContext, plan: KeySpec): Promise<NewApiKeyRow> {
  const { db, actor, now, secrets } = call
  const { service, scopes, bindings, name, mode, agentId, expiresAt, rotatedFrom, madeByKey } = plan
  await requireScopes(db, actor, service, scopes)
  if (agentId) {
    await requireAgentScopes(db, { agentId, organizationId: organizationOf(actor, 'api_keys:write') }, service, scopes)
    requireWithinReach(actor, service, { scopes, bindings })
  }
  await requireWithinOwn(db, actor, { bindings, mode, end: expiresAt })
  await requireBindable(db, actor, service, bindings)
  const { text, body, publicId } = generateKeyText(mode)
  const id = newId()
  const shown = {
    id,
    organizationId: organizationOf(actor, 'api_keys:write'),
    name,
    mode,
    agentId,
    expiresAt,
    rotatedFrom,
    madeByKey,
  }
  const secret = { publicId, hash: hashOf(secrets, body), lastFour: text.slice(-4) }
  const responsibleId = responsibleOf(actor)
  const made = {
    createdBy: actor.principal.id,
    ...(responsibleId !== actor.principal.id && { responsibleId }),
    createdAt: now(),
  }
  await db.insert(apiKeys).values({ ...shown, ...secret, ...made, serviceId: service.id })
  await db
    .insert(apiKeyScopes)
    .values(scopes.map((scope) => ({ apiKeyId: id, serviceId: service.id, scope, watchedSince: made.createdAt })))
  const bound = bindings.map((binding) => ({ apiKeyId: id, kind: binding.kind, resourceId: binding.id }))
  if (bound.length > 0) await db.insert(apiKeyBindings).values(bound).onConflictDoNothing()
  const key = await find(db, actor, id)
  recordChange(db, { object: 'api_key', id, after: key })
  await emitKeyCreated(db, call, shown.organizationId, key)
  return { ...key, key: text }
}

function requireFutureExpiry(input: Parameters<typeof requestedExpiry>[0], now: Date): Date | null {
  const end = requestedExpiry(input, now)
  if (end && end <= now) throw invalid([{ path: 'expiresAt', message: 'Must be in the future.' }])
  return end
}

/** @throws {Problem} 422 for a scope that the old key doesn't have */
function selectScopes({ scopes }: ApiKeyRow, requested: string[] | undefined): string[] {
  const foreign = requested?.flatMap((scope, at) =>
    scopes.includes(scope) ? [] : [{ path: `scopes.${at}`, message: `The key doesn’t have the scope ${scope}.` }],
  )
  if (foreign && foreign.length > 0) throw invalid(foreign)
  return requested ? [...new Set(requested)] : scopes
}

const isInactive = (key: ApiKeyRow, now: Date): boolean => {
  const end = expiryOf(key)
  return key.revokedAt !== null || key.overlapEndsAt !== null || (end !== null && end <= now)
}

/** Later times can't be written as RFC 3339. */
const maxExpiry = Date.UTC(9999, 11, 31)

/** The new key lasts as long as the old one did in all. */
const sameLifetime = ({ createdAt, expiresAt }: ApiKeyRow, now: Date): Date | null =>
  expiresAt && new Date(Math.min(now.getTime() + expiresAt.getTime() - createdAt.getTime(), maxExpiry))

const hourMs = 60 * 60 * 1000

function overlapEnd({ expiresAt }: ApiKeyRow, hours: number, now: Date): Date {
  const end = new Date(now.getTime() + hours * hourMs)
  return expiresAt && expiresAt < end ? expiresAt : end
}
