import { and, eq, isNull } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { conflict } from '#lib/errors.ts'
import { emitKeysRevoked } from '../../api-keys/events.ts'
import { adminOrganization } from '../../contract/fields.ts'
import { publishRevocation } from '../../tokens/revocation.ts'
import { apiKeys, workspaceRevocations } from '../../schema.ts'
import type { AccessRevocation, DeveloperOrganizationRow } from '../contract.ts'
import { readDeveloperOrganization } from '../developer-organization.ts'

type RevocationContext = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now' | 'events' | 'queue'>

/** Permanently, with all API keys of its organization. @throws {Problem} 404, 409 when it isn't active */
export async function revokeAccess(
  call: RevocationContext,
  { id, reason }: AccessRevocation,
): Promise<DeveloperOrganizationRow> {
  const { db, actor, now } = call
  const { slug, developerWorkspace } = await readDeveloperOrganization(db, id)
  if (!developerWorkspace || slug === adminOrganization)
    throw conflict('no_developer_access', 'Only a developer organization can be revoked.')
  const [made] = await db
    .insert(workspaceRevocations)
    .values({ organizationId: id, reason, revokedBy: actor.principal.id, revokedAt: now() })
    .onConflictDoNothing()
    .returning()
  if (!made) throw conflict('already_revoked', 'This developer organization is already revoked.')
  recordChange(db, { object: 'developer_access', id, after: { status: 'revoked', reason } })
  recordChange(db, { object: 'developer_access', id, after: { status: 'revoked', reason }, organizationId: id })
  await revokeKeys(call, id)
  return readDeveloperOrganization(db, id)
}

async function revokeKeys(call: RevocationContext, organizationId: string): Promise<void> {
  const { db, now, events } = call
  const active = and(eq(apiKeys.organizationId, organizationId), isNull(apiKeys.revokedAt))
  const revoked = await db.update(apiKeys).set({ revokedAt: now() }).where(active).returning({ id: apiKeys.id })
  // Drops cached grants of the whole organization, including its keys.
  await publishRevocation(db, events, organizationId)
  await emitKeysRevoked(db, call, revoked)
}
