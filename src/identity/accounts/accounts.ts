import { eq, inArray, sql } from 'drizzle-orm'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { Problem, unauthorized } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import type { Credentials, Organization, Person, Registration } from '../contract.ts'
import { createOrganization, organizationsOf, type CreationContext } from '../organizations/organizations.ts'
import { knownCaller, unknownCaller } from '../sign-in/passwords/hash-queue.ts'
import { verifyPassword, hashNewPassword } from '../sign-in/passwords/passwords.ts'
import { users } from '../schema.ts'
import { requireUnreserved } from '../organizations/slugs/reserved.ts'
import { findKnownDevice } from '../sign-in/devices/known-devices.ts'
import { verifyThrottled, throttleSubjects } from '../sign-in/login-throttle.ts'

type UserRow = typeof users.$inferSelect

/** A person with the organization that they work in; null is the personal context. */
export interface Account {
  user: UserRow
  organization: Organization | null
}

/** IDN-01. @throws {Problem} 409 for an email address or slug that is taken, 422 for a reserved slug */
export async function register(call: Call, input: Registration): Promise<Account> {
  requireUnreserved(call, input.organizationSlug, 'organizationSlug')
  const passwordHash = await hashNewPassword(input.password, input.email, unknownCaller(call))
  return auditedTransaction(call, (db) =>
    createAccount({ ...call, db }, { ...input, passwordHash, emailVerified: false }),
  )
}

/** `passwordHash` is null for people who sign in without a password. */
export type NewAccount = Omit<Registration, 'password' | 'next'> & {
  passwordHash: string | null
  emailVerified: boolean
}

/** In the caller's transaction. */
export async function createAccount(making: CreationContext, account: NewAccount): Promise<Account> {
  const { db, now } = making
  const { email, name, passwordHash, emailVerified } = account
  const createdAt = now()
  const values = {
    id: newId(),
    email,
    emailVerifiedAt: emailVerified ? createdAt : null,
    name,
    passwordHash,
    createdAt,
  }
  const [user] = await db
    .insert(users)
    .values(values)
    .returning()
    .catch((error: unknown) => {
      throw brokenConstraint(error) === 'users_email' ? emailTaken() : error
    })
  if (!user) throw new Error('INSERT INTO users returned no row')
  recordChange(db, { object: 'user', id: user.id, by: user })
  const organization = wantsOrganization(account)
    ? await createOrganization(making, user, organizationInput(account))
    : null
  await saveLastContext(db, user.id, organization?.id ?? null)
  return { user, organization }
}

const wantsOrganization = (account: NewAccount): boolean => account.createOrganization || account.developerWorkspace

const organizationInput = ({ organizationName, organizationSlug, developerWorkspace, name }: NewAccount) => ({
  name: organizationName ?? `${name.slice(0, 88)}’s organization`,
  slug: organizationSlug,
  slugField: 'organizationSlug',
  developerWorkspace,
})

const invalidCredentials = () => {
  const message = 'Incorrect email or password.'
  const { status, code, options } = unauthorized(message, 'invalid_credentials')
  return new Problem(status, code, message, { ...options, errors: [{ path: 'password', message }] })
}

const emailTaken = () =>
  new Problem(409, 'email_taken', 'An account with this email already exists. Sign in instead.', {
    errors: [{ path: 'email', message: 'An account with this email already exists. Sign in instead.' }],
  })

/** As slow for unknown addresses. @throws {Problem} 401, 429 after too many wrong passwords */
export async function authenticate(call: Call, { email, password }: Credentials): Promise<Account> {
  const { db } = call
  const [user] = await db
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, email))
  const device = await findKnownDevice(call, email)
  const by = throttleSubjects(call, email, device)
  const waiter = device ? knownCaller(device) : unknownCaller(call)
  if (!(await verifyThrottled(call, by, () => verifyPassword(password, user?.passwordHash, waiter))) || !user) {
    await auditFailedSignIn(call, user)
    throw invalidCredentials()
  }
  return accountOf(db, user)
}

/** In `organizationId` while they belong to it, else the context of IDN-10. */
export async function accountOf(db: Database, user: UserRow, organizationId: string | null = null): Promise<Account> {
  const organizations = await organizationsOf(db, user.id)
  const meant = organizations.find(({ id }) => id === organizationId)
  return { user, organization: meant ?? lastContext(user, organizations) }
}

/** The address that was entered is not logged: it can be a password in the wrong field. */
const auditFailedSignIn = (call: Call, user: UserRow | undefined): Promise<void> =>
  auditedTransaction(call, async (tx) => recordChange(tx, { object: 'user', id: user?.id, refused: true }))

/** IDN-10: the context used last, else the only organization, else the personal context. */
export function lastContext(user: UserRow, organizations: Organization[]): Organization | null {
  if (user.lastContext === 'personal') return null
  const last = organizations.find(({ id }) => id === user.lastOrganizationId)
  return last ?? (organizations.length === 1 ? (organizations[0] ?? null) : null)
}

export async function saveLastContext(db: Database, userId: string, organizationId: string | null): Promise<void> {
  const context = organizationId ? 'organization' : 'personal'
  await db.update(users).set({ lastContext: context, lastOrganizationId: organizationId }).where(eq(users.id, userId))
}

/** @throws {Problem} 401 when the account was deleted */
export async function findUser(db: Database, id: string): Promise<UserRow> {
  const [user] = await db.select().from(users).where(eq(users.id, id))
  if (!user) throw unauthorized('This account no longer exists.')
  return user
}

export async function renameUser(db: Database, id: string, name: string): Promise<UserRow> {
  const [user] = await db.update(users).set({ name }).where(eq(users.id, id)).returning()
  // Without the names: audit entries outlive the account.
  recordChange(db, { object: 'user', id })
  if (!user) throw unauthorized('This account no longer exists.')
  return user
}

/** Unknown ids are left out. */
export const namesOf = (db: Database, ids: string[]): Promise<Person[]> =>
  db.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, ids))

/** `email` is lowercase. */
export const isEmailRegistered = async (db: Database, email: string): Promise<boolean> =>
  (
    await db
      .select({ id: users.id })
      .from(users)
      .where(eq(sql`lower(${users.email})`, email))
  ).length > 0

export const hasAccounts = async (db: Database): Promise<boolean> =>
  (await db.select({ id: users.id }).from(users).limit(1)).length > 0

export const publicUser = ({ id, email, emailVerifiedAt, name, principalType }: UserRow) => ({
  id,
  email,
  emailVerified: emailVerifiedAt !== null,
  name,
  principalType,
  launcherEligible: isLauncherEligible(principalType),
})

/** People open apps in the launcher; agents and services only call them. */
export const isLauncherEligible = (principalType: string): boolean =>
  principalType === 'user' || principalType === 'platform_super_admin'
