import { and, count, eq, ne, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { memberships, passkeys, totpAuthenticators, users } from '../../schema.ts'

/** Whether the person of the outer query has an authenticator app or a passkey. */
export const isEnrolled = sql`(EXISTS (SELECT FROM ${passkeys} WHERE ${passkeys.userId} = ${users.id})
  OR EXISTS (SELECT FROM ${totpAuthenticators}
    WHERE ${totpAuthenticators.userId} = ${users.id} AND ${totpAuthenticators.confirmedAt} IS NOT NULL))`

/** How many members of an organization are people, and how many of them have no second factor. */
export async function countSecondFactors(db: Database, organizationId: string) {
  const [row] = await db
    .select({ people: count(), missing: sql<number>`(count(*) FILTER (WHERE NOT ${isEnrolled}))::int` })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.organizationId, organizationId), ne(users.principalType, 'agent')))
  return row ?? { people: 0, missing: 0 }
}
