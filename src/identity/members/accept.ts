import { and, eq, gt, sql } from 'drizzle-orm'
import { audited, auditedStep } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { conflict, notFound, Problem } from '#lib/errors.ts'
import { digest, newId } from '#lib/ids.ts'
import { findUser, saveLastContext, type Account } from '../accounts.ts'
import type { InvitedRegistration } from '../contract.ts'
import { requireSeat } from '../entitlements/seats.ts'
import { confirmMailbox } from '../mailbox-proof.ts'
import { findOrganization } from '../organizations.ts'
import { knownCaller } from '../hash-queue.ts'
import { hashNewPassword } from '../passwords.ts'
import { invitations, memberships, organizations, users } from '../schema.ts'

/** An invitation as its link shows it. */
export interface OpenInvitation {
  email: string
  role: string
  organization: string
  inviter: string | null
  /** There is an account with the e-mail address. */
  hasAccount: boolean
}

/** What a link leads to; undefined when it was used, withdrawn or has expired. */
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

/** Makes the person a member. Throws 404 for a link that is worth nothing, 403 when it was sent to somebody else. */
export async function accept(call: Pick<Call, 'db' | 'events' | 'now'>, userId: string, token: string) {
  const { db } = call
  const now = call.now()
  const invitation = await consumeInvitation(db, token, now)
  const user = await findUser(db, userId)
  if (user.email.toLowerCase() !== invitation.email)
    throw new Problem(
      403,
      'invitation_for_another',
      `This invitation is for ${invitation.email}, and you are ${user.email}. Sign in as the one it is for.`,
    )
  await confirmMailbox(db, call, userId)
  await join(db, user, invitation, now)
  return findOrganization(db, userId, invitation.organizationId)
}

/**
 * Makes the account of whoever was invited, and a member: that the link arrived proves the e-mail address. Throws 404
 * as `accept`, 409 when there is an account already.
 */
export async function registerInvited(call: Call, input: InvitedRegistration): Promise<Account> {
  const now = call.now()
  const invitation = await findOpenInvitation(call.db, input.token, now)
  if (!invitation) throw invitationNotFound()
  const passwordHash = await hashNewPassword(input.password, invitation.email, knownCaller(invitation.email))
  const profile = { name: input.name, passwordHash }
  return auditedStep(call, (tx) => createMember(tx, profile, input.token, now)).catch((error: unknown) => {
    throw brokenConstraint(error) === 'users_email' ? emailTaken(invitation.email) : error
  })
}

async function createMember(tx: Database, profile: { name: string; passwordHash: string }, token: string, now: Date) {
  const invitation = await consumeInvitation(tx, token, now)
  const values = { id: newId(), email: invitation.email, emailVerifiedAt: now, ...profile, createdAt: now }
  const [user] = await tx.insert(users).values(values).returning()
  if (!user) throw new Error('The new person was not stored')
  audited(tx, { object: 'user', id: user.id, by: user })
  await join(tx, user, invitation, now)
  await saveLastContext(tx, user.id, invitation.organizationId)
  return { user, organization: await findOrganization(tx, user.id, invitation.organizationId) }
}

/** Of two that follow one link at once, the second finds nothing. */
async function consumeInvitation(db: Database, token: string, now: Date) {
  const [consumed] = await db.delete(invitations).where(byToken(token, now)).returning()
  if (!consumed) throw invitationNotFound()
  return consumed
}

type ConsumedInvitation = Awaited<ReturnType<typeof consumeInvitation>>

/** Who is a member already keeps the role, and the seat. Throws 402 where none is left. */
async function join(
  db: Database,
  user: Account['user'],
  { organizationId, role }: ConsumedInvitation,
  now: Date,
): Promise<void> {
  const joined = await db
    .insert(memberships)
    .values({ organizationId, userId: user.id, role, createdAt: now })
    .onConflictDoNothing()
    .returning()
    .catch((error: unknown) => {
      throw brokenConstraint(error) === 'memberships_super_admin' ? superAdminConflict() : error
    })
  if (joined.length > 0) await requireSeat(db, organizationId)
  audited(db, { object: 'member', id: user.id, by: user, after: { role }, organizationId })
}

const byToken = (token: string, now: Date) =>
  and(eq(invitations.tokenHash, digest(token)), gt(invitations.expiresAt, now))

const superAdminConflict = () =>
  conflict('super_admin', 'A super admin belongs to the admin organization alone. Accept with another account.')

const invitationNotFound = () => notFound('invitation')

const emailTaken = (email: string) =>
  conflict('email_taken', `There is an account with ${email}. Sign in, then follow the link again.`)
