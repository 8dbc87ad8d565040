import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import type { Binding } from '#lib/actor.ts'
import { prepared, type Database } from '#lib/db.ts'
import { unauthorized } from '#lib/errors.ts'
import type { Validation } from '../../contract.ts'
import { runningSuspension, suspensionColumns, suspensionOf } from '../../admin/suspended.ts'
import type { KeyStore } from '../../tokens/signing-keys.ts'
import { heldPermissions } from '../../organizations/permissions/held-permissions.ts'
import {
  accountDeletions,
  apiKeyBindings,
  apiKeys,
  apiKeyScopes,
  memberships,
  organizations,
  suspensions,
  users,
} from '../../schema.ts'
import { parseKeyText } from './key-text.ts'
import { reach, parseReached, type Reached } from '../../organizations/resource-roles/reach.ts'
import { isHashOf } from './hash.ts'
import { bindingOf, expiryOf } from '../keys/rows.ts'

/** IDN-05, IDN-30. @throws {Problem} 401 for an invalid key */
export async function validateKey({ db, secrets, now }: KeyStore, text: string): Promise<Validation> {
  const read = parseKeyText(text)
  if (!read) throw unauthorized('This API key is mistyped or incomplete: its checksum doesn’t match.')
  const at = now()
  const [row] = await grantByKey(db).execute({ publicId: read.publicId })
  if (!isHashOf(secrets, read.body, row?.hash) || !row) throw unauthorized('This API key doesn’t exist.')
  requireActiveKey(row, at)
  await markUsed(db, row, at)
  return validationOf(row)
}

type Grant = Awaited<ReturnType<ReturnType<typeof grantByKey>['execute']>>[number]

/** Only a caller with the whole key learns why it is refused. @throws {Problem} 401 */
function requireActiveKey(row: Grant, at: Date): void {
  if (row.revokedAt) throw unauthorized('This API key was revoked.')
  const end = expiryOf(row)
  if (end && end <= at)
    throw unauthorized('This API key has expired. Create a new key, or use the one that replaced it.')
  if (row.isLeaving)
    throw unauthorized('The owner of this API key is deleting their account. Rotate the key to become its owner.')
  if (!row.isMember)
    throw unauthorized('The owner of this API key has left the organization. Rotate the key to become its owner.')
}

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

/** The agent that uses the key, else its owner: the key has at most their permissions. */
const workerId = sql`coalesce(${apiKeys.agentId}, ${apiKeys.createdBy})`

const grantByKey = (db: Database) =>
  prepared(db, 'identity_grant_by_api_key', () =>
    db
      .select({
        id: apiKeys.id,
        mode: apiKeys.mode,
        responsible: sql<string>`coalesce(${apiKeys.responsibleId}, ${apiKeys.createdBy})`,
        hash: apiKeys.hash,
        expiresAt: apiKeys.expiresAt,
        overlapEndsAt: apiKeys.overlapEndsAt,
        revokedAt: apiKeys.revokedAt,
        lastUsedAt: apiKeys.lastUsedAt,
        serviceId: apiKeys.serviceId,
        userId: users.id,
        principalType: users.principalType,
        slug: organizations.slug,
        ...suspensionColumns,
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

function reachedBy(row: Grant, bindings: Binding[]): Reached[] {
  const own = row.reach.map(parseReached)
  const isBound = ({ kind, id }: Reached) => bindings.some((each) => each.kind === kind && each.id === id)
  return bindings.length > 0 ? own.filter(isBound) : own
}

function validationOf(row: Grant): Validation {
  const suspension = suspensionOf(row)
  const bindings = row.bindings.map(bindingOf)
  const resources = reachedBy(row, bindings)
  // A permission that the owner doesn't have in any of the key's resources is dropped.
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
    // A key has no role; the weakest stands in for it.
    organization: suspension ? null : { id: row.organizationId, slug: row.slug, role: 'viewer' },
    permissions,
    sessionId: null,
    apiKey: { id: row.id, mode: row.mode, responsible: row.responsible, bindings },
    suspension,
    onlyIn: null,
    resources,
    // Sign-in rules don't apply to programs.
    unmetRequirement: null,
    app: null,
    service: null,
    audience: null,
    expiresAt: expiryOf(row),
  }
}
