import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { notFound } from '#lib/errors.ts'
import { personOf } from '../../accounts/caller.ts'
import { findUser } from '../../accounts/accounts.ts'
import { invitations, organizations, users } from '../../schema.ts'
import type { OwnInvitation } from '../../contract.ts'
import { getOrganization } from '../organizations.ts'
import { join } from './accept.ts'

const maxListed = 20

/** Only those to a confirmed address: the mailbox proves that they are meant. */
export async function listOwn({
  db,
  actor,
  now,
}: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now'>): Promise<OwnInvitation[]> {
  const inviter = sql<string | null>`(SELECT name FROM ${users} AS inviter WHERE inviter.id = ${invitations.invitedBy})`
  return db
    .select({ id: invitations.id, organization: organizations.name, role: invitations.role, inviter })
    .from(users)
    .innerJoin(invitations, eq(invitations.email, sql`lower(${users.email})`))
    .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
    .where(
      and(eq(users.id, personOf(actor)), sql`${users.emailVerifiedAt} IS NOT NULL`, gt(invitations.expiresAt, now())),
    )
    .orderBy(asc(invitations.id))
    .limit(maxListed)
}

/** @throws {Problem} 404 for one to another or an unconfirmed address, and as `accept` */
export async function acceptOwn(call: Pick<Call, 'db' | 'events' | 'queue' | 'now'>, userId: string, id: string) {
  const { db, now } = call
  const user = await findUser(db, userId)
  if (user.emailVerifiedAt === null) throw notFound('invitation')
  const [invitation] = await db
    .delete(invitations)
    .where(
      and(eq(invitations.id, id), eq(invitations.email, user.email.toLowerCase()), gt(invitations.expiresAt, now())),
    )
    .returning()
  if (!invitation) throw notFound('invitation')
  await join(call, db, user, invitation)
  return getOrganization(db, userId, invitation.organizationId)
}
