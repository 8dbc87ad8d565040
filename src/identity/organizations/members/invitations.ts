import { and, count, eq, gt, lte, sql } from 'drizzle-orm'
import { atLeast, type Actor, type Role } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, invalid, notFound, Problem, retryLater } from '#lib/errors.ts'
import { digest, newId, randomToken } from '#lib/ids.ts'
import { byId } from '#lib/paginate.ts'
import { publicUrl } from '#lib/public-url.ts'
import { invitationLetter } from '#views/emails/invitation.tsx'
import { findUser } from '../../accounts/accounts.ts'
import { requireActiveOrganization, getOrganization } from '../organizations.ts'
import { countInvitation } from '../../accounts/mail-quota.ts'
import { invitations, memberships, organizations, users } from '../../schema.ts'
import type { InvitationBatch } from '../../contract.ts'
import { describeInvitation, roleIn } from './abilities.ts'
import { requireGrantable } from './grant.ts'

type InvitationRow = typeof invitations.$inferSelect
type ActorCall = Call<unknown, Actor>

const day = 24 * 60 * 60 * 1000
/** IDN-10 */
const lifetimeMs = 7 * day
/** Pending invitations of one organization, since mail is sent in its name. */
const maxOpen = 200
const resendDelayMs = 60_000

interface InvitationInput {
  id: string
  email: string
  role: Role
}

/** Replaces an expired invitation. @throws {Problem} 403 for an owner by an admin, 409, 429 as `countInvitation` */
export async function invite(call: ActorCall, { id: organizationId, email, role }: InvitationInput) {
  requireGrantable(requireActiveOrganization(call.actor, organizationId).role, role)
  await refuseMember(call.db, organizationId, email)
  await requireInvitationSlot(call.db, organizationId, call.now())
  const row = createRow(call, { organizationId, email, role })
  const [made] = await call.db
    .insert(invitations)
    .values(row.values)
    .onConflictDoUpdate({
      target: [invitations.organizationId, invitations.email],
      set: row.values,
      setWhere: lte(invitations.expiresAt, call.now()),
    })
    .returning()
  if (!made)
    throw conflict(
      'already_invited',
      `${email} is already invited. Resend the invitation, or cancel it to change the role.`,
    )
  // Without the address: audit entries outlive the account.
  recordChange(call.db, { object: 'invitation', id: made.id, after: { role } })
  return mailInvitation(call, made, row.token)
}

/** All or none. @throws {Problem} as `invite`, naming the row; 422 without an address, and for one that occurs twice */
export async function inviteMany(call: ActorCall, { id, invitations: rows }: InvitationBatch) {
  const people = rows.flatMap(({ email, role }, at) => (email === null ? [] : [{ email, role, at }]))
  if (people.length === 0)
    throw invalid([{ path: 'invitations.0.email', message: 'Enter at least one email address.' }])
  const twice = people.find(({ email }, at) => people.findIndex((other) => other.email === email) < at)
  if (twice) throw invalid([{ path: pathOf(twice.at), message: 'This address is in the list twice.' }])
  const made = []
  for (const { email, role, at } of people)
    made.push(
      await invite(call, { id, email, role }).catch((error: unknown) => {
        throw atRow(error, at)
      }),
    )
  return made
}

const pathOf = (at: number) => `invitations.${at}.email`

/** A conflict is that of one address. */
const atRow = (error: unknown, at: number): unknown =>
  error instanceof Problem && error.status === 409 && error.code !== 'too_many_invitations'
    ? new Problem(error.status, error.code, error.message, { errors: [{ path: pathOf(at), message: error.message }] })
    : error

/** Valid for another 7 days; the previous link stops working. @throws {Problem} 404, 403, 409 and 429 as `invite` */
export async function resend(call: ActorCall, organizationId: string, id: string) {
  const own = requireActiveOrganization(call.actor, organizationId)
  const found = await findInvitation(call.db, organizationId, id)
  requireGrantable(own.role, found.role)
  refuseRecentMail(found, call.now())
  if (found.expiresAt <= call.now()) await requireInvitationSlot(call.db, organizationId, call.now())
  const { token, values } = createRow(call, found)
  const [row] = await call.db
    .update(invitations)
    .set({ ...values, id })
    .where(eq(invitations.id, id))
    .returning()
  if (!row) throw notFound('invitation')
  recordChange(call.db, { object: 'invitation', id })
  return mailInvitation(call, row, token)
}

/** Its link stops working. @throws {Problem} 404, 403 when an admin cancels an owner's */
export async function cancel({ db, actor }: ActorCall, organizationId: string, id: string): Promise<void> {
  const own = requireActiveOrganization(actor, organizationId)
  const { role } = await findInvitation(db, organizationId, id)
  requireGrantable(own.role, role)
  await db.delete(invitations).where(eq(invitations.id, id))
  recordChange(db, { object: 'invitation', id, before: { role } })
}

