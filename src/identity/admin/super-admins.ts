import { and, eq, gt, ne, sql } from 'drizzle-orm'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, invalid, notFound } from '#lib/errors.ts'
import { digest, newId, randomToken } from '#lib/ids.ts'
import { adminOrganization } from '../contract/fields.ts'
import { saveLastContext, type Account } from '../accounts/accounts.ts'
import { NewPassword, type SuperAdminAcceptance } from '../contract.ts'
import { getOrganization } from '../organizations/organizations.ts'
import { knownCaller } from '../sign-in/passwords/hash-queue.ts'
import { verifyPassword, hashNewPassword } from '../sign-in/passwords/passwords.ts'
import { publishRevocation } from '../tokens/revocation.ts'
import { memberships, organizations, superAdminLinks, users } from '../schema.ts'
import { verifyThrottled, reauthenticationSubjects } from '../sign-in/login-throttle.ts'

const lifetimeMs = 24 * 60 * 60 * 1000

/** The link replaces an earlier one for the address. @throws {Problem} 409 for a member of another organization */
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
      'member_of_another_organization',
      `${email} belongs to ${rows[0]?.name}. A super admin can’t belong to another organization. Use a different address.`,
    )
}

/** Undefined when it was used, replaced or has expired. */
export async function findSuperAdminLink(db: Database, token: string, now: Date) {
  const [link] = await db
    .select({ email: superAdminLinks.email, userId: users.id })
    .from(superAdminLinks)
    .leftJoin(users, eq(sql`lower(${users.email})`, superAdminLinks.email))
    .where(byToken(token, now))
  return link
}

/** @throws {Problem} 404 for a used link, 422 for a wrong password, 429, 409 as `createSuperAdminLink` */
export async function becomeSuperAdmin(call: Call, input: SuperAdminAcceptance): Promise<Account> {
  const now = call.now()
  const link = await findSuperAdminLink(call.db, input.token, now)
  if (!link) throw notFound('link')
  await refuseMembers(call.db, link.email)
  const newUser = link.userId
    ? null
    : { name: input.name ?? '', passwordHash: await hashInputPassword(link.email, input) }
  if (link.userId) await requireAccountPassword(call, link.userId, input.password)
  return auditedTransaction(call, async (tx) => {
    const [spent] = await tx.delete(superAdminLinks).where(byToken(input.token, now)).returning()
    if (!spent) throw notFound('link')
    const user = await promote(tx, newUser ?? link.userId ?? '', { email: spent.email, createdAt: now })
    await publishRevocation(tx, call.events, user.id)
    return { user, organization: await enroll(tx, user, now) }
  })
}

async function hashInputPassword(email: string, { name, password }: SuperAdminAcceptance): Promise<string> {
  if (!name) throw invalid([{ path: 'name', message: 'Enter your name.' }])
  const { error } = await NewPassword.safeParseAsync(password)
  if (error) throw invalid(error.issues.map(({ message }) => ({ path: 'password', message })))
  return hashNewPassword(password, email, knownCaller(email))
}

/** The link alone must not give access to an existing account. */
async function requireAccountPassword(call: Call, userId: string, password: string): Promise<void> {
  const [user] = await call.db.select().from(users).where(eq(users.id, userId))
  if (
    !(await verifyThrottled(call, reauthenticationSubjects(userId), () =>
      verifyPassword(password, user?.passwordHash, knownCaller(userId)),
    ))
  )
    throw invalid([{ path: 'password', message: 'Incorrect password.' }])
}

type NewUser = Pick<typeof users.$inferInsert, 'name' | 'passwordHash'>

/** @throws {Problem} 409 when someone created the account since the link was read */
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
  if (!user) throw conflict('account_changed', 'The account was changed at the same time. Open the link again.')
  recordChange(tx, { object: 'user', id: user.id, by: user, after: { principalType } })
  return user
}

async function enroll(tx: Database, user: Account['user'], now: Date) {
  const [home] = await tx.select().from(organizations).where(eq(organizations.slug, adminOrganization))
  if (!home) throw new Error('The organization of the super admins is missing')
  const membership = { organizationId: home.id, userId: user.id, role: 'owner' as const, createdAt: now }
  await tx.insert(memberships).values(membership).onConflictDoNothing()
  recordChange(tx, { object: 'member', id: user.id, by: user, after: { role: 'owner' }, organizationId: home.id })
  await saveLastContext(tx, user.id, home.id)
  return getOrganization(tx, user.id, home.id)
}

const byToken = (token: string, now: Date) =>
  and(eq(superAdminLinks.tokenHash, digest(token)), gt(superAdminLinks.expiresAt, now))
