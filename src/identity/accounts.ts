import { eq, inArray, sql } from 'drizzle-orm'
import { audited, auditedStep } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { Problem, unauthorized } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import type { Credentials, Organization, Person, Registration } from './contract.ts'
import { createOrganization, organizationsOf, type CreationContext } from './organizations.ts'
import { knownCaller, unknownCaller } from './hash-queue.ts'
import { verifyPassword, hashNewPassword } from './passwords.ts'
import { users } from './schema.ts'
import { requireUnreserved } from './slugs/reserved.ts'
import { findKnownDevice } from './sign-in/known-devices.ts'
import { verifyThrottled, throttleSubjects } from './sign-in/slowdown.ts'

type UserRow = typeof users.$inferSelect

/** A person with the context that they work in; null is the personal one. */
export interface Account {
  user: UserRow
  organization: Organization | null
}

/**
 * Makes a person, with an organization when they ask for one (IDN-01). Throws 409 for a known e-mail or slug, 422 for a
 * reserved one.
 */
export async function register(call: Call, input: Registration): Promise<Account> {
  requireUnreserved(call, input.organizationSlug, 'organizationSlug')
  const passwordHash = await hashNewPassword(input.password, input.email, unknownCaller(call))
  return auditedStep(call, (db) => createAccount({ ...call, db }, { ...input, passwordHash, emailVerified: false }))
}

/** What an account is made of, once the password is hashed; null for whoever comes without one. */
export type NewAccount = Omit<Registration, 'password' | 'next'> & {
  passwordHash: string | null
  /** The address is known to be the person's own. */
  emailVerified: boolean
}

/** The same within a transaction. */
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
  if (!user) throw new Error('The new person was not stored')
  audited(db, { object: 'user', id: user.id, by: user })
  const organization = wantsOrganization(account)
    ? await createOrganization(making, user, organizationInput(account))
    : null
  await saveLastContext(db, user.id, organization?.id ?? null)
  return { user, organization }
}

const wantsOrganization = (account: NewAccount): boolean => account.createOrganization || account.developerWorkspace

const organizationInput = ({ organizationName, organizationSlug, developerWorkspace, name }: NewAccount) => ({
  name: organizationName ?? `${name.slice(0, 88)}’s workspace`,
  slug: organizationSlug,
  slugField: 'organizationSlug',
  developerWorkspace,
})

const emailTaken = () =>
  new Problem(409, 'email_taken', 'There is an account with this e-mail address. Sign in instead.', {
    errors: [{ path: 'email', message: 'There is an account with this e-mail address.' }],
  })

/**
 * The person with these credentials, in the context that they used last. Throws 401, always after the same time, and 429
 * after too many wrong passwords.
 */
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
    throw unauthorized('The e-mail address or the password is not right.', 'invalid_credentials')
  }
  return accountOf(db, user)
}

/** A person with the context to open: the organization that is meant, while they belong to it, else as IDN-10 says. */
export async function accountOf(db: Database, user: UserRow, organizationId: string | null = null): Promise<Account> {
  const organizations = await organizationsOf(db, user.id)
  const meant = organizations.find(({ id }) => id === organizationId)
  return { user, organization: meant ?? lastContext(user, organizations) }
}

/** In no organization's log, and without the address that was tried: it may be a password in the wrong field. */
const auditFailedSignIn = (call: Call, user: UserRow | undefined): Promise<void> =>
  auditedStep(call, async (tx) => audited(tx, { object: 'user', id: user?.id, refused: true }))

/** IDN-10: the context used last, else the only organization, else the personal one. */
export function lastContext(user: UserRow, organizations: Organization[]): Organization | null {
  if (user.lastContext === 'personal') return null
  const last = organizations.find(({ id }) => id === user.lastOrganizationId)
  return last ?? (organizations.length === 1 ? (organizations[0] ?? null) : null)
}

/** Keeps where a person works, for their next sign-in. */
export async function saveLastContext(db: Database, userId: string, organizationId: string | null): Promise<void> {
  const context = organizationId ? 'organization' : 'personal'
  await db.update(users).set({ lastContext: context, lastOrganizationId: organizationId }).where(eq(users.id, userId))
}

/** The person with this id, who is known to exist. Throws 401 otherwise. */
export async function findUser(db: Database, id: string): Promise<UserRow> {
  const [user] = await db.select().from(users).where(eq(users.id, id))
  if (!user) throw unauthorized('This account exists no more.')
  return user
}

/** Gives a person another name. */
export async function renameUser(db: Database, id: string, name: string): Promise<UserRow> {
  const [user] = await db.update(users).set({ name }).where(eq(users.id, id)).returning()
  // Not what the name was and is: the log forgets nobody, and a person may want to be forgotten.
  audited(db, { object: 'user', id })
  if (!user) throw unauthorized('This account exists no more.')
  return user
}

/** The names of these people; unknown ids are left out. */
export const namesOf = (db: Database, ids: string[]): Promise<Person[]> =>
  db.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, ids))

/** Whether there is an account with this e-mail address, which is in lowercase. */
export const isEmailRegistered = async (db: Database, email: string): Promise<boolean> =>
  (
    await db
      .select({ id: users.id })
      .from(users)
      .where(eq(sql`lower(${users.email})`, email))
  ).length > 0

/** Whether anyone has an account. */
export const hasAccounts = async (db: Database): Promise<boolean> =>
  (await db.select({ id: users.id }).from(users).limit(1)).length > 0

/** A person as the API shows them (IDN-06). */
export const publicUser = ({ id, email, emailVerifiedAt, name, principalType }: UserRow) => ({
  id,
  email,
  emailVerified: emailVerifiedAt !== null,
  name,
  principalType,
  launcherEligible: isLauncherEligible(principalType),
})

/** People launch apps; agents and services call them. */
export const isLauncherEligible = (principalType: string): boolean =>
  principalType === 'user' || principalType === 'platform_super_admin'