/** Pending and expired ones, oldest first. */
export async function listInvitations(call: ActorCall, page: { id: string; limit: number; cursor?: string }) {
  requireActiveOrganization(call.actor, page.id)
  const slice = byId(invitations.id).slice(page)
  const rows = await call.db
    .select({ invitation: invitations, inviter: { id: users.id, name: users.name } })
    .from(invitations)
    .leftJoin(users, eq(users.id, invitations.invitedBy))
    .where(and(eq(invitations.organizationId, page.id), slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  const { items, nextCursor } = slice.pageBy(rows, ({ invitation }) => invitation)
  const sent = await call.mail.deliveries(
    call.db,
    items.flatMap(({ invitation }) => invitation.mailId ?? []),
  )
  const own = roleIn(call.actor, page.id)
  const described = items.map(({ invitation, inviter }) => ({
    ...describeInvitation(publicInvitation(invitation, call.now()), own),
    invitedBy: inviter,
    delivery: sent.get(invitation.mailId ?? '') ?? null,
  }))
  return { items: described, nextCursor }
}

/** Those above `role`, which the member can no longer send; all for null. */
export async function cancelInvitationsBy(db: Database, organizationId: string, userId: string, role: Role | null) {
  const made = and(eq(invitations.organizationId, organizationId), eq(invitations.invitedBy, userId))
  if (role === null || !atLeast(role, 'admin')) await db.delete(invitations).where(made)
  else if (role === 'admin') await db.delete(invitations).where(and(made, eq(invitations.role, 'owner')))
}

async function refuseMember(db: Database, organizationId: string, email: string): Promise<void> {
  const [member] = await db
    .select({ id: users.id })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.organizationId, organizationId), eq(sql`lower(${users.email})`, email)))
  if (member) throw conflict('already_member', `${email} is already a member. Change the role in the list of members.`)
}

/** @throws {Problem} 429 within a minute of the last mail */
function refuseRecentMail({ createdAt }: InvitationRow, now: Date): void {
  const seconds = Math.ceil((createdAt.getTime() + resendDelayMs - now.getTime()) / 1000)
  if (seconds <= 0) return
  throw retryLater(429, 'invitation_just_sent', `This invitation was just sent. Try again in ${seconds} seconds.`, {
    retryAfter: seconds,
  })
}

/** Concurrent calls wait for each other. @throws {Problem} 409 beyond 200 pending invitations */
async function requireInvitationSlot(db: Database, organizationId: string, now: Date): Promise<void> {
  await db
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
    .for('no key update')
  const open = and(eq(invitations.organizationId, organizationId), gt(invitations.expiresAt, now))
  const [row] = await db.select({ open: count() }).from(invitations).where(open)
  if ((row?.open ?? 0) >= maxOpen)
    throw conflict(
      'too_many_invitations',
      `This organization has ${maxOpen} pending invitations. Cancel some, or wait until they are accepted.`,
    )
}

/** The token is only in the mail. */
function createRow(
  { actor, now }: ActorCall,
  { organizationId, email, role }: Omit<InvitationInput, 'id'> & { organizationId: string },
) {
  const token = randomToken()
  const at = now()
  const expiresAt = new Date(at.getTime() + lifetimeMs)
  const who = { organizationId, email, role, invitedBy: actor.principal.id }
  return { token, values: { id: newId(), ...who, tokenHash: digest(token), createdAt: at, expiresAt } }
}

async function mailInvitation(call: ActorCall, row: InvitationRow, token: string) {
  const { db, actor, config, request, now, mail } = call
  await countInvitation(db, row.organizationId, row.email)
  const [inviter, organization] = await Promise.all([
    findUser(db, actor.principal.id),
    getOrganization(db, actor.principal.id, row.organizationId),
  ])
  const href = publicUrl(`/invitations/${token}`, config, request)
  const letter = invitationLetter({ inviter: inviter.name, organization: organization.name, role: row.role, href })
  const mailId = await mail.send(db, row.email, letter, now())
  await db.update(invitations).set({ mailId }).where(eq(invitations.id, row.id))
  const delivery = (await mail.deliveries(db, [mailId])).get(mailId) ?? null
  const described = describeInvitation(publicInvitation(row, now()), roleIn(actor, row.organizationId))
  return { ...described, invitedBy: { id: inviter.id, name: inviter.name }, delivery }
}

const publicInvitation = ({ id, email, role, createdAt, expiresAt }: InvitationRow, now: Date) => ({
  id,
  email,
  role,
  createdAt,
  expiresAt,
  expired: expiresAt <= now,
})

async function findInvitation(db: Database, organizationId: string, id: string): Promise<InvitationRow> {
  const own = and(eq(invitations.id, id), eq(invitations.organizationId, organizationId))
  const [found] = await db.select().from(invitations).where(own)
  if (!found) throw notFound('invitation')
  return found
}
