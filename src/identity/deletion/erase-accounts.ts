import { and, eq, inArray, isNull, lte, notExists, sql } from 'drizzle-orm'
import { recordChange, auditedJobTransaction } from '#lib/audit.ts'
import { erasePersonalValues } from '#lib/audit/erase-values.ts'
import type { Database } from '#lib/db.ts'
import { forEachSettled } from '#lib/each.ts'
import { digest, newId } from '#lib/ids.ts'
import { publicUrlOfJob } from '#lib/public-url.ts'
import { deleteRows } from '#lib/tenant-data/erase.ts'
import { ownData } from '#lib/tenant-data/own.ts'
import { accountDeletionLetter } from '#views/emails/deletion.tsx'
import { emitKeysRevoked } from '../api-keys/events.ts'
import { findVerifiedRecovery } from '../accounts/recovery-email/verified.ts'
import { publishRevocation } from '../tokens/revocation.ts'
import {
  accountDeletions,
  apiKeys,
  householdMembers,
  households,
  knownDevices,
  signInFailures,
  users,
} from '../schema.ts'
import { identityData } from '../tenant-data/index.ts'
import { dueBefore, inRandomOrder, isAccountDue, isAccountErasedBy, soleOwnerships } from './due.ts'
import type { ErasureContext } from './erase-organizations.ts'

const batchSize = 500
const operation = 'identity.erase-deleted'

const erasedName = 'Deleted account'

/** Once every service with their data has erased it, and the organizations that they alone own are erased. */
export async function eraseDueAccounts(work: ErasureContext): Promise<void> {
  const { db } = work.database
  const rows = await db
    .select({ id: accountDeletions.userId })
    .from(accountDeletions)
    .where(and(isAccountDue(work.now()), notExists(soleOwnerships(db)), isAccountErasedBy(db, work.keepers)))
    .orderBy(inRandomOrder)
    .limit(batchSize)
  await forEachSettled(rows, ({ id }) => eraseAccount(work, id))
}

/** In one transaction. A second server at the same time finds nothing to do. */
const eraseAccount = ({ database, now, events, queue, mail, config }: ErasureContext, id: string): Promise<void> =>
  auditedJobTransaction(database, { operation, now }, async (tx) => {
    const [due] = await tx
      .select({ deletesAt: accountDeletions.deletesAt })
      .from(accountDeletions)
      .where(and(eq(accountDeletions.userId, id), lte(accountDeletions.deletesAt, dueBefore(now()))))
      .for('update', { skipLocked: true })
    const [user] = await tx.select().from(users).where(eq(users.id, id))
    if (!due || !user) return
    const addresses = [user.email, (await findVerifiedRecovery(tx, id)) ?? []].flat()
    await eraseFailures(tx, user)
    const homes = await tx
      .select({ id: householdMembers.householdId })
      .from(householdMembers)
      .where(eq(householdMembers.userId, id))
    await deleteRows(tx, ownData, 'person', id)
    await deleteRows(tx, identityData, 'person', id)
    await erasePersonalValues(tx, id)
    await eraseEmptyHouseholds(
      tx,
      homes.map((home) => home.id),
    )
    const revoked = await tx
      .update(apiKeys)
      .set({ revokedAt: now() })
      .where(and(eq(apiKeys.createdBy, id), isNull(apiKeys.agentId), isNull(apiKeys.revokedAt)))
      .returning({ id: apiKeys.id })
    await emitKeysRevoked(tx, { now, events, queue }, revoked)
    await tx.update(users).set(erasedFields(now())).where(eq(users.id, id))
    recordChange(tx, {
      object: 'user',
      id,
      before: { state: 'deleting' },
      after: { state: 'erased' },
      organizationId: null,
    })
    await publishRevocation(tx, events, id)
    const letter = accountDeletionLetter({
      happened: 'done',
      href: publicUrlOfJob('/', config),
    })
    for (const to of addresses) await mail.send(tx, to, letter, now())
  })

/** The address can't be guessed: another account with the same one would stop the erasure. */
const erasedFields = (now: Date) => ({
  email: `${newId()}@deleted.invalid`,
  name: erasedName,
  passwordHash: null,
  emailVerifiedAt: null,
  lastContext: null,
  lastOrganizationId: null,
  erasedAt: now,
})

async function eraseFailures(tx: Database, { id, email }: { id: string; email: string }): Promise<void> {
  const devices = tx
    .select({ id: sql<string>`${knownDevices.id}::text` })
    .from(knownDevices)
    .where(eq(knownDevices.userId, id))
  const of = (kind: (typeof signInFailures.$inferSelect)['kind']) => eq(signInFailures.kind, kind)
  await tx.delete(signInFailures).where(and(of('device'), inArray(signInFailures.subject, devices)))
  await tx.delete(signInFailures).where(and(of('proof'), eq(signInFailures.subject, id)))
  await tx.delete(signInFailures).where(and(of('account'), eq(signInFailures.subject, digest(email.toLowerCase()))))
}

/** A household is deleted with its last member. */
async function eraseEmptyHouseholds(tx: Database, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  const isEmpty = sql`NOT EXISTS (SELECT FROM ${householdMembers} WHERE ${householdMembers.householdId} = ${households.id})`
  await tx.delete(households).where(and(inArray(households.id, ids), isEmpty))
}
