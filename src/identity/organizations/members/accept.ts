import { and, eq, gt, sql } from 'drizzle-orm'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { conflict, notFound, Problem } from '#lib/errors.ts'
import { digest, newId } from '#lib/ids.ts'
import type { EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { findUser, saveLastContext, type Account } from '../../accounts/accounts.ts'
import type { InvitationRegistration, OpenInvitation } from '../../contract.ts'
import { requireSeat } from '../entitlements/seats.ts'
import { confirmMailbox } from '../../accounts/confirm-mailbox.ts'
import { getOrganization } from '../organizations.ts'
import { knownCaller } from '../../sign-in/passwords/hash-queue.ts'
import { hashNewPassword } from '../../sign-in/passwords/passwords.ts'
import { emitMemberJoined } from './events.ts'
import { announceJoined } from './announce-joined.ts'
import { invitations, memberships, organizations, users } from '../../schema.ts'

/** Undefined when it was used, canceled or has expired. */
export async function findOpenInvitation(db: Database, token: string, now: Date): Promise<OpenInvitation | undefined> {
  const [found] = await db
    .select({
      email: invitations.email,
      role: invitations.role,
      organization: organizations.name,
      inviter: users.name,
      hasAccount: sql<boolean>`EXISTS (SELECT FROM ${users} AS known WHERE lower(known.email) = ${invitations.email})`,
    })
    .from(invitations)
    .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
    .leftJoin(users, eq(users.id, invitations.invitedBy))
    .where(byToken(token, now))
  return found
}

/** @throws {Problem} 404 for a used, canceled or expired link, 403 for an invitation to another address */
export async function accept(call: Pick<Call, 'db' | 'events' | 'queue' | 'now'>, userId: string, token: string) {
  const { db } = call
  const now = call.now()
  const invitation = await consumeInvitation(db, token, now)
  const user = await findUser(db, userId)
  if (user.email.toLowerCase() !== invitation.email)
    throw new Problem(
      403,
      'invitation_for_another_account',
      `This invitation is for ${invitation.email}, and you are signed in as ${user.email}. Sign in with the invited address.`,
    )
  await confirmMailbox(db, call, userId)
  await join(call, db, user, invitation)
  return getOrganization(db, userId, invitation.organizationId)
}

/** The link is enough: only the invited mailbox has it. Nothing happens for one that is no longer valid. */
export async function decline({ db, now }: Pick<Call, 'db' | 'now'>, token: string): Promise<void> {
  const [declined] = await db.delete(invitations).where(byToken(token, now())).returning()
  if (!declined) return
  const { id, organizationId, role } = declined
  recordChange(db, { object: 'invitation', id, before: { role }, organizationId })
}

/** The link proves that the email address is theirs. @throws {Problem} 404 as `accept`, 409 for a known address */
export async function registerInvited(call: Call, input: InvitationRegistration): Promise<Account> {
  const now = call.now()
  const invitation = await findOpenInvitation(call.db, input.token, now)
  if (!invitation) throw invitationNotFound()
  const passwordHash = await hashNewPassword(input.password, invitation.email, knownCaller(invitation.email))
  const profile = { name: input.name, passwordHash }
  return auditedTransaction(call, (tx) => createMember(call, tx, profile, input.token)).catch((error: unknown) => {
    throw brokenConstraint(error) === 'users_email' ? emailTaken(invitation.email) : error
  })
}

async function createMember(
  call: EmitDependencies,
  tx: Database,
  profile: { name: string; passwordHash: string },
  token: string,
) {
  const now = call.now()
  const invitation = await consumeInvitation(tx, token, now)
  const values = { id: newId(), email: invitation.email, emailVerifiedAt: now, ...profile, createdAt: now }
  const [user] = await tx.insert(users).values(values).returning()
  if (!user) throw new Error('INSERT INTO users returned no row')
  recordChange(tx, { object: 'user', id: user.id, by: user })
  await join(call, tx, user, invitation)
  await saveLastContext(tx, user.id, invitation.organizationId)
  return { user, organization: await getOrganization(tx, user.id, invitation.organizationId) }
}

/** Of two concurrent calls with one link, the second finds nothing. @throws {Problem} 404 */
async function consumeInvitation(db: Database, token: string, now: Date) {
  const [consumed] = await db.delete(invitations).where(byToken(token, now)).returning()
  if (!consumed) throw invitationNotFound()
  return consumed
}

type ConsumedInvitation = Awaited<ReturnType<typeof consumeInvitation>>

/** A person who is a member already keeps their role and seat. @throws {Problem} 402 when no seat is left */
export async function join(
  call: EmitDependencies,
  db: Database,
  user: Account['user'],
  invitation: ConsumedInvitation,
): Promise<void> {
  const { id, organizationId, role } = invitation
  const joined = await db
    .insert(memberships)
    .values({ organizationId, userId: user.id, role, createdAt: call.now() })
    .onConflictDoNothing()
    .returning()
    .catch((error: unknown) => {
      throw brokenConstraint(error) === 'memberships_super_admin' ? superAdminConflict() : error
    })
  if (joined.length > 0) {
    await requireSeat(db, organizationId)
    await announceJoined(db, invitation, user.id)
    await emitMemberJoined(db, call, { organizationId, user, role, invited: true })
  }
  recordChange(db, { object: 'invitation', id, by: user, after: { userId: user.id }, organizationId })
  recordChange(db, { object: 'member', id: user.id, by: user, after: { role }, organizationId })
}

const byToken = (token: string, now: Date) =>
  and(eq(invitations.tokenHash, digest(token)), gt(invitations.expiresAt, now))

const superAdminConflict = () =>
  conflict('super_admin', 'A super admin can’t belong to another organization. Accept with a different account.')

const invitationNotFound = () => notFound('invitation')

const emailTaken = (email: string) =>
  conflict('email_taken', `An account with ${email} already exists. Sign in, then open the link again.`)
