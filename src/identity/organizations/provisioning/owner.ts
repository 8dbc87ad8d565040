import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import type { Database } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { truncate } from '#lib/text.ts'
import { adminOrganization } from '../../contract/fields.ts'
import { memberships, organizations, users } from '../../schema.ts'
import type { Checkout } from './contract.ts'

/**
 * A new one signs in with links until they set a password. @throws 409 for a super admin or an agent, and `account_exists`
 * where `accountId` is that of a new account
 */
export async function findOrCreateOwner(
  db: Database,
  { email, name, accountId }: Pick<Checkout, 'email' | 'name' | 'accountId'>,
  createdAt: Date,
) {
  const values = {
    id: accountId ?? newId(),
    email,
    name: name ?? truncate(email.slice(0, email.indexOf('@')), 100),
    createdAt,
  }
  const [made] = await db.insert(users).values(values).onConflictDoNothing().returning()
  if (made) recordChange(db, { object: 'user', id: made.id, onBehalfOf: made.id })
  const [user] = made
    ? [made]
    : await db
        .select()
        .from(users)
        .where(eq(sql`lower(${users.email})`, email))
  if (user?.principalType !== 'user')
    throw conflict(
      'not_a_customer',
      'This email address belongs to a super admin or an agent. Use a different address.',
    )
  if (accountId !== undefined && user.id !== accountId)
    throw conflict('account_exists', 'An account has this email address already.')
  return user
}

/** The organization that a person has owned longest, preferring those that are not developer workspaces. */
export async function findOwnedWorkspace(db: Database, userId: string) {
  const owned = and(eq(memberships.userId, userId), eq(memberships.role, 'owner'))
  const [found] = await db
    .select({ id: organizations.id, name: organizations.name })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(owned, ne(organizations.slug, adminOrganization)))
    .orderBy(asc(organizations.developerWorkspace), asc(organizations.id))
    .limit(1)
  return found
}
