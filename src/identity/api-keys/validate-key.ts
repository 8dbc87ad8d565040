import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import type { Binding } from '#lib/actor.ts'
import { prepared, type Database } from '#lib/db.ts'
import { unauthorized } from '#lib/errors.ts'
import type { Validation } from '../contract.ts'
import { runningSuspension, suspensionOf } from '../admin/suspended.ts'
import type { KeyStore } from '../keys.ts'
import { heldPermissions } from '../permissions/held.ts'
import {
  accountDeletions,
  apiKeyBindings,
  apiKeys,
  apiKeyScopes,
  memberships,
  organizations,
  suspensions,
  users,
} from '../schema.ts'
import { parseKeyText } from './key-text.ts'
import { reach, parseReached, type Reached } from '../limited-roles/reach.ts'
import { isHashOf } from './hash.ts'
import { bindingOf, expiryOf } from './rows.ts'

/** What stands behind an API key at this moment (IDN-05, IDN-30). Throws 401 when nothing does. */
export async function validateKey({ db, secrets, now }: KeyStore, text: string): Promise<Validation> {
  const read = parseKeyText(text)
  if (!read) throw unauthorized('This API key is mistyped or incomplete: its checksum does not fit.')
  const at = now()
  const [row] = await grantByKey(db).execute({ publicId: read.publicId })
  if (!isHashOf(secrets, read.body, row?.hash) || !row) throw unauthorized('There is no such API key.')
  requireActiveKey(row, at)
  await markUsed(db, row, at)
  return validationOf(row)
}

type Grant = Awaited<ReturnType<ReturnType<typeof grantByKey>['execute']>>[number]

/** Only who has the whole key learns what became of it. */
function requireActiveKey(row: Grant, at: Date): void {
  if (row.revokedAt) throw unauthorized('This API key was revoked.')
  const end = expiryOf(row)
  if (end && end <= at)
    throw unauthorized('This API key has expired. Make another one, or use the one that replaced it.')
  if (row.isLeaving)
    throw unauthorized(
      'The person who answers for this API key is deleting their account. Rotate it to answer for it yourself.',
    )
  if (!row.isMember)
    throw unauthorized('Who answers for this API key has left the organization. Rotate it to answer for it yourself.')
}

/** Milliseconds between two notes of a key's use. */
const noteIntervalMs = 60_000

async function markUsed(db: Database, { id, lastUsedAt }: Grant, at: Date): Promise<void> {
  const before = new Date(at.getTime() - noteIntervalMs)
  if (lastUsedAt && lastUsedAt > before) return
  const isDue = or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, before))
  await db
    .update(apiKeys)
    .set({ lastUsedAt: at })
    .where(and(eq(apiKeys.id, id), isDue))
}

/** Whose the key's permissions are: an agent's that works by it, else its maker's. */
const workerId = sql`coalesce(${apiKeys.agentId}, ${apiKeys.createdBy})`

/** A key with what its scopes permit, as far as who works by it holds that today. */
const grantByKey = (db: Database) =>
  prepared(db, 'identity_grant_by_api_key', () =>
    db
      .select({
        id: apiKeys.id,
        mode: apiKeys.mode,
        hash: apiKeys.hash,
        expiresAt: apiKeys.expiresAt,
        overlapEndsAt: apiKeys.overlapEndsAt,
        revokedAt: apiKeys.revokedAt,
        lastUsedAt: apiKeys.lastUsedAt,
        serviceId: apiKeys.serviceId,
        userId: users.id,
        principalType: users.principalType,
        organizationId: organizations.id,
        slug: organizations.slug,
        name: organizations.name,
        suspendedFor: suspensions.reason,
        deletesAt: suspensions.deletesAt,
        isLeaving: sql<boolean>`EXISTS (
          SELECT FROM ${accountDeletions} WHERE ${accountDeletions.userId} = ${users.id})`,
        isMember: sql<boolean>`${memberships.role} IS NOT NULL`,
        permissions: sql<string[]>`ARRAY(
          SELECT held.service_id || '.' || held.permission FROM ${apiKeyScopes}
          JOIN ${heldPermissions} ON held.service_id = ${apiKeyScopes.serviceId}
            AND held.permission = replace(${apiKeyScopes.scope}, '.', ':')
          WHERE ${apiKeyScopes.apiKeyId} = ${apiKeys.id} ORDER BY 1)`,
        reach,
        bindings: sql<string[]>`ARRAY(
          SELECT ${apiKeyBindings.kind} || ':' || ${apiKeyBindings.resourceId} FROM ${apiKeyBindings}
          WHERE ${apiKeyBindings.apiKeyId} = ${apiKeys.id} ORDER BY 1)`,
      })
      .from(apiKeys)
      .innerJoin(users, eq(users.id, workerId))
      .innerJoin(organizations, eq(organizations.id, apiKeys.organizationId))
      .leftJoin(
        memberships,
        and(eq(memberships.userId, workerId), eq(memberships.organizationId, apiKeys.organizationId)),
      )
      .leftJoin(suspensions, runningSuspension)
      .where(eq(apiKeys.publicId, sql.placeholder('publicId'))),
  )

/** What of its maker's resources a key reaches: those that it is bound to. */
function reachedBy(row: Grant, bindings: Binding[]): Reached[] {
  const own = row.reach.map(parseReached)
  const isBound = ({ kind, id }: Reached) => bindings.some((each) => each.kind === kind && each.id === id)
  return bindings.length > 0 ? own.filter(isBound) : own
}

function validationOf(row: Grant): Validation {
  const suspension = suspensionOf(row)
  const bindings = row.bindings.map(bindingOf)
  const resources = reachedBy(row, bindings)
  // What its maker may elsewhere alone, or in nothing that it is bound to, it opens nowhere.
  const isWithin = (permission: string) => resources.some(({ permissions: own }) => own.includes(permission))
  const granted = row.reach.length > 0 ? row.permissions.filter(isWithin) : row.permissions
  const permissions = suspension ? [] : granted
  return {
    valid: true,
    tokenType: 'api_key',
    context: 'organization',
    principal: {
      id: row.userId,
      principalType: row.principalType,
      principalServices: permissions.length > 0 ? [row.serviceId] : [],
      launcherEligible: false,
    },
    // A key has no role of its own: who asks for one all the same finds the weakest.
    organization: suspension ? null : { id: row.organizationId, slug: row.slug, role: 'viewer' },
    permissions,
    sessionId: null,
    apiKey: { id: row.id, mode: row.mode, bindings },
    suspension,
    onlyIn: null,
    resources,
    // It belongs to a program, which has no second factor to show.
    barred: null,
    app: null,
    service: null,
    audience: null,
    expiresAt: expiryOf(row),
  }
}
