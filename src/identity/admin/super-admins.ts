import { and, eq, gt, ne, sql } from 'drizzle-orm'
import { adminOrganization } from '#lib/actor.ts'
import { audited, auditedStep } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, invalid, notFound } from '#lib/errors.ts'
import { digest, newId, randomToken } from '#lib/ids.ts'
import { saveLastContext, type Account } from '../accounts.ts'
import { NewPassword, type SuperAdminAcceptance } from '../contract.ts'
import { findOrganization } from '../organizations.ts'
import { knownCaller } from '../hash-queue.ts'
import { verifyPassword, hashNewPassword } from '../passwords.ts'
import { publishRevocation } from '../revocation.ts'
import { memberships, organizations, superAdminLinks, users } from '../schema.ts'
import { verifyThrottled, reauthenticationSubjects } from '../sign-in/slowdown.ts'

/** Milliseconds that a link works. */
const lifetimeMs = 24 * 60 * 60 * 1000

/**
 * Makes the path of a link by which the owner of this e-mail address becomes a super admin; an earlier one of theirs
 * ends. Throws 409 for a member of another organization, 422 for what is no address.
 */
export async function createSuperAdminLink(db: Database, address: string, now: Date): Promise<string> {
  const email = address.trim().toLowerCase()
  await refuseMembers(db, email)
  const token = randomToken()
  const link = { tokenHash: digest(token), createdAt: now, expiresAt: new Date(now.getTime() + lifetimeMs) }
  await db
    .insert(superAdminLinks)
    .values({ id: newId(), email, ...link })
    .onConflictDoUpdate({ target: superAdminLinks.email, set: link })
  return `/super-admin/${token}`
}

/** A super admin belongs to one organization alone (IDN-16). */
async function refuseMembers(db: Database, email: string): Promise<void> {
  const rows = await db
    .select({ name: organizations.name })
    .from(users)
    .innerJoin(memberships, eq(memberships.userId, users.id))
    .innerJoin(
      organizations,
      and(eq(organizations.id, memberships.organizationId), ne(organizations.slug, adminOrganization)),
    )
    .where(eq(sql`lower(${users.email})`, email))
    .limit(1)
  if (rows.length > 0)
    throw conflict(
      'belongs_elsewhere',
      `${email} belongs to ${rows[0]?.name}. A super admin belongs to no other organization: use another address.`,
    )
}

/** Whom a link is for; undefined when it was used, replaced or has expired. */
export async function findSuperAdminLink(db: Database, token: string, now: Date) {
  const [link] = await db
    .select({ email: superAdminLinks.email, userId: users.id })
    .from(superAdminLinks)
    .leftJoin(users, eq(sql`lower(${users.email})`, superAdminLinks.email))
    .where(byToken(token, now))
  return link
}

/**
 * Makes a super admin of whom the link is for. Throws 404 for a link that is worth nothing, 422 for a password that is
 * not the account's or a missing name, 429 after too many of those, 409 as `superAdminLink`.
 */
export async function becomeSuperAdmin(call: Call, input: SuperAdminAcceptance): Promise<Account> {
  const now = call.now()
  const link = await findSuperAdminLink(call.db, input.token, now)
  if (!link) throw notFound('link')
  await refuseMembers(call.db, link.email)
  const fresh = link.userId
    ? null
    : { name: input.name ?? '', passwordHash: await hashInputPassword(link.email, input) }
  if (link.userId) await requireAccountPassword(call, link.userId, input.password)
  return auditedStep(call, async (tx) => {
    const [spent] = await tx.delete(superAdminLinks).where(byToken(input.token, now)).returning()
    if (!spent) throw notFound('link')
    const user = await promote(tx, fresh ?? link.userId ?? '', { email: spent.email, createdAt: now })
    await publishRevocation(tx, call.events, user.id)
    return { user, organization: await enroll(tx, user, now) }
  })
}

async function hashInputPassword(email: string, { name, password }: SuperAdminAcceptance): Promise<string> {
  if (!name) throw invalid([{ path: 'name', message: 'Your name is missing.' }])
  const { error } = NewPassword.safeParse(password)
  if (error) throw invalid(error.issues.map(({ message }) => ({ path: 'password', message })))
  return hashNewPassword(password, email, knownCaller(email))
}

/** The link alone must not open somebody's account. */
async function requireAccountPassword(call: Call, userId: string, password: string): Promise<void> {
  const [user] = await call.db.select().from(users).where(eq(users.id, userId))
  if (
    !(await verifyThrottled(call, reauthenticationSubjects(userId), () =>
      verifyPassword(password, user?.passwordHash, knownCaller(userId)),
    ))
  )
    throw invalid([{ path: 'password', message: 'This is not the password of the account.' }])
}

type NewUser = Pick<typeof users.$inferInsert, 'name' | 'passwordHash'>

/** The account that was there when the password was looked at, or a new one; whoever made one meanwhile is refused. */
async function promote(
  tx: Database,
  who: NewUser | string,
  stored: { email: string; createdAt: Date },
): Promise<Account['user']> {
  const principalType = 'platform_super_admin' as const
  const [user] =
    typeof who === 'string'
      ? await tx.update(users).set({ principalType }).where(eq(users.id, who)).returning()
      : await tx
          .insert(users)
          .values({ id: newId(), ...who, ...stored, emailVerifiedAt: stored.createdAt, principalType })
          .onConflictDoNothing()
          .returning()
  if (!user) throw conflict('account_changed', 'The account changed in this very moment. Follow the link again.')
  audited(tx, { object: 'user', id: user.id, by: user, after: { principalType } })
  return user
}

async function enroll(tx: Database, user: Account['user'], now: Date) {
  const [home] = await tx.select().from(organizations).where(eq(organizations.slug, adminOrganization))
  if (!home) throw new Error('The organization of the super admins is missing')
  const membership = { organizationId: home.id, userId: user.id, role: 'owner' as const, createdAt: now }
  await tx.insert(memberships).values(membership).onConflictDoNothing()
  audited(tx, { object: 'member', id: user.id, by: user, after: { role: 'owner' }, organizationId: home.id })
  await saveLastContext(tx, user.id, home.id)
  return findOrganization(tx, user.id, home.id)
}

const byToken = (token: string, now: Date) =>
  and(eq(superAdminLinks.tokenHash, digest(token)), gt(superAdminLinks.expiresAt, now))
