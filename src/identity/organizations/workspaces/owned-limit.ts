import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import { memberships, organizations } from '../../schema.ts'

/** Organizations on the free plan that a person can own and create more. Limits that hold per organization rely on it. */
const maxOwned = 20

/** Organizations that a checkout paid for don't count. */
const isFree = sql`coalesce(${organizations.settings}->'appEntitlement'->>'mode', 'free') = 'free'`

/** Concurrent callers wait. Counts organizations until their deletion is final. @throws {Problem} 409 */
export async function requireRoomForOrganization(tx: Database, userId: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`owned organizations ${userId}`}, 0))`)
  const [row] = await tx
    .select({ owned: sql`count(*)`.mapWith(Number) })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(eq(memberships.userId, userId), eq(memberships.role, 'owner'), isFree))
  if ((row?.owned ?? 0) < maxOwned) return
  throw conflict(
    'too_many_organizations',
    `You own ${row?.owned} organizations on the free plan, and the limit is ${maxOwned}. Transfer or delete one first. Deleted organizations count until their deletion is final.`,
  )
}
