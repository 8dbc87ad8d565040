import { and, eq, gt, inArray, isNotNull, isNull, notExists, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, invalid, notFound } from '#lib/errors.ts'
import { findUser } from '../accounts/accounts.ts'
import type { SupportAction } from '../admin/contract.ts'
import { mailSupportAction } from '../admin/support-mail.ts'
import { personOf } from '../accounts/caller.ts'
import { deleteMailedLinks } from '../accounts/mailed-links.ts'
import { endOtherSessions } from '../sign-in/own-sessions.ts'
import { remainingOwners } from '../organizations/owners.ts'
import { publishRevocation } from '../tokens/revocation.ts'
import { accountDeletions, memberships, organizations, suspensions, users } from '../schema.ts'
import { requireReauthentication } from '../sign-in/second-factor/proof.ts'
import { lockFactors } from '../sign-in/second-factor/required.ts'
import type { AccountDeletionRequest } from './contract.ts'
import { notifyUser } from './notices.ts'
import { gracePeriodMs } from './organizations.ts'
import { findDeletionByToken, createCancellation, type PendingDeletion } from './pending.ts'

type ActorCall = Call<unknown, Actor>

/** @throws {Problem} 422 for a wrong address or proof, 409 naming organizations that would lose their last owner */
export async function requestAccountDeletion(
  call: ActorCall,
  { confirm, ...proof }: AccountDeletionRequest,
): Promise<PendingDeletion & { requestedAt: Date }> {
  const { email } = await findUser(call.db, personOf(call.actor))
  if (confirm.toLowerCase() !== email.toLowerCase())
    throw invalid([{ path: 'confirm', message: 'Must be the email address of your account.' }])
  const user = await requireReauthentication(call, proof)
  const requestedAt = call.now()
  const deletesAt = new Date(requestedAt.getTime() + gracePeriodMs)
  return auditedTransaction(call, async (tx) => {
    await lockFactors(tx, user.id)
    await tx.insert(accountDeletions).values({ userId: user.id, requestedAt, deletesAt })
    await requireRemainingOwners(tx, user.id)
    await endOtherSessions(tx, call, user.id)
    await deleteMailedLinks(tx, user.id)
    await publishRevocation(tx, call.events, user.id)
    recordChange(tx, {
      object: 'user',
      id: user.id,
      before: { state: 'active' },
      after: { state: 'deleting', deletesAt },
    })
    await notifyUser(call, tx, user, { happened: 'requested', deletesAt })
    const pending = await createCancellation(tx, user.id, requestedAt)
    if (!pending) throw new Error('The deletion of an account was not stored')
    return { ...pending, requestedAt }
  })
}

/** Locks in the order of the database's own check. @throws {Problem} 409 for the last owner of an organization */
async function requireRemainingOwners(tx: Database, userId: string): Promise<void> {
  const owned = tx
    .select({ id: memberships.organizationId })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), eq(memberships.role, 'owner')))
  await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(inArray(organizations.id, owned))
    .orderBy(organizations.id)
    .for('no key update')
  const orphans = await tx
    .select({ id: organizations.id, name: organizations.name })
    .from(organizations)
    .where(
      and(
        inArray(organizations.id, owned),
        notExists(remainingOwners(tx, organizations.id)),
        notExists(scheduledDeletion(tx)),
      ),
    )
    .orderBy(organizations.id)
  if (orphans.length === 0) return
  const names = orphans.map(({ name }) => name).join(', ')
  throw conflict(
    'last_owner',
    `You are the last owner of ${names}. Make another member an owner or delete the organization first.`,
    { organizations: orphans },
  )
}

/** An organization that is deleted earlier needs no remaining owner. */
const scheduledDeletion = (tx: Database) =>
  tx
    .select({ one: sql`1` })
    .from(suspensions)
    .where(
      and(
        eq(suspensions.organizationId, organizations.id),
        isNull(suspensions.liftedAt),
        isNotNull(suspensions.deletesAt),
      ),
    )

/** @throws {Problem} 404 for an unknown token, 409 once the deletion is final */
export async function cancelAccountDeletion(call: Call, token: string): Promise<void> {
  const found = await findDeletionByToken(call.db, token, call.now())
  if (!found) throw notFound('deletion')
  const user = await findUser(call.db, found.userId)
  await cancelDeletion(call, user)
  await notifyUser(call, call.db, user, { happened: 'canceled' })
  recordChange(call.db, { ...auditChange(user.id), by: user, organizationId: null })
}

/** @throws {Problem} 404 without a deletion, 409 once it is final */
export async function cancelAccountDeletionByAdmin(call: ActorCall, { id, reason }: SupportAction): Promise<void> {
  const [user] = await call.db.select().from(users).where(eq(users.id, id))
  if (!user) throw notFound('person')
  await cancelDeletion(call, user)
  const happened =
    'The deletion of your Atrium account was canceled. You can sign in again, and your API keys work again.'
  await mailSupportAction(call, user, { happened, reason })
  const { after, ...rest } = auditChange(id)
  recordChange(call.db, { ...rest, after: { ...after, reason } })
}

const auditChange = (id: string) => ({
  object: 'user',
  id,
  before: { state: 'deleting' },
  after: { state: 'active' },
})

async function cancelDeletion(call: Call, user: { id: string; email: string }): Promise<void> {
  const { db, events, now } = call
  const ofUser = eq(accountDeletions.userId, user.id)
  const [deleted] = await db
    .delete(accountDeletions)
    .where(and(ofUser, gt(accountDeletions.deletesAt, now())))
    .returning()
  if (!deleted) throw await cancelError(db, user.id)
  await publishRevocation(db, events, user.id)
}

async function cancelError(db: Database, userId: string) {
  const isFinal = (await db.$count(accountDeletions, eq(accountDeletions.userId, userId))) > 0
  return isFinal ? conflict('deletion_final', 'This account is already being deleted.') : notFound('deletion')
}
