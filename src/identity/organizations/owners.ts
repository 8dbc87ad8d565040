import { and, eq, isNull, ne, sql, type SQLWrapper } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Database } from '#lib/db.ts'
import { accountDeletions, memberships, organizations, users } from '../schema.ts'

/** Agents are not included. */
export const ownersOf = (db: Database, organizationId: string) =>
  db
    .select({ id: users.id, name: users.name, email: users.email, organization: organizations.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(
      and(
        eq(memberships.organizationId, organizationId),
        eq(memberships.role, 'owner'),
        ne(users.principalType, 'agent'),
      ),
    )
    .orderBy(users.id)

const owner = alias(memberships, 'owner')

/** Those whose accounts aren't being deleted: a subquery for EXISTS. */
export const remainingOwners = (db: Database, organizationId: SQLWrapper | string) =>
  db
    .select({ one: sql`1` })
    .from(owner)
    .leftJoin(accountDeletions, eq(accountDeletions.userId, owner.userId))
    .where(and(eq(owner.organizationId, organizationId), eq(owner.role, 'owner'), isNull(accountDeletions.userId)))
