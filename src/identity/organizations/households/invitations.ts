import { and, asc, eq, gt, lte } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { publicUrl } from '#lib/public-url.ts'
import { householdLetter } from '#views/emails/household.tsx'
import { findUser } from '../../accounts/accounts.ts'
import { personOf } from '../../accounts/caller.ts'
import { countInvitation } from '../../accounts/mail-quota.ts'
import { householdInvitations, householdMembers, households, users } from '../../schema.ts'
import type { Household, HouseholdInvitationDraft } from './contract.ts'
import { find, join } from './households.ts'

type ActorCall = Call<unknown, Actor>

const day = 24 * 60 * 60 * 1000
const lifetimeMs = 7 * day
/** Members and pending invitations of one household. */
const maxPeople = 20

/** A pending invitation isn't mailed again. @throws {Problem} 404, 409 for a full household, 429 */
export async function invite(call: ActorCall, { id, email }: HouseholdInvitationDraft) {
  const { db, actor, now } = call
  const household = await find(call, id)
  await db.select({ id: households.id }).from(households).where(eq(households.id, id)).for('update')
  const at = now()
  await requireCapacity(db, id, at)
  const times = { createdAt: at, expiresAt: new Date(at.getTime() + lifetimeMs) }
  const values = { id: newId(), householdId: id, email, invitedBy: personOf(actor), ...times }
  const [made] = await db
    .insert(householdInvitations)
    .values(values)
    .onConflictDoUpdate({
      target: [householdInvitations.householdId, householdInvitations.email],
      set: values,
      setWhere: lte(householdInvitations.expiresAt, at),
    })
    .returning({ id: householdInvitations.id })
  if (made) await mailInvitation(call, household, email)
  recordChange(db, { object: 'household', id, organizationId: null })
  return { householdId: id, email }
}

async function requireCapacity(db: Database, id: string, now: Date): Promise<void> {
  const open = and(eq(householdInvitations.householdId, id), gt(householdInvitations.expiresAt, now))
  const [members, invited] = await Promise.all([
    db.$count(householdMembers, eq(householdMembers.householdId, id)),
    db.$count(householdInvitations, open),
  ])
  if (members + invited >= maxPeople)
    throw conflict(
      'household_full',
      `A household can have at most ${maxPeople} members, including pending invitations.`,
    )
}

async function mailInvitation(
  { db, actor, config, request, mail, now }: ActorCall,
  { name }: Household,
  email: string,
) {
  await countInvitation(db, personOf(actor), email)
  const inviter = await findUser(db, personOf(actor))
  const href = publicUrl('/settings/profile', config, request)
  await mail.send(db, email, householdLetter({ inviter: inviter.name, household: name, href }), now())
}

export async function listInvitations({ db, actor, now }: ActorCall) {
  const { email } = await findUser(db, personOf(actor))
  const rows = await db
    .select({
      id: householdInvitations.id,
      householdId: households.id,
      household: households.name,
      inviterId: users.id,
      inviter: users.name,
      expiresAt: householdInvitations.expiresAt,
    })
    .from(householdInvitations)
    .innerJoin(households, eq(households.id, householdInvitations.householdId))
    .innerJoin(users, eq(users.id, householdInvitations.invitedBy))
    .where(toAddress(email, now()))
    .orderBy(asc(householdInvitations.id))
  return rows.map(({ id, expiresAt, ...row }) => ({
    id,
    expiresAt,
    household: { id: row.householdId, name: row.household },
    invitedBy: { id: row.inviterId, name: row.inviter },
  }))
}

/** @throws {Problem} 404 for an invitation that isn't the caller's, and as `join` */
export async function accept(call: ActorCall, id: string): Promise<Household> {
  const { householdId } = await consumeInvitation(call, id)
  await join(call, householdId)
  recordChange(call.db, { object: 'household', id: householdId, organizationId: null })
  return find(call, householdId)
}

/** @throws {Problem} 404 for an invitation that isn't the caller's */
export async function decline(call: ActorCall, id: string): Promise<void> {
  const { householdId } = await consumeInvitation(call, id)
  recordChange(call.db, { object: 'household', id: householdId, organizationId: null })
}

async function consumeInvitation({ db, actor, now }: ActorCall, id: string) {
  const { email } = await findUser(db, personOf(actor))
  const own = and(eq(householdInvitations.id, id), toAddress(email, now()))
  const [invitation] = await db.delete(householdInvitations).where(own).returning()
  if (!invitation) throw notFound('invitation')
  return invitation
}

const toAddress = (email: string, now: Date) =>
  and(eq(householdInvitations.email, email.toLowerCase()), gt(householdInvitations.expiresAt, now))
