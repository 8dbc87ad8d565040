import { and, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { conflict, invalid, type Problem } from '#lib/errors.ts'
import type { StoredCredential } from '../contract/credentials.ts'
import { providerCredentials as table } from '../schema.ts'
import { findFault } from './check.ts'
import { isCheckable } from './checks.ts'
import { describeCredential, getKeys, ownerOf, sealedValues } from './credentials.ts'
import { kindOf, membersOf } from './kinds.ts'
import type { CredentialName, RotationInput } from './input.ts'
import { replaceOldKey, rotationMs } from './proof.ts'

/**
 * Checks the new key with its provider, and stores it beside the old one, or in its place. @throws {Problem} 404, 409
 * `rotation_in_progress`, and 422 for a key that doesn't work: then nothing was changed
 */
export async function rotateKey(call: Call<RotationInput, Actor>): Promise<StoredCredential> {
  const { actor, input } = call
  const organizationId = ownerOf(actor, input.level)
  const { active, incoming } = await getKeys(call.db, actor, input)
  if (incoming) throw rotationInProgress()
  const { provider, mode, baseUrl } = active
  const at = call.now()
  const row = {
    ...sealedValues(call, {
      provider,
      label: input.label ?? active.label,
      secret: input.secret,
      baseUrl,
    }),
    organizationId,
    provider,
    mode,
    ...({
      status: 'incoming',
      provedCalls: 0,
      rotationEndsAt: new Date(at.getTime() + rotationMs),
    } as const),
    ...({
      health: isCheckable(provider) ? 'healthy' : 'unknown',
      lastError: null,
      checkedAt: isCheckable(provider) ? at : null,
      createdAt: at,
      rotatedAt: null,
    } as const),
  }
  const fault = await findFault(call, row)
  if (fault !== null) throw invalid([{ path: `secret.${membersOf[kindOf(provider).kind].proof}`, message: fault }])
  return auditedTransaction(call, async (db) => {
    const inserted = await db.insert(table).values(row).onConflictDoNothing().returning({ id: table.id })
    if (inserted.length === 0) throw rotationInProgress()
    if (input.overlap === 'none') await replaceOldKey(db, row.id, at)
    await call.upstreams.forgetCredentials(db)
    return describeCredential({ ...call, db }, input)
  })
}

const rotationInProgress = (): Problem =>
  conflict('rotation_in_progress', 'A new key is already taking over. Finish that rotation or roll it back first.')

/** Without a rotation nothing changes. @throws {Problem} 404 */
export async function finishRotation(call: Call<CredentialName, Actor>): Promise<StoredCredential> {
  const { db, actor, input } = call
  const { incoming } = await getKeys(db, actor, input)
  if (incoming && (await replaceOldKey(db, incoming.id, call.now()))) await call.upstreams.forgetCredentials(db)
  return describeCredential(call, input)
}

/** Deletes the new key, if there is one. @throws {Problem} 404 */
export async function cancelRotation(call: Call<CredentialName, Actor>): Promise<void> {
  const { db, actor, input } = call
  const { incoming } = await getKeys(db, actor, input)
  if (!incoming) return
  await db.delete(table).where(and(eq(table.id, incoming.id), eq(table.status, 'incoming')))
  await call.upstreams.forgetCredentials(db)
}
